"""Labeling functions over spaCy documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable, ClassVar, NamedTuple, Optional

from consilience.labeling.lf.core import LabelingFunction, labeling_function
from consilience.preprocess.core import BasePreprocessor
from consilience.preprocess.nlp import EN_CORE_WEB_SM, SpacyPreprocessor
from consilience.types import HashingFunction


class SpacyPreprocessorParameters(NamedTuple):
    """The arguments of `SpacyPreprocessor`, all of them."""

    text_field: str
    doc_field: str
    language: str
    disable: list[str]
    pre: list[BasePreprocessor]
    memoize: bool
    memoize_key: Optional[HashingFunction]
    gpu: bool


class SpacyPreprocessorConfig(NamedTuple):
    """A preprocessor and what it was made with."""

    nlp: SpacyPreprocessor
    parameters: SpacyPreprocessorParameters


class BaseNLPLabelingFunction(LabelingFunction):
    """A labeling function whose items have a spaCy document.

    Running spaCy is slow, and a preprocessor with a memory runs it once an item for all functions that share it. So all
    functions of a class read the documents of one pipeline, made for the first of them. One with other settings would read
    other documents than it expects, and is a ValueError. Each subclass has its own pipeline; this class itself has none.

    Parameters
    ----------
    name, f, resources
        As for `LabelingFunction`.
    pre
        Preprocessors that run before spaCy.
    text_field, doc_field, language, disable, memoize, memoize_key, gpu
        As for `SpacyPreprocessor`.
    """

    _nlp_config: ClassVar[SpacyPreprocessorConfig]

    def __init__(
        self,
        name: str,
        f: Callable[..., int],
        resources: Optional[Mapping[str, Any]] = None,
        pre: Optional[Sequence[BasePreprocessor]] = None,
        text_field: str = "text",
        doc_field: str = "doc",
        language: str = EN_CORE_WEB_SM,
        disable: Optional[Sequence[str]] = None,
        memoize: bool = True,
        memoize_key: Optional[HashingFunction] = None,
        gpu: bool = False,
    ) -> None:
        parameters = SpacyPreprocessorParameters(
            text_field, doc_field, language, list(disable or ()), list(pre or ()), memoize, memoize_key, gpu
        )
        self._create_or_check_preprocessor(*parameters)
        super().__init__(name, f, resources, [self._nlp_config.nlp])

    @classmethod
    def _create_preprocessor(cls, parameters: SpacyPreprocessorParameters) -> SpacyPreprocessor:
        raise NotImplementedError(f"{cls.__name__} does not define how to create documents")

    @classmethod
    def _create_or_check_preprocessor(cls, *args: Any, **kwargs: Any) -> None:
        parameters = SpacyPreprocessorParameters(*args, **kwargs)
        # Not by getattr: a subclass would find its parent's.
        if "_nlp_config" not in vars(cls):
            cls._nlp_config = SpacyPreprocessorConfig(cls._create_preprocessor(parameters), parameters)
        first = cls._nlp_config.parameters
        if parameters != first:
            changed = [name for name in first._fields if getattr(first, name) != getattr(parameters, name)]
            made = ", ".join(f"{name}={getattr(first, name)!r}" for name in changed)
            asked = ", ".join(f"{name}={getattr(parameters, name)!r}" for name in changed)
            raise ValueError(
                f"{cls.__name__} is already configured with different parameters: every one reads the documents of one spaCy "
                f"pipeline, the first was made with {made}, this one asks for {asked}; use the same settings, or a subclass of "
                f"{cls.__name__}, which has its own pipeline"
            )


class NLPLabelingFunction(BaseNLPLabelingFunction):
    """A labeling function whose items have a spaCy document; see `BaseNLPLabelingFunction` for its arguments."""

    @classmethod
    def _create_preprocessor(cls, parameters: SpacyPreprocessorParameters) -> SpacyPreprocessor:
        return SpacyPreprocessor(**parameters._asdict())


class base_nlp_labeling_function(labeling_function):  # noqa: N801 (a decorator)
    """Turn a function into a labeling function over spaCy documents.

    Parameters
    ----------
    name
        Its name. Default: that of the function.
    resources, pre, text_field, doc_field, language, disable, memoize, memoize_key, gpu
        As for `NLPLabelingFunction`.
    """

    #: The class of what is made; each decorator has its own.
    _lf_cls: ClassVar[Optional[type[BaseNLPLabelingFunction]]] = None

    def __init__(
        self,
        name: Optional[str] = None,
        resources: Optional[Mapping[str, Any]] = None,
        pre: Optional[Sequence[BasePreprocessor]] = None,
        text_field: str = "text",
        doc_field: str = "doc",
        language: str = EN_CORE_WEB_SM,
        disable: Optional[Sequence[str]] = None,
        memoize: bool = True,
        memoize_key: Optional[HashingFunction] = None,
        gpu: bool = False,
    ) -> None:
        super().__init__(name, resources, pre)
        self.text_field = text_field
        self.doc_field = doc_field
        self.language = language
        self.disable = disable
        self.memoize = memoize
        self.memoize_key = memoize_key
        self.gpu = gpu

    def __call__(self, f: Callable[..., int]) -> BaseNLPLabelingFunction:
        """Make `f` into a labeling function over documents."""
        if self._lf_cls is None:
            raise NotImplementedError(f"{type(self).__name__} does not define _lf_cls")
        settings = {name: value for name, value in vars(self).items() if name != "name"}
        return self._lf_cls(self.name or f.__name__, f, **settings)


class nlp_labeling_function(base_nlp_labeling_function):  # noqa: N801 (a decorator)
    """Make a function into an `NLPLabelingFunction`; see `base_nlp_labeling_function` for its arguments."""

    _lf_cls = NLPLabelingFunction
