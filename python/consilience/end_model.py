"""The end model: a text classifier, trained on probabilities instead of true classes."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._estimator import Estimator, share_of_right
from consilience._optional import is_instance_of
from consilience._progress import telling
from consilience._settings import number, switch, whole
from consilience.errors import ConsilienceError, OptionError
from consilience.labels import Labels
from consilience.votes import class_labels

TEXT = "text"
# Probabilities nearer than this are the same.
TOLERANCE = 1e-9


class EndModel(Estimator):
    """A text classifier, trained on the expected loss over probabilistic labels.

    It can label items without votes. `consilience train` and `predict` use the same files.

    Parameters
    ----------
    words, characters
        The shortest and the longest n-grams of words and of characters; (0, 0) for none.
    bits
        The number of hash bits that distinguish n-grams, from 8 to 26.
    min_items
        The minimum number of training items that contain an n-gram.
    lower
        Whether to ignore case.
    rarity
        Whether rare n-grams get more weight.
    penalty
        The l2 penalty on the weights.
    steps
        The maximum number of steps.

    Attributes
    ----------
    classes_
        The classes, in the order of `predict_proba`'s columns.
    training_
        The outcome of training: items, steps, loss, and whether it converged.
    n_features_in_
        The number of n-grams with a weight.

    Examples
    --------
    >>> texts = ["win money now", "see you at lunch", "free money", "lunch was good"] * 5
    >>> probabilities = np.array([[0.1, 0.9], [0.9, 0.1]] * 10)
    >>> model = EndModel(min_items=1).fit(texts, probabilities, classes=["ham", "spam"])
    >>> model.predict(["free money for you"]).tolist()
    ['spam']
    """

    _estimator_type = "classifier"

    classes_: npt.NDArray[Any]
    training_: dict[str, Any]
    n_features_in_: int
    _model: _core.EndModel

    def __init__(
        self,
        words: tuple[int, int] = (1, 2),
        characters: tuple[int, int] = (3, 5),
        bits: int = 20,
        min_items: int = 2,
        lower: bool = True,
        rarity: bool = False,
        penalty: float = 1e-4,
        steps: int = 1000,
    ) -> None:
        self.words = words
        self.characters = characters
        self.bits = bits
        self.min_items = min_items
        self.lower = lower
        self.rarity = rarity
        self.penalty = penalty
        self.steps = steps

    def fit(
        self,
        X: Any,
        y: Any,
        classes: Optional[Sequence[Any]] = None,
        every: bool = False,
        progress_bar: bool = False,
    ) -> EndModel:
        """Train on texts and labels.

        Parameters
        ----------
        X
            The texts: a list, a Series, or a data frame (or dictionary) with one or more columns of text.
        y
            `Labels`, the probability of each class with one row per text, or one class per text.
        classes
            The classes, in the order of the columns of `y`. Default: 0, 1, ...
        every
            Whether to include items with equal probabilities for all classes.
        progress_bar
            Whether to show progress if training takes longer than a second (requires tqdm).

        Examples
        --------
        >>> texts = ["win money now", "see you at lunch", "free money", "lunch was good"] * 5
        >>> model = EndModel(min_items=1).fit(texts, ["spam", "ham", "spam", "ham"] * 5)
        >>> model.training_["items"], model.training_["converged"]
        (20, True)
        """
        columns, texts = _texts(X)
        names, probabilities = _targets(y, classes)
        if len(texts) != len(probabilities):
            raise ConsilienceError(f"{len(texts)} texts, but {len(probabilities)} labels; provide one label per text")
        said = np.ones(len(texts), dtype=bool) if every else probabilities.max(axis=1) > 1 / len(names) + TOLERANCE
        if not said.any():
            raise ConsilienceError("no item has a label better than chance; pass every=True to train anyway")
        with telling(progress_bar, "train") as tell:
            model = _core.EndModel.train(
                [row for row, used in zip(texts, said) if used],
                np.ascontiguousarray(probabilities[said]).reshape(-1),
                names,
                columns,
                _lengths("words", self.words),
                _lengths("characters", self.characters),
                whole("bits", self.bits, 8, 26),
                whole("min_items", self.min_items, 1),
                switch("lower", self.lower),
                switch("rarity", self.rarity),
                number("penalty", self.penalty),
                whole("steps", self.steps, 1),
                tell,
            )
        return self._take(model)

    def _take(self, model: _core.EndModel) -> EndModel:
        self._model = model
        self.classes_ = class_labels(model.classes)
        self.training_ = json.loads(model.training)
        self.n_features_in_ = model.features
        return self

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the probability of each class, one row per text.

        Parameters
        ----------
        X
            The texts, as in `fit`; from a data frame, the columns used in training are read.

        Examples
        --------
        >>> texts = ["win money now", "see you at lunch", "free money", "lunch was good"] * 5
        >>> model = EndModel(min_items=1).fit(texts, ["spam", "ham", "spam", "ham"] * 5)
        >>> model.predict_proba(["money", "lunch"]).argmax(axis=1).tolist()
        [1, 0]
        """
        model: _core.EndModel = self._fitted("_model")
        return model.predict(_texts(X, model.columns)[1])

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class of each text.

        Parameters
        ----------
        X
            The texts, as in `fit`.

        Examples
        --------
        >>> texts = ["win money now", "see you at lunch", "free money", "lunch was good"] * 5
        >>> model = EndModel(min_items=1).fit(texts, ["spam", "ham", "spam", "ham"] * 5)
        >>> model.predict(["money", "lunch"]).tolist()
        ['spam', 'ham']
        """
        labels: npt.NDArray[Any] = self._fitted("classes_")[self.predict_proba(X).argmax(axis=1)]
        return labels

    def score(self, X: Any, y: Any) -> float:
        """Return the share of texts whose label is that of `y`.

        Parameters
        ----------
        X
            The texts, as in `fit`.
        y
            The true class of each.

        Examples
        --------
        >>> texts = ["win money now", "see you at lunch", "free money", "lunch was good"] * 5
        >>> model = EndModel(min_items=1).fit(texts, ["spam", "ham", "spam", "ham"] * 5)
        >>> model.score(["money", "lunch"], ["spam", "spam"])
        0.5
        """
        return share_of_right(self.predict(X), y, self.classes_)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the model to a file, which `consilience predict` can read; no partial file is ever left.

        Parameters
        ----------
        path
            The file.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "end-model.json"
        >>> EndModel(min_items=1).fit(["win money now", "see you at lunch"] * 5, ["spam", "ham"] * 5).save(path)
        >>> path.exists()
        True
        """
        model: _core.EndModel = self._fitted("_model")
        model.save(path)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> EndModel:
        """Read a model that `save` or `consilience train` wrote.

        Parameters
        ----------
        path
            The file.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "end-model.json"
        >>> texts = ["win money now", "see you at lunch", "free money", "lunch was good"] * 5
        >>> model = EndModel(min_items=1).fit(texts, ["spam", "ham", "spam", "ham"] * 5)
        >>> model.save(path)
        >>> EndModel.load(path).predict(["free money"]).tolist()
        ['spam']
        """
        model = _core.EndModel.load(path)
        return cls()._take(model)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(vars(self))
        if "_model" in state:
            state["_model"] = state["_model"].to_json()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if "_model" in state:
            self._model = _core.EndModel.from_json(state["_model"])


