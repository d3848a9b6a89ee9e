"""Answers: hand-made labels for some items, random samples to label, and certificates of labels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from consilience import _columns, _core
from consilience._html import table
from consilience._optional import is_instance_of
from consilience._settings import seed_of, switch, whole
from consilience.errors import AnswersError
from consilience.labels import Labels
from consilience.votes import Votes

__all__ = ["Certificate", "ClassCertificate", "Interval", "Share", "certify", "sample"]

#: Columns of a table of answers.
_ITEM, _ANSWER, _DRAWN = "item", "answer", "drawn"
#: How `sample(..., differ=True)` marks items that were not drawn uniformly.
_WHERE_MODELS_DIFFER = "where models differ"


def class_numbers(values: Any, classes: list[str], what: str) -> npt.NDArray[np.int64]:
    """Return the number of each value among `classes`, -1 if it is missing (None, NaN, an empty text or -1)."""
    place = {name: number for number, name in enumerate(classes)}
    numbers = np.full(len(values), -1, dtype=np.int64)
    for i, value in enumerate(values):
        if _columns.is_missing(value):
            continue
        name = _name(value)
        if name in place:
            numbers[i] = place[name]
        elif name not in ("", "-1"):
            raise AnswersError(f"{what} {value!r} is not a class; the classes are {', '.join(classes)}")
    return numbers


def _name(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value).strip()


def _list(values: Any) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)


def numbers_of(answers: Any, items: int, names: Optional[list[str]], classes: list[str]) -> npt.NDArray[np.int64]:
    """Return the class of each item that has an answer, -1 for the others."""
    if is_instance_of(answers, "pandas", "DataFrame") or _is_frame(answers):
        return _joined(*_columns_of(answers), items, names, classes)
    if is_instance_of(answers, "pandas", "Series") and (len(answers) != items or _names_items(answers, names)):
        return _joined(_list(answers.index), _list(answers), items, names, classes)
    if isinstance(answers, Mapping):
        return _joined(list(answers.keys()), list(answers.values()), items, names, classes)
    values = _list(answers)
    if len(values) != items:
        raise AnswersError(
            f"there are {items} items, but {len(values)} answers; provide one per item (-1 or None if unknown), "
            "or a mapping from items to answers"
        )
    return class_numbers(values, classes, "the answer")


def _is_frame(answers: Any) -> bool:
    return hasattr(answers, "columns") and hasattr(answers, "__getitem__")


def _names_items(series: Any, names: Optional[list[str]]) -> bool:
    # A fresh Series counts its rows from 0; that is the order of the items, not their names.
    return names is not None and set(map(_name, series.index.tolist())) <= set(names)


def _columns_of(frame: Any) -> tuple[Optional[list[Any]], list[Any]]:
    columns = [str(name) for name in frame.columns]
    if _ANSWER not in columns:
        raise AnswersError(f'there is no column "answer"; the columns are {", ".join(columns)}')
    items = _list(frame[_ITEM]) if _ITEM in columns else None
    return items, _list(frame[_ANSWER])


def _joined(
    items: Optional[list[Any]], values: list[Any], count: int, names: Optional[list[str]], classes: list[str]
) -> npt.NDArray[np.int64]:
    if items is None:
        if names is not None:
            raise AnswersError('the items have names, but the answers do not say which items they are for; add a column "item"')
        return numbers_of(values, count, None, classes)
    given = class_numbers(values, classes, "the answer")
    place = {name: i for i, name in enumerate(names)} if names is not None else None
    numbers = np.full(count, -1, dtype=np.int64)
    unknown: list[str] = []
    for item, number in zip(items, given.tolist()):
        if number < 0:
            continue
        name = _name(item)
        i = place.get(name) if place is not None else _row(name, count)
        if i is None:
            unknown.append(name)
        elif numbers[i] >= 0 and numbers[i] != number:
            first, second = classes[numbers[i]], classes[number]
            raise AnswersError(f'item "{name}" has two different answers, "{first}" and "{second}"; keep one of them')
        else:
            numbers[i] = number
    if unknown:
        hint = "" if names is not None else f"; the items have no names, only row numbers from 0 to {count - 1}"
        many = f"{len(unknown)} answers are for unknown items, the first for"
        about = "1 answer is for an unknown item," if len(unknown) == 1 else many
        raise AnswersError(f'{about} "{unknown[0]}"{hint}')
    return numbers


def _row(name: str, count: int) -> Optional[int]:
    return int(name) if name.isdigit() and int(name) < count else None


def sample(data: Any, n: int = 100, *, seed: int = 0, without: Any = (), differ: bool = False) -> npt.NDArray[np.int64]:
    """Draw a uniform random sample of the items for people to label.

    Parameters
    ----------
    data
        The votes, a data frame or anything else with one row per item, or the number of items.
    n
        The number of items to draw; all of them if there are fewer.
    seed
        The seed. A larger sample with the same seed begins with the smaller one.
    without
        Rows to exclude, to extend an earlier sample.
    differ
        Whether to draw only items that the default model and the one of independent sources label differently, to find out
        which of them to use. `data` must then be votes. Such items are not a random sample: do not use them for `certify`.

    Returns
    -------
    The row numbers, in the order drawn.

    Examples
    --------
    >>> sample(1000, 5, seed=1).tolist() == sample(1000, 10, seed=1).tolist()[:5]
    True
    >>> first = sample(1000, 5, seed=1)
    >>> len(set(sample(1000, 5, seed=1, without=first)) & set(first))
    0
    >>> votes = [[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]] * 20
    >>> sample(votes, 5, differ=True).tolist()
    []
    """
    count, known = whole("n", n, 1), {int(row) for row in without}
    if switch("differ", differ):
        votes = data if isinstance(data, Votes) else Votes(data)
        rows = _core.where_models_differ(votes._table)
        drawn = [rows[place] for place in _core.sample(len(rows), len(rows), seed_of(seed))]
    else:
        items = whole("data", data, 0) if isinstance(data, (int, np.integer)) else len(data)
        drawn = _core.sample(items, count + len(known), seed_of(seed))
    return np.array([row for row in drawn if row not in known][:count], dtype=np.int64)


class Interval(NamedTuple):
    """An estimate and its 95% interval.

    Examples
    --------
    >>> print(Interval(0.9, 0.85, 0.93))
    90.0% (85.0 to 93.0)
    """

    estimate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.estimate:.1f}% ({100 * self.low:.1f} to {100 * self.high:.1f})"


class Share(NamedTuple):
    """The share of a class among all items: from labels and answers, and from the answers alone."""

    estimate: float
    low: float
    high: float
    answers_alone: Interval
    #: The variance relative to that of the answers alone.
    ratio: float


class ClassCertificate(NamedTuple):
    """Precision, recall and F1 of a class; None if unknown."""

    precision: Optional[Interval]
    recall: Optional[Interval]
    f1: Optional[Interval]


class Certificate:
    """How good labels are, judged by answers to a random sample of the items. All intervals are 95% intervals.

    Attributes
    ----------
    answers, items, labelled
        The number of answered items, of all items, and of items with a label.
    cross_fitted
        Whether the answers also corrected the model; if so, all numbers except the shares are for unanswered items.
    accuracy
        The share of correct labels.
    macro_f1
        The mean F1 over the classes, by a Bayesian bootstrap.
    shares
        The share of each class among all items.
    classes
        Precision, recall and F1 of each class.
    calibration
        Confidence, accuracy, calibration error, log loss and Brier score, if probabilities are known.
    within
        The number of answers that intervals of the requested width need.

    Examples
    --------
    >>> certify([0, 1, 1, 0] * 50, {row: [0, 1, 1, 0][row % 4] for row in range(60)})
    Certificate(60 answers, accuracy 100.0% (95.7 to 100.0))
    """

    def __init__(self, document: str) -> None:
        self._document = document
        content = json.loads(document)
        self.answers: int = content["answers"]
        self.items: int = content["items"]
        self.labelled: int = content["labelled"]
        self.cross_fitted: bool = content["cross_fitted"]
        self.accuracy = _interval(content["accuracy"])
        self.macro_f1 = _interval(content["macro_f1"])
        self.calibration: Optional[dict[str, float]] = content["calibration"]
        self.shares = {
            name: Share(s["estimate"], s["low"], s["high"], Interval(**s["answers_alone"]), s["ratio"])
            for name, s in content["shares"].items()
        }
        self.classes = {
            name: ClassCertificate(*(_interval(found[key]) for key in ClassCertificate._fields))
            for name, found in content["classes"].items()
        }
        self.within: Optional[dict[str, Any]] = content.get("within")

    def to_json(self) -> str:
        """Return the certificate as JSON, as `consilience certify --json` prints it.

        Examples
        --------
        >>> json.loads(certify([0, 1, 1, 0], [0, 1, None, None]).to_json())["answers"]
        2
        """
        return self._document

    def __repr__(self) -> str:
        how = ", cross-fitted" if self.cross_fitted else ""
        return f"Certificate({self.answers} answers, accuracy {self.accuracy}{how})"

    def _repr_html_(self) -> str:
        rows = [["accuracy", *_cells(self.accuracy)], ["macro F1", *_cells(self.macro_f1)]]
        rows += [[f"share of {name}", *_cells(share)] for name, share in self.shares.items()]
        for name, found in self.classes.items():
            rows += [[f"{measure} of {name}", *_cells(getattr(found, measure))] for measure in ClassCertificate._fields]
        return f"<div><p>{escape(repr(self))}</p>{table(['', 'Estimate', 'Low', 'High'], rows)}</div>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Certificate, (self._document,)


def _cells(found: Any) -> list[str]:
    return ["", "", ""] if found is None else [f"{value:.3f}" for value in (found.estimate, found.low, found.high)]


def _interval(found: Optional[dict[str, float]]) -> Optional[Interval]:
    return None if found is None else Interval(**found)


def certify(
    labels: Any,
    answers: Any,
    *,
    probabilities: Any = None,
    held_out: Any = None,
    classes: Optional[list[Any]] = None,
    within: Optional[float] = None,
) -> Certificate:
    """Measure how good labels are, from answers to a random sample of the items.

    Parameters
    ----------
    labels
        One label per item, from any model or tool, with None or -1 if an item has none; or the `Labels` of a model, which also
        have the item names, the classes and the probabilities.
    answers
        One answer per item, None or -1 if there is none; or a mapping or Series from items (rows, or the index of `labels` if
        that is a Series) to answers; or a data frame with the columns item and answer.
    probabilities
        The probability of each class, one row per item, if known; they make the class shares more precise. Default: those of
        `labels`, if these are the `Labels` of a model.
    held_out
        If the same answers corrected the model: `LabelModel.held_out_`, so that no answer is compared with a label that it
        influenced.
    classes
        The classes, in the order of the columns of `probabilities`. Default: those of the labels and answers.
    within
        Also report how many answers intervals of ± this width need.

    Examples
    --------
    >>> labels = [0, 1, 1, 0] * 50
    >>> answers = {row: labels[row] for row in range(0, 200, 4)}
    >>> certify(labels, answers).accuracy
    Interval(estimate=1.0, low=0.9455175017894534, high=1.0)
    """
    names = None
    if isinstance(labels, Labels):
        names = labels.item_names
        probabilities = labels.probabilities if probabilities is None else probabilities
        classes = labels.classes.tolist() if classes is None else classes
        labels = labels.labels
    elif is_instance_of(labels, "pandas", "Series"):
        index = labels.index.tolist()
        names = None if index == list(range(len(labels))) else [_name(item) for item in index]
    _check_drawn(answers)
    values = _list(labels)
    if classes is None:
        found = {_name(value) for value in [*values, *_given(answers)] if not _columns.is_missing(value)} - {"", "-1"}
        known = sorted(found, key=lambda name: (0, int(name), "") if name.isdigit() else (1, 0, name))
    else:
        known = [_name(name) for name in _list(classes)]
    given = numbers_of(answers, len(values), names, known)

    def flat(rows: Any) -> Optional[npt.NDArray[np.float64]]:
        return None if rows is None else np.ascontiguousarray(rows, dtype=np.float64).reshape(-1)

    document = _core.certify(
        known, class_numbers(values, known, "the label"), given, flat(probabilities), flat(held_out), within
    )
    return Certificate(document)


def _check_drawn(answers: Any) -> None:
    """Refuse answers to items that do not represent all items."""
    if not (is_instance_of(answers, "pandas", "DataFrame") or _is_frame(answers)):
        return
    if _DRAWN in [str(name) for name in answers.columns] and _WHERE_MODELS_DIFFER in _list(answers[_DRAWN]):
        raise AnswersError(
            "some items were drawn where models disagree; they do not represent all items, so nothing can be certified; leave "
            "those rows out"
        )


def _given(answers: Any) -> list[Any]:
    if is_instance_of(answers, "pandas", "DataFrame") or _is_frame(answers):
        return _columns_of(answers)[1]
    return list(answers.values()) if isinstance(answers, Mapping) else _list(answers)


def of_votes(answers: Any, votes: Votes) -> npt.NDArray[np.int64]:
    """Return the class of each item of `votes` that has an answer, -1 for the others."""
    return numbers_of(answers, len(votes), votes.item_names, votes.classes)
