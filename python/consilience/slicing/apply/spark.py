"""Slicing functions for Spark."""

from __future__ import annotations

from consilience.labeling.apply.spark import SparkLFApplier
from consilience.slicing.apply.core import ToSlices


class SparkSFApplier(ToSlices, SparkLFApplier):
    """Applies slicing functions to a Spark RDD or data frame; see `SparkLFApplier`.

    Parameters
    ----------
    lfs
        The slicing functions; their names must be unique.

    Examples
    --------
    >>> SparkSFApplier([question]).apply(spark_frame)["question"].sum()  # doctest: +SKIP
    12
    """
