"""Labels from the votes of noisy sources, without ground truth, and which of the sources depend on each other."""

from consilience._core import __version__
from consilience._report import Report
from consilience.answers import Certificate, certify, sample
from consilience.end_model import EndModel
from consilience.explanation import Comparison, Explanation
from consilience.findings import Findings, report
from consilience.labels import Labels
from consilience.learner import StructureLearner
from consilience.majority import MajorityVote
from consilience.model import LabelModel
from consilience.plan import Plan, plan
from consilience.simulation import Simulation, simulate
from consilience.sources import Sources
from consilience.structure import Dependency, Repetition, Structure
from consilience.votes import Votes

__all__ = [
    "Certificate",
    "Comparison",
    "Dependency",
    "EndModel",
    "Explanation",
    "Findings",
    "LabelModel",
    "Labels",
    "MajorityVote",
    "Plan",
    "Repetition",
    "Report",
    "Simulation",
    "Sources",
    "Structure",
    "StructureLearner",
    "Votes",
    "__version__",
    "certify",
    "plan",
    "report",
    "sample",
    "simulate",
]
