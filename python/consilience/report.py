"""What a table of votes says about itself, before any model."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from consilience import _core
from consilience._optional import require
from consilience._settings import whole
from consilience.errors import UndeclaredVoteError
from consilience.votes import Votes

if TYPE_CHECKING:
    import pandas as pd


class Report:
    """Coverage, overlaps, conflicts and accuracy of sources, and how often pairs of them agree beyond chance.

    Parameters
    ----------
    votes
        `Votes`, or what they are made from.
    gold
        The true class of each item as in the votes, -1 or None where it is not known; for scoring only.
    pairs
        How many pairs of sources are compared, the ones most surely away from chance first.

    Attributes
    ----------
    data
        All of it, as dictionaries and lists: what `consilience analyze --json` prints.

    Examples
    --------
    >>> report = Report([[0, 0, 1], [1, 1, -1], [0, 1, 1]], gold=[0, 1, 0])
    >>> report.data["coverage"], report.data["conflicts"]
    (1.0, 0.6666666666666666)
    >>> [source["gold"]["accuracy"] for source in report.data["sources"]]
    [1.0, 0.6666666666666666, 0.0]
    """

    data: dict[str, Any]

    def __init__(self, votes: Any, gold: Any = None, pairs: int = 10) -> None:
        table = votes if isinstance(votes, Votes) else Votes(votes)
        self.data = json.loads(_core.analyze(table._table, _gold(gold, table), whole("pairs", pairs, 0)))

    def to_pandas(self) -> pd.DataFrame:
        """Give a table with one row a source."""
        rows = []
        for source in self.data["sources"]:
            row = dict(source)
            row.update(row.pop("gold", {}))
            rows.append(row)
        frame: pd.DataFrame = require("pandas", "Report.to_pandas").DataFrame(rows).set_index("name")
        return frame

    def __repr__(self) -> str:
        d = self.data
        return (
            f"Report({d['items']} items, {len(d['sources'])} sources, coverage {d['coverage']:.3f}, "
            f"overlaps {d['overlaps']:.3f}, conflicts {d['conflicts']:.3f})"
        )

    def _repr_html_(self) -> str:
        scored = any("gold" in source for source in self.data["sources"])
        heads = ["Source", "Polarity", "Coverage", "Overlaps", "Conflicts"] + (["Accuracy"] if scored else [])
        body = ""
        for source in self.data["sources"]:
            cells = [source["name"], ", ".join(source["polarity"])]
            cells += [f"{source[key]:.3f}" for key in ("coverage", "overlaps", "conflicts")]
            if scored:
                accuracy = source["gold"]["accuracy"]
                cells.append("" if accuracy is None else f"{accuracy:.3f}")
            body += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        head = "".join(f"<th>{name}</th>" for name in heads)
        return f"<div><p>{escape(repr(self))}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _gold(gold: Any, votes: Votes) -> Optional[np.ndarray[Any, np.dtype[np.int64]]]:
    """Give the number of each item's class, -1 where it is not known."""
    if gold is None:
        return None
    number = {label: c for c, label in enumerate(votes.classes)}
    numbers = []
    labels = np.asarray(gold, dtype=object)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    for i, value in enumerate(labels.tolist()):
        unknown = value is None or value == -1 or value == "" or value != value
        name = str(int(value)) if isinstance(value, (float, bool)) and not unknown else str(value)
        if not unknown and name not in number:
            raise UndeclaredVoteError(
                f"item {i}: the gold label {value!r} is none of the classes {', '.join(votes.classes)}; "
                "name all classes when you make the Votes"
            )
        numbers.append(-1 if unknown else number[name])
    return np.array(numbers, dtype=np.int64)
