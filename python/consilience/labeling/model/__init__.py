"""Models of labeling functions."""

from consilience.labeling.model.baselines import MajorityClassVoter, MajorityLabelVoter, RandomVoter

__all__ = ["MajorityClassVoter", "MajorityLabelVoter", "RandomVoter"]
