"""What the columns of a frame are for: the compiled part decides, by the same rules as for files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from consilience import _columns, _core

#: Rows that are looked at.
ROWS = 4096
#: Cells that are looked at: a very wide frame shows what it is in fewer rows.
CELLS = 1 << 19


@dataclass
class Told:
    """What the user says about the data."""

    classes: Optional[list[str]] = None
    #: Whether the classes are those of a model, for which numbers never stand.
    known: bool = False
    marks: Optional[list[str]] = None
    item: Optional[str] = None
    gold: Optional[str] = None
    keep: list[str] = field(default_factory=list)
    ignore: list[str] = field(default_factory=list)
    long: Optional[bool] = None
    columns: dict[str, str] = field(default_factory=dict)

    def column_names(self) -> list[str]:
        """Return the columns that must be there, whatever the layout."""
        told = [name for name in (self.item, self.gold) if name is not None]
        return [*told, *self.ignore, *self.columns.values()]


class Lazy:
    """A column of a frame, read when it is needed."""

    def __init__(self, kind: str, column: Any) -> None:
        self.kind = kind
        self.column = column

    def votes(self, where: str) -> _columns.Column:
        """Return the column as votes."""
        if self.kind == "pandas":
            return _columns.from_pandas(self.column, where)
        if self.kind == "arrow":
            return _columns.from_arrow(self.column, where)
        return _columns.from_numpy(np.asarray(self.column), where)

    def values(self) -> list[str]:
        """Return the values as texts, "" if missing."""
        codes, texts = self.sample(None)
        return ["" if code < 0 else texts[code] for code in codes.tolist()]

    def sample(self, rows: Optional[int]) -> tuple[npt.NDArray[np.int64], list[str]]:
        """Return the first rows, or all, as numbers of texts, -1 if a cell is missing, of whatever type."""
        part = Lazy(self.kind, _columns.first(self.kind, self.column, rows))
        try:
            return coded(*part.votes("the column"))
        except (TypeError, ValueError):
            return coded(*_columns.as_texts(self.kind, part.column))

    def type_name(self) -> Optional[str]:
        """Return the name of the column's type if that holds no votes."""
        if self.kind == "arrow":
            kind: Optional[str] = self.column.kind
            return kind
        dtype = getattr(self.column, "dtype", None)
        return str(dtype) if getattr(dtype, "kind", "") in ("M", "m", "c") else None


def coded(
    numbers: npt.NDArray[Any], missing: Optional[npt.NDArray[np.bool_]], texts: Optional[list[str]]
) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Take any column as numbers of texts, -1 if a cell is missing."""
    if texts is None:
        distinct, codes = np.unique(numbers, return_inverse=True)
        numbers, texts = codes.reshape(-1), [str(number) for number in distinct.tolist()]
    codes = numbers.astype(np.int64)
    return (codes if missing is None else np.where(missing, -1, codes)), texts


def survey(
    frame: dict[str, Lazy], told: Told, texts_as_names: bool
) -> tuple[list[str], Optional[tuple[int, int, int, Optional[int]]], list[str]]:
    """Return the use of each column ("source", "item", "gold" or ""), or the places of item, source, vote and gold; notes."""
    rows = min(ROWS, max(64, CELLS // max(len(frame), 1)))
    kinds = [column.type_name() for column in frame.values()]
    sampled = [
        (np.empty(0, dtype=np.int64), list[str]()) if kind else column.sample(rows)
        for kind, column in zip(kinds, frame.values())
    ]
    height = max((len(codes) for codes, _ in sampled), default=0)
    cells = [codes if len(codes) == height else np.full(height, -1, dtype=np.int64) for codes, _ in sampled]
    roles = (told.item or told.columns.get("item"), told.gold, told.columns.get("source"), told.columns.get("vote"))
    keep = [name for name in told.keep if name in frame and name not in told.ignore and name not in (told.item, told.gold)]
    return _core.survey_columns(
        list(frame),
        kinds,
        cells,
        [texts for _, texts in sampled],
        height < rows,
        texts_as_names,
        roles,
        keep,
        told.ignore,
        told.long if not told.columns else True,
        told.classes,
        told.marks,
    )
