"""How many rows are needed to find dependencies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any, Optional

from consilience import _core
from consilience._html import table, text_table
from consilience._settings import number, text, whole
from consilience.errors import OptionError
from consilience.votes import Votes

_RULES = {"theorem": "Theorem 1 (sufficient)", "corollary": "Corollary 2 (sufficient)", "practice": "Practice"}


class Plan:
    """The rows needed to find dependencies, and what given rows can reveal, as returned by `plan`.

    Attributes
    ----------
    data
        The content as dictionaries.
    rows
        The rows needed, by rule: "theorem" and "corollary" (None if the curvature is unknown), and "practice".
    weakest
        The weakest dependency that the given rows can reveal, by rule; None if no rows were given.

    Examples
    --------
    >>> plan(sources=10, rows=20_000)
    Rule                      Rows needed  Weakest found
    Theorem 1 (sufficient)              -              -
    Corollary 2 (sufficient)            -              -
    Practice                        3,454          0.104
    """

    data: dict[str, Any]

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @property
    def rows(self) -> dict[str, Optional[float]]:
        """The rows needed, by rule."""
        return dict(self.data["rows"])

    @property
    def weakest(self) -> Optional[dict[str, Optional[float]]]:
        """The weakest dependency that the given rows can reveal, by rule."""
        found = self.data["strength"]
        return None if found is None else dict(found)

    def _table(self) -> tuple[list[str], list[list[str]]]:
        weakest = self.weakest
        heads = ["Rule", "Rows needed"] + (["Weakest found"] if weakest else [])
        rows = []
        for rule, name in _RULES.items():
            needed = self.rows[rule]
            cells = [name, "-" if needed is None else f"{needed:,.0f}"]
            if weakest:
                found = weakest[rule]
                cells.append("-" if found is None else f"{found:.3f}")
            rows.append(cells)
        return heads, rows

    def __repr__(self) -> str:
        return text_table(*self._table())

    def _repr_html_(self) -> str:
        o = self.data["options"]
        said = f"{o['sources']} sources, dependencies of strength {o['strength']} or more ({', '.join(o['types'])})"
        return f"<div><p>{escape(said)}</p>{table(*self._table())}</div>"


def plan(
    sources: Any,
    strength: float = 0.25,
    *,
    confidence: float = 0.95,
    degree: int = 2,
    types: Sequence[str] = ("correlation",),
    curvature: Optional[float] = None,
    rows: Optional[int] = None,
) -> Plan:
    """Estimate how many rows it takes to find the dependencies between sources.

    Parameters
    ----------
    sources
        The number of sources; or `Votes`, or data to make them from: then their sources and rows are used, and the
        curvature is estimated from them.
    strength
        The smallest weight to find.
    confidence
        The probability that the whole structure is correct.
    degree
        The maximum number of dependencies of one source, including its accuracy.
    types
        The types of dependencies.
    curvature
        The constant c of condition (7) of the paper; Theorem 1 and Corollary 2 need it.
    rows
        The number of available rows, to also estimate what they can reveal.

    Examples
    --------
    >>> round(plan(sources=10).rows["practice"])
    3454

    Will these votes do?

    >>> from consilience import simulate
    >>> planned = plan(simulate(sources=6, items=4000, seed=1).votes)
    >>> planned.data["options"]["rows"], planned.weakest["practice"] < 0.25
    (4000, True)
    """
    share = number("confidence", confidence)
    if not 0 < share < 1:
        raise OptionError(f"confidence must be above 0 and below 1, but is {confidence}")
    listed = [types] if isinstance(types, str) else [text("types", kind) for kind in types]
    if not isinstance(sources, (int, float)) and not hasattr(sources, "__index__"):
        votes = sources if isinstance(sources, Votes) else Votes(sources)
        rows = len(votes) if rows is None else rows
        sources = len(votes.sources)
        if curvature is None:
            # Condition (7) does not hold if c is not above 0: the theory then says nothing.
            estimated = _core.curvature(votes._table, listed)
            curvature = estimated if estimated is not None and estimated > 0 else None
    planned = _core.plan(
        whole("sources", sources, 2),
        number("strength", strength),
        # 1 - 0.95 as a person would write it.
        max(round((1 - share) * 1e12), 1) / 1e12,
        whole("degree", degree, 1),
        listed,
        None if curvature is None else number("curvature", curvature),
        None if rows is None else whole("rows", rows, 1),
    )
    return Plan(json.loads(planned))
