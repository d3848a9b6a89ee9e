"""Labeling functions over spaCy documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable, ClassVar, NamedTuple, Optional

from consilience.labeling.lf.core import LabelingFunction, labeling_function
from consilience.preprocess.core import BasePreprocessor
from consilience.preprocess.nlp import EN_CORE_WEB_SM, SpacyPreprocessor
from consilience.types import HashingFunction


class SpacyPreprocessorParameters(NamedTuple):
    """What makes two preprocessors the same."""

    text_field: str
    doc_field: str
    language: str
    disable: Optional[list[str]]
    pre: list[BasePreprocessor]
    memoize: bool
    memoize_key: Optional[HashingFunction]
    gpu: bool


class SpacyPreprocessorConfig(NamedTuple):
    """A preprocessor and what it was made with."""

    nlp: SpacyPreprocessor
    parameters: SpacyPreprocessorParameters


class BaseNLPLabelingFunction(LabelingFunction):
    """What labeling functions over documents share: one preprocessor a class, made at the first use.

    Running spaCy is slow, so functions of one class read the same documents; one with other settings is a ValueError.
    """

    _nlp_config: ClassVar[SpacyPreprocessorConfig]

    @classmethod
    def _create_preprocessor(cls, parameters: SpacyPreprocessorParameters) -> SpacyPreprocessor:
        raise NotImplementedError(f"{cls.__name__} does not say how documents are made")

    @classmethod
    def _create_or_check_preprocessor(cls, parameters: SpacyPreprocessorParameters) -> SpacyPreprocessor:
        config: Optional[SpacyPreprocessorConfig] = getattr(cls, "_nlp_config", None)
        if config is None:
            config = SpacyPreprocessorConfig(cls._create_preprocessor(parameters), parameters)
            cls._nlp_config = config
        elif config.parameters != parameters:
            raise ValueError(
                f"{cls.__name__} already configured with different parameters: {config.parameters}; "
                "all functions of this class share one spaCy pipeline"
            )
        return config.nlp

    def __init__(
        self,
        name: str,
        f: Callable[..., int],
        resources: Optional[Mapping[str, Any]] = None,
        pre: Optional[Sequence[BasePreprocessor]] = None,
        text_field: str = "text",
        doc_field: str = "doc",
        language: str = EN_CORE_WEB_SM,
        disable: Optional[list[str]] = None,
        memoize: bool = True,
        memoize_key: Optional[HashingFunction] = None,
        gpu: bool = False,
    ) -> None:
        parameters = SpacyPreprocessorParameters(
            text_field, doc_field, language, disable, list(pre or ()), memoize, memoize_key, gpu
        )
        super().__init__(name, f, resources, [self._create_or_check_preprocessor(parameters)])


class NLPLabelingFunction(BaseNLPLabelingFunction):
    """A labeling function whose items have a spaCy document.

    Parameters
    ----------
    name, f, resources
        As for `LabelingFunction`.
    pre
        Preprocessors that run before spaCy.
    text_field, doc_field, language, disable, memoize, memoize_key, gpu
        As for `SpacyPreprocessor`.
    """

    @classmethod
    def _create_preprocessor(cls, parameters: SpacyPreprocessorParameters) -> SpacyPreprocessor:
        return SpacyPreprocessor(**parameters._asdict())


class base_nlp_labeling_function(labeling_function):  # noqa: N801 (a decorator)
    """What the decorators for functions over documents share."""

    _lf_cls: ClassVar[type[BaseNLPLabelingFunction]]

    def __init__(
        self,
        name: Optional[str] = None,
        resources: Optional[Mapping[str, Any]] = None,
        pre: Optional[Sequence[BasePreprocessor]] = None,
        text_field: str = "text",
        doc_field: str = "doc",
        language: str = EN_CORE_WEB_SM,
        disable: Optional[list[str]] = None,
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
        return self._lf_cls(
            name=self.name or f.__name__,
            f=f,
            resources=self.resources,
            pre=self.pre,
            text_field=self.text_field,
            doc_field=self.doc_field,
            language=self.language,
            disable=self.disable,
            memoize=self.memoize,
            memoize_key=self.memoize_key,
            gpu=self.gpu,
        )


class nlp_labeling_function(base_nlp_labeling_function):  # noqa: N801 (a decorator)
    """Make a function into a labeling function over spaCy documents; see `NLPLabelingFunction`."""

    _lf_cls = NLPLabelingFunction
