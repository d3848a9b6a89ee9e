"""Labels from the votes of noisy sources, without ground truth, and which of the sources depend on each other."""

from typing import TYPE_CHECKING, Any

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
from consilience.structure import Dependency, Repetition, Structure
from consilience.votes import Votes

if TYPE_CHECKING:
    from consilience.sources import Sources

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


def __getattr__(name: str) -> Any:
    # Loaded when first used: it brings the labeling functions along.
    if name == "Sources":
        from consilience.sources import Sources

        return Sources
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
