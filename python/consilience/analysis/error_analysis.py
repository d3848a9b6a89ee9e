"""Items grouped by their labels in several arrays."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import numpy.typing as npt

from consilience.utils import to_int_label_array


def _same_length(y: tuple[Any, ...]) -> list[npt.NDArray[np.int_]]:
    arrays = [to_int_label_array(labels) for labels in y]
    if len({len(labels) for labels in arrays}) != 1:
        raise ValueError(
            "Arrays must all have the same number of elements, one per item, "
            f"but have {', '.join(str(len(a)) for a in arrays) or 'none'}"
        )
    return arrays


def get_label_buckets(*y: npt.NDArray[np.int_]) -> dict[tuple[int, ...], npt.NDArray[np.int_]]:
    """Return the indices of the items with each combination of labels.

    Parameters
    ----------
    y
        Arrays of labels of the same items, such as gold and predicted labels.

    Examples
    --------
    >>> buckets = get_label_buckets(np.array([0, 1, 1]), np.array([0, 0, 1]))
    >>> buckets[(1, 0)]
    array([1])
    """
    buckets: dict[tuple[int, ...], list[int]] = {}
    for i, labels in enumerate(zip(*_same_length(y))):
        buckets.setdefault(tuple(int(label) for label in labels), []).append(i)
    return {labels: np.array(items) for labels, items in buckets.items()}


def get_label_instances(bucket: tuple[int, ...], x: Any, *y: npt.NDArray[np.int_]) -> npt.NDArray[Any]:
    """Return the items of `x` that have the labels of `bucket`, one label per array of `y`.

    Parameters
    ----------
    bucket
        The label that an item must have in each array.
    x
        The items.
    y
        Arrays of labels of these items.

    Examples
    --------
    >>> get_label_instances((1, 0), np.array(["a", "b", "c"]), np.array([0, 1, 1]), np.array([0, 0, 1]))
    array(['b'], dtype='<U1')
    """
    if len(bucket) != len(y):
        raise ValueError(f"Number of lists must match the amount of labels in bucket, but there are {len(y)} and {len(bucket)}")
    arrays = _same_length(y)
    items = np.asarray(x) if isinstance(x, (list, tuple)) else x
    if arrays and len(items) != len(arrays[0]):
        raise ValueError(
            "Number of rows in x does not match number of elements in at least one label list: "
            f"{len(items)} and {len(arrays[0])}"
        )
    inside = np.ones(len(items), dtype=bool)
    for label, labels in zip(bucket, arrays):
        inside &= labels == label
    if not inside.any():
        logging.warning("Bucket %s does not exist: no item has these labels", tuple(bucket))
        return np.array([])
    instances: npt.NDArray[Any] = items[inside]
    return instances
