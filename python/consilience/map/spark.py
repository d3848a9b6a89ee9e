"""Mappers over Spark rows."""

from __future__ import annotations

from types import MethodType
from typing import Any

from consilience._optional import require
from consilience.map.core import Mapper
from consilience.types import DataPoint, FieldMap


def _row_with_fields(self: Mapper, x: DataPoint, fields: FieldMap) -> Any:
    row = require("pyspark.sql", "A mapper over Spark rows").Row
    values = x.asDict() if hasattr(x, "asDict") else dict(vars(x))
    return row(**{**values, **fields})


def make_spark_mapper(mapper: Mapper) -> Mapper:
    """Let `mapper` return Spark rows, and give it back.

    Rows are recognised without it too; it is here for scripts that call it.
    """
    mapper._extended = MethodType(_row_with_fields, mapper)  # type: ignore[method-assign]
    return mapper
