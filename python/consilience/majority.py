"""Majority vote: every vote counts the same. The baseline to compare every model with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._labeler import Labeler
from consilience._settings import seed_of
from consilience.votes import Votes, is_frame


class MajorityVote(Labeler):
    """Labels by the share of votes for each class.

    Parameters
    ----------
    ties
        The label of an item if several classes have the most votes, or nobody votes on it: "abstain" (-1, 0 if -1 is a class,
        or None if classes are texts), "first" (the first of them) or "random" (one of them at random, from `seed`).
    seed
        The seed for "random".

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

    _sources: list[str]

    def __init__(self, ties: str = "abstain", seed: int = 0) -> None:
        self.ties = ties
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> MajorityVote:
        """Record the classes and the sources.

        Parameters
        ----------
        X
            `Votes`, or data to make them from.
        y
            Ignored; there is no ground truth.

        Examples
        --------
        >>> MajorityVote().fit([["ham", "spam"], ["ham", "ham"]]).classes_.tolist()
        ['ham', 'spam']
        """
        self._check_ties()
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
        """Return the share of votes for each class, one row per item; equal shares if nobody votes.

        Parameters
        ----------
        X
            `Votes`, or data to make them from: the sources of the fit.

        Examples
        --------
        >>> votes = [[0, 1, 1], [0, -1, 0], [-1, -1, -1]]
        >>> MajorityVote().fit(votes).predict_proba(votes).round(2).tolist()
        [[0.33, 0.67], [1.0, 0.0], [0.5, 0.5]]
        """
        return super().predict_proba(X)

    def _posteriors(self, X: Any) -> _core.Labels:
        return _core.majority_vote(self._read(X)._table)

    def fit_predict(self, X: Any, y: Any = None) -> npt.NDArray[Any]:
        """Fit and label the same items.

        Parameters
        ----------
        X
            `Votes`, or data to make them from.
        y
            Ignored; there is no ground truth.

        Examples
        --------
        >>> MajorityVote().fit_predict([[0, 1, 1], [0, -1, 0], [0, 1, -1]]).tolist()
        [1, 0, -1]
        """
        votes = X if isinstance(X, Votes) else Votes(X)
        return self.fit(votes).predict(votes)
