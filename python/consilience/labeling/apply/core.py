"""Appliers for sequences of items, and the base class of all appliers."""

from __future__ import annotations

import numbers
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Optional, Union, overload

import numpy as np
import numpy.typing as npt

from consilience._optional import is_instance_of
from consilience._progress import progress
from consilience.labeling.lf.columns import ColumnLabelingFunction
from consilience.labeling.lf.core import LabelingFunction
from consilience.types import DataPoint
from consilience.utils.data_operators import check_unique_names

IntArray = npt.NDArray[np.int_]
#: The votes on one item: its number, the number of a labeling function, and what that one votes, for those that do not abstain.
RowData = list[tuple[int, int, int]]
ABSTAIN = -1


class ApplierMetadata(NamedTuple):
    """Metadata about applying labeling functions: how often each failed; 0 for those that did not."""

    faults: dict[str, int]


Applied = Union[IntArray, tuple[IntArray, ApplierMetadata]]


def vote_of(value: Any, lf_name: str) -> int:
    """Convert the result of a labeling function to a vote; every negative number abstains."""
    if type(value) is int:
        return value if value >= 0 else ABSTAIN
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    # A vote in an array of one element is a vote.
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(-1)[0]
    if isinstance(value, numbers.Integral):
        return max(int(value), ABSTAIN)
    if isinstance(value, (numbers.Real, np.floating)):
        if float(value).is_integer():
            return max(int(float(value)), ABSTAIN)
        raise ValueError(
            f"labeling function {lf_name} returned {value!r}, which is not a whole number; "
            "return the number of a class, or -1 to abstain"
        )
    if isinstance(value, np.generic) and hasattr(value, "item") and isinstance(value.item(), int):
        return max(int(value.item()), ABSTAIN)
    raise TypeError(
        f"labeling function {lf_name} returned {value!r} of type {type(value).__name__}; "
        "return the number of a class, or -1 to abstain"
    )


class VoteTaker:
    """Collects votes of labeling functions, and counts errors instead of raising them if requested."""

    def __init__(self, fault_tolerant: bool) -> None:
        self.fault_tolerant = fault_tolerant
        self.faults: Counter[str] = Counter()

    def votes_on(self, x: DataPoint, lfs: Sequence[LabelingFunction]) -> list[int]:
        """Return the votes of `lfs` on one item."""
        if not self.fault_tolerant:
            return [vote_of(lf(x), lf.name) for lf in lfs]
        return [self._tolerated(lf, x) for lf in lfs]

    def _tolerated(self, lf: LabelingFunction, x: DataPoint) -> int:
        try:
            return vote_of(lf(x), lf.name)
        except Exception:
            self.faults[lf.name] += 1
            return ABSTAIN

    def metadata(self) -> ApplierMetadata:
        """Return the errors so far."""
        return ApplierMetadata(+self.faults)


class BaseLFApplier:
    """The base class of all appliers.

    Parameters
    ----------
    lfs
        The labeling functions; their names must be unique.
    """

    def __init__(self, lfs: Sequence[LabelingFunction]) -> None:
        self._lfs = list(lfs)
        for lf in self._lfs:
            if not hasattr(lf, "name"):
                raise TypeError(f"{lf!r} is not a labeling function; put @labeling_function() above it")
        self._lf_names = [lf.name for lf in self._lfs]
        check_unique_names(self._lf_names)
        self._row_lfs = [lf for lf in self._lfs if not isinstance(lf, ColumnLabelingFunction)]

    def _votes(self, rows: Sequence[Sequence[int]], columns: dict[str, IntArray], items: int) -> IntArray:
        """Put the votes of functions over items and over columns side by side, in the order of the functions."""
        votes = np.full((items, len(self._lfs)), ABSTAIN, dtype=int)
        by_row = [j for j, lf in enumerate(self._lfs) if lf.name not in columns]
        if by_row and items:
            try:
                votes[:, by_row] = np.array(rows, dtype=int)
            except OverflowError:
                raise ValueError(
                    f"a labeling function returned {max(map(max, rows))}, which is too large for a class"
                ) from None
        for j, lf in enumerate(self._lfs):
            if lf.name in columns:
                votes[:, j] = columns[lf.name]
        return votes

    def _numpy_from_row_data(self, labels: Sequence[RowData]) -> IntArray:
        """Make the votes on items, one entry per item, into a matrix."""
        votes = np.full((len(labels), len(self._lfs)), ABSTAIN, dtype=int)
        for row in labels:
            for i, j, vote in row:
                votes[i, j] = vote
        return votes

    def __repr__(self) -> str:
        return f"{type(self).__name__}, LFs: {self._lf_names}"


