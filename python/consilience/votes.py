"""The table of votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience import _arrow, _columns, _core
from consilience._optional import is_instance_of
from consilience.errors import ConsilienceError, CountsError, NoItemsError, TooFewClassesError

ITEM_NAMES = ("item", "task")
SOURCE_NAMES = ("source", "worker", "annotator", "judge")
VOTE_NAMES = ("vote", "label")


class Votes:
    """A table of votes: one row an item, one column a source.

    Equal rows are kept once, with a count, so that the table is small and everything that is computed from it is fast.

    Parameters
    ----------
    data
        A matrix (numpy, nested lists, scipy.sparse), a data frame (pandas, polars, pyarrow, anything that offers itself as an
        Arrow stream), a dictionary of columns or a list of dictionaries, one a row. A vote is a whole number or a text; -1 and
        what the frame calls missing abstain. In a sparse matrix, cells that are not stored abstain and 0 does too.
        A frame may also have one row a vote: the columns item, source and vote (or task/worker/label and the like).
    sources
        The sources' names; those of the columns where not given, or s0, s1, ...
    classes
        The classes' names in order, or how many there are (called 0, 1, ...); found in the data where not given.
    abstain
        The vote that abstains, beside the missing one; -1 where not given, and 0 in a sparse matrix.
    item
        The column of a frame that has the items' names; "item" where not given, if there is one.
    ignore
        Columns of a frame that are no sources.
    long
        Whether a frame has one row a vote; told by its column names where not given.

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
    #: The items' names where the data had them.
    item_names: Optional[list[str]]
    #: Whether they were numbers there.
    _numbered_items: bool = False

    def __init__(
        self,
        data: Any,
        *,
        sources: Optional[Sequence[str]] = None,
        classes: Union[Sequence[Any], int, None] = None,
        abstain: Optional[int] = None,
        item: Optional[str] = None,
        ignore: Sequence[str] = (),
        long: Optional[bool] = None,
    ) -> None:
        self.item_names = None
        named = _class_names(classes)
        if isinstance(data, Votes):
            self._take_over(data, sources, named)
            return
        if hasattr(data, "tocsr"):
            data = data.tocsr()
            mark = "0" if abstain is None else str(abstain)
            names = _source_names(sources, data.shape[1])
            self._table = _from_sparse(data, names, named, mark)
            return
        mark = "-1" if abstain is None else str(abstain)
        frame = _frame(data)
        if frame is None:
            for argument, value in (("item", item), ("ignore", ignore or None), ("long", long or None)):
                if value is not None:
                    raise ConsilienceError(f"{argument} names columns of a frame, but the data is a matrix")
            self._from_matrix(data, sources, named, mark)
        else:
            self._from_frame(frame, sources, named, mark, item, ignore, long)

    @classmethod
    def from_counts(cls, data: Any, counts: npt.ArrayLike, **settings: Any) -> Votes:
        """Make the table in which each row of `data` stands as often as `counts` says, behind each other.

        For rows that were grouped and counted elsewhere; `settings` are those of `Votes`.

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
            raise CountsError("the counts must be whole numbers from 0 on, one a row")
        votes._table = votes._table.repeated(times.astype(np.uint64))
        votes.item_names = None
        return votes

    def _take_over(self, other: Votes, sources: Optional[Sequence[str]], classes: Optional[list[str]]) -> None:
        self.item_names = other.item_names
        if sources is None and classes in (None, other.classes):
            self._table = other._table
            return
        names = list(other.sources if sources is None else sources)
        rows = [(column, None, other.classes) for column in other.to_numpy().T]
        self._table = _core.Votes.from_columns(rows, len(other), names, classes or other.classes, "")

    def _from_matrix(self, data: Any, sources: Optional[Sequence[str]], classes: Optional[list[str]], mark: str) -> None:
        try:
            matrix = np.ma.filled(data, int(mark)) if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
        except ValueError as error:
            raise ConsilienceError(f"the rows of the matrix have different lengths ({error})") from error
        if matrix.ndim == 0 and matrix.dtype == object and data is not None:
            later = next((call for call in ("collect", "compute", "toArrow") if hasattr(data, call)), None)
            hint = f"call its {later}() first" if later else "give a matrix or a data frame"
            raise ConsilienceError(f"{type(data).__name__} is no table of votes; {hint}")
        if matrix.ndim != 2:
            ragged = matrix.ndim == 1 and matrix.dtype == object
            hint = "its rows have different lengths" if ragged else "one row an item, one column a source"
            raise ConsilienceError(f"votes are a matrix of two dimensions, but this one has {matrix.ndim}; {hint}")
        names = _source_names(sources, matrix.shape[1])
        if not matrix.size:
            raise NoItemsError(f"the table has no votes: its shape is {matrix.shape}")
        if matrix.dtype.kind in "OUS":
            columns: list[Any] = [_columns.from_numpy(matrix[:, j], f'source "{name}"') for j, name in enumerate(names)]
        else:
            columns = [_columns.whole_numbers(matrix, "the matrix")[0]]
        try:
            self._table = _core.Votes.from_columns(columns, len(matrix), names, classes, mark)
        except TooFewClassesError as error:
            if mark == "-1" and matrix.dtype.kind in "if" and matrix.min() == -1:
                raise TooFewClassesError(f"{error}; -1 abstains: give abstain=0 where votes are 1 and -1") from None
            raise

    def _from_frame(
        self,
        frame: dict[str, _Lazy],
        sources: Optional[Sequence[str]],
        classes: Optional[list[str]],
        mark: str,
        item: Optional[str],
        ignore: Sequence[str],
        long: Optional[bool],
    ) -> None:
        ignored = {ignore} if isinstance(ignore, str) else set(ignore)
        for name in [*ignored, *([item] if item is not None else [])]:
            if name not in frame:
                raise ConsilienceError(f'there is no column "{name}"; the columns are {", ".join(frame)}')
        kept = {name: column for name, column in frame.items() if name not in ignored}
        places = _long_places(kept, item)
        if long is None:
            long = places is not None
        if long:
            if places is None:
                raise ConsilienceError(
                    f"a table with one row a vote needs the columns item, source and vote (or task/worker/label), "
                    f"but has {', '.join(kept)}"
                )
            if sources is not None:
                raise ConsilienceError("a table with one row a vote names its sources itself; leave sources out")
            self._from_long([(name, kept[name]) for name in places], classes, mark)
            return
        if item is None and "item" in kept:
            item = "item"
        if item is not None:
            self.item_names = [str(value) for value in kept.pop(item).values()]
        if not kept:
            raise ConsilienceError("the table has no sources; at least one column of votes is needed")
        columns = [column.votes(f'source "{name}"') for name, column in kept.items()]
        if not len(columns[0][0]):
            raise NoItemsError("the table has no items; at least one row of votes is needed")
        names = list(kept) if sources is None else list(sources)
        self._table = _core.Votes.from_columns(columns, len(columns[0][0]), names, classes, mark)
        ids = self._table.ids_as_source()
        if ids is not None:
            name, values, others = ids
            raise ConsilienceError(
                f'no two rows agree in "{name}", which has {values} values where all others have {others}: it seems to be no '
                f'source; say ignore=["{name}"], or item="{name}" if it names the items'
            )

    def _from_long(self, columns: list[tuple[str, _Lazy]], classes: Optional[list[str]], mark: str) -> None:
        parts: list[Any] = []
        numbered: list[bool] = []
        for name, column in columns:
            read = column.votes(f'column "{name}"')
            parts += _coded(*read)
            numbered.append(read[2] is None)
        self._numbered_items = numbered[0]
        items, item_texts, sources, source_texts, votes, vote_texts = parts
        self._table, self.item_names, _ = _core.Votes.from_long(
            items, item_texts, sources, source_texts, votes, vote_texts, classes, mark
        )

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
        """The classes as predictions have them: numbers where all names are numbers, names elsewhere."""
        names = self.classes
        if all(name.lstrip("-").isdigit() for name in names):
            return np.array([int(name) for name in names])
        return np.array(names, dtype=object)

    @property
    def shape(self) -> tuple[int, int]:
        """Items and sources."""
        return self._table.items, len(self._table.sources)

    @property
    def distinct_rows(self) -> int:
        """How many different rows there are."""
        return self._table.patterns

    @property
    def nbytes(self) -> int:
        """Bytes that the table takes, names left aside."""
        return self._table.bytes

    @property
    def polarities(self) -> list[list[int]]:
        """For each source, the numbers of the classes that it ever votes for."""
        return self._table.domains

    def to_numpy(self) -> npt.NDArray[np.int64]:
        """Give one row an item, one column a source: the number of a class counted from 0, or -1."""
        return self._table.to_numpy()

    def patterns(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Give the distinct rows, how many items each has, and the number of each item's row."""
        return self._table.distinct()

    def to_pandas(self) -> Any:
        """Give a pandas data frame with the votes as class names, missing where a source abstains."""
        from consilience._optional import require

        pandas = require("pandas", "Votes.to_pandas")
        numbers, labels = self.to_numpy(), self.class_labels
        columns = {name: pandas.Categorical.from_codes(numbers[:, j], categories=labels) for j, name in enumerate(self.sources)}
        return pandas.DataFrame(columns, index=self.item_names)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        """Give `to_numpy()`, for numpy's functions."""
        return self.to_numpy() if dtype is None else self.to_numpy().astype(dtype)

    def __len__(self) -> int:
        return self._table.items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Votes) and self._table == other._table

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        items, sources = self.shape
        return f"Votes({items} items, {sources} sources, {len(self.classes)} classes, {self.distinct_rows} distinct rows)"

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
    votes = Votes.__new__(Votes)
    columns = [(column, None, classes) for column in rows[item_row].T]
    votes._table = _core.Votes.from_columns(columns, len(item_row), sources, classes, "")
    votes.item_names = item_names
    return votes