def _texts(X: Any, known: Optional[list[str]] = None) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns of text, and for each item its texts."""
    if is_instance_of(X, "pandas", "DataFrame"):
        X = {str(name): X[name].tolist() for name in X.columns}
    if isinstance(X, Mapping):
        names = [str(name) for name in X] if known is None else known
        if missing := [name for name in names if name not in X]:
            raise ConsilienceError(f"there is no column {', '.join(missing)}; the texts have {', '.join(map(str, X))}")
        return names, [[_text(text) for text in row] for row in zip(*(X[name] for name in names))]
    if isinstance(X, str):
        raise ConsilienceError("X is a single text; pass a list of texts")
    names = known or [TEXT]
    if len(names) != 1:
        raise ConsilienceError(f"the end model reads {', '.join(names)}; pass a data frame or a dictionary with these columns")
    return names, [[_text(text)] for text in X]


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    if not isinstance(value, str):
        raise ConsilienceError(f"{value!r} is not a text; the end model reads texts only")
    return value


def _targets(y: Any, classes: Optional[Sequence[Any]]) -> tuple[list[str], npt.NDArray[np.float64]]:
    if isinstance(y, Labels):
        return [str(name) for name in y.classes], y.probabilities
    given = np.asarray(y)
    if given.ndim == 2:
        names = [str(c) for c in range(given.shape[1])] if classes is None else [str(name) for name in classes]
        if len(names) != given.shape[1]:
            raise ConsilienceError(f"{len(names)} classes for {given.shape[1]} columns of probabilities; pass one per column")
        return names, given.astype(np.float64)
    named = [str(label) for label in given.tolist()]
    names = sorted(set(named)) if classes is None else [str(name) for name in classes]
    if unknown := sorted(set(named) - set(names)):
        raise ConsilienceError(f"{', '.join(unknown)} is not among the classes {', '.join(names)}")
    place = {name: c for c, name in enumerate(names)}
    return names, np.eye(len(names))[[place[name] for name in named]]


def _lengths(name: str, value: Any) -> tuple[int, int]:
    try:
        shortest, longest = value
    except (TypeError, ValueError):
        raise OptionError(f"{name} must be the shortest and the longest length, such as (1, 2), but is {value!r}") from None
    return whole(name, shortest, 0), whole(name, longest, 0)
