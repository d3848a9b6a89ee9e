"""Slicing functions for Dask data frames, and for pandas data frames in several processes."""

from __future__ import annotations

from consilience.labeling.apply.dask import DaskLFApplier, PandasParallelLFApplier
from consilience.slicing.apply.core import ToSlices


class DaskSFApplier(ToSlices, DaskLFApplier):
    """Applies slicing functions to the rows of a Dask data frame; see `DaskLFApplier`.

    Parameters
    ----------
    lfs
        The slicing functions; their names must be unique.

    Examples
    --------
    >>> DaskSFApplier([question]).apply(dask_frame, scheduler="threads")["question"].sum()  # doctest: +SKIP
    12
    """


class PandasParallelSFApplier(ToSlices, PandasParallelLFApplier):
    """Applies slicing functions to a pandas data frame in several processes; see `PandasParallelLFApplier`.

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
    >>> PandasParallelSFApplier([question]).apply(df, scheduler="threads").tolist()
    [(1,), (0,)]
    """
