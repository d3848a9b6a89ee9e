"""Snorkel's networks; importing this raises an error that says what to use instead."""

from consilience._torch import CLASSIFIERS, needs_torch

raise needs_torch("consilience.classification", CLASSIFIERS)
