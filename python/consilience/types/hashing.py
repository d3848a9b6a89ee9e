"""Keys of items."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Callable

#: From an item to something that a dictionary can have as a key.
HashingFunction = Callable[[Any], Hashable]
