"""Appliers: run labeling functions over items to get a matrix of votes."""

from consilience.labeling.apply.core import ApplierMetadata, BaseLFApplier, LFApplier
from consilience.labeling.apply.pandas import PandasLFApplier

__all__ = ["ApplierMetadata", "BaseLFApplier", "LFApplier", "PandasLFApplier"]
