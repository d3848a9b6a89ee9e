"""Scores of labels against gold: one function per metric, and `metric_score` for all of them."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from consilience._optional import require
from consilience.utils import filter_labels, to_int_label_array

IntArray = npt.NDArray[np.int_]


class Metric(NamedTuple):
    """A metric and its inputs.

    Parameters
    ----------
    func
        The function that computes it.
    inputs
        The arrays that it takes: golds, preds, probs.

    Examples
    --------
    >>> Metric(accuracy).inputs
    ('golds', 'preds')
    """

    func: Callable[..., float]
    inputs: Sequence[str] = ("golds", "preds")


def _same_length(golds: IntArray, preds: IntArray) -> None:
    if len(golds) != len(preds):
        raise ValueError(f"there are {len(golds)} golds, but {len(preds)} preds; they must be of the same items")
    if len(golds) == 0:
        raise ValueError("there is nothing to score: golds and preds are empty (after abstains are dropped)")


def accuracy(golds: IntArray, preds: IntArray) -> float:
    """Return the share of correct labels.

    Parameters
    ----------
    golds
        The true labels, an array of whole numbers.
    preds
        The labels to score, for the same items.

    Examples
    --------
    >>> golds, preds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> accuracy(golds, preds)
    0.75
    """
    _same_length(golds, preds)
    return float((golds == preds).mean())


def coverage(preds: IntArray) -> float:
    """Return the share of items that have a label.

    Parameters
    ----------
    preds
        The labels; -1 if an item has none.

    Examples
    --------
    >>> coverage(np.array([0, -1, 1, 1]))
    0.75
    """
    return float((preds != -1).mean()) if len(preds) else 0.0


def _divide(part: npt.NDArray[np.float64], whole: npt.NDArray[np.float64], name: str) -> npt.NDArray[np.float64]:
    if np.any(whole == 0):
        warnings.warn(f"{name} is undefined because its denominator is 0; it is set to 0.0", stacklevel=4)
    return np.divide(part, whole, out=np.zeros_like(part), where=whole != 0)


def _counts(golds: IntArray, preds: IntArray, average: Optional[str], pos_label: int) -> tuple[npt.NDArray[np.float64], ...]:
    """Count true positives, predicted positives and actual positives, by class or in all; and the weight of each."""
    _same_length(golds, preds)
    classes = np.unique(np.concatenate([golds, preds]))
    if average == "binary":
        if len(classes) > 2:
            raise ValueError(
                f"average='binary' is for two classes, but there are {classes.tolist()}; "
                "choose average='micro', 'macro' or 'weighted'"
            )
        if len(classes) == 2 and pos_label not in classes:
            raise ValueError(f"pos_label must be one of the labels {classes.tolist()}, but is {pos_label}")
        classes = np.array([pos_label])
    elif average not in ("micro", "macro", "weighted"):
        raise ValueError(f"average must be 'binary', 'micro', 'macro' or 'weighted', not {average!r}")
    hits = np.array([((golds == c) & (preds == c)).sum() for c in classes], dtype=np.float64)
    predicted = np.array([(preds == c).sum() for c in classes], dtype=np.float64)
    actual = np.array([(golds == c).sum() for c in classes], dtype=np.float64)
    if average == "micro":
        hits, predicted, actual = (np.array([counts.sum()]) for counts in (hits, predicted, actual))
    weights = actual / actual.sum() if average == "weighted" else np.full(len(hits), 1 / len(hits))
    return hits, predicted, actual, weights


def precision(golds: IntArray, preds: IntArray, *, pos_label: int = 1, average: str = "binary") -> float:
    """Return the share of correct labels among those for `pos_label`.

    Parameters
    ----------
    golds
        The true labels, an array of whole numbers.
    preds
        The labels to score, for the same items.
    pos_label
        The class that counts as positive; used if `average` is "binary".
    average
        "binary", "micro", "macro" or "weighted": how the classes are combined.

    Examples
    --------
    >>> golds, preds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> round(precision(golds, preds), 3)
    0.667
    """
    hits, predicted, _, weights = _counts(golds, preds, average, pos_label)
    return float((weights * _divide(hits, predicted, "precision")).sum())


def recall(golds: IntArray, preds: IntArray, *, pos_label: int = 1, average: str = "binary") -> float:
    """Return the share of items of class `pos_label` that have this label.

    Parameters
    ----------
    golds
        The true labels, an array of whole numbers.
    preds
        The labels to score, for the same items.
    pos_label
        The class that counts as positive; used if `average` is "binary".
    average
        "binary", "micro", "macro" or "weighted": how the classes are combined.

    Examples
    --------
    >>> golds, preds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> recall(golds, preds)
    1.0
    """
    hits, _, actual, weights = _counts(golds, preds, average, pos_label)
    return float((weights * _divide(hits, actual, "recall")).sum())


def fbeta(golds: IntArray, preds: IntArray, *, beta: float, pos_label: int = 1, average: str = "binary") -> float:
    """Return the weighted harmonic mean of precision and recall.

    Formula: (1 + beta²) hits / (beta² · actual + predicted).

    Parameters
    ----------
    golds
        The true labels, an array of whole numbers.
    preds
        The labels to score, for the same items.
    beta
        How much recall counts, compared with precision. At least 0.
    pos_label
        The class that counts as positive; used if `average` is "binary".
    average
        "binary", "micro", "macro" or "weighted": how the classes are combined.

    Examples
    --------
    >>> golds, preds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> round(fbeta(golds, preds, beta=2), 3)
    0.909
    """
    if not beta >= 0:
        raise ValueError(f"beta must be at least 0, but is {beta}")
    hits, predicted, actual, weights = _counts(golds, preds, average, pos_label)
    scores = _divide((1 + beta**2) * hits, beta**2 * actual + predicted, "F-score")
    return float((weights * scores).sum())


def f1(golds: IntArray, preds: IntArray, *, pos_label: int = 1, average: str = "binary") -> float:
    """Return the harmonic mean of precision and recall, for two classes.

    Parameters
    ----------
    golds
        The true labels, an array of whole numbers.
    preds
        The labels to score, for the same items.
    pos_label
        The class that counts as positive; used if `average` is "binary".
    average
        "binary", "micro", "macro" or "weighted": how the classes are combined.

    Examples
    --------
    >>> golds, preds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> f1(golds, preds)
    0.8
    """
    labels = np.unique(np.concatenate([golds, preds]))
    if average == "binary" and (len(labels) > 2 or np.any(golds > max(pos_label, 1))):
        raise ValueError("f1 not supported for multiclass. Try f1_micro or f1_macro")
    return fbeta(golds, preds, beta=1, pos_label=pos_label, average=average)


def f1_micro(golds: IntArray, preds: IntArray) -> float:
    """Return the F1 of the pooled counts of all classes.

    Parameters
    ----------
    golds
        The true labels, an array of whole numbers.
    preds
        The labels to score, for the same items.

    Examples
    --------
    >>> golds, preds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> f1_micro(golds, preds)
    0.75
    """
    return fbeta(golds, preds, beta=1, average="micro")


def f1_macro(golds: IntArray, preds: IntArray) -> float:
    """Return the mean F1 of the classes.

    Parameters
    ----------
    golds
        The true labels, an array of whole numbers.
    preds
        The labels to score, for the same items.

    Examples
    --------
    >>> golds, preds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> round(f1_macro(golds, preds), 3)
    0.733
    """
    return fbeta(golds, preds, beta=1, average="macro")


def matthews_corrcoef(golds: IntArray, preds: IntArray) -> float:
    """Return the correlation of labels and gold, for any number of classes (Gorodkin 2004).

    Parameters
    ----------
    golds
        The true labels, an array of whole numbers.
    preds
        The labels to score, for the same items.

    Examples
    --------
    >>> golds, preds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> round(matthews_corrcoef(golds, preds), 3)
    0.577
    """
    _same_length(golds, preds)
    classes = np.unique(np.concatenate([golds, preds]))
    actual = (golds[:, None] == classes).astype(np.float64)
    predicted = (preds[:, None] == classes).astype(np.float64)
    actual -= actual.mean(axis=0)
    predicted -= predicted.mean(axis=0)
    spread = np.sqrt((actual**2).sum() * (predicted**2).sum())
    return float((actual * predicted).sum() / spread) if spread > 0 else 0.0


def roc_auc(golds: IntArray, probs: npt.NDArray[np.float64]) -> float:
    """Return the probability that a random item of class 1 is ranked above a random item of class 0.

    Parameters
    ----------
    golds
        The true labels, 0 or 1.
    probs
        The probabilities of the classes, one row per item, one column per class.

    Examples
    --------
    >>> roc_auc(np.array([0, 1, 1]), np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]]))
    1.0
    """
    table = np.asarray(probs, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != 2:
        raise ValueError(
            "Metric roc_auc is currently only defined for binary problems, "
            f"but probs has the shape {table.shape}; give one column per class"
        )
    if len(table) != len(golds):
        raise ValueError(f"there are {len(golds)} golds, but {len(table)} rows of probs; they must be of the same items")
    if np.isnan(table).any():
        raise ValueError("probs has NaN")
    if set(np.unique(golds).tolist()) - {0, 1}:
        raise ValueError(f"roc_auc is for the classes 0 and 1, but golds has {np.unique(golds).tolist()}")
    scores = table[:, 1]
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse.reshape(-1)]
    ones = int((golds == 1).sum())
    zeros = len(golds) - ones
    if ones == 0 or zeros == 0:
        raise ValueError("roc_auc compares items of both classes, but golds has one class only")
    return float((ranks[golds == 1].sum() - ones * (ones + 1) / 2) / (ones * zeros))


METRICS: dict[str, Metric] = {
    "accuracy": Metric(accuracy),
    "coverage": Metric(coverage, ("preds",)),
    "precision": Metric(precision),
    "recall": Metric(recall),
    "f1": Metric(f1),
    "f1_micro": Metric(f1_micro),
    "f1_macro": Metric(f1_macro),
    "fbeta": Metric(fbeta),
    "matthews_corrcoef": Metric(matthews_corrcoef),
    "roc_auc": Metric(roc_auc, ("golds", "probs")),
}

# What scikit-learn calls those that take more settings there than here.
IN_SKLEARN = {
    "accuracy": "accuracy_score",
    "precision": "precision_score",
    "recall": "recall_score",
    "fbeta": "fbeta_score",
    "matthews_corrcoef": "matthews_corrcoef",
}


def _scored_by(metric: str, settings: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the function that takes these settings: ours, or scikit-learn's for settings that only it knows."""
    ours = METRICS[metric].func
    known = set(settings) <= set(inspect.signature(ours).parameters) and settings.get("average", "") is not None
    if known or metric not in IN_SKLEARN:
        return ours
    found: Callable[..., Any] = getattr(require("sklearn.metrics", f"{metric} with {', '.join(settings)}"), IN_SKLEARN[metric])
    return found


