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
        """Return a record array with one field per slice: 1 if the item is in it, else 0.

        Parameters
        ----------
        args, kwargs
            As for the applier of labeling functions.

        Examples
        --------
        >>> import pandas as pd
        >>> from consilience.slicing import slicing_function
        >>> from consilience.slicing.apply.dask import PandasParallelSFApplier
        >>> @slicing_function()
        ... def question(x):
        ...     return x.text.endswith("?")
        >>> df = pd.DataFrame({"text": ["Who is it?", "Me."]})
        >>> PandasParallelSFApplier([question]).apply(df, scheduler="threads")["question"].tolist()
        [1, 0]
        """
        return slices_of(super().apply(*args, **kwargs), self._lf_names)  # type: ignore[misc]


class SFApplier(LFApplier):
    """Applies slicing functions to a sequence of items.

    Parameters
    ----------
    lfs
        The slicing functions; their names must be unique.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from consilience.slicing import slicing_function
    >>> @slicing_function()
    ... def question(x):
    ...     return x.text.endswith("?")
    >>> items = [SimpleNamespace(text="Who is it?"), SimpleNamespace(text="Me.")]
    >>> SFApplier([question]).apply(items, progress_bar=False)["question"].tolist()
    [1, 0]
    """

    def __init__(self, lfs: Sequence[SlicingFunction]) -> None:
        super().__init__(lfs)

    def apply(
        self,
        data_points: Iterable[DataPoint],
        progress_bar: bool = True,
        fault_tolerant: bool = False,
        return_meta: bool = False,
    ) -> Any:
        """Return a record array with one field per slice: 1 if the item is in it, else 0.

        Parameters
        ----------
        data_points
            The items.
        progress_bar
            Whether to show a progress bar (requires tqdm).
        fault_tolerant
            Whether to put an item outside the slice if the function raises an exception.
        return_meta
            Whether to also return the number of errors, as `(slices, ApplierMetadata)`.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from consilience.slicing import slicing_function
        >>> @slicing_function()
        ... def question(x):
        ...     return x.text.endswith("?")
        >>> items = [SimpleNamespace(text="Who is it?"), SimpleNamespace(text="Me.")]
        >>> SFApplier([question]).apply(items, progress_bar=False).tolist()
        [(1,), (0,)]
        """
        return slices_of(super().apply(data_points, progress_bar, fault_tolerant, return_meta), self._lf_names)


class PandasSFApplier(PandasLFApplier):
    """Applies slicing functions to the rows of a pandas data frame.

    Parameters
    ----------
    lfs
        The slicing functions; their names must be unique.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience.slicing import slicing_function
    >>> @slicing_function()
    ... def question(x):
    ...     return x.text.endswith("?")
    >>> df = pd.DataFrame({"text": ["Who is it?", "Me."]})
    >>> PandasSFApplier([question]).apply(df, progress_bar=False)["question"].tolist()
    [1, 0]
    """

    def __init__(self, lfs: Sequence[SlicingFunction]) -> None:
        super().__init__(lfs)

    def apply(
        self,
        df: pd.DataFrame,
        progress_bar: bool = True,
        fault_tolerant: bool = False,
        return_meta: bool = False,
    ) -> Any:
        """Return a record array with one field per slice: 1 if the item is in it, else 0.

        Parameters
        ----------
        df
            The items.
        progress_bar
            Whether to show a progress bar (requires tqdm).
        fault_tolerant
            Whether to put an item outside the slice if the function raises an exception.
        return_meta
            Whether to also return the number of errors, as `(slices, ApplierMetadata)`.

        Examples
        --------
        >>> import pandas as pd
        >>> from consilience.slicing import slicing_function
        >>> @slicing_function()
        ... def question(x):
        ...     return x.text.endswith("?")
        >>> df = pd.DataFrame({"text": ["Who is it?", "Me."]})
        >>> PandasSFApplier([question]).apply(df, progress_bar=False).tolist()
        [(1,), (0,)]
        """
        return slices_of(super().apply(df, progress_bar, fault_tolerant, return_meta), self._lf_names)
