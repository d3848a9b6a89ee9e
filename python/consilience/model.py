"""The label model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._html import table as html_table
from consilience._labeler import Labeler
from consilience._progress import telling
from consilience._settings import seed_of, switch, whole
from consilience.answers import of_votes
from consilience.errors import ConsilienceError, OptionError
from consilience.explanation import Comparison, Explanation
from consilience.labels import Labels
from consilience.learner import StructureLearner
from consilience.structure import Structure
from consilience.votes import Votes, class_labels, gold_numbers, is_frame, nameless_columns

Dependencies = Union[str, Structure, StructureLearner]


class FittedModel:
    """A fitted model of the core that can be pickled."""

    def __init__(self, core: _core.Model) -> None:
        self.core = core

    def __reduce__(self) -> tuple[Any, ...]:
        return _model_of, (self.core.to_json(),)


def _model_of(text: str) -> FittedModel:
    return FittedModel(_core.Model.from_json(text))


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
        raise OptionError(f"the class balance must be a list of shares, one per class, but is {class_balance!r}") from None
    if isinstance(dependencies, StructureLearner):
        dependencies = dependencies.fit(votes, progress_bar=progress_bar).structure_
    structure = dependencies._graph if isinstance(dependencies, Structure) else None
    if structure is None and dependencies not in ("auto", "independent"):
        raise OptionError(
            f'dependencies must be "auto", "independent", a Structure or a StructureLearner, but is {dependencies!r}'
        )
    if link_weights and structure is None:
        raise OptionError("link_weights needs dependencies: pass a Structure or a StructureLearner")
    with telling(progress_bar, "fit") as tell:
        alone = dependencies == "independent"
        return FittedModel(_core.Model.fit(votes._table, alone, structure, link_weights, balance, seed, tell))


class LabelModel(Labeler):
    """Probabilistic labels from votes, without ground truth.

    Parameters
    ----------
    dependencies
        "auto" learns the structure from the votes, and votes that repeat other sources count in part; "independent" counts
        every vote in full. You can also pass a `Structure`, or a `StructureLearner` that learns one from the votes.
    link_weights
        Whether to fit a separate weight for each dependency, as in the paper, instead of discounting repetition.
    class_balance
        The share of each class. Default: equal shares.
    ties
        The label of an item if several classes share the highest probability, or nobody votes on it: "abstain" (-1; 0 if -1
        is a class; None if classes are texts), "first" or "random".
    seed
        The seed for "random", and for sampling if exact inference is infeasible.

    Attributes
    ----------
    classes_
        The classes, in the order of `predict_proba`'s columns.
    sources_
        The sources' names.
    repeats_
        Sources that repeat others: the source, the source it repeats, and the share of its votes.
    notes_
        Notes on the fit, one sentence each.
    n_features_in_
        The number of sources.
    held_out_
        With answers: the class probabilities of each answered item from models that have not seen its answer, for
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
        """Fit the model to a table of votes.

        Parameters
        ----------
        X
            `Votes`, or data to make them from.
        y
            Ignored; there is no ground truth. Pass hand-made labels as `answers`.
        progress_bar
            Whether to show progress if fitting takes longer than a second (requires tqdm).
        answers
            Hand-made labels for a random sample of the items (see `consilience.sample`): one per item, with -1 or None if
            unknown; a mapping or Series from items to answers; or a data frame with the columns item and answer. They correct
            the model: a few change little, thousands amount to supervised training on the votes.

        Examples
        --------
        >>> votes = [[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]] * 20
        >>> LabelModel().fit(votes).sources_
        ['s0', 's1', 's2']
        """
        self._check_ties()
        votes = X if isinstance(X, Votes) else Votes(X)
        self._model = fit_model(
            votes, self.dependencies, self.class_balance, self.seed, progress_bar, switch("link_weights", self.link_weights)
        )
        self._take(self._model)
        vars(self).pop("held_out_", None)
        if answers is not None:
            given = of_votes(answers, votes)
            core = self._model.core
            corrected, notes = core.corrected(votes._table, given)
            self.held_out_ = core.held_out(votes._table, given)
            self._model = FittedModel(corrected)
            self.notes_ = [*self.notes_, *notes]
        return self

    def _take(self, model: FittedModel) -> None:
        core = self._model.core
        self.sources_ = core.sources
        self.classes_ = class_labels(core.classes)
        self.repeats_ = [(self.sources_[a], self.sources_[b], share) for a, b, share in core.repeats]
        self.notes_ = core.notes
        self.n_features_in_ = len(self.sources_)

    def _read(self, X: Any) -> Votes:
        classes = self._fitted("classes_").tolist()
        # Columns without names are the sources in the order of the fit.
        sources = self.sources_ if nameless_columns(X) == self.n_features_in_ else None
        votes = Votes(X, sources=sources, classes=classes, keep=self.sources_ if is_frame(X) else (), _known=True)
        if votes.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {votes.shape[1]} features, but {type(self).__name__} "
                f"is expecting {self.n_features_in_} features as input"
            )
        return votes

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the probability of each class, one row per item.

        Parameters
        ----------
        X
            `Votes`, or data to make them from: the sources of the fit.

        Examples
        --------
        >>> votes = [[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]] * 20
        >>> LabelModel().fit(votes).predict_proba(votes).shape
        (80, 2)
        """
        return super().predict_proba(X)

    def _posteriors(self, X: Any) -> _core.Labels:
        votes = self._read(X)
        return self._model.core.infer(votes._table)

    def label(self, X: Any) -> Labels:
        """Return the labels of items: probabilities, classes and confidence, to inspect or save.

        Parameters
        ----------
        X
            `Votes`, or data to make them from: the sources of the fit.

        Examples
        --------
        >>> votes = [[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]] * 20
        >>> LabelModel().fit(votes).label(votes).labels[:3].tolist()
        [0, 1, 0]
        """
        votes = self._read(X)
        return Labels._of(self._model.core.infer(votes._table), votes.item_names, self.ties, self.seed)

    def explain(self, X: Any, item: Union[int, str, None] = None, source: Optional[str] = None) -> Explanation:
        """Explain why an item has its label, how much a source contributes or, with neither, how informative the panel is.

        Parameters
        ----------
        X
            `Votes`, or data to make them from: the sources of the fit.
        item
            The row of the item, counted from 0, or its name.
        source
            The name of a source.

        Examples
        --------
        >>> votes = [[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]] * 20
        >>> model = LabelModel().fit(votes)
        >>> model.explain(votes, item=1).data["label"]
        '1'
        >>> [source["source"] for source in model.explain(votes).data["sources"]]
        ['s0', 's1', 's2']
        """
        votes, core = self._read(X), self._model.core
        if item is not None and source is not None:
            raise OptionError("item and source ask for two explanations; pass one of them")
        if source is not None:
            return Explanation._of(core.explain_source(votes._table, source))
        if item is None:
            return Explanation._of(core.explain_panel(votes._table))
        row = _row_of(item, votes)
        return Explanation._of(core.explain_item(votes._table, row), votes.item_names[row] if votes.item_names else str(row))

    def compare(self, X: Any, gold: Any = None) -> Comparison:
        """Compare the labels with those of other models of the same votes; structure does not always help.

        Parameters
        ----------
        X
            `Votes`, or data to make them from: the sources of the fit.
        gold
            The true class of each item, as in `classes_`; None or -1 if unknown. Used for scoring only.

        Examples
        --------
        >>> votes = [[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]] * 20
        >>> LabelModel().fit(votes).compare(votes)
        Model            Labels that differ
        this model                        0
        independent                       0
        Dawid and Skene                   0
        majority vote                     0
        """
        votes = self._read(X)
        table = votes._table
        independent = fit_model(votes, "independent", self.class_balance, self.seed).core
        others = {
            "this model": self._model.core.infer(table),
            "independent": independent.infer(table),
            "Dawid and Skene": _core.Model.dawid_skene(table).infer(table),
            "majority vote": _core.majority_vote(table),
        }
        own = others["this model"]
        known = gold_numbers(gold, votes)
        return Comparison(
            [
                {"model": name, "differs": own.differ(labels), "right": None if known is None else labels.share_right(known)}
                for name, labels in others.items()
            ]
        )

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the model to a JSON file, which `consilience label --model` can read; no partial file is ever left.

        Parameters
        ----------
        path
            The file; compressed if its name ends in .gz or .zst.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.json"
        >>> LabelModel().fit([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]] * 20).save(path)
        >>> path.exists()
        True
        """
        self._fitted("classes_")
        self._model.core.save(path)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> LabelModel:
        """Read a model that `save` or `consilience fit` wrote; it gives the same labels to the last bit.

        Parameters
        ----------
        path
            The file. Settings that it does not contain, such as `ties`, have their defaults.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path, votes = pathlib.Path(tempfile.mkdtemp()) / "model.json", [[0, 0, 1], [1, 1, 1], [0, 0, 0]] * 20
        >>> model = LabelModel().fit(votes)
        >>> model.save(path)
        >>> bool((LabelModel.load(path).predict_proba(votes) == model.predict_proba(votes)).all())
        True
        """
        model = cls()
        model._model = FittedModel(_core.Model.load(path))
        model._take(model._model)
        return model

    def _repr_html_(self) -> str:
        if "classes_" not in vars(self):
            return f"<div><p>{escape(repr(self))}, not fitted</p></div>"
        repeats = html_table(["Source", "Repeats", "Share"], [[a, b, f"{share:.0%}"] for a, b, share in self.repeats_])
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes_)
        said = f"{self.n_features_in_} sources, {len(self.classes_)} classes, fitted to {self._model.core.items:,} items"
        return f"<div><p>{escape(repr(self))}: {said}</p>{repeats if self.repeats_ else ''}<ul>{notes}</ul></div>"

    def fit_predict(self, X: Any, y: Any = None, answers: Any = None) -> npt.NDArray[Any]:
        """Fit and label the same items; answered items get their answer.

        Parameters
        ----------
        X
            `Votes`, or data to make them from.
        y
            Ignored; there is no ground truth.
        answers
            As for `fit`.

        Examples
        --------
        >>> votes = [[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1]] * 20
        >>> LabelModel().fit_predict(votes)[:3].tolist()
        [0, 1, 0]
        """
        votes = X if isinstance(X, Votes) else Votes(X)
        labels = self.fit(votes, answers=answers).predict(votes)
        if answers is not None:
            given = of_votes(answers, votes)
            labels[given >= 0] = self.classes_[given[given >= 0]]
        return labels


def _row_of(item: Union[int, str], votes: Votes) -> int:
    if isinstance(item, str):
        if votes.item_names is None or item not in votes.item_names:
            raise ConsilienceError(
                f'there is no item "{item}"; pass its row, or make the Votes with item="column of the names"'
            )
        return votes.item_names.index(item)
    return whole("item", item, 0, len(votes) - 1)
