"""Checks of settings: errors name the setting, before the compiled part sees it."""

from __future__ import annotations

import numbers
from typing import Any, Optional

import numpy as np

from consilience.errors import OptionError

LARGEST_SEED = 2**64 - 1


def whole(name: str, value: Any, least: int, most: Optional[int] = None) -> int:
    """Take `value` as a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise OptionError(f"{name} must be a whole number, but is {value!r}")
    found = int(value)
    if found < least or (most is not None and found > most):
        raise OptionError(f"{name} must be at least {least}{'' if most is None else f' and at most {most}'}, but is {found}")
    return found


def seed_of(value: Any) -> int:
    """Take `value` as a seed."""
    return whole("seed", value, 0, LARGEST_SEED)


def number(name: str, value: Any) -> float:
    """Take `value` as a number."""
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, np.floating)):
        raise OptionError(f"{name} must be a number, but is {value!r}")
    return float(value)


def switch(name: str, value: Any) -> bool:
    """Take `value` as True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise OptionError(f"{name} must be True or False, but is {value!r}")
    return bool(value)


def text(name: str, value: Any) -> str:
    """Take `value` as a text."""
    if not isinstance(value, str):
        raise OptionError(f"{name} must be a text, but is {value!r}")
    return value
