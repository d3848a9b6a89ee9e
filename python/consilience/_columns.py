"""Columns of votes, from whatever holds them, in the form that the compiled part reads: numbers, a mask, texts."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._arrow import ArrowColumn
from consilience.errors import VoteNumberError

#: Numbers; True if a cell is missing; what the numbers stand for, if they are not votes themselves.
Column = tuple[npt.NDArray[Any], Optional[npt.NDArray[np.bool_]], Optional[list[str]]]


def whole_numbers(
    array: npt.NDArray[Any], where: str, nan_is_missing: bool = False
) -> tuple[npt.NDArray[Any], Optional[npt.NDArray[np.bool_]]]:
    """Take an array of numbers as whole ones, without a copy if it is one; and which cells are missing."""
    kind = array.dtype.kind
    if kind == "b":
        return array.view(np.int8), None
    if kind == "i" or (kind == "u" and array.dtype.itemsize < 8):
        return aligned(array.astype(array.dtype.newbyteorder("="), copy=False)), None
    if kind == "u":
        if array.size and array.max() > np.iinfo(np.int64).max:
            raise VoteNumberError(f"{where}: the vote {array.max()} is too large for a class")
        return array.astype(np.int64), None
    if kind == "c":
        raise VoteNumberError(f"{where}: Complex data not supported; a vote is a whole number (-1 abstains) or a text")
    if kind != "f":
        raise TypeError(f"{where}: the dtype {array.dtype} holds no votes; use whole numbers (-1 abstains) or texts")
    array = array.astype(np.float64, copy=False)
    missing = np.isnan(array)
    if missing.any() and not nan_is_missing:
        place = ", ".join(map(str, np.argwhere(missing)[0]))
        raise VoteNumberError(f"{where}: NaN at [{place}] is not a vote; write -1 to abstain")
    fraction = ~missing & (np.trunc(array) != array)
    too_large = ~missing & (np.abs(array) > 2.0**53)
    for refused, why in ((fraction, "has a fraction"), (too_large, "is too large for a class")):
        if refused.any():
            first = tuple(np.argwhere(refused)[0])
            shown = ", ".join(map(str, first))
            raise VoteNumberError(f"{where}: the vote {array[first]} at [{shown}] {why}; a vote is a whole number")
    return np.where(missing, 0, array).astype(np.int64), missing if missing.any() else None


def aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the array, or a copy if its numbers are not at addresses that the compiled part can read.

    Such arrays come out of messages between machines, as those of Dask.
    """
    return array if array.flags.aligned else array.copy()


def from_values(values: list[Any], where: str) -> Column:
    """Take a list of Python values: texts, or whole numbers; None and NaN are missing."""
    present = [value for value in values if not is_missing(value)]
    if present and all(isinstance(value, (int, float, np.number, np.bool_)) for value in present):
        numbers = np.array([0 if is_missing(value) else value for value in values])
        if numbers.dtype.kind == "O":
            raise VoteNumberError(f"{where}: a vote is too large for a class")
        missing = np.array([is_missing(value) for value in values], dtype=bool)
        whole, _ = whole_numbers(numbers, where)
        return whole, missing, None
    try:
        codes, texts = _core.Texts.from_list([None if is_missing(value) else value for value in values], False).factorize()
    except TypeError:
        for value in present:
            if not isinstance(value, (str, int, float, np.number, np.bool_)):
                kind = type(value).__name__
                raise TypeError(f"{where}: {value!r} ({kind}) is not a vote; a vote is a whole number or a text") from None
        # Numbers and texts in one column are all written out, as a file would have them.
        written = [None if is_missing(value) else _written(value) for value in values]
        codes, texts = _core.Texts.from_list(written, False).factorize()
    return codes, None, texts


def is_missing(value: Any) -> bool:
    """Whether `value` is None, NaN, or pandas' NA or NaT."""
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")


def from_numpy(array: npt.NDArray[Any], where: str, nan_is_missing: bool = False) -> Column:
    """Take a vector."""
    if array.dtype.kind in "OUS":
        if array.dtype.kind == "S":
            array = array.astype(str)
        return from_values(array.tolist(), where)
    numbers, missing = whole_numbers(array, where, nan_is_missing)
    return numbers, missing, None


def from_pandas(series: Any, where: str) -> Column:
    """Take a pandas Series; what it calls missing is missing."""
    if hasattr(series, "cat"):
        return aligned(series.cat.codes.to_numpy()), None, [str(category) for category in series.cat.categories]
    if isinstance(series.dtype, np.dtype):
        return from_numpy(series.to_numpy(), where, nan_is_missing=True)
    missing = series.isna().to_numpy(dtype=bool)
    kind = getattr(series.dtype, "kind", "O")
    if kind in "iub":
        numbers, _ = whole_numbers(series.to_numpy(dtype=np.dtype("int64"), na_value=0), where)
        return numbers, missing, None
    if kind == "f":
        numbers, _ = whole_numbers(series.to_numpy(dtype=np.float64, na_value=0.0), where)
        return numbers, missing, None
    return from_values(series.astype(object).tolist(), where)


def from_arrow(column: ArrowColumn, where: str) -> Column:
    """Take an Arrow column."""
    if column.dictionary is not None and column.numbers is not None:
        if column.dictionary.offsets is None:
            entries = column.dictionary.numbers
            texts = [str(entry) for entry in ([] if entries is None else entries.tolist())]
        else:
            texts = [text or "" for text in column.dictionary.texts().to_list()]
        codes, _ = whole_numbers(column.numbers, where)
        return codes, column.missing, texts
    if column.offsets is not None:
        codes, texts = column.texts().factorize()
        return codes, None, texts
    numbers = np.empty(0, dtype=np.int64) if column.numbers is None else column.numbers
    if column.missing is not None and numbers.dtype.kind == "f":
        numbers = np.where(column.missing, 0, numbers)
    whole, _ = whole_numbers(numbers, where)
    return whole, column.missing, None


def first(kind: str, column: Any, rows: Optional[int]) -> Any:
    """Return the first rows of a column, or all."""
    if rows is None:
        return column
    if kind == "pandas":
        return column.iloc[:rows]
    if kind == "arrow":
        return column.first(rows)
    return np.asarray(column)[:rows]


def as_texts(kind: str, column: Any) -> Column:
    """Take any column as texts, numbers written out."""
    if kind == "arrow":
        numbers = np.empty(0) if column.numbers is None else column.numbers
        values = numbers.astype(object).tolist()
        if column.missing is not None:
            values = [None if missing else value for value, missing in zip(values, column.missing.tolist())]
    else:
        values = (column.astype(object) if kind == "pandas" else np.asarray(column, dtype=object)).tolist()
    texts = [None if is_missing(value) else _written(value) for value in values]
    codes, distinct = _core.Texts.from_list(texts, False).factorize()
    return codes, None, distinct


def _written(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "1" if value else "0"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
