"""Slices: parts of the data to examine separately."""

from consilience._torch import SLICES, needs_torch
from consilience.slicing.apply.core import PandasSFApplier, SFApplier
from consilience.slicing.monitor import slice_dataframe
from consilience.slicing.sf.core import SlicingFunction, slicing_function

__all__ = ["PandasSFApplier", "SFApplier", "SlicingFunction", "slice_dataframe", "slicing_function"]

_NETWORKS = ("SliceAwareClassifier", "SliceCombinerModule", "add_slice_labels", "convert_to_slice_tasks")


def __getattr__(name: str) -> object:
    if name in _NETWORKS:
        raise needs_torch(f"consilience.slicing.{name}", SLICES)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
