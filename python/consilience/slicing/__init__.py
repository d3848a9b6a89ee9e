"""Slices: parts of the data that deserve a look of their own."""

from consilience.slicing.apply.core import PandasSFApplier, SFApplier
from consilience.slicing.monitor import slice_dataframe
from consilience.slicing.sf.core import SlicingFunction, slicing_function

__all__ = ["PandasSFApplier", "SFApplier", "SlicingFunction", "slice_dataframe", "slicing_function"]
