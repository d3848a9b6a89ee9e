"""Names of types that scripts annotate with."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Callable

#: One item: anything with attributes (a namespace, a pandas Series, a named tuple, a Spark row).
DataPoint = Any
#: A sequence of items.
DataPoints = Sequence[DataPoint]
#: The value of one field of an item.
Field = Any
#: Fields by name.
FieldMap = Mapping[str, Any]
#: Settings: a named tuple.
Config = Any
#: From an item to something that a dictionary can have as a key.
HashingFunction = Callable[[DataPoint], Hashable]

__all__ = ["Config", "DataPoint", "DataPoints", "Field", "FieldMap", "HashingFunction"]
