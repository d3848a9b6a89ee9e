"""Appliers of slicing functions."""

from consilience.slicing.apply.core import PandasSFApplier, SFApplier

__all__ = ["PandasSFApplier", "SFApplier"]
