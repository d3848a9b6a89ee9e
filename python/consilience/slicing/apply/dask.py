"""Slicing functions for Dask data frames, and for pandas data frames in several processes."""

from __future__ import annotations

from consilience.labeling.apply.dask import DaskLFApplier, PandasParallelLFApplier
from consilience.slicing.apply.core import ToSlices


class DaskSFApplier(ToSlices, DaskLFApplier):
    """Applies slicing functions to the rows of a Dask data frame; see `DaskLFApplier`."""


class PandasParallelSFApplier(ToSlices, PandasParallelLFApplier):
    """Applies slicing functions to a pandas data frame in several processes; see `PandasParallelLFApplier`."""
