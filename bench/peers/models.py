"""The label models that are compared: from votes to the probability of each class, each as its package documents it.

A model is given a matrix of votes (one row per item, one column per source, -1 abstains, no row without a vote). `prepare` brings
it into the form that the package takes, which is not measured: the matrix itself for Snorkel, HyperLM and Consilience, a table
with one row per vote for crowd-kit, a frame for skweak. `label` fits the model and gives the probabilities, an array with one row
an item; all of it is measured.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: The form that a package takes, and the probabilities made from it; `k` is the number of classes.
Prepare = Callable[[np.ndarray, int], Any]
Label = Callable[[Any, int], np.ndarray]


def _same(votes: np.ndarray, k: int) -> np.ndarray:
    return votes


def _consilience(dependencies: str) -> tuple[Prepare, Label]:
    import consilience

    def label(votes: np.ndarray, k: int) -> np.ndarray:
        table = consilience.Votes(votes, classes=k)
        return consilience.LabelModel(dependencies=dependencies).fit(table).predict_proba(table)

    return _same, label


def _snorkel() -> tuple[Prepare, Label]:
    from snorkel.labeling.model import LabelModel

    def label(votes: np.ndarray, k: int) -> np.ndarray:
        model = LabelModel(cardinality=k, verbose=False)
        model.fit(L_train=votes, n_epochs=500, seed=123, progress_bar=False)
        return model.predict_proba(votes)

    return _same, label


def _dawid_skene() -> tuple[Prepare, Label]:
    import pandas as pd
    from crowdkit.aggregation import DawidSkene

    def prepare(votes: np.ndarray, k: int) -> Any:
        task, worker = np.nonzero(votes >= 0)
        return pd.DataFrame({"task": task, "worker": worker, "label": votes[task, worker].astype(np.int64)})

    def label(table: Any, k: int) -> np.ndarray:
        found = DawidSkene().fit_predict_proba(table)
        # Classes that nobody votes for have no column, and rows come in the order of the tasks' first votes.
        return found.reindex(index=range(int(table["task"].iloc[-1]) + 1), columns=range(k), fill_value=0.0).to_numpy()

    return prepare, label


def _hyperlm() -> tuple[Prepare, Label]:
    # Its weights are a pickle, which torch from 2.6 on reads only where it is told to.
    os.environ["TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"] = "1"
    from hyperlm import HyperLabelModel

    def label(votes: np.ndarray, k: int) -> np.ndarray:
        return HyperLabelModel(device="cpu").infer(votes, return_probs=True)

    return _same, label


def _skweak() -> tuple[Prepare, Label]:
    import pandas as pd
    from skweak.generative import NaiveBayes

    def prepare(votes: np.ndarray, k: int) -> Any:
        # Names of one length: skweak takes sources for redundant where one name begins or ends with another.
        return pd.DataFrame(votes.astype(np.int16), columns=[f"source{j:05}" for j in range(votes.shape[1])])

    def label(frame: Any, k: int) -> np.ndarray:
        model = NaiveBayes("votes", [str(c) for c in range(k)])
        # The frame is what skweak itself makes of its documents before it fits; making documents would take longer.
        with contextlib.redirect_stdout(io.StringIO()):
            model._fit([frame])
        return model.aggregate(frame).to_numpy()

    return prepare, label


@dataclass(frozen=True)
class Model:
    """A label model of a package."""

    #: Its name in files.
    name: str
    #: What people read.
    title: str
    #: The package, as the index calls it.
    package: str
    load: Callable[[], tuple[Prepare, Label]]


MODELS = {
    model.name: model
    for model in (
        Model("consilience-independent", "Consilience, independent", "consilience", lambda: _consilience("independent")),
        Model("consilience", "Consilience, default", "consilience", lambda: _consilience("auto")),
        Model("snorkel", "Snorkel", "snorkel", _snorkel),
        Model("dawid-skene", "Dawid-Skene (crowd-kit)", "crowd-kit", _dawid_skene),
        Model("hyperlm", "HyperLM", "hyperlm", _hyperlm),
        Model("skweak", "Naive Bayes (skweak)", "skweak", _skweak),
    )
}
