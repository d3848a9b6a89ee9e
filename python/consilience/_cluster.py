"""What Spark and Dask share: which columns are sources, votes of counted rows, and what labels look like in a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience.errors import ConsilienceError, NoItemsError, NotFittedError, OptionError
from consilience.majority import MajorityVote
from consilience.model import LabelModel
from consilience.votes import Votes

#: What can label the rows of a cluster.
Labeler = Union[LabelModel, MajorityVote]


def source_columns(columns: Sequence[str], sources: Optional[Sequence[str]], ignore: Sequence[str]) -> list[str]:
    """Return the columns that are sources: the named ones, or all that are not ignored."""
    ignored = [ignore] if isinstance(ignore, str) else list(ignore)
    chosen = [name for name in columns if name not in ignored] if sources is None else list(sources)
    for name in [*ignored, *chosen]:
        if name not in columns:
            raise ConsilienceError(f'there is no column "{name}"; the columns are {", ".join(columns)}')
    if not chosen:
        raise ConsilienceError("the table has no sources; at least one column of votes is needed")
    return chosen


def votes_of_counts(rows: Any, counts: npt.NDArray[Any], classes: Union[Sequence[Any], int, None], abstain: Any) -> Votes:
    """Return the votes of rows that a cluster grouped and counted."""
    if not len(counts):
        raise NoItemsError("the table has no items; at least one row of votes is needed")
    return Votes.from_counts(rows, counts, classes=classes, abstain=abstain, long=False)


class LabelColumns:
    """The columns that a model adds to a table: label, confidence, and p_<class> for each class.

    Parameters
    ----------
    model
        A fitted model.
    columns
        The columns of the table.
    sources
        Those with the votes. Default: those that the model was fitted to.
    """

    def __init__(self, model: Labeler, columns: Sequence[str], sources: Optional[Sequence[str]]) -> None:
        if not hasattr(model, "classes_"):
            raise NotFittedError(f"this {type(model).__name__} is not fitted yet; call fit first")
        if model.ties == "random":
            raise OptionError('ties="random" would depend on how the rows are split; use "abstain" or "first"')
        self.model = model
        named = getattr(model, "sources_", None) if sources is None else sources
        if named is None:
            raise ConsilienceError(f"a {type(model).__name__} does not know its columns; name them in sources")
        self.sources = source_columns(columns, named, ())
        self.classes = model.classes_.tolist()
        self.names = ["label", "confidence", *(f"p_{name}" for name in self.classes)]
        if taken := [name for name in self.names if name in columns]:
            raise ConsilienceError(f"the table already has a column {taken[0]}; rename or drop it first")

    @property
    def are_texts(self) -> bool:
        """Whether the classes are texts; they are whole numbers if not."""
        return bool(self.model.classes_.dtype == object)

    def of(self, votes: Any, items: int) -> dict[str, npt.NDArray[Any]]:
        """Return the columns for a table of `items` rows of votes."""
        if items:
            probabilities = self.model.predict_proba(votes)
            labels = self.model.predict(votes)
        else:
            probabilities = np.empty((0, len(self.classes)))
            labels = self.model.classes_[:0]
        columns = [labels, probabilities.max(axis=1, initial=0.0), *np.ascontiguousarray(probabilities.T)]
        return dict(zip(self.names, columns))
