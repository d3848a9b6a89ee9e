"""Items and their fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: One item: anything with attributes (a namespace, a pandas Series, a named tuple, a Spark row).
DataPoint = Any
#: A sequence of items.
DataPoints = Sequence[DataPoint]
#: The value of one field of an item.
Field = Any
#: Fields by name.
FieldMap = Mapping[str, Field]
