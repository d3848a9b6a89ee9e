"""What all models of labeling functions share: labels, scores, files."""

from __future__ import annotations

import logging
import pickle
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, Optional, Union, overload

import numpy as np
import numpy.typing as npt

from consilience.analysis import Scorer
from consilience.labeling.model.saved import read_saved
from consilience.utils import probs_to_preds

IntArray = npt.NDArray[np.int_]
FloatArray = npt.NDArray[np.float64]


class BaseLabeler(ABC):
    """Makes labels from a matrix of votes.

    Parameters
    ----------
    cardinality
        The number of classes.
    """

    #: What a saved model of this class has at least.
    _saved_fields: tuple[str, ...] = ("cardinality",)

    def __init__(self, cardinality: int = 2, **kwargs: Any) -> None:
        if isinstance(cardinality, bool) or not isinstance(cardinality, (int, np.integer)):
            raise TypeError(f"cardinality must be a whole number, but is {cardinality!r}")
        if cardinality < 2:
            raise ValueError(f"cardinality must be at least 2, but is {cardinality}")
        self.cardinality = cardinality

    @abstractmethod
    def predict_proba(self, L: IntArray) -> FloatArray:
        """Return the probability of each class, one row per item.

        Parameters
        ----------
        L
            The votes: one row per item, one column per function, -1 if it abstains.
        """

    @overload
    def predict(self, L: IntArray, return_probs: Optional[Literal[False]] = ..., tie_break_policy: str = ...) -> IntArray: ...
    @overload
    def predict(self, L: IntArray, return_probs: Literal[True], tie_break_policy: str = ...) -> tuple[IntArray, FloatArray]: ...
    @overload
    def predict(
        self, L: IntArray, return_probs: Optional[bool] = ..., tie_break_policy: str = ...
    ) -> Union[IntArray, tuple[IntArray, FloatArray]]: ...
    def predict(
        self, L: IntArray, return_probs: Optional[bool] = False, tie_break_policy: str = "abstain"
    ) -> Union[IntArray, tuple[IntArray, FloatArray]]:
        """Return a label for each item.

        Parameters
        ----------
        L
            The votes: one row per item, one column per function, -1 if it abstains.
        return_probs
            Whether the probabilities come along, as `(labels, probabilities)`.
        tie_break_policy
            What an item gets whose highest probabilities are the same: "abstain" (-1), "random" (by the votes of the item, so
            that equal items get equal labels) or "true-random" (by numpy's generator).

        Returns
        -------
        labels
            One label per item; with `return_probs` a pair of labels and probabilities.

        Examples
        --------
        >>> from consilience.labeling.model import MajorityLabelVoter
        >>> MajorityLabelVoter().predict(np.array([[1, 1, 0], [0, -1, 1]]))
        array([ 1, -1])
        """
        probs = self.predict_proba(L)
        preds = probs_to_preds(probs, tie_break_policy)
        return (preds, probs) if return_probs else preds

    def score(
        self,
        L: IntArray,
        Y: IntArray,
        metrics: Optional[Sequence[str]] = ("accuracy",),
        tie_break_policy: str = "abstain",
    ) -> dict[str, float]:
        """Score the labels against gold.

        Parameters
        ----------
        L
            The votes.
        Y
            The true labels; items with -1 are left out.
        metrics
            Names of metrics: see `consilience.analysis.metric_score`.
        tie_break_policy
            As for `predict`; items without a label are left out, except for coverage.

        Examples
        --------
        >>> from consilience.labeling.model import MajorityLabelVoter
        >>> L = np.array([[1, 1, 0], [0, -1, 0]])
        >>> MajorityLabelVoter().score(L, np.array([1, 1]), tie_break_policy="random")
        {'accuracy': 0.5}
        """
        if tie_break_policy == "abstain":
            logging.warning(
                "Metrics calculated over data points with non-abstain labels only: items tied or without votes are out"
            )
        probs = self.predict_proba(L)
        preds = probs_to_preds(probs, tie_break_policy)
        return Scorer(metrics=metrics).score(Y, preds, probs)

    def save(self, destination: str) -> None:
        """Write the model to a file for `load`.

        Parameters
        ----------
        destination
            The file.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from consilience.labeling.model import MajorityLabelVoter
        >>> MajorityLabelVoter().save(str(pathlib.Path(tempfile.mkdtemp()) / "model.pkl"))
        """
        with open(destination, "wb") as file:
            pickle.dump(self.__dict__, file)

    def load(self, source: str) -> None:
        """Replace this model with one that `save` wrote.

        Parameters
        ----------
        source
            The file. As with all pickles, load only what you trust. A file of Snorkel's own `LabelModel` is rejected,
            because it contains a torch network.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from consilience.labeling.model import MajorityLabelVoter
        >>> path = str(pathlib.Path(tempfile.mkdtemp()) / "model.pkl")
        >>> MajorityLabelVoter(cardinality=3).save(path)
        >>> voter = MajorityLabelVoter()
        >>> voter.load(path)
        >>> voter.cardinality
        3
        """
        self.__dict__.update(read_saved(source, type(self).__name__, self._saved_fields))
