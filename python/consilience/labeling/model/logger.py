"""Logging of a fit."""

from __future__ import annotations

import logging
from collections.abc import Mapping


class Logger:
    """Logs metrics at regular intervals.

    Parameters
    ----------
    log_freq
        The number of steps between lines.

    Examples
    --------
    >>> logger = Logger(log_freq=2)
    >>> [logger.check() for _ in range(4)]
    [True, False, True, False]
    """

    def __init__(self, log_freq: int) -> None:
        if log_freq < 1:
            raise ValueError(f"log_freq must be at least 1, but is {log_freq}")
        self.log_freq = log_freq
        self.unit_count = -1

    def check(self) -> bool:
        """Count a step, and return whether to log it; the first step is logged."""
        self.unit_count += 1
        return self.unit_count % self.log_freq == 0

    def log(self, metrics_dict: Mapping[str, float]) -> None:
        """Log metrics called "split/metric" or "task/split/metric", those of train before those of valid."""
        shown: dict[str, list[str]] = {"train": [], "valid": []}
        for name, value in metrics_dict.items():
            *task, split, metric = ["", *name.split("/")][-3:] if name.count("/") in (1, 2) else ["", "", ""]
            if not split or not metric:
                raise ValueError(f"Metric should have form task/split/metric or split/metric, not: {name}")
            label = "/".join([part for part in task if part] + [metric])
            shown.setdefault(split, []).append(f"{label}={value:.3f}" if isinstance(value, float) else f"{label}={value}")
        groups = [f"{split.upper()}:[{', '.join(shown[split])}]" for split in ("train", "valid") if shown[split]]
        logging.info(" ".join([f"[{self.unit_count} epochs]:", *groups]))
