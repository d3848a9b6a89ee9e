"""Explanations: why an item has its label, and how much sources contribute."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Optional

from consilience._html import table, text_table


class Explanation:
    """An explanation of an item, a source or the whole panel, as returned by `LabelModel.explain`.

    Attributes
    ----------
    data
        The content as dictionaries and lists, as printed by `consilience explain --json`.

    Examples
    --------
    >>> from consilience import LabelModel, simulate
    >>> votes = simulate(sources=4, items=500, seed=1).votes
    >>> explanation = LabelModel().fit(votes).explain(votes)
    >>> sorted(explanation.data)
    ['difficulty', 'effective_votes', 'sources', 'votes_per_item', 'voting']
    """

    data: dict[str, Any]

    @classmethod
    def _of(cls, text: str, item: Optional[str] = None) -> Explanation:
        explanation = cls.__new__(cls)
        explanation.data = json.loads(text)
        explanation._item = item
        return explanation

    _item: Optional[str]

    def _title(self) -> str:
        d = self.data
        if "contributions" in d:
            return f"Item {self._item}: {d['label']} ({max(d['probabilities']):.3f}), against {d['against']}"
        if "source" in d:
            return f"Source {d['source']}: votes on {d['votes']:,} items ({d['coverage']:.1%})"
        return (
            f"{d['voting']} sources, {d['votes_per_item']:.1f} votes per item; "
            f"as informative as {d['effective_votes']:.1f} independent sources"
        )

    def _table(self) -> tuple[list[str], list[list[str]]]:
        d = self.data
        if "contributions" in d:
            heads = ["Source", "Vote", "Log odds", "Discount", "Label without it"]
            return heads, [
                [c["source"], c["vote"], f"{c['log_odds']:+.3f}", f"{c['discount']:.0%}", c["label_without"]]
                for c in d["contributions"]
            ]
        heads = ["Source", "Votes", "Accuracy", "95% interval", "Weight", "Discount"]
        rows = []
        for source in [d] if "source" in d else d["sources"]:
            accuracy, interval = source["accuracy"], source["interval"]
            rows.append(
                [
                    source["source"],
                    f"{source['votes']:,}",
                    "" if accuracy is None else f"{accuracy:.3f}",
                    "" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}",
                    f"{source['weight']:.2f}",
                    f"{source['discount']:.0%}",
                ]
            )
        return heads, rows

    def __repr__(self) -> str:
        return f"{self._title()}\n{text_table(*self._table())}"

    def _repr_html_(self) -> str:
        return f"<div><p>{escape(self._title())}</p>{table(*self._table())}</div>"


class Comparison:
    """A comparison with other models of the same votes, as returned by `LabelModel.compare`.

    Attributes
    ----------
    rows
        For each model: its name, the number of items it labels differently, and its accuracy if there is gold.

    Examples
    --------
    >>> from consilience import LabelModel, simulate
    >>> drawn = simulate(sources=5, items=400, clique=3, strength=1.0, seed=2)
    >>> LabelModel().fit(drawn.votes).compare(drawn.votes).rows[0]
    {'model': 'this model', 'differs': 0, 'right': None}
    """

    rows: list[dict[str, Any]]

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def _table(self) -> tuple[list[str], list[list[str]]]:
        scored = any(row["right"] is not None for row in self.rows)
        heads = ["Model", "Labels that differ"] + (["Right"] if scored else [])
        right = ["" if row["right"] is None else f"{row['right']:.2%}" for row in self.rows]
        cells = [[row["model"], f"{row['differs']:,}"] + ([share] if scored else []) for row, share in zip(self.rows, right)]
        return heads, cells

    def __repr__(self) -> str:
        return text_table(*self._table())

    def _repr_html_(self) -> str:
        return f"<div>{table(*self._table())}</div>"
