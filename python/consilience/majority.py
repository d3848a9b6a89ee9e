"""Majority vote: every vote counts the same. The baseline that every model stands beside."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._estimator import Estimator, share_of_right
from consilience._settings import seed_of
from consilience.errors import OptionError
from consilience.votes import Votes, is_frame

TIES = ("abstain", "first", "random")
# Shares nearer than this are the same.
TOLERANCE = 1e-9


class MajorityVote(Estimator):
    """Labels by the share of votes for each class.

    Parameters
    ----------
    ties
        What an item gets when several classes have the most votes, or nobody votes on it: "abstain" (-1, 0 where -1 is a class,
        or None where classes are texts), "first" (the first of them) or "random" (one of them by chance, from `seed`).
    seed
        The seed of "random".

    Attributes
    ----------
    classes_
        The classes that `fit` saw, in the order of `predict_proba`'s columns.
    n_features_in_
        The number of sources.

    Examples
    --------
    >>> model = MajorityVote().fit([[0, 1, 1], [0, -1, 0], [0, 1, -1]])
    >>> model.predict([[0, 1, 1], [0, -1, 0], [0, 1, -1]])
    array([ 1,  0, -1])
    """

    _estimator_type = "classifier"

    classes_: npt.NDArray[Any]
    _sources: list[str]
    n_features_in_: int

    def __init__(self, ties: str = "abstain", seed: int = 0) -> None:
        self.ties = ties
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> MajorityVote:
        """See the classes; `y` is not read."""
        if self.ties not in TIES:
            raise OptionError(f"ties must be one of {', '.join(TIES)}, but is {self.ties!r}")
        seed_of(self.seed)
        votes = X if isinstance(X, Votes) else Votes(X)
        self.classes_ = votes.class_labels
        self._sources = votes.sources
        self.n_features_in_ = votes.shape[1]
        return self

    def _read(self, X: Any) -> Votes:
        classes = self._fitted("classes_")
        votes = Votes(X, classes=classes.tolist(), keep=self._sources if is_frame(X) else (), _known=True)
        if votes.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {votes.shape[1]} features, but {type(self).__name__} "
                f"is expecting {self.n_features_in_} features as input"
            )
        return votes

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Give the share of votes for each class, one row an item; equal shares where nobody votes."""
        return _core.majority_vote(self._read(X)._table)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Give the class with the most votes, one an item."""
        return decide(self.predict_proba(X), self.classes_, self.ties, self.seed)

    def fit_predict(self, X: Any, y: Any = None) -> npt.NDArray[Any]:
        """Fit and label the same items."""
        votes = X if isinstance(X, Votes) else Votes(X)
        return self.fit(votes).predict(votes)

    def score(self, X: Any, y: Any) -> float:
        """Give the share of items whose label is that of `y`."""
        return share_of_right(self.predict(X), y, self.classes_)


def no_label(classes: npt.NDArray[Any]) -> Any:
    """Give what stands for no label: None beside texts, -1 beside numbers, 0 where -1 is a class."""
    if classes.dtype == object:
        return None
    for number in (-1, 0):
        if number not in classes:
            return number
    raise OptionError('ties="abstain" gives -1 or 0, but both are classes here; choose "first" or "random"')


def decide(probabilities: npt.NDArray[np.float64], classes: npt.NDArray[Any], ties: str, seed: int) -> npt.NDArray[Any]:
    """Give each row the class of its highest probability."""
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
