"""Models of labeling functions."""

from consilience.labeling.model.baselines import MajorityClassVoter, MajorityLabelVoter, RandomVoter
from consilience.labeling.model.label_model import LabelModel

__all__ = ["LabelModel", "MajorityClassVoter", "MajorityLabelVoter", "RandomVoter"]