class _Lazy:
    """A column of a frame, read when it is needed."""

    def __init__(self, kind: str, column: Any) -> None:
        self.kind = kind
        self.column = column

    def votes(self, where: str) -> _columns.Column:
        """Give the column as votes."""
        if self.kind == "pandas":
            return _columns.from_pandas(self.column, where)
        if self.kind == "arrow":
            return _columns.from_arrow(self.column, where)
        return _columns.from_numpy(np.asarray(self.column), where)

    def values(self) -> list[Any]:
        """Give the column's values as names."""
        codes, texts = _coded(*self.votes("the items' column"))
        return ["" if code < 0 else texts[code] for code in codes.tolist()]


def _coded(
    numbers: npt.NDArray[Any], missing: Optional[npt.NDArray[np.bool_]], texts: Optional[list[str]]
) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Take any column as numbers of texts, -1 where a cell is missing."""
    if texts is None:
        distinct, codes = np.unique(numbers, return_inverse=True)
        numbers, texts = codes.reshape(-1), [str(number) for number in distinct.tolist()]
    codes = numbers.astype(np.int64)
    return (codes if missing is None else np.where(missing, -1, codes)), texts


def _frame(data: Any) -> Optional[dict[str, _Lazy]]:
    """Give the columns of a frame by name; None where `data` is none."""
    if is_instance_of(data, "pandas", "DataFrame"):
        pairs = [(str(name), _Lazy("pandas", data.iloc[:, j])) for j, name in enumerate(data.columns)]
    elif isinstance(data, (list, tuple)) and data and all(isinstance(row, Mapping) for row in data):
        names_in_order = dict.fromkeys(str(name) for row in data for name in row)
        rows = [{str(name): value for name, value in row.items()} for row in data]
        pairs = [(name, _Lazy("values", _objects([row.get(name) for row in rows]))) for name in names_in_order]
    elif isinstance(data, Mapping):
        pairs = [(str(name), _Lazy("values", column)) for name, column in data.items()]
    elif _arrow.is_arrow(data) and not isinstance(data, np.ndarray):
        pairs = [(column.name, _Lazy("arrow", column)) for column in _arrow.read(data)]
    else:
        return None
    names = [name for name, _ in pairs]
    for position, name in enumerate(names):
        if name in names[:position]:
            from consilience.errors import DuplicateNameError

            raise DuplicateNameError(
                f'the source name "{name}" stands twice (positions {names.index(name) + 1} and {position + 1}); '
                "rename one of them"
            )
    return dict(pairs)


def _objects(values: list[Any]) -> npt.NDArray[Any]:
    # numpy would make texts of numbers beside texts, and take lists apart.
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def _long_places(columns: Mapping[str, Any], item: Optional[str]) -> Optional[list[str]]:
    """Give the names of the columns that hold item, source and vote."""
    lower = {name.strip().lower(): name for name in columns}
    found = [[lower[name] for name in names if name in lower] for names in (ITEM_NAMES, SOURCE_NAMES, VOTE_NAMES)]
    if item is not None:
        found[0] = [item]
    return [names[0] for names in found] if all(found) else None


def _class_names(classes: Union[Sequence[Any], int, None]) -> Optional[list[str]]:
    if classes is None:
        return None
    if isinstance(classes, (int, np.integer)):
        return [str(c) for c in range(classes)]
    if isinstance(classes, str):
        raise ConsilienceError(f"classes is a list of names or a number, not the text {classes!r}")
    return [str(c) for c in classes]


def nameless_columns(data: Any) -> Optional[int]:
    """Give the number of a matrix' columns; None for frames, whose columns have names, and for what is no matrix."""
    if isinstance(data, (list, tuple)):
        return len(data[0]) if len(data) and isinstance(data[0], (list, tuple, np.ndarray)) else None
    shape: tuple[int, ...] = data.shape if isinstance(data, np.ndarray) or hasattr(data, "tocsr") else ()
    return int(shape[1]) if len(shape) == 2 else None


def _source_names(sources: Optional[Sequence[str]], count: int) -> list[str]:
    if sources is None:
        return [f"s{j}" for j in range(count)]
    return [str(name) for name in sources]


def _from_sparse(data: Any, sources: list[str], classes: Optional[list[str]], mark: str) -> _core.Votes:
    data.sum_duplicates()
    data.sort_indices()
    numbers, _ = _columns.whole_numbers(data.data, "the sparse matrix")
    return _core.Votes.from_sparse(
        data.indptr.astype(np.int64),
        data.indices.astype(np.int64),
        numbers.astype(np.int64),
        sources,
        classes,
        mark,
    )
