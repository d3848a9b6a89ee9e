"""Baselines that learn nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from consilience.labeling.analysis import label_matrix
from consilience.labeling.model.base_labeler import BaseLabeler, FloatArray, IntArray


class BaselineVoter(BaseLabeler):
    """A model that needs no fitting."""

    def fit(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing; there is nothing to fit.

        Parameters
        ----------
        args, kwargs
            Ignored.

        Examples
        --------
        >>> MajorityLabelVoter().fit()
        """

    def _votes(self, L: Any) -> IntArray:
        votes = label_matrix(L)
        if votes.size and votes.max() >= self.cardinality:
            highest = self.cardinality - 1
            raise ValueError(f"L has the vote {votes.max()}, but cardinality={self.cardinality} allows 0 to {highest}")
        return votes


class RandomVoter(BaselineVoter):
    """Random probabilities (from numpy's generator).

    Examples
    --------
    >>> RandomVoter().predict_proba(np.array([[1, 0], [0, 0]])).sum(axis=1)
    array([1., 1.])
    """

    def predict_proba(self, L: IntArray) -> FloatArray:
        """Return random probabilities, one row per item.

        Parameters
        ----------
        L
            The votes; only the number of rows is used.

        Examples
        --------
        >>> votes = np.array([[1, 1, 0], [0, -1, 1]])
        >>> RandomVoter(cardinality=3).predict_proba(votes).shape
        (2, 3)
        """
        chances = np.random.rand(np.shape(L)[0], self.cardinality)
        shares: FloatArray = chances / chances.sum(axis=1, keepdims=True)
        return shares


class MajorityClassVoter(BaselineVoter):
    """The most frequent class for every item.

    Examples
    --------
    >>> voter = MajorityClassVoter()
    >>> voter.fit([0.8, 0.2])
    >>> voter.predict(np.array([[1, 1], [0, 1]]))
    array([0, 0])
    """

    balance: FloatArray

    def fit(self, balance: npt.ArrayLike, *args: Any, **kwargs: Any) -> None:
        """Store the share of each class.

        Parameters
        ----------
        balance
            The share of each class.
        args, kwargs
            Ignored.

        Examples
        --------
        >>> MajorityClassVoter().fit([0.8, 0.2])
        """
        shares = np.asarray(balance, dtype=np.float64)
        if shares.shape != (self.cardinality,):
            raise ValueError(f"balance has shape {shares.shape}, but there are {self.cardinality} classes")
        if np.isnan(shares).any():
            raise ValueError("balance has NaN")
        self.balance = shares

    def predict_proba(self, L: IntArray) -> FloatArray:
        """Return the probability of each class: 1 for the most frequent class, shared equally if there are several.

        Parameters
        ----------
        L
            The votes; only the number of rows is used.

        Examples
        --------
        >>> votes = np.array([[1, 1, 0], [0, -1, 1]])
        >>> voter = MajorityClassVoter()
        >>> voter.fit([0.8, 0.2])
        >>> voter.predict_proba(votes)
        array([[1., 0.],
               [1., 0.]])
        """
        if not hasattr(self, "balance"):
            raise ValueError("MajorityClassVoter does not know the class balance yet: call fit(balance) first")
        most = (self.balance == self.balance.max()).astype(np.float64)
        return np.tile(most / most.sum(), (np.shape(L)[0], 1))


class MajorityLabelVoter(BaselineVoter):
    """The class with the most votes; classes that are tied share the probability, as do all if nobody votes.

    Examples
    --------
    >>> MajorityLabelVoter().predict_proba(np.array([[1, 1, 0], [0, -1, 1], [-1, -1, -1]]))
    array([[0. , 1. ],
           [0.5, 0.5],
           [0.5, 0.5]])
    """

    def predict_proba(self, L: IntArray) -> FloatArray:
        """Return the probabilities, one row per item.

        Parameters
        ----------
        L
            The votes: one row per item, one column per function, -1 if it abstains.

        Examples
        --------
        >>> votes = np.array([[1, 1, 0], [0, -1, 1]])
        >>> MajorityLabelVoter().predict_proba(votes)
        array([[0. , 1. ],
               [0.5, 0.5]])
        """
        votes = self._votes(L)
        counts = np.stack([(votes == c).sum(axis=1) for c in range(self.cardinality)], axis=1)
        most = (counts == counts.max(axis=1, keepdims=True)).astype(np.float64)
        shares: FloatArray = most / most.sum(axis=1, keepdims=True)
        return shares