def metric_score(
    golds: Any = None,
    preds: Any = None,
    probs: Any = None,
    metric: str = "accuracy",
    filter_dict: Optional[Mapping[str, Sequence[int]]] = None,
    **kwargs: Any,
) -> float:
    """Score labels by one metric.

    Parameters
    ----------
    golds
        The true labels.
    preds
        The labels to score.
    probs
        Their probabilities, one column per class (used by roc_auc).
    metric
        accuracy, coverage, precision, recall, f1 (two classes), f1_micro, f1_macro, fbeta, matthews_corrcoef or roc_auc (two
        classes).
    filter_dict
        Values of golds or preds whose items are left out, such as `{"golds": [-1]}`.
    kwargs
        Further arguments of the metric: `pos_label`, `average`, and `beta` for fbeta; other settings of scikit-learn's metrics
        (`sample_weight`, `zero_division`, ...) if it is installed.

    Examples
    --------
    >>> metric_score([0, 0, 1, 1], [0, 1, 1, 1], metric="f1")
    0.8
    """
    if metric not in METRICS:
        raise ValueError(f"The metric you provided ({metric}) is not currently implemented; choose one of {', '.join(METRICS)}")
    labels: dict[str, Optional[npt.NDArray[Any]]] = {
        "golds": None if golds is None else to_int_label_array(golds),
        "preds": None if preds is None else to_int_label_array(preds),
        "probs": None if probs is None else np.asarray(probs),
    }
    if filter_dict:
        if unknown := set(filter_dict) - set(labels):
            raise ValueError(f"filter_dict must only include keys in {list(labels)}, not {', '.join(sorted(unknown))}")
        labels = filter_labels(labels, filter_dict)
    reads = METRICS[metric].inputs
    for name in reads:
        if labels[name] is None:
            raise ValueError(f"Metric {metric} requires access to {name}; it is computed from {' and '.join(reads)}")
    score: float = _scored_by(metric, kwargs)(*(labels[name] for name in reads), **kwargs)
    return score
