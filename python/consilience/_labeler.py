"""The shared part of estimators that label items."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from consilience._estimator import Estimator, share_of_right
from consilience.errors import OptionError

TIES = ("abstain", "first", "random")
# Shares nearer than this are the same.
TOLERANCE = 1e-9

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
            One of `classes_` per item; `ties` decides if several are equally probable.

        Examples
        --------
        >>> from consilience import MajorityVote
        >>> votes = [[0, 1, 1], [0, -1, 0], [0, 1, -1]]
        >>> MajorityVote(ties="first").fit(votes).predict(votes).tolist()
        [1, 0, 0]
        """
        return decide(self.predict_proba(X), self.classes_, self.ties, self.seed)

    def score(self, X: Any, y: Any) -> float:
        """Return the share of items whose label is that of `y`.

        Parameters
        ----------
        X
            `Votes`, or data to make them from.
        y
            The true class of each item, as in `classes_`.

        Examples
        --------
        >>> from consilience import MajorityVote
        >>> votes = [[0, 1, 1], [0, -1, 0]]
        >>> MajorityVote().fit(votes).score(votes, [1, 1])
        0.5
        """
        return share_of_right(self.predict(X), y, self.classes_)

    def _check_ties(self) -> None:
        if self.ties not in TIES:
            raise OptionError(f"ties must be one of {', '.join(TIES)}, but is {self.ties!r}")


def no_label(classes: npt.NDArray[Any]) -> Any:
    """Return the value for no label: None for texts, -1 for numbers, 0 if -1 is a class."""
    if classes.dtype == object:
        return None
    for number in (-1, 0):
        if number not in classes:
            return number
    raise OptionError('ties="abstain" gives -1 or 0, but both are classes here; choose "first" or "random"')


def decide(probabilities: npt.NDArray[np.float64], classes: npt.NDArray[Any], ties: str, seed: int) -> npt.NDArray[Any]:
    """Return the class with the highest probability in each row."""
    best = probabilities >= probabilities.max(axis=1, keepdims=True) - TOLERANCE
    chosen = best.argmax(axis=1)
    tied = best.sum(axis=1) > 1
    if ties == "random":
        generator = np.random.default_rng(seed)
        # Rows without a tie draw too, so that a row's label does not depend on the others.
        place = np.floor(generator.random(len(best)) * best.sum(axis=1)).astype(int)
        chosen = (np.cumsum(best, axis=1) > place[:, None]).argmax(axis=1)
    labels: npt.NDArray[Any] = classes[chosen]
    if ties == "abstain":
        labels = labels.copy()
        if tied.any():
            labels[tied] = no_label(classes)
    return labels
