"""Labeling functions over spaCy documents."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Callable, ClassVar, Optional

from consilience.labeling.lf.core import LabelingFunction, labeling_function
from consilience.preprocess.core import BasePreprocessor
from consilience.preprocess.nlp import DEFAULT_LANGUAGE
from consilience.preprocess.shared import SharedDocuments
from consilience.types import HashingFunction


class NLPLabelingFunction(LabelingFunction):
    """A labeling function whose items have a spaCy document.

    All functions of this class read the documents of one pipeline, made for the first of them; one with other settings is a
    ValueError. A subclass has a pipeline of its own.

    Parameters
    ----------
    name, f, resources
        As for `LabelingFunction`.
    pre
        Preprocessors that run before spaCy.
    text_field, doc_field, language, disable, memoize, memoize_key, gpu
        As for `SpacyPreprocessor`.
    """

    documents: ClassVar[SharedDocuments] = SharedDocuments("NLPLabelingFunction")

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.documents = SharedDocuments(cls.__name__)

    def __init__(
        self,
        name: str,
        f: Callable[..., int],
        resources: Optional[Mapping[str, Any]] = None,
        pre: Optional[Sequence[BasePreprocessor]] = None,
        text_field: str = "text",
        doc_field: str = "doc",
        language: str = DEFAULT_LANGUAGE,
        disable: Optional[Sequence[str]] = None,
        memoize: bool = True,
        memoize_key: Optional[HashingFunction] = None,
        gpu: bool = False,
    ) -> None:
        settings = {
            "text_field": text_field,
            "doc_field": doc_field,
            "language": language,
            "disable": list(disable or ()),
            "pre": list(pre or ()),
            "memoize": memoize,
            "memoize_key": memoize_key,
            "gpu": gpu,
        }
        super().__init__(name, f, resources, [self.documents.ask(settings)])


class nlp_labeling_function(labeling_function):  # noqa: N801 (a decorator)
    """Make a function into a labeling function over spaCy documents.

    Parameters
    ----------
    name
        Its name; that of the function where not given.
    resources, pre
        As for `NLPLabelingFunction`.
    settings
        text_field, doc_field, language, disable, memoize, memoize_key, gpu: as for `NLPLabelingFunction`.
    """

    #: The class of what is made.
    makes: ClassVar[type[NLPLabelingFunction]] = NLPLabelingFunction

    def __init__(
        self,
        name: Optional[str] = None,
        resources: Optional[Mapping[str, Any]] = None,
        pre: Optional[Sequence[BasePreprocessor]] = None,
        **settings: Any,
    ) -> None:
        super().__init__(name, resources, pre)
        # A misspelt setting is a TypeError here, not at the function below.
        inspect.signature(self.makes).bind_partial(**settings)
        self.settings = settings

    def __call__(self, f: Callable[..., int]) -> NLPLabelingFunction:
        """Make `f` into a labeling function over documents."""
        return self.makes(self.name or f.__name__, f, self.resources, self.pre, **self.settings)
