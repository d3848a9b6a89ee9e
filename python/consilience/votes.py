"""The table of votes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience import _arrow, _columns, _core
from consilience._html import MOST_ROWS, table
from consilience._optional import is_instance_of
from consilience._survey import Lazy, Told, coded, survey
from consilience.errors import (
    ConsilienceError,
    CountsError,
    NoItemsError,
    ReadingWarning,
    TooManyNamesError,
    UndeclaredVoteError,
    VoteNumberError,
)

#: The most classes a table can have.
MOST_CLASSES = 65534
# A notebook shows the votes of tables up to this size, and the size of larger ones.
MOST_COLUMNS = 40
MOST_CELLS = 10_000_000


class Votes:
    """A table of votes: one row per item, one column per source.

    Equal rows are stored once, with a count, which saves memory and time.

    Parameters
    ----------
    data
        A matrix (numpy, nested lists, scipy.sparse), a data frame (pandas, polars, pyarrow or any Arrow stream), a
        dictionary of columns, or a list of dictionaries, one per row. A vote is a whole number or a text. -1, missing
        values, and texts such as NA, None and ? abstain. In a sparse matrix, 0 and cells that are not stored abstain.
        Columns of a frame that do not look like sources (identifiers, texts, dates) are left out, and a column called gold,
        truth, label or similar is read as gold. A frame may also have one row per vote: an item, a source and a vote.
        `notes` and a warning report these decisions.
    sources
        The names of the sources. Default: the column names, or s0, s1, ...
    classes
        The names of the classes in order, or their number (then called 0, 1, ...). Default: the classes in the data.
    abstain
        The vote that means abstain, or a list of them, in addition to missing values. Default: -1 (unless -1 and 1 are the only
        votes), and 0 in a sparse matrix.
    item
        The column of a frame with the item names. Default: item or id, if present.
    gold
        The column of a frame with the true classes. Default: recognized by its name.
    keep
        Columns of a frame to read as sources, whatever they look like.
    ignore
        Columns of a frame to leave out.
    long
        Whether a frame has one row per vote. Default: inferred from the columns.
    columns
        The columns of a frame with one row per vote: a dictionary with "item", "source" and "vote".

    Examples
    --------
    >>> votes = Votes([[0, 1, -1], [1, 1, -1], [0, 1, -1]], classes=["ham", "spam"])
    >>> votes
    Votes(3 items, 3 sources, 2 classes, 2 distinct rows)
    >>> votes.to_numpy()
    array([[ 0,  1, -1],
           [ 1,  1, -1],
           [ 0,  1, -1]])
    """

    _table: _core.Votes
    #: The item names, if the data had any.
    item_names: Optional[list[str]]
    #: Whether they were numbers there.
    _numbered_items: bool = False
    #: The true class of each item, None if unknown; None if the data had no gold.
    gold: Optional[list[Optional[str]]] = None
    #: Notes on how the data was read, one sentence each.
    notes: list[str]
    #: Sources that are declared as combinations of others: their names, all, any or not, and their parts.
    _compositions: Sequence[tuple[str, str, list[str]]] = ()

    def __init__(
        self,
        data: Any,
        *,
        sources: Optional[Sequence[str]] = None,
        classes: Union[Sequence[Any], int, None] = None,
        abstain: Union[int, str, Sequence[Union[int, str]], None] = None,
        item: Optional[str] = None,
        gold: Optional[str] = None,
        keep: Sequence[str] = (),
        ignore: Sequence[str] = (),
        long: Optional[bool] = None,
        columns: Optional[Mapping[str, str]] = None,
        _known: bool = False,
    ) -> None:
        self.item_names = None
        self.notes = []
        told = Told(
            class_names(classes), _known, _marks(abstain), item, gold, _names(keep), _names(ignore), long, dict(columns or {})
        )
        if isinstance(data, Votes):
            self._take_over(data, sources, told)
            return
        frame = None
        if hasattr(data, "tocsr"):
            data = data.tocsr()
            names = _source_names(sources, data.shape[1])
            self._table = _from_sparse(data, names, told)
        else:
            frame = _frame(data)
            if frame is None:
                frame_only = {"item": item, "gold": gold, "keep": keep, "ignore": ignore, "long": long, "columns": columns}
                for argument, value in frame_only.items():
                    if value:
                        raise ConsilienceError(f"{argument} names columns of a frame, but the data is a matrix")
                self._from_matrix(data, sources, told)
            else:
                # Only pandas makes names of the first line of a file; numbers are names that it gave itself.
                labels = list(data.columns) if is_instance_of(data, "pandas", "DataFrame") else []
                texts_as_names = bool(labels) and all(isinstance(label, str) for label in labels)
                self._from_frame(frame, sources, told, texts_as_names and sources is None)
        # Matrices of labeling functions have -1 by convention; a warning at each of them would say nothing.
        usual = "-1 is read as abstaining, but "
        self.notes += [note for note in self._table.notes if frame is not None or not note.startswith(usual)]
        if told.classes is None:
            self.notes += self._table.hints(list(told.keep))
        for note in self.notes:
            # Silence is not a decision of the reader.
            if "never vote" not in note:
                warnings.warn(note, ReadingWarning, stacklevel=2)

    @classmethod
    def from_counts(cls, data: Any, counts: npt.ArrayLike, **settings: Any) -> Votes:
        """Make a table in which each row of `data` is repeated `counts` times.

        Use this for rows that were grouped and counted elsewhere.

        Parameters
        ----------
        data
            The distinct rows, as for `Votes`.
        counts
            How often each row occurs.
        settings
            The other arguments of `Votes`.

        Examples
        --------
        >>> Votes.from_counts([[0, 1, -1], [1, 1, -1]], [2, 1]).to_numpy()
        array([[ 0,  1, -1],
               [ 0,  1, -1],
               [ 1,  1, -1]])
        """
        votes = cls(data, **settings)
        times, missing = _columns.whole_numbers(np.asarray(counts), "the counts")
        if missing is not None or times.ndim != 1 or (times.size and times.min() < 0):
            raise CountsError("the counts must be whole numbers of at least 0, one per row")
        votes._table = votes._table.repeated(times.astype(np.uint64))
        votes.item_names = None
        return votes

    @classmethod
    def _of(cls, table: _core.Votes, item_names: Optional[list[str]] = None) -> Votes:
        votes = cls.__new__(cls)
        votes._table, votes.item_names, votes.notes = table, item_names, []
        return votes

    def _take_over(self, other: Votes, sources: Optional[Sequence[str]], told: Told) -> None:
        self.item_names, self.gold, self.notes = other.item_names, other.gold, list(other.notes)
        if sources is None and told.classes in (None, other.classes):
            self._table = other._table
            return
        names = list(other.sources if sources is None else sources)
        rows = [(column, None, other.classes) for column in other.to_numpy().T]
        classes = told.classes or other.classes
        self._table = _core.Votes.from_columns(rows, len(other), names, classes, None, told.known)

    def _from_matrix(self, data: Any, sources: Optional[Sequence[str]], told: Told) -> None:
        masked = isinstance(data, np.ma.MaskedArray)
        try:
            matrix = np.ma.filled(data, -1 if told.marks is None else int(told.marks[0])) if masked else np.asarray(data)
        except ValueError as error:
            raise ConsilienceError(f"the rows of the matrix have different lengths ({error})") from error
        if matrix.ndim == 0 and matrix.dtype == object and data is not None:
            later = next((call for call in ("collect", "compute", "toArrow") if hasattr(data, call)), None)
            hint = f"call its {later}() first" if later else "pass a matrix or a data frame"
            raise ConsilienceError(f"{type(data).__name__} is not a table of votes; {hint}")
        if matrix.ndim != 2:
            ragged = matrix.ndim == 1 and matrix.dtype == object
            hint = "its rows have different lengths" if ragged else "one row per item, one column per source"
            raise ConsilienceError(f"votes must be a two-dimensional matrix, but this one has {matrix.ndim} dimensions; {hint}")
        names = _source_names(sources, matrix.shape[1])
        if not matrix.size:
            raise NoItemsError(f"the table has no votes: its shape is {matrix.shape}")
        if matrix.dtype.kind in "OUS":
            columns: list[Any] = [_columns.from_numpy(matrix[:, j], f'source "{name}"') for j, name in enumerate(names)]
        else:
            numbers = _columns.whole_numbers(matrix, "the matrix")[0]
            _refuse_wrapped(matrix, None, "the matrix", told)
            columns = [numbers]
        # Masked cells were filled with -1, which then always abstains.
        marks = ["-1"] if masked and told.marks is None else told.marks
        self._table = _core.Votes.from_columns(columns, len(matrix), names, told.classes, marks, told.known)

    def _from_frame(self, frame: dict[str, Lazy], sources: Optional[Sequence[str]], told: Told, texts_as_names: bool) -> None:
        _refuse_missing(told.column_names(), frame)
        uses, places, notes = survey(frame, told, texts_as_names)
        self.notes += notes
        columns = list(frame.items())
        if places is not None:
            if sources is not None:
                raise ConsilienceError("a table with one row per vote names its sources itself; leave sources out")
            *three, gold = places
            self._from_long([columns[at] for at in three], None if gold is None else columns[gold], told)
            return
        # With one row per vote, sources are not columns; those of a model may be missing.
        _refuse_missing([] if told.known else told.keep, frame)
        kept = {name: column for (name, column), used in zip(columns, uses) if used == "source"}
        golds: Optional[list[str]] = None
        for (_, column), used in zip(columns, uses):
            if used == "item":
                self.item_names = column.values()
            if used == "gold":
                golds = column.values()
        if not kept:
            raise ConsilienceError("the table has no sources; at least one column of votes is needed")
        read = [column.votes(f'source "{name}"') for name, column in kept.items()]
        if not len(read[0][0]):
            raise NoItemsError("the table has no items; at least one row of votes is needed")
        for (name, _), (numbers, missing, texts) in zip(kept.items(), read):
            if texts is None:
                _refuse_wrapped(numbers, missing, f'source "{name}"', told)
        names = list(kept) if sources is None else list(sources)
        self._table = _core.Votes.from_columns(read, len(read[0][0]), names, told.classes, told.marks, told.known)
        if golds is not None:
            self.gold = self._gold_of(golds, told)
        lonely = self._table.lonely_source()
        if lonely is not None and told.classes is None:
            name, alone = lonely
            raise ConsilienceError(
                f'"{name}" votes for {alone} classes that no other source votes for: it looks like a column of IDs or '
                f'texts, not a source; pass ignore=["{name}"], item="{name}" if it holds the item names, or classes=[...]'
            )

        strangers, others = self._table.strangers()
        strangers = [name for name in strangers if name not in told.keep]
        if strangers and told.classes is None:
            quoted = [", ".join(f'"{name}"' for name in names[:12]) for names in (strangers, others)]
            raise ConsilienceError(
                f"{quoted[0]} and {quoted[1]} have no value in common, so they cannot all be sources of the same classes; "
                f'leave columns out with ignore=["{strangers[0]}"], make them sources with keep=["{strangers[0]}"], or list '
                "all classes with classes=[...]"
            )

    def _from_long(self, columns: list[tuple[str, Lazy]], gold: Optional[tuple[str, Lazy]], told: Told) -> None:
        parts: list[Any] = []
        numbered: list[bool] = []
        for name, column in columns:
            read = column.votes(f'column "{name}"')
            parts += coded(*read)
            numbered.append(read[2] is None)
        self._numbered_items = numbered[0]
        items, item_texts, sources, source_texts, votes, vote_texts = parts
        # Gold that a column says is not searched for among the sources.
        keep = told.keep if gold is None else None
        self._table, self.item_names, repeated, golds = _core.Votes.from_long(
            items, item_texts, sources, source_texts, votes, vote_texts, told.classes, told.marks, told.known, keep
        )
        if repeated:
            self.notes.append(f"{repeated} {'vote is' if repeated == 1 else 'votes are'} repeated; each counts once")
        alone, classes = self._table.classes_of_one(), len(self.classes)
        if told.classes is None and alone > 100 and 2 * alone > classes:
            raise ConsilienceError(
                f"{alone} of {classes} distinct votes are cast by only one source: they look like texts or IDs, not "
                'votes for classes; name the columns with columns={"item": ..., "source": ..., "vote": ...}, '
                "or all classes with classes=[...]"
            )
        if gold is not None:
            self.gold = _gold_of_items(self._gold_of(gold[1].values(), told), items, item_texts, self.item_names)
        elif golds is not None:
            self.gold = [None if number < 0 else self.classes[number] for number in golds]

    def _gold_of(self, texts: list[str], told: Told) -> list[Optional[str]]:
        """Return true classes as the votes name them, None if unknown; one that no source votes for as it is written."""
        numbers = self._table.gold_numbers(texts, told.marks)
        known = [None if number == -1 else text if number < 0 else self.classes[number] for number, text in zip(numbers, texts)]
        minus_ones = sum(text == "-1" and name is None for text, name in zip(texts, known))
        if minus_ones and {name for name in known if name is not None} == {"1"}:
            self.notes.append(
                f"the gold of {minus_ones} {'item' if minus_ones == 1 else 'items'} is -1, which is read as unknown, but "
                "since all other gold is 1, it may be a class"
            )
        return known

    @property
    def sources(self) -> list[str]:
        """The sources' names, in the order of the columns."""
        return self._table.sources

    @property
    def classes(self) -> list[str]:
        """The classes' names, in order."""
        return self._table.classes

    @property
    def class_labels(self) -> npt.NDArray[Any]:
        """The classes as in predictions: numbers if all names are numbers, otherwise names."""
        return class_labels(self.classes)

    @property
    def shape(self) -> tuple[int, int]:
        """Items and sources."""
        return self._table.items, len(self._table.sources)

    @property
    def distinct_rows(self) -> int:
        """The number of distinct rows."""
        return self._table.patterns

    @property
    def nbytes(self) -> int:
        """The size of the table in bytes, without names."""
        return self._table.bytes

    @property
    def polarities(self) -> list[list[int]]:
        """For each source, the numbers of the classes that it ever votes for."""
        return self._table.domains

    def to_numpy(self) -> npt.NDArray[np.int64]:
        """Return one row per item, one column per source: the number of a class counted from 0, or -1.

        Examples
        --------
        >>> Votes([["ham", "spam"], [None, "spam"]]).to_numpy()
        array([[ 0,  1],
               [-1,  1]])
        """
        return self._table.to_numpy()

    def patterns(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Return the distinct rows, the number of items with each row, and the row number of each item.

        Examples
        --------
        >>> rows, counts, row_of_item = Votes([[0, 1], [1, 1], [0, 1]]).patterns()
        >>> rows.tolist(), counts.tolist(), row_of_item.tolist()
        ([[0, 1], [1, 1]], [2, 1], [0, 1, 0])
        """
        return self._table.distinct()

    def to_pandas(self) -> Any:
        """Return a pandas data frame with the votes as class names; a missing value means abstain.

        Examples
        --------
        >>> Votes([["ham", "spam"], [None, "spam"]], sources=["a", "b"]).to_pandas()
             a     b
        0  ham  spam
        1  NaN  spam
        """
        from consilience._optional import require

        pandas = require("pandas", "Votes.to_pandas")
        numbers, labels = self.to_numpy(), self.class_labels
        columns = {name: pandas.Categorical.from_codes(numbers[:, j], categories=labels) for j, name in enumerate(self.sources)}
        return pandas.DataFrame(columns, index=self.item_names)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        """Return `to_numpy()`, for numpy's functions."""
        return self.to_numpy() if dtype is None else self.to_numpy().astype(dtype)

    def __len__(self) -> int:
        return self._table.items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Votes) and self._table == other._table

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        items, sources = self.shape
        return f"Votes({items} items, {sources} sources, {len(self.classes)} classes, {self.distinct_rows} distinct rows)"

    def _repr_html_(self) -> str:
        items, sources = self.shape
        shown = min(items, MOST_ROWS)
        votes = self._table.to_numpy()[:shown] if items <= MOST_CELLS // max(sources, 1) else None
        said = f"<p>{escape(repr(self))}</p>"
        if votes is None or sources > MOST_COLUMNS:
            return f"<div>{said}</div>"
        names = self.item_names if self.item_names is not None else [str(i) for i in range(shown)]
        rows = [[names[i], *("" if c < 0 else self.classes[c] for c in row)] for i, row in enumerate(votes.tolist())]
        more = f"<p>and {items - shown:,} more items</p>" if items > shown else ""
        return f"<div>{said}{table(['Item', *self.sources], rows)}{more}</div>"

    def __reduce__(self) -> tuple[Any, ...]:
        rows, _, item_row = self.patterns()
        smallest = np.int8 if len(self.classes) < 128 else np.int32
        return _rebuilt, (rows.astype(smallest), item_row, self.sources, self.classes, self.item_names)


