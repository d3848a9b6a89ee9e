"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

# A notebook shows no more rows than this.
MOST_ROWS = 60


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table; everything in it is escaped.

    Examples
    --------
    >>> table(["Source"], [["a < b"]])
    '<table><thead><tr><th>Source</th></tr></thead><tbody><tr><td>a &lt; b</td></tr></tbody></table>'
    """
    listed = list(rows)
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in listed[:MOST_ROWS])
    more = f"<p>and {len(listed) - MOST_ROWS:,} more</p>" if len(listed) > MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def text_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as text: the first column to the left, the others to the right.

    Examples
    --------
    >>> print(text_table(["Source", "Votes"], [["a", "12"]]))
    Source  Votes
    a          12
    """
    lines = [list(heads), *(list(row) for row in rows)]
    widths = [max(len(line[j]) for line in lines) for j in range(len(heads))]
    shown = [
        "  ".join(cell.ljust(width) if j == 0 else cell.rjust(width) for j, (cell, width) in enumerate(zip(line, widths)))
        for line in lines
    ]
    return "\n".join(line.rstrip() for line in shown)
