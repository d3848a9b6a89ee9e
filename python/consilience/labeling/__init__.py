"""Labeling functions, appliers and their analysis, under the names of Snorkel 0.10."""

from consilience.labeling.analysis import LFAnalysis
from consilience.labeling.apply.core import LFApplier
from consilience.labeling.apply.pandas import PandasLFApplier
from consilience.labeling.lf.core import LabelingFunction, labeling_function
from consilience.labeling.lf.text import keyword_lf, lookup_lf, regex_lf
from consilience.labeling.utils import filter_unlabeled_dataframe

__all__ = [
    "LFAnalysis",
    "LFApplier",
    "LabelingFunction",
    "PandasLFApplier",
    "filter_unlabeled_dataframe",
    "keyword_lf",
    "labeling_function",
    "lookup_lf",
    "regex_lf",
]
