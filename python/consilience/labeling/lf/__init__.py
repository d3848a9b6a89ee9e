"""Labeling functions."""

from consilience.labeling.lf.core import LabelingFunction, labeling_function

__all__ = ["LabelingFunction", "labeling_function"]
