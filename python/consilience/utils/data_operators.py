"""Checks of lists of functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def check_unique_names(names: Sequence[str]) -> None:
    """Raise a ValueError if a name appears twice.

    Examples
    --------
    >>> check_unique_names(["a", "b", "a"])
    Traceback (most recent call last):
    ...
    ValueError: Operator names not unique: 2 operators with name a; give each a unique name
    """
    for name, count in Counter(names).most_common(1):
        if count > 1:
            raise ValueError(f"Operator names not unique: {count} operators with name {name}; give each a unique name")
