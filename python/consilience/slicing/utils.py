"""Snorkel's networks for slices; importing this raises an error that says what to use instead."""

from consilience._torch import SLICES, needs_torch

raise needs_torch("consilience.slicing.utils", SLICES)
