"""Appliers for Dask data frames, and for pandas data frames in several processes."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, overload

import numpy as np

from consilience._optional import require
from consilience.labeling.apply.core import Applied, ApplierMetadata, BaseLFApplier, IntArray, VoteTaker
from consilience.labeling.apply.pandas import PandasLFApplier, check_frame
from consilience.labeling.apply.processes import in_processes
from consilience.labeling.lf.core import LabelingFunction

if TYPE_CHECKING:
    import pandas as pd

#: "processes", "threads", "synchronous" (or "single-threaded", "sync"), or a Dask client.
Scheduler = Union[str, Any]

# Small parts keep all processes busy to the end; each costs one message.
PARTS_A_PROCESS = 4


def _apply_to_part(part: pd.DataFrame, lfs: list[LabelingFunction], fault_tolerant: bool) -> tuple[IntArray, dict[str, int]]:
    applied = PandasLFApplier(lfs).apply(part, progress_bar=False, fault_tolerant=fault_tolerant, return_meta=True)
    votes, metadata = applied
    return votes, metadata.faults


def _joined(lfs: int, parts: list[tuple[IntArray, dict[str, int]]]) -> tuple[IntArray, VoteTaker]:
    taker = VoteTaker(fault_tolerant=True)
    for _, faults in parts:
        taker.faults.update(faults)
    empty = np.empty((0, lfs), dtype=int)
    return np.concatenate([empty, *(votes for votes, _ in parts)]), taker


class DaskLFApplier(BaseLFApplier):
    """Applies labeling functions to the rows of a Dask data frame, partition by partition.

    The votes are in the order of the partitions' rows.

    Parameters
    ----------
    lfs
        The labeling functions; their names must be unique.

    Examples
    --------
    >>> import dask.dataframe as dd  # doctest: +SKIP
    >>> DaskLFApplier([shouts]).apply(dd.from_pandas(df, npartitions=4), scheduler="threads").shape  # doctest: +SKIP
    (1000, 1)
    """

    @overload
    def apply(
        self, df: Any, scheduler: Scheduler = ..., fault_tolerant: bool = ..., return_meta: Literal[False] = ...
    ) -> IntArray: ...
    @overload
    def apply(
        self, df: Any, scheduler: Scheduler = ..., fault_tolerant: bool = ..., *, return_meta: Literal[True]
    ) -> tuple[IntArray, ApplierMetadata]: ...
    @overload
    def apply(self, df: Any, scheduler: Scheduler = ..., fault_tolerant: bool = ..., return_meta: bool = ...) -> Applied: ...
    def apply(
        self,
        df: Any,
        scheduler: Scheduler = "processes",
        fault_tolerant: bool = False,
        return_meta: bool = False,
    ) -> Applied:
        """Return the votes, one row per row of `df`, one column per function; -1 if it abstains.

        Parameters
        ----------
        df
            The items, a Dask data frame.
        scheduler
            As for `dask.compute`, or a Dask client.
        fault_tolerant
            Whether to replace exceptions in a labeling function with -1.
        return_meta
            Whether to also return the number of errors, as `(votes, ApplierMetadata)`.

        Examples
        --------
        >>> votes = DaskLFApplier([shouts]).apply(dask_frame, scheduler="threads")  # doctest: +SKIP
        """
        dask = require("dask", "DaskLFApplier")
        work = partial(_apply_to_part, lfs=self._lfs, fault_tolerant=fault_tolerant)
        parts = [dask.delayed(work)(part) for part in df.to_delayed()]
        votes, taker = _joined(len(self._lfs), list(dask.compute(*parts, scheduler=scheduler)))
        return (votes, taker.metadata()) if return_meta else votes


class PandasParallelLFApplier(DaskLFApplier):
    """Applies labeling functions to a pandas data frame in several processes.

    Dask is needed only if `scheduler` is one of its clients.

    Parameters
    ----------
    lfs
        The labeling functions; their names must be unique.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience.labeling import labeling_function
    >>> @labeling_function()
    ... def shouts(x):
    ...     return 1 if x.text.isupper() else -1
    >>> df = pd.DataFrame({"text": ["BUY NOW", "See you"]})
    >>> PandasParallelLFApplier([shouts]).apply(df, n_parallel=2, scheduler="threads").tolist()
    [[1], [-1]]
    """

    @overload  # type: ignore[override]
    def apply(
        self,
        df: pd.DataFrame,
        n_parallel: Optional[int] = ...,
        scheduler: Scheduler = ...,
        fault_tolerant: bool = ...,
        return_meta: Literal[False] = ...,
        progress_bar: bool = ...,
    ) -> IntArray: ...
    @overload
    def apply(
        self,
        df: pd.DataFrame,
        n_parallel: Optional[int] = ...,
        scheduler: Scheduler = ...,
        fault_tolerant: bool = ...,
        *,
        return_meta: Literal[True],
        progress_bar: bool = ...,
    ) -> tuple[IntArray, ApplierMetadata]: ...
    @overload
    def apply(
        self,
        df: pd.DataFrame,
        n_parallel: Optional[int] = ...,
        scheduler: Scheduler = ...,
        fault_tolerant: bool = ...,
        return_meta: bool = ...,
        progress_bar: bool = ...,
    ) -> Applied: ...
    def apply(
        self,
        df: pd.DataFrame,
        n_parallel: Optional[int] = 2,
        scheduler: Scheduler = "processes",
        fault_tolerant: bool = False,
        return_meta: bool = False,
        progress_bar: bool = False,
    ) -> Applied:
        """Return the votes, one row per row of `df`, one column per function; -1 if it abstains.

        Parameters
        ----------
        df
            The items.
        n_parallel
            The number of processes, at least 2. Default: one per processor.
        scheduler
            "processes", "threads", "synchronous", or a Dask client.
        fault_tolerant
            Whether to replace exceptions in a labeling function with -1.
        return_meta
            Whether to also return the number of errors, as `(votes, ApplierMetadata)`.
        progress_bar
            Whether to show a progress bar (requires tqdm).

        Examples
        --------
        >>> import pandas as pd
        >>> from consilience.labeling import labeling_function
        >>> @labeling_function()
        ... def shouts(x):
        ...     return 1 if x.text.isupper() else -1
        >>> df = pd.DataFrame({"text": ["BUY NOW", "See you"]})
        >>> PandasParallelLFApplier([shouts]).apply(df, n_parallel=2, scheduler="threads").tolist()
        [[1], [-1]]
        """
        check_frame(df, "PandasParallelLFApplier", "LFApplier")
        workers = max(os.cpu_count() or 2, 2) if n_parallel is None else n_parallel
        if not isinstance(workers, (int, np.integer)):
            raise TypeError(f"n_parallel must be a whole number, but is {workers!r}")
        if workers < 2:
            raise ValueError(f"n_parallel should be >= 2, but is {workers}; PandasLFApplier works in one process")
        size = -(-len(df) // (workers * PARTS_A_PROCESS)) or 1
        parts = [df.iloc[start : start + size] for start in range(0, len(df), size)]
        work = partial(_apply_to_part, lfs=self._lfs, fault_tolerant=fault_tolerant)
        if scheduler == "processes":
            done = in_processes(work, parts, workers, progress_bar=progress_bar)
        elif scheduler == "threads":
            with ThreadPoolExecutor(workers) as pool:
                done = list(pool.map(work, parts))
        elif scheduler in ("synchronous", "single-threaded", "sync"):
            done = [work(part) for part in parts]
        elif isinstance(scheduler, str):
            raise ValueError(f'scheduler must be "processes", "threads", "synchronous" or a Dask client, not {scheduler!r}')
        else:
            done = scheduler.gather(scheduler.map(work, parts, pure=False))
        votes, taker = _joined(len(self._lfs), done)
        return (votes, taker.metadata()) if return_meta else votes
