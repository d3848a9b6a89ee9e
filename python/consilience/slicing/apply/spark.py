"""Slicing functions over Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from consilience.labeling.apply.spark import SparkLFApplier
from consilience.slicing.apply.core import slices_of
from consilience.slicing.sf.core import SlicingFunction


class SparkSFApplier(SparkLFApplier):
    """Applies slicing functions to a Spark RDD or data frame; see `SparkLFApplier`."""

    def __init__(self, lfs: Sequence[SlicingFunction]) -> None:
        super().__init__(lfs)

    def apply(self, *args: Any, **kwargs: Any) -> Any:
        """Give a record array with one field a slice: 1 where the item is in it, 0 elsewhere."""
        return slices_of(super().apply(*args, **kwargs), self._lf_names)
