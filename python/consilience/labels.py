"""Labels: a probability for each class of each item."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._html import MOST_ROWS, table
from consilience._labeler import decide, no_label
from consilience._optional import require
from consilience._settings import number
from consilience.errors import OptionError
from consilience.votes import class_labels

if TYPE_CHECKING:
    import pandas as pd


class Labels:
    """The labels of items, as returned by `LabelModel.label`.

    Attributes
    ----------
    classes
        The classes, in the order of the columns of `probabilities`.
    item_names
        The item names, if the votes had any.
    ties
        How items are labelled if classes tie or nobody votes.

    Examples
    --------
    >>> from consilience import LabelModel, simulate
    >>> votes = simulate(sources=5, items=200, seed=1).votes
    >>> labels = LabelModel().fit(votes).label(votes)
    >>> labels
    Labels(200 items, 2 classes)
    >>> labels.probabilities.shape
    (200, 2)
    """

    classes: npt.NDArray[Any]
    item_names: Optional[list[str]]
    ties: str
    _posteriors: _core.Labels
    _seed: int

    @classmethod
    def _of(cls, posteriors: _core.Labels, item_names: Optional[list[str]], ties: str, seed: int) -> Labels:
        labels = cls.__new__(cls)
        labels.classes, labels.item_names = class_labels(posteriors.classes), item_names
        labels.ties, labels._posteriors, labels._seed = ties, posteriors, seed
        return labels

    @cached_property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """The probability of each class, one row per item."""
        return self._posteriors.probabilities()

    @cached_property
    def labels(self) -> npt.NDArray[Any]:
        """The most probable class of each item, as returned by `LabelModel.predict`."""
        return decide(self._posteriors, self.classes, self.ties, self._seed)

    @cached_property
    def confidence(self) -> npt.NDArray[np.float64]:
        """The probability of the most probable class of each item."""
        highest: npt.NDArray[np.float64] = self.probabilities.max(axis=1)
        return highest

    @property
    def with_votes(self) -> npt.NDArray[np.bool_]:
        """Which items have votes."""
        return self._posteriors.with_votes()

    def decide(self, f1: Any = None, abstain_below: Optional[float] = None) -> npt.NDArray[Any]:
        """Choose the class of each item by a rule other than the highest probability.

        Parameters
        ----------
        f1
            A class, whose expected F1 is maximized. This trusts the probabilities.
        abstain_below
            Items whose highest probability is below this get no label.

        Examples
        --------
        >>> from consilience import LabelModel, simulate
        >>> votes = simulate(sources=5, items=200, balance=[0.8, 0.2], seed=1).votes
        >>> labels = LabelModel().fit(votes).label(votes)
        >>> bool((labels.decide(f1=1) == 1).sum() >= (labels.labels == 1).sum())
        True
        >>> bool((labels.decide(abstain_below=1.1) == -1).all())
        True
        """
        decided = self.labels.copy()
        if f1 is not None:
            place = [str(name) for name in self.classes.tolist()]
            if str(f1) not in place:
                raise OptionError(f"f1 must be one of the classes {', '.join(place)}, but is {f1!r}")
            numbers = self._posteriors.decide_f1(place.index(str(f1)))
            decided = self.classes[numbers]
            if (numbers < 0).any():
                decided[numbers < 0] = no_label(self.classes)
        if abstain_below is not None:
            unsure = self.confidence < number("abstain_below", abstain_below)
            if unsure.any():
                decided[unsure] = no_label(self.classes)
        return decided

    def differ(self, other: Labels) -> int:
        """Return the number of items that both label, but differently.

        Parameters
        ----------
        other
            Labels of the same items.

        Examples
        --------
        >>> from consilience import LabelModel, simulate
        >>> votes = simulate(sources=5, items=200, seed=1).votes
        >>> labels = LabelModel().fit(votes).label(votes)
        >>> labels.differ(labels)
        0
        """
        if len(self) != len(other):
            raise ValueError(f"{len(self)} and {len(other)} items; compare labels of the same items")
        return self._posteriors.differ(other._posteriors)

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame with the columns that `consilience label` writes: item, label, confidence, and p_<class>.

        Examples
        --------
        >>> from consilience import LabelModel, simulate
        >>> votes = simulate(sources=5, items=200, seed=1).votes
        >>> LabelModel().fit(votes).label(votes).to_pandas().columns.tolist()
        ['item', 'label', 'confidence', 'p_0', 'p_1']
        """
        columns: dict[str, Any] = {
            "item": self.item_names if self.item_names is not None else np.arange(len(self)),
            "label": self.labels,
            "confidence": self.confidence,
        }
        columns.update({f"p_{name}": self.probabilities[:, c] for c, name in enumerate(self.classes)})
        frame: pd.DataFrame = require("pandas", "Labels.to_pandas").DataFrame(columns)
        return frame

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the labels to a file, as `consilience label` does; no partial file is ever left.

        Parameters
        ----------
        path
            The file, ending in .csv, .tsv or .jsonl; add .gz or .zst to compress.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.csv"
        >>> from consilience import LabelModel, simulate
        >>> votes = simulate(sources=5, items=200, seed=1).votes
        >>> LabelModel().fit(votes).label(votes).save(path)
        >>> path.read_text().splitlines()[0]
        'item,label,confidence,p_0,p_1'
        """
        place = {name: c for c, name in enumerate(self.classes.tolist())}
        # What stands for no label is not a class.
        decided = np.array([place.get(label, -1) for label in self.labels.tolist()], dtype=np.int64)
        self._posteriors.save(path, self.item_names, decided)

    def __len__(self) -> int:
        return self._posteriors.items

    def __repr__(self) -> str:
        return f"Labels({len(self)} items, {len(self.classes)} classes)"

    def _repr_html_(self) -> str:
        shown = min(len(self), MOST_ROWS)
        names = self.item_names if self.item_names is not None else [str(i) for i in range(shown)]
        rows = [
            [names[i], str(self.labels[i]), f"{self.confidence[i]:.3f}", *(f"{p:.3f}" for p in self.probabilities[i])]
            for i in range(shown)
        ]
        heads = ["Item", "Label", "Confidence", *(f"p_{name}" for name in self.classes)]
        more = f"<p>and {len(self) - shown:,} more items</p>" if len(self) > shown else ""
        return f"<div><p>{len(self):,} items</p>{table(heads, rows)}{more}</div>"