def _rebuilt(
    rows: npt.NDArray[Any],
    item_row: npt.NDArray[np.uint32],
    sources: list[str],
    classes: list[str],
    item_names: Optional[list[str]],
) -> Votes:
    columns = [(column, None, classes) for column in rows[item_row].T]
    return Votes._of(_core.Votes.from_columns(columns, len(item_row), sources, classes, None, False), item_names)


def _frame(data: Any) -> Optional[dict[str, Lazy]]:
    """Return the columns of a frame by name; None if `data` is none."""
    if is_instance_of(data, "pandas", "DataFrame"):
        pairs = [(str(name), Lazy("pandas", data.iloc[:, j])) for j, name in enumerate(data.columns)]
    elif isinstance(data, (list, tuple)) and data and all(isinstance(row, Mapping) for row in data):
        names_in_order = dict.fromkeys(str(name) for row in data for name in row)
        rows = [{str(name): value for name, value in row.items()} for row in data]
        pairs = [(name, Lazy("values", _objects([row.get(name) for row in rows]))) for name in names_in_order]
    elif isinstance(data, Mapping):
        pairs = [(str(name), Lazy("values", column)) for name, column in data.items()]
    elif _arrow.is_arrow(data) and not isinstance(data, np.ndarray):
        pairs = [(column.name, Lazy("arrow", column)) for column in _arrow.read(data)]
    else:
        return None
    names = [name for name, _ in pairs]
    for position, name in enumerate(names):
        if name in names[:position]:
            from consilience.errors import DuplicateNameError

            raise DuplicateNameError(
                f'duplicate source name "{name}" (positions {names.index(name) + 1} and {position + 1}); rename one of them'
            )
    return dict(pairs)


