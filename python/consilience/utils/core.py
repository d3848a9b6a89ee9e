"""Conversions between labels and probabilities."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int_]
FloatArray = npt.NDArray[np.float64]

# Above this, not every whole number is a float of its own.
LARGEST_EXACT = 2.0**53

TIE_BREAK_POLICIES = ("abstain", "random", "true-random")


def _hash(i: int) -> int:
    return int(hashlib.sha1(str(i).encode("utf-8"), usedforsecurity=False).hexdigest(), 16)


def probs_to_preds(probs: Any, tie_break_policy: str = "random", tol: float = 1e-5) -> IntArray:
    """Return the class with the highest probability in each row.

    Parameters
    ----------
    probs
        One row per item, one column per class; at least two classes.
    tie_break_policy
        The label of a row whose highest probabilities are within `tol` of each other: "abstain" gives -1, "random" one of
        them by a hash of the row number (always the same), "true-random" one of them by numpy's generator.
    tol
        The maximum distance between tied probabilities.

    Examples
    --------
    >>> probs_to_preds(np.array([[0.9, 0.1], [0.5, 0.5]]), tie_break_policy="abstain")
    array([ 0, -1])
    """
    table = np.asarray(probs, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"probs must have two dimensions (items, classes), but has {table.ndim}")
    if table.shape[1] <= 1:
        raise ValueError(
            f"probs must have probabilities for at least 2 classes, one column per class, but has {table.shape[1]} column(s)"
        )
    if tie_break_policy not in TIE_BREAK_POLICIES:
        raise ValueError(
            f"tie_break_policy={tie_break_policy} policy not recognized; it is one of {', '.join(TIE_BREAK_POLICIES)}"
        )
    if np.isnan(table).any():
        raise ValueError(f"probs has NaN in row {int(np.argwhere(np.isnan(table))[0, 0])}")
    best = np.abs(table - table.max(axis=1, keepdims=True)) < tol
    preds: IntArray = best.argmax(axis=1).astype(int)
    tied = np.flatnonzero(best.sum(axis=1) > 1)
    if tie_break_policy == "abstain":
        preds[tied] = -1
    else:
        for i in tied:
            among = np.flatnonzero(best[i])
            if tie_break_policy == "random":
                preds[i] = among[_hash(int(i)) % len(among)]
            else:
                preds[i] = np.random.choice(among)
    return preds


def preds_to_probs(preds: Any, num_classes: int) -> FloatArray:
    """Return a row for each label with probability 1 for it; -1 raises a ValueError.

    Parameters
    ----------
    preds
        The labels, from 0 to `num_classes` - 1.
    num_classes
        The number of classes.

    Examples
    --------
    >>> preds_to_probs([1, 0], 2)
    array([[0., 1.],
           [1., 0.]])
    """
    labels = to_int_label_array(preds)
    if np.any(labels == -1):
        first = int(np.argmax(labels == -1))
        raise ValueError(f"Could not convert abstained vote to probability: label {first} is -1; leave such items out first")
    if np.any((labels < 0) | (labels >= num_classes)):
        wrong = labels[(labels < 0) | (labels >= num_classes)][0]
        raise ValueError(f"the label {wrong} is none of the {num_classes} classes 0 to {num_classes - 1}")
    return np.eye(num_classes)[labels]


def to_int_label_array(X: Any, flatten_vector: bool = True) -> IntArray:
    """Convert labels to an array of ints, and a single column to a vector.

    Raises a ValueError if a value is not a whole number, or if `flatten_vector` is set and the labels are more than one
    column.

    Parameters
    ----------
    X
        The labels: a list, an array or a column of a data frame.
    flatten_vector
        Whether to turn a single column into a vector.

    Examples
    --------
    >>> to_int_label_array([[1.0], [0.0]])
    array([1, 0])
    """
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise ValueError(f"labels must be a list or an array with rows of one length: {error}") from error
    if array.dtype.kind == "b":
        array = array.astype(int)
    elif array.dtype.kind in "cmM":
        raise ValueError(f"labels must be whole numbers, but are of dtype {array.dtype}")
    elif array.dtype.kind not in "iu":
        try:
            numbers = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"labels must be whole numbers: {error}") from error
        if not np.array_equal(np.trunc(numbers), numbers):
            wrong = numbers[np.trunc(numbers) != numbers][0]
            raise ValueError(f"Input contains at least one non-integer value, {wrong}; labels must be whole numbers")
        if np.any(np.abs(numbers) > LARGEST_EXACT):
            raise ValueError(f"the label {numbers[np.abs(numbers) > LARGEST_EXACT][0]} is too large to be a class")
        array = numbers.astype(int)
    if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"the label {array.max()} is too large to be a class")
    labels: IntArray = array.astype(int)
    if flatten_vector:
        labels = np.atleast_1d(labels.squeeze())
        if labels.ndim != 1:
            raise ValueError(
                f"Input could not be converted to 1d np.array: labels must be one column, but have the shape {labels.shape}"
            )
    return labels


def filter_labels(
    label_dict: Mapping[str, Optional[npt.NDArray[Any]]], filter_dict: Mapping[str, Sequence[int]]
) -> dict[str, Optional[npt.NDArray[Any]]]:
    """Drop the rows in which one of the named arrays has a value to filter out.

    Parameters
    ----------
    label_dict
        Arrays of labels by name; None for those that are missing.
    filter_dict
        For each name, the values whose rows are dropped.

    Examples
    --------
    >>> golds, preds = np.array([0, 1, -1]), np.array([0, 0, 1])
    >>> filter_labels({"golds": golds, "preds": preds}, {"golds": [-1]})
    {'golds': array([0, 1]), 'preds': array([0, 0])}
    """
    keep: Optional[npt.NDArray[np.bool_]] = None
    for name, values in filter_dict.items():
        labels = label_dict.get(name)
        if labels is not None:
            # Labels may be one column.
            kept: npt.NDArray[np.bool_] = np.all(~np.isin(labels, list(values)).reshape(len(labels), -1), axis=1)
            if keep is not None and len(keep) != len(kept):
                raise ValueError(f"{name} has {len(kept)} entries, but the labels before it have {len(keep)}")
            keep = kept if keep is None else keep & kept
    if keep is None:
        return dict(label_dict)
    filtered: dict[str, Optional[npt.NDArray[Any]]] = {}
    for name, labels in label_dict.items():
        if labels is not None and len(labels) != len(keep):
            raise ValueError(f"{name} has {len(labels)} entries, but the labels to filter by have {len(keep)}")
        filtered[name] = None if labels is None else labels[keep]
    return filtered
