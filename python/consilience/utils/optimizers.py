"""Settings of optimizers, for scripts that pass them; they have no effect here."""

from __future__ import annotations

from typing import NamedTuple


class SGDOptimizerConfig(NamedTuple):
    """Settings of gradient descent."""

    momentum: float = 0.9


class AdamOptimizerConfig(NamedTuple):
    """Settings of Adam."""

    amsgrad: bool = False
    betas: tuple[float, float] = (0.9, 0.999)


class AdamaxOptimizerConfig(NamedTuple):
    """Settings of Adamax."""

    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8


class OptimizerConfig(NamedTuple):
    """Settings of all optimizers."""

    sgd_config: SGDOptimizerConfig = SGDOptimizerConfig()
    adam_config: AdamOptimizerConfig = AdamOptimizerConfig()
    adamax_config: AdamaxOptimizerConfig = AdamaxOptimizerConfig()
