"""Settings of learning rates, for scripts that pass them; they have no effect here."""

from __future__ import annotations

from typing import NamedTuple


class ExponentialLRSchedulerConfig(NamedTuple):
    """Settings of a rate that falls by a factor each step."""

    gamma: float = 0.9


class StepLRSchedulerConfig(NamedTuple):
    """Settings of a rate that falls by a factor at regular intervals."""

    gamma: float = 0.9
    step_size: int = 5


class LRSchedulerConfig(NamedTuple):
    """Settings of learning rates."""

    warmup_steps: float = 0
    warmup_unit: str = "batches"
    warmup_percentage: float = 0.0
    min_lr: float = 0.0
    exponential_config: ExponentialLRSchedulerConfig = ExponentialLRSchedulerConfig()
    step_config: StepLRSchedulerConfig = StepLRSchedulerConfig()
