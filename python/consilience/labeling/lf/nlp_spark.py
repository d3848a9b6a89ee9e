"""Labeling functions over spaCy documents in Spark rows."""

from __future__ import annotations

from consilience.labeling.lf.nlp import NLPLabelingFunction, nlp_labeling_function


class SparkNLPLabelingFunction(NLPLabelingFunction):
    """A labeling function over Spark rows that get a spaCy document.

    Preprocessors know Spark rows, so that nothing but the pipeline differs from `NLPLabelingFunction`.
    """


class spark_nlp_labeling_function(nlp_labeling_function):  # noqa: N801 (a decorator)
    """Make a function into a labeling function over spaCy documents in Spark rows; see `nlp_labeling_function`."""

    makes = SparkNLPLabelingFunction
