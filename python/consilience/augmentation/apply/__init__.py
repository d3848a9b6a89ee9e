"""Appliers of transformation functions."""

from consilience.augmentation.apply.core import TFApplier
from consilience.augmentation.apply.pandas import PandasTFApplier

__all__ = ["PandasTFApplier", "TFApplier"]
