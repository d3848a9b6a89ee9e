"""Labeling functions over spaCy documents in Spark rows."""

from __future__ import annotations

from consilience.labeling.lf.nlp import (
    BaseNLPLabelingFunction,
    SpacyPreprocessorParameters,
    base_nlp_labeling_function,
)
from consilience.preprocess.nlp import SpacyPreprocessor
from consilience.preprocess.spark import make_spark_preprocessor


class SparkNLPLabelingFunction(BaseNLPLabelingFunction):
    """A labeling function over Spark rows that get a spaCy document; see `NLPLabelingFunction`."""

    @classmethod
    def _create_preprocessor(cls, parameters: SpacyPreprocessorParameters) -> SpacyPreprocessor:
        preprocessor = SpacyPreprocessor(**parameters._asdict())
        make_spark_preprocessor(preprocessor)
        return preprocessor


class spark_nlp_labeling_function(base_nlp_labeling_function):  # noqa: N801 (a decorator)
    """Turn a function into a labeling function over spaCy documents in Spark rows; see `nlp_labeling_function`."""

    _lf_cls = SparkNLPLabelingFunction
