"""Snorkel's networks over slices; importing this says what to use instead."""

from consilience._torch import SLICES, needs_torch

raise needs_torch("consilience.slicing.utils", SLICES)
