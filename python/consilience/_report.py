"""What a table of votes says about itself, before any model."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any

from consilience import _core
from consilience._html import table as html_table
from consilience._optional import require
from consilience._settings import whole
from consilience.votes import Votes, gold_numbers

if TYPE_CHECKING:
    import pandas as pd


class Report:
    """Coverage, overlaps, conflicts and accuracy of sources, and how often pairs of them agree beyond chance.

    Parameters
    ----------
    votes
        `Votes`, or data to make them from.
    gold
        The true class of each item as in the votes, -1 or None if unknown; for scoring only.
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
        self.data = json.loads(_core.analyze(table._table, gold_numbers(gold, table), whole("pairs", pairs, 0)))

    def to_pandas(self) -> pd.DataFrame:
        """Return a table with one row per source.

        Examples
        --------
        >>> Report([[0, 0, 1], [1, 1, -1], [0, 1, 1]]).to_pandas()["coverage"].round(2).tolist()
        [1.0, 1.0, 0.67]
        """
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
        rows = []
        for source in self.data["sources"]:
            cells = [source["name"], ", ".join(source["polarity"])]
            cells += [f"{source[key]:.3f}" for key in ("coverage", "overlaps", "conflicts")]
            if scored:
                accuracy = source["gold"]["accuracy"]
                cells.append("" if accuracy is None else f"{accuracy:.3f}")
            rows.append(cells)
        return f"<div><p>{escape(repr(self))}</p>{html_table(heads, rows)}</div>"
