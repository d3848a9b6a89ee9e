"""Mappers for Spark rows."""

from __future__ import annotations

from typing import Any

from consilience._optional import require
from consilience.map.core import Mapper
from consilience.types import DataPoint, FieldMap


def _row_with_fields(x: DataPoint, mapped_fields: FieldMap) -> Any:
    row = require("pyspark.sql", "A mapper over Spark rows").Row
    values = x.asDict() if hasattr(x, "asDict") else dict(vars(x))
    return row(**{**values, **mapped_fields})


def make_spark_mapper(mapper: Mapper) -> Mapper:
    """Make `mapper` return Spark rows, and return it. Mappers recognize rows anyway; this exists for scripts that call it."""
    mapper._update_fields = _row_with_fields  # type: ignore[method-assign]
    return mapper
