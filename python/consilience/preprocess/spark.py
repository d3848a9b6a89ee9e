"""Preprocessors for Spark rows."""

from consilience.map.spark import make_spark_mapper

make_spark_preprocessor = make_spark_mapper

__all__ = ["make_spark_preprocessor"]