def apply_lfs_to_data_point(
    x: DataPoint, index: int, lfs: Sequence[LabelingFunction], f_caller: Optional[VoteTaker] = None
) -> RowData:
    """Return the votes of `lfs` on the item `x` with the number `index`, for custom appliers.

    `f_caller` counts the errors; without it they are raised.
    """
    votes = (f_caller or VoteTaker(fault_tolerant=False)).votes_on(x, lfs)
    return [(index, j, vote) for j, vote in enumerate(votes) if vote != ABSTAIN]


def vote_columns(lfs: Iterable[LabelingFunction], column_of: Any, taker: VoteTaker) -> dict[str, IntArray]:
    """Return the votes of functions that read a whole column at once, by name; `column_of` returns the column of a field."""
    votes: dict[str, IntArray] = {}
    prepared: dict[tuple[type, str], Any] = {}
    for lf in lfs:
        if isinstance(lf, ColumnLabelingFunction):
            # Functions over the same field share the prepared column.
            kind = type(lf), lf.field
            if kind not in prepared:
                prepared[kind] = lf.prepare(column_of(lf.field), taker.fault_tolerant)
            votes[lf.name], faults = lf.vote_column(prepared[kind], taker.fault_tolerant)
            taker.faults[lf.name] += faults
    return votes


def field_of(x: DataPoint, field: str) -> Any:
    """Return the field of an item: an attribute, or an entry of a dictionary."""
    return x[field] if isinstance(x, Mapping) else getattr(x, field)


class LFApplier(BaseLFApplier):
    """Applies labeling functions to a sequence of items.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from consilience.labeling import labeling_function
    >>> @labeling_function()
    ... def shouts(x):
    ...     return 1 if x.text.isupper() else -1
    >>> LFApplier([shouts]).apply([SimpleNamespace(text="BUY NOW"), SimpleNamespace(text="See you")], progress_bar=False)
    array([[ 1],
           [-1]])
    """

    @overload
    def apply(
        self,
        data_points: Iterable[DataPoint],
        progress_bar: bool = ...,
        fault_tolerant: bool = ...,
        return_meta: Literal[False] = ...,
    ) -> IntArray: ...
    @overload
    def apply(
        self,
        data_points: Iterable[DataPoint],
        progress_bar: bool = ...,
        fault_tolerant: bool = ...,
        *,
        return_meta: Literal[True],
    ) -> tuple[IntArray, ApplierMetadata]: ...
    @overload
    def apply(
        self, data_points: Iterable[DataPoint], progress_bar: bool = ..., fault_tolerant: bool = ..., return_meta: bool = ...
    ) -> Applied: ...
    def apply(
        self,
        data_points: Iterable[DataPoint],
        progress_bar: bool = True,
        fault_tolerant: bool = False,
        return_meta: bool = False,
    ) -> Applied:
        """Return the votes, one row per item, one column per function; -1 if it abstains.

        Parameters
        ----------
        data_points
            The items.
        progress_bar
            Whether to show a progress bar (requires tqdm).
        fault_tolerant
            Whether to replace exceptions in a labeling function with -1.
        return_meta
            Whether to also return the number of errors, as `(votes, ApplierMetadata)`.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from consilience.labeling import LabelingFunction
        >>> short = LabelingFunction("short", lambda x: 1 if len(x.text) < 3 else -1)
        >>> LFApplier([short]).apply([SimpleNamespace(text="hi"), SimpleNamespace(text="hello")], progress_bar=False)
        array([[ 1],
               [-1]])
        """
        if is_instance_of(data_points, "pandas", "DataFrame"):
            raise TypeError("LFApplier expects a sequence of items, not a data frame; use PandasLFApplier")
        points = data_points if isinstance(data_points, (list, tuple, np.ndarray)) else list(data_points)
        taker = VoteTaker(fault_tolerant)
        rows = [taker.votes_on(x, self._row_lfs) for x in progress(points, progress_bar and bool(self._row_lfs), len(points))]
        columns = vote_columns(self._lfs, lambda field: [field_of(x, field) for x in points], taker)
        votes = self._votes(rows, columns, len(points))
        return (votes, taker.metadata()) if return_meta else votes
