"""Labels from the votes of noisy sources, without ground truth, and which of the sources depend on each other."""

from consilience._core import __version__
from consilience.answers import Certificate, certify, sample
from consilience.learner import StructureLearner
from consilience.majority import MajorityVote
from consilience.model import LabelModel
from consilience.report import Report
from consilience.structure import Dependency, Repetition, Structure
from consilience.votes import Votes

__all__ = [
    "Certificate",
    "Dependency",
    "LabelModel",
    "MajorityVote",
    "Repetition",
    "Report",
    "Structure",
    "StructureLearner",
    "Votes",
    "__version__",
    "certify",
    "sample",
]
