"""Several scores at once, over all items or by slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience._optional import require
from consilience.analysis.metrics import METRICS, metric_score
from consilience.utils import to_int_label_array

if TYPE_CHECKING:
    import pandas as pd


class Scorer:
    """Scores labels by the given metrics.

    Parameters
    ----------
    metrics
        Names of metrics, see `metric_score`.
    custom_metric_funcs
        Custom metrics by name: functions of golds, preds and probs that return a score, or a dictionary of scores.
    abstain_label
        Items with this label in golds or preds are left out, except for coverage; None keeps all items.

    Examples
    --------
    >>> Scorer(metrics=["accuracy", "coverage"]).score(np.array([0, 1, 1]), np.array([0, 1, -1]))
    {'accuracy': 1.0, 'coverage': 0.6666666666666666}
    """

    def __init__(
        self,
        metrics: Optional[Sequence[str]] = None,
        custom_metric_funcs: Optional[Mapping[str, Callable[..., float]]] = None,
        abstain_label: Optional[int] = -1,
    ) -> None:
        self.abstain_label = abstain_label
        self.metrics: dict[str, Callable[..., float]] = {}
        for metric in metrics or ():
            if metric not in METRICS:
                raise ValueError(f"Unrecognized metric: {metric}; each must be one of {', '.join(METRICS)}")
            drop = {} if metric == "coverage" or abstain_label is None else {"golds": [abstain_label], "preds": [abstain_label]}
            self.metrics[metric] = partial(metric_score, metric=metric, filter_dict=drop)
        self.metrics.update(custom_metric_funcs or {})

    def score(self, golds: Any, preds: Any = None, probs: Any = None) -> dict[str, float]:
        """Return each metric's score.

        Parameters
        ----------
        golds
            The true labels.
        preds
            The labels to score.
        probs
            Their probabilities, one column per class.

        Examples
        --------
        >>> Scorer(metrics=["accuracy"]).score([0, 1, 1, 0], [0, 1, 0, 0])
        {'accuracy': 0.75}
        """
        if len(golds) == 0:
            raise ValueError("Cannot score empty labels: golds has none")
        scores: dict[str, float] = {}
        for name, metric in self.metrics.items():
            score: Any = metric(golds, preds, probs)
            scores.update(score if isinstance(score, dict) else {name: score})
        return scores

    def score_slices(
        self,
        S: Any,
        golds: Any,
        preds: Any,
        probs: Any,
        as_dataframe: bool = False,
    ) -> Union[dict[str, dict[str, float]], pd.DataFrame]:
        """Return each metric's score, overall and for the items in each slice.

        Parameters
        ----------
        S
            Which items are in which slice: a record array with one field per slice, as returned by `SFApplier`.
        golds, preds, probs
            As for `score`.
        as_dataframe
            Whether to return a pandas data frame with one row per slice.

        Examples
        --------
        >>> S = np.rec.fromarrays([[1, 1, 0, 0]], names=["short"])
        >>> Scorer(metrics=["accuracy"]).score_slices(S, [0, 1, 1, 0], [0, 1, 0, 0], None)
        {'overall': {'accuracy': 0.75}, 'short': {'accuracy': 1.0}}
        """
        labels: dict[str, Optional[npt.NDArray[Any]]] = {
            "golds": to_int_label_array(golds),
            "preds": None if preds is None else to_int_label_array(preds),
            "probs": None if probs is None else np.asarray(probs),
        }
        sizes = {name: len(array) for name, array in labels.items() if array is not None}
        if any(size != len(S) for size in sizes.values()):
            raise ValueError(
                f"S, golds, preds, and probs must have the same number of elements, but S has {len(S)} and there are "
                f"{', '.join(f'{size} {name}' for name, size in sizes.items())}"
            )
        scores = {"overall": self.score(**labels)}
        for name in S.dtype.names:
            inside = np.asarray(S[name]).astype(bool)
            # Nothing can be said about a slice without items.
            scores[name] = (
                self.score(**{key: None if array is None else array[inside] for key, array in labels.items()})
                if inside.any()
                else {}
            )
        if not as_dataframe:
            return scores
        frame: pd.DataFrame = require("pandas", "as_dataframe=True").DataFrame.from_dict(scores, orient="index")
        return frame
