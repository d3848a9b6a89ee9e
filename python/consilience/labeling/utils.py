"""Filtering of labelled items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd


def filter_unlabeled_dataframe(
    X: pd.DataFrame, y: npt.NDArray[Any], L: npt.NDArray[np.int_]
) -> tuple[pd.DataFrame, npt.NDArray[Any]]:
    """Drop the items that no labeling function votes on.

    Parameters
    ----------
    X
        The items.
    y
        Their labels or probabilities, one row per item.
    L
        The votes, one row per item, -1 if a function abstains.

    Examples
    --------
    >>> import pandas as pd
    >>> items, labels = filter_unlabeled_dataframe(
    ...     pd.DataFrame({"n": [1, 2]}), np.array([0, 1]), np.array([[-1, -1], [1, -1]]))
    >>> list(items.n), labels
    ([2], array([1]))
    """
    voted = (np.asarray(L) != -1).any(axis=1)
    if len(X) != len(voted) or len(y) != len(voted):
        raise ValueError(f"X has {len(X)} rows, y has {len(y)}, L has {len(voted)}; they must be the same items")
    return X.iloc[np.flatnonzero(voted)], np.asarray(y)[voted]
