"""Packages that are imported only when they are used."""

from __future__ import annotations

import importlib
from typing import Any


def require(module: str, purpose: str) -> Any:
    """Import `module`, or say what it is needed for and how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        message = f"{purpose} needs the package {package}, which cannot be imported; pip install {package}"
        raise ImportError(message, name=package) from error


def is_instance_of(value: object, module: str, name: str) -> bool:
    """Whether `value` is of the class `name` of `module`, which is not imported for the question."""
    import sys

    # An object of a class can only be there where its module has been imported.
    loaded = sys.modules.get(module)
    kind = getattr(loaded, name, None)
    return isinstance(kind, type) and isinstance(value, kind)
