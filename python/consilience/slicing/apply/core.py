"""Appliers of slicing functions: like those of labeling functions, but they return a record array."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from consilience.labeling.apply.core import Applied, ApplierMetadata, LFApplier
from consilience.labeling.apply.pandas import PandasLFApplier
from consilience.slicing.sf.core import SlicingFunction
from consilience.types import DataPoint

if TYPE_CHECKING:
    import pandas as pd

#: One field per slice.
Slices = Any


def slices_of(applied: Applied, names: Sequence[str]) -> Union[Slices, tuple[Slices, ApplierMetadata]]:
    """Turn the votes of slicing functions into a record array; after an error, the item is outside the slice."""
    if isinstance(applied, tuple):
        return slices_of(applied[0], names), applied[1]
    inside: npt.NDArray[np.int_] = np.maximum(applied, 0)
    fields = np.dtype([(name, inside.dtype) for name in names])
    return np.rec.fromarrays(list(inside.T), dtype=fields)


class ToSlices:
    """Turns an applier of labeling functions into one of slicing functions: first of the bases, the applier second."""

    _lf_names: list[str]

    def __init__(self, lfs: Sequence[SlicingFunction]) -> None:
        super().__init__(lfs)  # type: ignore[call-arg]

    def apply(self, *args: Any, **kwargs: Any) -> Any:
        """Return a record array with one field per slice: 1 if the item is in it, else 0."""
        return slices_of(super().apply(*args, **kwargs), self._lf_names)  # type: ignore[misc]


class SFApplier(LFApplier):
    """Applies slicing functions to a sequence of items."""

    def __init__(self, lfs: Sequence[SlicingFunction]) -> None:
        super().__init__(lfs)

    def apply(
        self,
        data_points: Iterable[DataPoint],
        progress_bar: bool = True,
        fault_tolerant: bool = False,
        return_meta: bool = False,
    ) -> Any:
        """Return a record array with one field per slice: 1 if the item is in it, else 0."""
        return slices_of(super().apply(data_points, progress_bar, fault_tolerant, return_meta), self._lf_names)


class PandasSFApplier(PandasLFApplier):
    """Applies slicing functions to the rows of a pandas data frame."""

    def __init__(self, lfs: Sequence[SlicingFunction]) -> None:
        super().__init__(lfs)

    def apply(
        self,
        df: pd.DataFrame,
        progress_bar: bool = True,
        fault_tolerant: bool = False,
        return_meta: bool = False,
    ) -> Any:
        """Return a record array with one field per slice: 1 if the item is in it, else 0."""
        return slices_of(super().apply(df, progress_bar, fault_tolerant, return_meta), self._lf_names)
