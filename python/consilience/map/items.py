"""Operations on all kinds of items: copying, comparing and adding fields.

Items are namespaces, objects with attributes, pandas Series, named tuples and Spark rows.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import namedtuple
from collections.abc import Hashable
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from consilience._optional import is_instance_of, require
from consilience.types import DataPoint, FieldMap


def is_series(x: object) -> bool:
    """Whether `x` is a pandas Series."""
    return is_instance_of(x, "pandas", "Series")


def is_spark_row(x: object) -> bool:
    """Whether `x` is a row of a Spark data frame."""
    return is_instance_of(x, "pyspark.sql.types", "Row")


def _own_attributes(series: Any) -> dict[str, Any]:
    # `x.new = value` on a Series makes an attribute, which pandas loses when it copies.
    return {name: value for name, value in vars(series).items() if not name.startswith("_")}


def _object_array(values: list[Any]) -> Any:
    # numpy would take sequences apart that are values here.
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


# Values of these types cannot change, so that a copy of an item may share them.
_ATOMS = frozenset([str, int, float, bool, bytes, type(None)])


def copy_of(x: DataPoint) -> DataPoint:
    """Return a deep copy of an item."""
    if not is_series(x):
        return copy.deepcopy(x)
    values = x.tolist() if x.dtype == object else []
    if all(type(value) in _ATOMS for value in values):
        copied = x.copy()
    else:
        # pandas would copy the references to objects only.
        copied = type(x)(_object_array([copy.deepcopy(value) for value in values]), index=x.index, name=x.name)
    for name, value in _own_attributes(x).items():
        if name not in ("attrs", "flags"):
            object.__setattr__(copied, name, copy.deepcopy(value))
    return copied


@lru_cache(maxsize=64)
def _index_of(names: tuple[Hashable, ...]) -> Any:
    """Return the index of a Series with these fields; all rows of a frame share it, and making one is slow."""
    return require("pandas", "An item that is a Series").Index(list(names), tupleize_cols=False)


@cache
def _named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    return namedtuple(name, fields)  # noqa: PYI024 (the fields are known at run time only)


def with_fields(x: DataPoint, fields: FieldMap) -> DataPoint:
    """Return `x`, which the caller owns, with new fields."""
    if is_series(x):
        values: dict[Any, Any] = dict(zip(_names_of(x.index), x.tolist()))
        values.update(fields)
        changed = type(x)(_object_array(list(values.values())), index=_index_of(tuple(values)), name=x.name)
        for name, value in _own_attributes(x).items():
            if name not in fields and name not in ("attrs", "flags"):
                object.__setattr__(changed, name, value)
        return changed
    if is_spark_row(x):
        return type(x)(**{**x.asDict(), **fields})
    if isinstance(x, tuple) and hasattr(x, "_asdict"):
        values = {**x._asdict(), **fields}
        if len(values) == len(x):
            return type(x)(**values)
        return _named_tuple(type(x).__name__, tuple(values))(**values)
    for name, value in fields.items():
        setattr(x, name, value)
    return x


class _ArrayKey(bytes):
    """The bytes of an array; unlike those alone, different for arrays of another shape or type."""

    layout: tuple[tuple[int, ...], str]

    def __new__(cls, array: npt.NDArray[Any]) -> _ArrayKey:  # noqa: PYI034 (Self is not in the typing of 3.9)
        key = super().__new__(cls, array.tobytes())
        key.layout = array.shape, array.dtype.str
        return key

    def __eq__(self, other: object) -> bool:
        return bytes.__eq__(self, other) is True and getattr(other, "layout", self.layout) == self.layout

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = bytes.__hash__


def is_hashable(obj: Any) -> bool:
    """Whether `obj` can be a key of a dictionary."""
    try:
        hash(obj)
    except Exception:
        return False
    return True


# The index of the row before, with its names: all rows of a frame share one, and reading the names takes long.
_last_index: tuple[Any, tuple[Hashable, ...]] = (None, ())


def _names_of(index: Any) -> tuple[Hashable, ...]:
    global _last_index
    known, names = _last_index
    if known is not index:
        names = tuple(index)
        _last_index = index, names
    return names


def item_key(x: DataPoint) -> Hashable:
    """Return the same key as `get_hashable`, faster for a Series."""
    if not is_series(x):
        return get_hashable(x)
    try:
        return frozenset((*zip(_names_of(x.index), x.tolist()), *_own_attributes(x).items()))
    except TypeError:
        return get_hashable(x)


def get_hashable(obj: Any) -> Hashable:
    """Return something hashable that is equal for equal `obj`.

    Namespaces, dictionaries and Series become frozen sets of their fields (the name of a Series is left out), lists and tuples
    tuples, arrays bytes, data classes their type and fields, also when nested; anything else that cannot be hashed
    raises a ValueError.

    Examples
    --------
    >>> get_hashable(["Oslo", [59, 10]])
    ('Oslo', (59, 10))
    >>> get_hashable({"a": [1]})
    frozenset({('a', (1,))})
    """
    if is_hashable(obj):
        return obj  # type: ignore[no-any-return]
    if is_series(obj):
        fields = [*obj.items(), *_own_attributes(obj).items()]
        return frozenset((name, get_hashable(value)) for name, value in fields)
    if isinstance(obj, (dict, SimpleNamespace)):
        named = obj if isinstance(obj, dict) else vars(obj)
        return frozenset((name, get_hashable(value)) for name, value in named.items())
    if dataclasses.is_dataclass(obj) and not isinstance(obj, type):
        return type(obj), get_hashable(vars(obj))
    if isinstance(obj, (list, tuple)):
        return tuple(get_hashable(value) for value in obj)
    if isinstance(obj, np.ndarray):
        return tuple(get_hashable(value) for value in obj.tolist()) if obj.dtype == object else _ArrayKey(obj)
    raise ValueError(
        f"Object {obj!r} has no hashing proxy: {type(obj).__name__} is not hashable; pass a function of the item as memoize_key"
    )
