"""Slicing functions."""

from consilience.slicing.sf.core import SlicingFunction, slicing_function

__all__ = ["SlicingFunction", "slicing_function"]
