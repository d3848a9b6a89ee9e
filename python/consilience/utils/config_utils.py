"""Settings as named tuples."""

from __future__ import annotations

from typing import Any, TypeVar

from consilience.types import Config

_C = TypeVar("_C", bound=Config)


def merge_config(config: _C, config_updates: dict[str, Any]) -> _C:
    """Return `config`, a named tuple, with new values for some of its fields, including fields of nested settings.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> class Settings(NamedTuple):
    ...     epochs: int = 10
    >>> merge_config(Settings(), {"epochs": 5})
    Settings(epochs=5)
    """
    merged = {}
    for name, value in config_updates.items():
        if name not in config._fields:
            raise ValueError(f"{name} is not a setting of {type(config).__name__}; it has {', '.join(config._fields)}")
        old = getattr(config, name)
        merged[name] = merge_config(old, value) if hasattr(old, "_fields") and isinstance(value, dict) else value
    replaced: _C = config._replace(**merged)
    return replaced
