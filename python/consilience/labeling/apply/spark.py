"""Appliers for Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Literal, overload

import numpy as np

from consilience.labeling.apply.core import Applied, ApplierMetadata, BaseLFApplier, IntArray, LFApplier, VoteTaker
from consilience.labeling.lf.core import LabelingFunction
from consilience.types import DataPoint

# Votes on this many rows travel together.
ROWS_A_MESSAGE = 10_000


def _apply_to_partition(
    rows: Iterable[DataPoint], lfs: list[LabelingFunction], fault_tolerant: bool
) -> Iterator[tuple[bytes, int, dict[str, int]]]:
    from itertools import islice

    applier = LFApplier(lfs)
    stream = iter(rows)
    while batch := list(islice(stream, ROWS_A_MESSAGE)):
        applied = applier.apply(batch, progress_bar=False, fault_tolerant=fault_tolerant, return_meta=True)
        votes, metadata = applied
        yield votes.astype(np.int64).tobytes(), len(batch), metadata.faults


class SparkLFApplier(BaseLFApplier):
    """Applies labeling functions to a Spark RDD of items, or to a Spark data frame; each item is a Row.

    Parameters
    ----------
    lfs
        The labeling functions; their names must be unique.

    Examples
    --------
    >>> SparkLFApplier([shouts]).apply(spark_frame).shape  # doctest: +SKIP
    (1000, 1)
    """

    @overload
    def apply(self, data_points: Any, fault_tolerant: bool = ..., return_meta: Literal[False] = ...) -> IntArray: ...
    @overload
    def apply(
        self, data_points: Any, fault_tolerant: bool = ..., *, return_meta: Literal[True]
    ) -> tuple[IntArray, ApplierMetadata]: ...
    @overload
    def apply(self, data_points: Any, fault_tolerant: bool = ..., return_meta: bool = ...) -> Applied: ...
    def apply(self, data_points: Any, fault_tolerant: bool = False, return_meta: bool = False) -> Applied:
        """Return the votes, one row per item, one column per function; -1 if it abstains.

        Parameters
        ----------
        data_points
            The items: an RDD or a data frame.
        fault_tolerant
            Whether to replace exceptions in a labeling function with -1.
        return_meta
            Whether to also return the number of errors, as `(votes, ApplierMetadata)`.

        Examples
        --------
        >>> votes, meta = SparkLFApplier([shouts]).apply(spark_frame, return_meta=True)  # doctest: +SKIP
        """
        rdd = data_points.rdd if hasattr(data_points, "rdd") else data_points
        work = partial(_apply_to_partition, lfs=self._lfs, fault_tolerant=fault_tolerant)
        taker = VoteTaker(fault_tolerant)
        parts = [np.empty((0, len(self._lfs)), dtype=int)]
        for sent, items, faults in rdd.mapPartitions(work).collect():
            parts.append(np.frombuffer(sent, dtype=np.int64).reshape(items, len(self._lfs)).astype(int))
            taker.faults.update(faults)
        votes = np.concatenate(parts)
        return (votes, taker.metadata()) if return_meta else votes
