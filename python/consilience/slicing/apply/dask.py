"""Slicing functions over Dask data frames, and over pandas data frames in several processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from consilience.labeling.apply.dask import DaskLFApplier, PandasParallelLFApplier
from consilience.slicing.apply.core import slices_of
from consilience.slicing.sf.core import SlicingFunction


class DaskSFApplier(DaskLFApplier):
    """Applies slicing functions to the rows of a Dask data frame; see `DaskLFApplier`."""

    def __init__(self, lfs: Sequence[SlicingFunction]) -> None:
        super().__init__(lfs)

    def apply(self, *args: Any, **kwargs: Any) -> Any:
        """Give a record array with one field a slice: 1 where the item is in it, 0 elsewhere."""
        return slices_of(super().apply(*args, **kwargs), self._lf_names)


class PandasParallelSFApplier(PandasParallelLFApplier):
    """Applies slicing functions to a pandas data frame in several processes; see `PandasParallelLFApplier`."""

    def __init__(self, lfs: Sequence[SlicingFunction]) -> None:
        super().__init__(lfs)

    def apply(self, *args: Any, **kwargs: Any) -> Any:
        """Give a record array with one field a slice: 1 where the item is in it, 0 elsewhere."""
        return slices_of(super().apply(*args, **kwargs), self._lf_names)
