"""Statistics of labeling functions from a matrix of votes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import numpy.typing as npt

from consilience._optional import require
from consilience.labeling.lf.core import LabelingFunction
from consilience.utils import to_int_label_array
from consilience.votes import Votes

if TYPE_CHECKING:
    import pandas as pd

FloatArray = npt.NDArray[np.float64]


def label_matrix(L: Any, name: str = "L") -> npt.NDArray[np.int_]:
    """Convert a matrix of votes to ints: one row per item, one column per function, -1 or a class."""
    if isinstance(L, Votes):
        return L.to_numpy()
    if hasattr(L, "tocsr"):
        raise ValueError(
            f"{name} is a sparse matrix, whose empty cells would be votes for class 0; "
            "pass a dense one with -1 for abstentions, or use consilience.Votes, in which 0 abstains"
        )
    try:
        votes: npt.NDArray[Any] = np.ma.filled(L, -1) if isinstance(L, np.ma.MaskedArray) else np.asarray(L)
    except ValueError as error:
        raise ValueError(f"{name} is not a matrix: its rows have different lengths ({error})") from error
    if votes.ndim != 2:
        raise ValueError(
            f"{name} must have two dimensions (items, labeling functions), but has {votes.ndim}; "
            "are its rows of different lengths?"
        )
    # A table of bytes may be large, and stays one.
    if votes.dtype.kind not in "iu" or votes.dtype == np.uint64:
        votes = to_int_label_array(votes, flatten_vector=False)
    if votes.size and votes.min() < -1:
        i, j = np.argwhere(votes < -1)[0]
        raise ValueError(
            f"{name} has {votes[i, j]} in row {i}, column {j}; a vote is the number of a class, from 0 on, or -1 to abstain"
        )
    return votes


def _ratio(part: Any, whole: Any) -> FloatArray:
    """Divide, with 0 for division by zero."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    out: FloatArray = np.zeros(np.broadcast(part, whole).shape)
    np.divide(part, whole, out=out, where=whole != 0)
    return out


