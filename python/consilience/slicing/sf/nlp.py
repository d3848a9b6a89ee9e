"""Slicing functions over spaCy documents."""

from __future__ import annotations

from consilience.labeling.lf.nlp import (
    BaseNLPLabelingFunction,
    SpacyPreprocessorParameters,
    base_nlp_labeling_function,
)
from consilience.preprocess.nlp import SpacyPreprocessor
from consilience.slicing.sf.core import SlicingFunction


class NLPSlicingFunction(BaseNLPLabelingFunction, SlicingFunction):
    """A slicing function whose items have a spaCy document; see `NLPLabelingFunction`."""

    @classmethod
    def _create_preprocessor(cls, parameters: SpacyPreprocessorParameters) -> SpacyPreprocessor:
        return SpacyPreprocessor(**parameters._asdict())


class nlp_slicing_function(base_nlp_labeling_function):  # noqa: N801 (a decorator)
    """Turn a function into a slicing function over spaCy documents; see `nlp_labeling_function`."""

    _lf_cls = NLPSlicingFunction
