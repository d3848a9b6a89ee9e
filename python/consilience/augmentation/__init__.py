"""Data augmentation: transformation functions, policies and appliers, under the names of Snorkel 0.10."""

from consilience.augmentation.apply import PandasTFApplier, TFApplier
from consilience.augmentation.policy import (
    ApplyAllPolicy,
    ApplyEachPolicy,
    ApplyOnePolicy,
    MeanFieldPolicy,
    RandomPolicy,
)
from consilience.augmentation.tf import TransformationFunction, transformation_function

__all__ = [
    "ApplyAllPolicy",
    "ApplyEachPolicy",
    "ApplyOnePolicy",
    "MeanFieldPolicy",
    "PandasTFApplier",
    "RandomPolicy",
    "TFApplier",
    "TransformationFunction",
    "transformation_function",
]
