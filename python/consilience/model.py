"""The label model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._labeler import Labeler
from consilience._progress import telling
from consilience._settings import seed_of, switch
from consilience.answers import of_votes
from consilience.errors import OptionError, OtherSourcesError
from consilience.learner import StructureLearner
from consilience.structure import Structure
from consilience.votes import Votes, is_frame, nameless_columns

Dependencies = Union[str, Structure, StructureLearner]


class FittedModel:
    """What the core fitted, in a form that can be pickled."""

    def __init__(self, core: _core.Model) -> None:
        self.core = core

    def __reduce__(self) -> tuple[Any, ...]:
        return _model_of, self.core.parts()


def _model_of(*parts: Any) -> FittedModel:
    return FittedModel(_core.Model.from_parts(*parts))


def fit_model(
    votes: Votes,
    dependencies: Dependencies,
    class_balance: Optional[Sequence[float]],
    seed: int,
    progress_bar: bool = False,
    link_weights: bool = False,
) -> FittedModel:
    """Fit the model of `votes`."""
    seed = seed_of(seed)
    try:
        balance = None if class_balance is None else np.asarray(class_balance, dtype=np.float64).reshape(-1).tolist()
    except (TypeError, ValueError):
        raise OptionError(f"the class balance must be a list of shares, one a class, but is {class_balance!r}") from None
    if isinstance(dependencies, StructureLearner):
        dependencies = dependencies.fit(votes, progress_bar=progress_bar).structure_
    if isinstance(dependencies, Structure):
        place = {name: j for j, name in enumerate(votes.sources)}
        if unknown := set(dependencies.sources) ^ set(place):
            raise OtherSourcesError(
                f"the structure's sources are not those of the votes: {', '.join(sorted(unknown))}; "
                "learn the structure from these votes"
            )
        parts = [(d.type, [place[name] for name in d.sources], None, d.weight, None) for d in dependencies.dependencies]
        copies = [[place[name] for name in group] for group in dependencies.copies]
        repeated = None
        if dependencies.once is not None or dependencies.repetitions:
            repeated = [(place[a], place[b], r.share, r.z) for r in dependencies.repetitions for a, b in [r.sources]]
        once = [[place[name] for name in group] for group in dependencies.once or ()]
        with telling(progress_bar, "fit") as tell:
            return FittedModel(
                _core.Model.fit(votes._table, False, parts, copies, repeated, once, link_weights, balance, seed, tell)
            )
    if dependencies not in ("auto", "independent"):
        raise OptionError(
            f'dependencies must be "auto", "independent", a Structure or a StructureLearner, but is {dependencies!r}'
        )
    if link_weights:
        raise OptionError("link_weights needs dependencies with links: give a Structure or a StructureLearner")
    with telling(progress_bar, "fit") as tell:
        alone = dependencies == "independent"
        return FittedModel(_core.Model.fit(votes._table, alone, None, [], None, [], False, balance, seed, tell))


class LabelModel(Labeler):
    """Probabilistic labels from votes, without ground truth.

    Parameters
    ----------
    dependencies
        "auto": the structure that the votes show, votes that repeat other sources count in part; "independent": every vote
        counts in full; or a `Structure`, or a `StructureLearner` that learns one from the votes.
    link_weights
        Whether each dependency of the structure gets a weight of its own, as in the paper, instead of discounting repetition.
    class_balance
        The share of each class; all alike where not given.
    ties
        What an item gets whose highest probabilities are the same: "abstain" (-1, 0 where -1 is a class, or None where classes
        are texts), "first" or "random".
    seed
        The seed of "random", and of sampling where exact inference does not fit.

    Attributes
    ----------
    classes_
        The classes, in the order of `predict_proba`'s columns.
    sources_
        The sources' names.
    repeats_
        Who repeats whom: source, the source that it repeats, and the share of its votes.
    notes_
        What you should know of the fit, one sentence each.
    n_features_in_
        The number of sources.
    held_out_
        With answers: the probability of each class for each answered item, by models that have not seen its answer, for
        `consilience.certify`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 2, 500)
    >>> votes = np.where(rng.random((500, 5)) < 0.8, truth[:, None], 1 - truth[:, None])
    >>> model = LabelModel().fit(votes)
    >>> bool((model.predict(votes) == truth).mean() > 0.9)
    True
    """

    sources_: list[str]
    repeats_: list[tuple[str, str, float]]
    notes_: list[str]
    held_out_: npt.NDArray[np.float64]
    _model: FittedModel

    def __init__(
        self,
        dependencies: Dependencies = "auto",
        class_balance: Optional[Sequence[float]] = None,
        ties: str = "abstain",
        seed: int = 0,
        link_weights: bool = False,
    ) -> None:
        self.dependencies = dependencies
        self.class_balance = class_balance
        self.ties = ties
        self.seed = seed
        self.link_weights = link_weights

    def fit(self, X: Any, y: Any = None, progress_bar: bool = False, answers: Any = None) -> LabelModel:
        """Fit the model to a table of votes: `Votes` or what they are made from; `y` is not read.

        With `progress_bar`, a fit that takes longer than a second shows its progress (where tqdm is installed).

        `answers` are labels that people gave to a random sample of the items (see `consilience.sample`): one per item with -1
        or None where unknown, a mapping or Series from items to answers, or a data frame with the columns item and answer.
        They correct the model; a few change little, thousands amount to supervised training on the votes.
        """
        self._check_ties()
        votes = X if isinstance(X, Votes) else Votes(X)
        self._model = fit_model(
            votes, self.dependencies, self.class_balance, self.seed, progress_bar, switch("link_weights", self.link_weights)
        )
        self.sources_ = votes.sources
        self.classes_ = votes.class_labels
        self.repeats_ = [(self.sources_[a], self.sources_[b], share) for a, b, share in self._model.core.repeats]
        self.notes_ = self._model.core.notes
        vars(self).pop("held_out_", None)
        if answers is not None:
            given = of_votes(answers, votes)
            core = self._model.core
            corrected, notes = core.corrected(votes._table, given)
            self.held_out_ = core.held_out(votes._table, given)
            self._model = FittedModel(corrected)
            self.notes_ = [*self.notes_, *notes]
        self.n_features_in_ = len(self.sources_)
        return self

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Give the probability of each class, one row an item."""
        classes = self._fitted("classes_").tolist()
        # Columns without names are the sources in the order of the fit.
        sources = self.sources_ if nameless_columns(X) == self.n_features_in_ else None
        votes = Votes(X, sources=sources, classes=classes, keep=self.sources_ if is_frame(X) else (), _known=True)
        if votes.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {votes.shape[1]} features, but {type(self).__name__} "
                f"is expecting {self.n_features_in_} features as input"
            )
        return self._model.core.infer(votes._table)

    def fit_predict(self, X: Any, y: Any = None, answers: Any = None) -> npt.NDArray[Any]:
        """Fit and label the same items; answered items get their answer."""
        votes = X if isinstance(X, Votes) else Votes(X)
        labels = self.fit(votes, answers=answers).predict(votes)
        if answers is not None:
            given = of_votes(answers, votes)
            labels[given >= 0] = self.classes_[given[given >= 0]]
        return labels
