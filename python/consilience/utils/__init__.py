"""Conversions between labels and probabilities."""

from consilience.utils.core import filter_labels, preds_to_probs, probs_to_preds, to_int_label_array

__all__ = ["filter_labels", "preds_to_probs", "probs_to_preds", "to_int_label_array"]
