"""Declared sources: the file that the command line reads, and its rules over data frames."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._columns import is_missing
from consilience._survey import Lazy
from consilience.errors import ConsilienceError, OptionError, ReadingWarning, SourcesError
from consilience.labeling.lf.text import TextLabelingFunction, texts_of
from consilience.votes import Votes, _frame, class_names

# A dictionary of `lookup_lf` is saved as a file with these columns.
KEY, VOTE = "key", "vote"

Path_ = Union[str, "os.PathLike[str]"]


class Sources:
    """Declared sources, which vote where a rule holds: the same as in a `sources.toml` of the command line.

    Rules are keywords, regular expressions, dictionaries, columns that hold votes already, and compositions of other sources.
    SQL and programs are part of the file too, but only the command line runs them (`consilience apply`).

    Parameters
    ----------
    classes
        The names of the classes in order.
    sources
        The sources: dictionaries with the keys of a `[[source]]` (`name`, `vote`, and one kind such as `regex` or
        `keywords`), or labeling functions made by `keyword_lf`, `regex_lf` and `lookup_lf`.
    text
        The column that text rules read by default.
    folder
        The folder of files that the sources name. Default: the current one.

    Examples
    --------
    >>> sources = Sources(
    ...     ["ham", "spam"],
    ...     [
    ...         {"name": "prize", "vote": "spam", "regex": "you (have )?won", "lower": True},
    ...         {"name": "thanks", "vote": "ham", "keywords": ["thanks", "regards"]},
    ...     ],
    ...     text="body",
    ... )
    >>> sources
    Sources(2 sources, 2 classes: prize, thanks)
    >>> sources.apply({"body": ["You have WON", "thanks for that", "hello"]}).to_numpy()
    array([[ 1, -1],
           [-1,  0],
           [-1, -1]])
    """

    _file: _core.Sources
    #: Dictionaries that are not saved yet, by the name of their file.
    _tables: dict[str, list[tuple[str, str]]]

    def __init__(
        self,
        classes: Sequence[Any],
        sources: Sequence[Union[Mapping[str, Any], TextLabelingFunction]],
        *,
        text: Optional[str] = None,
        folder: Path_ = ".",
    ) -> None:
        names = class_names(classes) or []
        self._tables = {}
        lines = [f"classes = {_toml(names)}"]
        if text is not None:
            lines.append(f"text = {_toml(text)}")
        for source in sources:
            if not isinstance(source, Mapping):
                source = self._declared(source, names, text)
            lines += ["", "[[source]]", *(f"{_toml_key(key)} = {_toml(value)}" for key, value in source.items())]
        self._file = _core.Sources.from_toml("\n".join(lines) + "\n", "sources", Path(folder))

    @classmethod
    def _of(cls, file: _core.Sources) -> Sources:
        sources = cls.__new__(cls)
        sources._file, sources._tables = file, {}
        return sources

    @classmethod
    def load(cls, path: Path_) -> Sources:
        """Read and check a `sources.toml`; an error lists everything that is wrong with it, with lines and columns.

        Parameters
        ----------
        path
            The file. Dictionaries and lists of keywords that it names must be below its folder.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> rules = Sources(["ham", "spam"], [{"name": "win", "vote": "spam", "keywords": ["win"]}], text="body")
        >>> rules.save(folder / "sources.toml")
        >>> Sources.load(folder / "sources.toml") == rules
        True
        """
        return cls._of(_core.Sources.load(Path(path)))

    @classmethod
    def from_toml(cls, text: str, folder: Path_ = ".") -> Sources:
        r"""Read and check the text of a `sources.toml`.

        Parameters
        ----------
        text
            The text.
        folder
            The folder of files that it names. Default: the current one.

        Examples
        --------
        >>> Sources.from_toml(
        ...     '''
        ... classes = ["ham", "spam"]
        ... text = "body"
        ... [[source]]
        ... name = "win"
        ... vote = "spam"
        ... regex = '\\bwin\\b'
        ... '''
        ... )
        Sources(1 source, 2 classes: win)
        """
        return cls._of(_core.Sources.from_toml(text, "sources.toml", Path(folder)))

    def to_toml(self) -> str:
        """Return the text of a `sources.toml`.

        Examples
        --------
        >>> print(Sources(["ham", "spam"], [{"name": "win", "vote": "spam", "keywords": ["win"]}], text="body").to_toml())
        classes = ["ham", "spam"]
        text = "body"
        <BLANKLINE>
        [[source]]
        name = "win"
        vote = "spam"
        keywords = ["win"]
        <BLANKLINE>
        """
        return self._file.to_toml()

    def save(self, path: Path_) -> None:
        """Write a `sources.toml`, which `consilience apply` and `Sources.load` read.

        Dictionaries of `lookup_lf` are written next to it, as one CSV file each. A file is written completely or not at all; an
        existing `sources.toml` is replaced, an existing dictionary of other contents is not.

        Parameters
        ----------
        path
            The file.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> from consilience.labeling import lookup_lf
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> Sources(["ham", "spam"], [lookup_lf({"acme": 0}, name="sender", field="sender")]).save(folder / "sources.toml")
        >>> sorted(file.name for file in folder.iterdir())
        ['sender.csv', 'sources.toml']
        """
        folder = Path(path).parent
        texts = {folder / name: _csv(table) for name, table in self._tables.items()}
        for file, text in texts.items():
            if file.exists() and file.read_bytes() != text.encode():
                raise SourcesError(f"{file} exists and is another dictionary; rename the source, or save into another folder")
        self._file.save(Path(path), list(texts.items()))

    @property
    def classes(self) -> list[str]:
        """The names of the classes, in order."""
        return self._file.classes

    @property
    def names(self) -> list[str]:
        """The names of the sources, in order."""
        return self._file.names

    @property
    def text(self) -> Optional[str]:
        """The column that text rules read by default."""
        return self._file.text

    @property
    def declared(self) -> list[dict[str, Any]]:
        """The sources as dictionaries with the keys of the file."""
        declared: list[dict[str, Any]] = json.loads(self._file.to_json())["source"]
        return declared

    def apply(self, data: Any, *, item: Optional[str] = None, on_error: str = "stop") -> Votes:
        """Return the votes of the sources on all items of a table, on all cores.

        The votes are those that `consilience apply` writes for the same data.

        Parameters
        ----------
        data
            A data frame (pandas, polars, pyarrow or any Arrow stream), a dictionary of columns, or a list of dictionaries, one
            per item.
        item
            The column with the item names. Default: item or id, if present.
        on_error
            What happens if a source fails on an item, such as a column whose cell is not a class: "stop" raises an error,
            "abstain" lets the source abstain there, and `notes` and a warning say how often.

        Examples
        --------
        >>> sources = Sources(["ham", "spam"], [{"name": "win", "vote": "spam", "keywords": ["win"]}], text="body")
        >>> votes = sources.apply([{"id": "a", "body": "you win"}, {"id": "b", "body": "hello"}])
        >>> votes.item_names, votes.to_numpy().tolist()
        (['a', 'b'], [[1], [-1]])
        """
        if on_error not in ("stop", "abstain"):
            raise OptionError(f'on_error must be "stop" or "abstain", but is {on_error!r}')
        frame = _frame(data)
        if frame is None:
            raise ConsilienceError(f"sources vote on a data frame or a dictionary of columns, not on {type(data).__name__}")
        voter = self._file.voter(list(self._tables.items()))
        columns = [_column(frame, name, number) for name, number in voter.columns]
        if item is None:
            item = next((name for name in ("item", "id") if name in frame), None)
        elif item not in frame:
            raise ConsilienceError(f'there is no column "{item}"; the columns are {", ".join(frame)}')
        items = len(columns[0]) if columns else 0
        table, faults = voter.vote(columns, items)
        if faults and on_error == "stop":
            name, _, row, why = faults[0]
            raise SourcesError(f'source "{name}" failed on row {row}: {why} (on_error="abstain" lets it abstain there)')
        votes = Votes._of(table, None if item is None else [str(value) for value in frame[item].values()])
        votes._compositions = self._file.compositions
        votes.notes = [
            f'source "{name}" failed on {count} {"item" if count == 1 else "items"} and abstains there; '
            f"first on row {row}: {why}"
            for name, count, row, why in faults
        ]
        for note in votes.notes:
            warnings.warn(note, ReadingWarning, stacklevel=2)
        return votes

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sources) and (self.to_toml(), self._tables) == (other.to_toml(), other._tables)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = self.names
        listed = ", ".join(names[:8]) + (f", and {len(names) - 8} more" if len(names) > 8 else "")
        return f"Sources({len(names)} {'source' if len(names) == 1 else 'sources'}, {len(self.classes)} classes: {listed})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.to_toml(), self._file.folder, self._tables)

    def _declared(self, lf: Any, classes: list[str], text: Optional[str]) -> dict[str, Any]:
        """Return a labeling function as the file declares it."""
        if not isinstance(lf, TextLabelingFunction):
            name = getattr(lf, "name", repr(lf))
            raise TypeError(
                f"{name}: only functions made by keyword_lf, regex_lf and lookup_lf can be declared, and dictionaries with the "
                "keys of a source; write any other function as a program (kind `command`)"
            )
        declared: dict[str, Any] = {"name": lf.name}
        rule = dict(lf.rule)
        otherwise = rule.pop("otherwise")
        table = rule.pop("table", None)
        if table is None:
            declared["vote"] = _class(lf.name, rule.pop("label"), classes)
        if otherwise >= 0:
            declared["otherwise"] = _class(lf.name, otherwise, classes)
        if table is not None:
            file = f"{re.sub(r'[^A-Za-z0-9._-]+', '_', lf.name).lstrip('.') or 'lookup'}.csv"
            if file in self._tables:
                raise SourcesError(f'source "{lf.name}": another dictionary would be saved as {file} too; rename the source')
            self._tables[file] = [(key, _class(lf.name, vote, classes)) for key, vote in table]
            declared["lookup"] = {"file": file, "keys": {lf.field: KEY}, "vote": VOTE}
        elif lf.field != text:
            declared["on"] = lf.field
        return {**declared, **{key: value for key, value in rule.items() if value is not False}}


def _rebuilt(text: str, folder: str, tables: dict[str, list[tuple[str, str]]]) -> Sources:
    sources = Sources.from_toml(text, folder)
    sources._tables = tables
    return sources


def _class(name: str, vote: int, classes: list[str]) -> str:
    if 0 <= vote < len(classes):
        return classes[vote]
    raise SourcesError(f'source "{name}" votes for class number {vote}, but the classes are {", ".join(classes)}')


def _column(frame: dict[str, Lazy], name: str, number: bool) -> Union[_core.Texts, npt.NDArray[np.float64]]:
    """Return a column as texts, or as numbers where it has some and they are compared as such."""
    if name not in frame:
        raise SourcesError(f'the data has no column "{name}"; its columns are {", ".join(frame)}')
    kind, column = frame[name].kind, frame[name].column
    if kind == "arrow":
        if column.kind is not None:
            raise SourcesError(
                f'the column "{name}" of Arrow type {column.kind} has neither texts nor numbers; convert it to text'
            )
        if column.is_text:
            return column.texts()  # type: ignore[no-any-return]
        numbers = np.empty(0) if column.numbers is None else column.numbers
        if column.dictionary is None and number and numbers.dtype.kind in "iuf":
            return np.where(column.missing, np.nan, numbers) if column.missing is not None else numbers.astype(np.float64)
        entries = numbers if column.dictionary is None else column.dictionary.numbers[numbers]
        absent = np.zeros(len(numbers), dtype=bool) if column.missing is None else column.missing
        values = [None if gone else value for value, gone in zip(entries.tolist(), absent.tolist())]
    elif kind == "pandas" and number and not hasattr(column, "cat") and getattr(column.dtype, "kind", "O") in "iuf":
        return column.to_numpy(dtype=np.float64, na_value=np.nan)  # type: ignore[no-any-return]
    elif isinstance(column, np.ndarray) and number and column.dtype.kind in "iuf":
        return column.astype(np.float64)
    else:
        try:
            return texts_of(column)
        except TypeError:
            values = column.tolist() if hasattr(column, "tolist") else list(column)
    if number and all(isinstance(v, (int, float, np.number)) and not isinstance(v, bool) for v in values if not is_missing(v)):
        return np.array([np.nan if is_missing(value) else value for value in values], dtype=np.float64)
    return _core.Texts.from_list([None if is_missing(value) else _written(value, name) for value in values], False)


def _written(value: Any, column: str) -> str:
    """Return a cell as the text that a file would have."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, float, np.number)):
        return str(value)
    raise SourcesError(f'the column "{column}" has {value!r} of type {type(value).__name__}; convert it to text')


def _csv(table: list[tuple[str, str]]) -> str:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([(KEY, VOTE), *table])
    return text.getvalue()


def _toml_key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the keys of a source are texts such as name and vote, but one is {key!r}")
    return _toml(key)


def _toml(value: Any) -> str:
    """Return a value as TOML has it."""
    if isinstance(value, str):
        # JSON's texts are TOML's, but for this one character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, float, np.number)):
        return repr(value.item() if isinstance(value, np.number) else value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml_key(key)} = {_toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        parts = sorted(value) if isinstance(value, (set, frozenset)) else list(value)
        return f"[{', '.join(map(_toml, parts))}]"
    raise TypeError(f"a source holds texts, numbers, true or false, lists and dictionaries, but not {value!r}")
