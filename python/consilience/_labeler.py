"""The shared part of estimators that label items."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._estimator import Estimator, gold_values
from consilience._settings import seed_of
from consilience.errors import OptionError

TIES = ("abstain", "first", "random")

_L = TypeVar("_L", bound="Labeler")


class Labeler(Estimator):
    """An estimator that labels items: subclasses define `fit` and `predict_proba`, and the rest follows."""

    _estimator_type = "classifier"

    classes_: npt.NDArray[Any]
    n_features_in_: int
    ties: str
    seed: int

    def fit(self: _L, X: Any, y: Any = None) -> _L:
        """Fit the model to a table of votes.

        Parameters
        ----------
        X
            `Votes`, or data to make them from.
        y
            Ignored; there is no ground truth.
        """
        raise NotImplementedError(f"{type(self).__name__} does not implement fit")

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the probability of each class, one row per item.

        Parameters
        ----------
        X
            `Votes`, or data to make them from.
        """
        return self._posteriors(X).probabilities()

    def _posteriors(self, X: Any) -> _core.Labels:
        raise NotImplementedError(f"{type(self).__name__} does not implement predict_proba")

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class of each item.

        Parameters
        ----------
        X
            `Votes`, or data to make them from; the same sources as in `fit`.

        Returns
        -------
        labels
            One of `classes_` per item; `ties` decides if several are equally probable or nobody votes.

        Examples
        --------
        >>> from consilience import MajorityVote
        >>> votes = [[0, 1, 1], [0, -1, 0], [0, 1, -1]]
        >>> MajorityVote(ties="first").fit(votes).predict(votes).tolist()
        [1, 0, 0]
        """
        return decide(self._posteriors(X), self.classes_, self.ties, seed_of(self.seed))

    def score(self, X: Any, y: Any) -> float:
        """Return the share of correct labels among the items with votes.

        Ties count by chance, whatever `ties` says, as in `compare` and on the command line: if two classes share the highest
        probability and one of them is correct, the item counts half.

        Parameters
        ----------
        X
            `Votes`, or data to make them from.
        y
            The true class of each item, as in `classes_`. Items without one (None, or -1 if that is not a class) do not count.

        Examples
        --------
        >>> from consilience import MajorityVote
        >>> votes = [[0, 1, 1], [0, -1, 1]]
        >>> MajorityVote().fit(votes).score(votes, [1, 1])
        0.75
        """
        posteriors = self._posteriors(X)
        place = {name: c for c, name in enumerate(self.classes_.tolist())}
        # A class that the model does not know is never its label.
        other = len(place)
        gold = [
            place.get(value, -1 if _is_unknown(value) else other) for value in gold_values(y, posteriors.items, self.classes_)
        ]
        share = posteriors.share_right(np.array(gold, dtype=np.int64))
        return float("nan") if share is None else share

    def _check_ties(self) -> None:
        if self.ties not in TIES:
            raise OptionError(f"ties must be one of {', '.join(TIES)}, but is {self.ties!r}")


def _is_unknown(value: Any) -> bool:
    return value is None or value == -1 or value != value


def no_label(classes: npt.NDArray[Any]) -> Any:
    """Return the value for no label: None for texts, -1 for numbers, 0 if -1 is a class."""
    if classes.dtype == object:
        return None
    for number in (-1, 0):
        if number not in classes:
            return number
    raise OptionError('ties="abstain" gives -1 or 0, but both are classes here; choose "first" or "random"')


def decide(posteriors: _core.Labels, classes: npt.NDArray[Any], ties: str, seed: int) -> npt.NDArray[Any]:
    """Return the most probable class of each item; `ties` labels items with several or without votes."""
    numbers = posteriors.decide(ties, seed)
    labels: npt.NDArray[Any] = classes[numbers]
    if (numbers < 0).any():
        labels[numbers < 0] = no_label(classes)
    return labels
