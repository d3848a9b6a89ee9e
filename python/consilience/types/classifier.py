"""Settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    Config = Any
else:
    #: Settings are named tuples; `class Settings(Config)` makes a kind of them.
    Config = NamedTuple

__all__ = ["Config"]
