"""Crowds: tables of task, worker and label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._estimator import Estimator
from consilience._optional import require
from consilience._settings import number, whole
from consilience.answers import of_votes
from consilience.errors import NotFittedError
from consilience.votes import Votes

if TYPE_CHECKING:
    import pandas as pd


class DawidSkene(Estimator):
    """The model of Dawid and Skene (1979): each worker has a confusion matrix, given the true class.

    Parameters
    ----------
    n_iter
        The maximum number of EM steps.
    tol
        Fitting ends when a step gains less log likelihood than this.

    Attributes
    ----------
    labels_
        The label of each task: a pandas Series.
    probas_
        The probability of each label for each task: a pandas data frame.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame(
    ...     [("a", w, "cat") for w in "uvw"] + [("b", w, "dog") for w in "uvw"] + [("c", "u", "cat"), ("c", "v", "cat")],
    ...     columns=["task", "worker", "label"])
    >>> DawidSkene().fit_predict(table).to_dict()
    {'a': 'cat', 'b': 'dog', 'c': 'cat'}
    """

    labels_: pd.Series[Any]
    probas_: pd.DataFrame

    def __init__(self, n_iter: int = 100, tol: float = 1e-5) -> None:
        self.n_iter = n_iter
        self.tol = tol

    def fit(self, data: Any, true_labels: Any = None) -> DawidSkene:
        """Fit the model to a table with one row per vote.

        Parameters
        ----------
        data
            The votes: a table with the columns task, worker and label (or item/source/vote and the like).
        true_labels
            Known labels, as a Series or mapping from tasks to labels; they stay fixed in every step.

        Examples
        --------
        >>> import pandas as pd
        >>> rows = [(task, worker, label) for task, label in (("a", "x"), ("b", "y")) for worker in "uvw"]
        >>> table = pd.DataFrame(rows, columns=["task", "worker", "label"])
        >>> DawidSkene().fit(table).labels_.tolist()
        ['x', 'y']
        """
        steps, tolerance = whole("n_iter", self.n_iter, 1), number("tol", self.tol)
        votes = Votes(data, long=True)
        known = None if true_labels is None else of_votes(true_labels, votes)
        core = _core.Model.dawid_skene(votes._table, steps, tolerance, known)
        probabilities: npt.NDArray[np.float64] = core.infer(votes._table).probabilities()
        if known is not None:
            rows = np.flatnonzero(known >= 0)
            probabilities[rows] = np.eye(probabilities.shape[1])[known[rows]]
        pandas = require("pandas", "DawidSkene")
        names = votes.item_names or []
        # Tasks keep the type of their names, so that labels can be joined to the tasks.
        index = pandas.Index([int(name) for name in names] if votes._numbered_items else names, name="task")
        classes = votes.class_labels
        self.probas_ = pandas.DataFrame(probabilities, index=index, columns=pandas.Index(classes, name="label"))
        self.labels_ = pandas.Series(classes[probabilities.argmax(axis=1)], index=index, name="agg_label")
        return self

    def fit_predict(self, data: Any, true_labels: Any = None) -> pd.Series[Any]:
        """Return the label of each task, indexed by task.

        Parameters
        ----------
        data
            The votes: a table with the columns task, worker and label (or item/source/vote and the like).
        true_labels
            Known labels, as a Series or mapping from tasks to labels; they stay fixed in every step.

        Examples
        --------
        >>> import pandas as pd
        >>> rows = [(task, worker, label) for task, label in (("a", "x"), ("b", "y")) for worker in "uvw"]
        >>> table = pd.DataFrame(rows, columns=["task", "worker", "label"])
        >>> DawidSkene().fit_predict(table).tolist()
        ['x', 'y']
        """
        return self.fit(data, true_labels).labels_

    def fit_predict_proba(self, data: Any, true_labels: Any = None) -> pd.DataFrame:
        """Return the probability of each label for each task, indexed by task.

        Parameters
        ----------
        data
            The votes: a table with the columns task, worker and label (or item/source/vote and the like).
        true_labels
            Known labels, as a Series or mapping from tasks to labels; they stay fixed in every step.

        Examples
        --------
        >>> import pandas as pd
        >>> rows = [(task, worker, label) for task, label in (("a", "x"), ("b", "y")) for worker in "uvw"]
        >>> table = pd.DataFrame(rows, columns=["task", "worker", "label"])
        >>> DawidSkene().fit_predict_proba(table).shape
        (2, 2)
        """
        return self.fit(data, true_labels).probas_

    def __getattr__(self, name: str) -> Any:
        if name in ("labels_", "probas_"):
            raise NotFittedError("this DawidSkene is not fitted yet; call fit first")
        raise AttributeError(name)