def _objects(values: list[Any]) -> npt.NDArray[Any]:
    # numpy would turn numbers next to texts into texts, and take lists apart.
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def class_labels(names: Sequence[str]) -> npt.NDArray[Any]:
    """Return classes as in predictions: numbers if all names are numbers, otherwise names."""
    if all(name.lstrip("-").isdigit() for name in names):
        return np.array([int(name) for name in names])
    return np.array(list(names), dtype=object)


def class_names(classes: Union[Sequence[Any], int, None]) -> Optional[list[str]]:
    """Return the names of the given classes, or those of a given number of classes."""
    if classes is None:
        return None
    if isinstance(classes, (int, np.integer)):
        if classes > MOST_CLASSES:
            raise TooManyNamesError(f"{classes} classes, but at most {MOST_CLASSES} are supported")
        return [str(c) for c in range(classes)]
    if isinstance(classes, str):
        raise ConsilienceError(f"classes is a list of names or a number, not the text {classes!r}")
    return [str(c) for c in classes]


def _names(names: Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else [str(name) for name in names]


def _marks(abstain: Union[int, str, Sequence[Union[int, str]], None]) -> Optional[list[str]]:
    if abstain is None:
        return None
    if isinstance(abstain, (int, str, np.integer)):
        return [str(abstain)]
    return [str(mark) for mark in abstain]


def _refuse_wrapped(numbers: npt.NDArray[Any], missing: Optional[npt.NDArray[np.bool_]], where: str, told: Told) -> None:
    """Refuse the largest value of an unsigned type, which is what -1 turns into there."""
    if numbers.dtype.kind != "u" or not numbers.size:
        return
    largest = np.iinfo(numbers.dtype).max
    if str(largest) in (told.classes or []) or str(largest) in (told.marks or []):
        return
    found = numbers == largest if missing is None else (numbers == largest) & ~missing
    if found.any():
        raise VoteNumberError(
            f"{where}: the vote {largest} is the largest value of {numbers.dtype}, which is what -1 turns into there; "
            f"use a signed type, or abstain={largest} if it abstains"
        )


def _refuse_missing(names: Sequence[str], frame: Mapping[str, Any]) -> None:
    for name in names:
        if name not in frame:
            raise ConsilienceError(f'there is no column "{name}"; the columns are {", ".join(frame)}')


def _gold_of_items(
    gold: list[Optional[str]], items: npt.NDArray[np.int64], item_texts: list[str], names: list[str]
) -> list[Optional[str]]:
    """Return the gold class of each item of a table with one row per vote."""
    known: dict[str, str] = {}
    for code, value in zip(items.tolist(), gold):
        if value is not None:
            name = item_texts[code]
            if known.setdefault(name, value) != value:
                raise ConsilienceError(
                    f'item "{name}" has two different gold classes, "{known[name]}" and "{value}"; keep one of them'
                )
    return [known.get(name) for name in names]


def is_frame(data: Any) -> bool:
    """Whether the columns of `data` have names."""
    return not isinstance(data, Votes) and nameless_columns(data) is None and _frame(data) is not None


def nameless_columns(data: Any) -> Optional[int]:
    """Return the number of columns of a matrix; None for frames, whose columns have names, and for anything else."""
    if isinstance(data, (list, tuple)):
        return len(data[0]) if len(data) and isinstance(data[0], (list, tuple, np.ndarray)) else None
    shape: tuple[int, ...] = data.shape if isinstance(data, np.ndarray) or hasattr(data, "tocsr") else ()
    return int(shape[1]) if len(shape) == 2 else None


def _source_names(sources: Optional[Sequence[str]], count: int) -> list[str]:
    if sources is None:
        return [f"s{j}" for j in range(count)]
    return [str(name) for name in sources]


def _from_sparse(data: Any, sources: list[str], told: Told) -> _core.Votes:
    data.sum_duplicates()
    data.sort_indices()
    numbers, _ = _columns.whole_numbers(data.data, "the sparse matrix")
    return _core.Votes.from_sparse(
        data.indptr.astype(np.int64),
        data.indices.astype(np.int64),
        numbers.astype(np.int64),
        sources,
        told.classes,
        ["0"] if told.marks is None else told.marks,
        told.known,
    )


def gold_numbers(gold: Any, votes: Votes) -> Optional[npt.NDArray[np.int64]]:
    """Return the number of each item's class, -1 if unknown."""
    if gold is None:
        return None
    labels = np.asarray(gold, dtype=object)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    values = labels.tolist()
    texts = ["" if value is None or value != value else str(value) for value in values]
    numbers = votes._table.gold_numbers(texts, None)
    for i, (number, value) in enumerate(zip(numbers, values)):
        if number == -2:
            raise UndeclaredVoteError(
                f"item {i}: the gold label {value!r} is none of the classes {', '.join(votes.classes)}; "
                "name all classes when you make the Votes"
            )
    return np.array(numbers, dtype=np.int64)
