"""Policies: which transformation functions to apply to an item, and how often."""

from consilience.augmentation.policy.core import ApplyAllPolicy, ApplyEachPolicy, ApplyOnePolicy, Policy
from consilience.augmentation.policy.sampling import MeanFieldPolicy, RandomPolicy

__all__ = ["ApplyAllPolicy", "ApplyEachPolicy", "ApplyOnePolicy", "MeanFieldPolicy", "Policy", "RandomPolicy"]
