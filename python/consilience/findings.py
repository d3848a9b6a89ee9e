"""The report: one page about a table of votes, its sources and its labels."""

from __future__ import annotations

import json
import os
from html import escape
from pathlib import Path
from typing import Any, Optional, Union

from consilience import _core
from consilience._progress import telling
from consilience.answers import of_votes
from consilience.errors import ConsilienceError
from consilience.structure import Structure
from consilience.votes import Votes, gold_numbers

__all__ = ["Findings", "report"]

#: Height of the page inside a notebook, in pixels.
_HEIGHT = 720


class Findings:
    """A report as a page, as Markdown and as data; a notebook shows the page.

    Attributes
    ----------
    data
        Everything the page shows, as dictionaries and lists, as in `consilience report --format json`.

    Examples
    --------
    >>> found = report([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 30)
    >>> found.data["headline"]["sources"]
    3
    >>> found.to_html().startswith("<!DOCTYPE html>")
    True
    """

    data: dict[str, Any]

    def __init__(self, data: str, page: str, text: str) -> None:
        self.data = json.loads(data)
        self._page, self._text = page, text

    def to_html(self) -> str:
        """Return the page: one file that needs no network.

        Examples
        --------
        >>> "<script" in report([[0, 0, 1], [1, 1, 0]] * 30).to_html()
        False
        """
        return self._page

    def to_markdown(self) -> str:
        """Return the report as Markdown.

        Examples
        --------
        >>> report([[0, 0, 1], [1, 1, 0]] * 30, title="judges").to_markdown().startswith("#")
        True
        """
        return self._text

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the report as .html, .md or .json, depending on the file extension.

        Parameters
        ----------
        path
            The file; an existing one is replaced once the new one is complete.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "report.html"
        >>> report([[0, 0, 1], [1, 1, 0]] * 30).save(path)
        >>> path.stat().st_size > 1000
        True
        """
        path = Path(path)
        ending = path.suffix.lower()
        texts = {".html": self._page, ".htm": self._page, ".md": self._text, ".markdown": self._text}
        if ending == ".json":
            texts[ending] = json.dumps(self.data, indent=2, ensure_ascii=False) + "\n"
        if ending not in texts:
            raise ConsilienceError(f'{path}: a report cannot be written as "{ending}"; use .html, .md or .json')
        part = path.with_name(path.name + ".part")
        part.write_text(texts[ending], encoding="utf-8")
        part.replace(path)

    def __repr__(self) -> str:
        head = self.data["headline"]
        return (
            f"Findings({head['sources']} sources, equivalent to {head['effective_votes']:.1f} independent votes, "
            f"{head['items']} items)"
        )

    def _repr_html_(self) -> str:
        # In a frame, so that the page's style stays its own and the notebook's does not reach it.
        return (
            f'<iframe title="{escape(repr(self))}" srcdoc="{escape(self._page)}" sandbox="" '
            f'style="width: 100%; height: {_HEIGHT}px; border: 0"></iframe>'
        )


def report(
    votes: Any,
    gold: Any = None,
    answers: Any = None,
    structure: Optional[Structure] = None,
    title: str = "votes",
    progress_bar: bool = False,
) -> Findings:
    """Return a report on votes: the sources, which of them repeat each other, confidence, and a comparison with other models.

    A notebook shows it as a page; `save` writes it as HTML, Markdown or JSON.

    Parameters
    ----------
    votes
        `Votes`, or data to make them from.
    gold
        The true class of each item as in the votes, -1 or None if unknown; for scoring only.
    answers
        Hand-made labels of a random sample of the items, as for `LabelModel.fit`; the report then has a certificate.
    structure
        Which sources depend on each other. Default: learned from the votes.
    title
        The title of the table in the report.
    progress_bar
        Whether to show progress if this takes longer than a second (requires tqdm).

    Examples
    --------
    >>> found = report([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]] * 30, gold=[0, 1, 0, 1] * 30)
    >>> found
    Findings(3 sources, equivalent to 2.0 independent votes, 120 items)
    >>> len(found.data["links"])
    1
    """
    table = votes if isinstance(votes, Votes) else Votes(votes)
    given = None if answers is None else of_votes(answers, table)
    known = None if structure is None else structure._graph
    with telling(progress_bar, "report") as tell:
        parts = _core.report(table._table, title, table.item_names, known, gold_numbers(gold, table), given, tell)
    return Findings(*parts)
