"""Labels from the votes of noisy sources, without ground truth."""

__version__ = "0.1.0"