class LFAnalysis:
    """Coverage, overlaps, conflicts and accuracies of labeling functions.

    Parameters
    ----------
    L
        The votes: one row per item, one column per function, -1 if it abstains.
    lfs
        The functions, to get their names.

    Examples
    --------
    >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
    >>> LFAnalysis(L).label_coverage(), LFAnalysis(L).label_overlap(), LFAnalysis(L).label_conflict()
    (0.75, 0.5, 0.25)
    """

    def __init__(self, L: npt.NDArray[np.int_], lfs: Optional[Sequence[LabelingFunction]] = None) -> None:
        self.L = label_matrix(L)
        self._voted = self.L != -1
        self._lf_names: Optional[list[str]] = None
        if lfs is not None:
            if len(lfs) != self.L.shape[1]:
                raise ValueError(
                    f"Number of LFs ({len(lfs)}) and number of LF matrix columns ({self.L.shape[1]}) are different; "
                    "provide one function per column, in their order"
                )
            self._lf_names = [lf.name for lf in lfs]

    def _share(self, items: npt.NDArray[Any]) -> Any:
        return _ratio(items.sum(axis=0), len(self.L))

    def _covered_data_points(self) -> npt.NDArray[np.int_]:
        """Return 1 for items with a vote, 0 for others."""
        covered: npt.NDArray[np.int_] = self._voted.any(axis=1).astype(int)
        return covered

    def _overlapped_data_points(self) -> npt.NDArray[np.int_]:
        """Return 1 for items with at least two votes, 0 for others."""
        overlapped: npt.NDArray[np.int_] = (self._voted.sum(axis=1) > 1).astype(int)
        return overlapped

    def _conflicted_data_points(self) -> npt.NDArray[np.int_]:
        """Return 1 for items with votes for different classes, 0 for others."""
        if not self.L.size:
            return np.zeros(len(self.L), dtype=int)
        highest = self.L.max(axis=1)
        lowest = np.where(self._voted, self.L, np.iinfo(self.L.dtype).max).min(axis=1)
        conflicted: npt.NDArray[np.int_] = (self._voted.any(axis=1) & (highest != lowest)).astype(int)
        return conflicted

    def label_coverage(self) -> float:
        """Return the share of items with a vote.

        Examples
        --------
        >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
        >>> LFAnalysis(L).label_coverage()
        0.75
        """
        return float(self._share(self._covered_data_points()))

    def label_overlap(self) -> float:
        """Return the share of items with at least two votes.

        Examples
        --------
        >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
        >>> LFAnalysis(L).label_overlap()
        0.5
        """
        return float(self._share(self._overlapped_data_points()))

    def label_conflict(self) -> float:
        """Return the share of items with votes for different classes.

        Examples
        --------
        >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
        >>> LFAnalysis(L).label_conflict()
        0.25
        """
        return float(self._share(self._conflicted_data_points()))

    def lf_polarities(self) -> list[list[int]]:
        """Return, for each function, the classes that it ever votes for.

        Examples
        --------
        >>> LFAnalysis(np.array([[2, -1], [0, -1], [2, -1]])).lf_polarities()
        [[0, 2], []]
        """
        return [sorted(set(column[column != -1].tolist())) for column in self.L.T]

    def lf_coverages(self) -> FloatArray:
        """Return, for each function, the share of items that it votes on.

        Examples
        --------
        >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
        >>> LFAnalysis(L).lf_coverages()
        array([0.75, 0.5 ])
        """
        shares: FloatArray = self._share(self._voted)
        return shares

    def lf_overlaps(self, normalize_by_coverage: bool = False) -> FloatArray:
        """Return, for each function, the share of items that it and another one vote on.

        Parameters
        ----------
        normalize_by_coverage
            Whether to divide by the items that it votes on instead of all items.

        Examples
        --------
        >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
        >>> LFAnalysis(L).lf_overlaps()
        array([0.5, 0.5])
        """
        overlaps: FloatArray = self._share(self._voted & (self._overlapped_data_points() == 1)[:, None])
        return _ratio(overlaps, self.lf_coverages()) if normalize_by_coverage else overlaps

    def lf_conflicts(self, normalize_by_overlaps: bool = False) -> FloatArray:
        """Return, for each function, the share of items on which it votes and other votes differ.

        Parameters
        ----------
        normalize_by_overlaps
            Whether to divide by the items that it and another one vote on instead of all items.

        Examples
        --------
        >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
        >>> LFAnalysis(L).lf_conflicts()
        array([0.25, 0.25])
        """
        conflicts: FloatArray = self._share(self._voted & (self._conflicted_data_points() == 1)[:, None])
        return _ratio(conflicts, self.lf_overlaps()) if normalize_by_overlaps else conflicts

    def _gold(self, Y: Any) -> npt.NDArray[np.int_]:
        gold = to_int_label_array(Y)
        if len(gold) != len(self.L):
            raise ValueError(f"Y has {len(gold)} labels, but L has {len(self.L)} rows")
        return gold

    def lf_empirical_accuracies(self, Y: npt.NDArray[np.int_]) -> FloatArray:
        """Return, for each function, the share of its votes that equal the label; 0 if it never votes.

        Parameters
        ----------
        Y
            The true label of each item.

        Examples
        --------
        >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
        >>> LFAnalysis(L).lf_empirical_accuracies(np.array([2, 1, 1, 0])).round(2)
        array([0.67, 1.  ])
        """
        right = self._voted & (self._gold(Y)[:, None] == self.L)
        return _ratio(right.sum(axis=0), self._voted.sum(axis=0))

    def lf_empirical_probs(self, Y: npt.NDArray[np.int_], k: int) -> FloatArray:
        """Return, for each function, the share of each vote among the items of each class.

        Parameters
        ----------
        Y
            The true label of each item.
        k
            The number of classes.

        Returns
        -------
        An array of m times k + 1 times k; entry [j, v + 1, y] is the share of vote v (-1 abstains) of function j among
        the items with label y.

        Examples
        --------
        >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
        >>> LFAnalysis(L).lf_empirical_probs(np.array([2, 1, 1, 0]), k=3).shape
        (2, 4, 3)
        """
        gold = self._gold(Y)
        if self.L.size and self.L.max() >= k:
            raise ValueError(f"L has the vote {self.L.max()}, but there are only {k} classes")
        probs = np.zeros((self.L.shape[1], k + 1, k))
        for y in range(k):
            of_class = self.L[gold == y]
            for vote in range(-1, k):
                probs[:, vote + 1, y] = _ratio((of_class == vote).sum(axis=0), len(of_class))
        return probs

    def lf_summary(
        self,
        Y: Optional[npt.NDArray[np.int_]] = None,
        est_weights: Optional[npt.NDArray[np.float64]] = None,
    ) -> pd.DataFrame:
        """Return a table of these statistics, one row per function.

        Parameters
        ----------
        Y
            The true labels, which add the columns `Correct`, `Incorrect` and `Emp. Acc.`.
        est_weights
            Weights from a model, for the column `Learned Weight`.

        Examples
        --------
        >>> L = np.array([[2, -1], [0, 1], [1, 1], [-1, -1]])
        >>> LFAnalysis(L).lf_summary()
            Polarity  Coverage  Overlaps  Conflicts
        0  [0, 1, 2]      0.75       0.5       0.25
        1        [1]      0.50       0.5       0.25
        """
        pandas = require("pandas", "LFAnalysis.lf_summary")
        m = self.L.shape[1]
        table: dict[str, Any] = {}
        if self._lf_names is not None:
            table["j"] = list(range(m))
        table["Polarity"] = pandas.Series(self.lf_polarities(), dtype=object).to_numpy()
        table["Coverage"] = self.lf_coverages()
        table["Overlaps"] = self.lf_overlaps()
        table["Conflicts"] = self.lf_conflicts()
        if Y is not None:
            gold = self._gold(Y)
            # An item whose label is not known says nothing about a vote.
            judged = self._voted & (gold != -1)[:, None]
            right = judged & (gold[:, None] == self.L)
            table["Correct"] = right.sum(axis=0)
            table["Incorrect"] = (judged & ~right).sum(axis=0)
            table["Emp. Acc."] = self.lf_empirical_accuracies(Y)
        if est_weights is not None:
            weights = np.asarray(est_weights)
            if weights.shape != (m,):
                raise ValueError(f"est_weights has shape {weights.shape}, but there are {m} labeling functions")
            table["Learned Weight"] = weights
        index = list(range(m)) if self._lf_names is None else self._lf_names
        frame: pd.DataFrame = pandas.DataFrame(table, index=index)
        return frame
