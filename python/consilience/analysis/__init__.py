"""Scores of labels against gold, and error analysis."""

from consilience.analysis.error_analysis import get_label_buckets, get_label_instances
from consilience.analysis.metrics import metric_score
from consilience.analysis.scorer import Scorer

__all__ = ["Scorer", "get_label_buckets", "get_label_instances", "metric_score"]
