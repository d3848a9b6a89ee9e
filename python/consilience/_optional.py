"""Packages that are imported only when they are used."""

from __future__ import annotations

import importlib
from typing import Any

#: What `pip install 'consilience[all]'` installs: everything used on one machine that needs no separate service.
IN_ALL = ("pandas", "polars", "pyarrow", "scipy", "sklearn", "matplotlib", "networkx", "tqdm", "cloudpickle")
_DISTRIBUTIONS = {"sklearn": "scikit-learn"}


def how_to_install(package: str) -> str:
    """Explain how to get a package.

    Examples
    --------
    >>> how_to_install("pandas")
    "pip install pandas, or all that the package can use: pip install 'consilience[all]'"
    """
    more = ", or all that the package can use: pip install 'consilience[all]'" if package in IN_ALL else ""
    return f"pip install {_DISTRIBUTIONS.get(package, package)}{more}"


def require(module: str, purpose: str) -> Any:
    """Import `module`, or say what it is needed for and how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        message = f"{purpose} needs the package {package}, which cannot be imported; {how_to_install(package)}"
        raise ImportError(message, name=package) from error


def is_instance_of(value: object, module: str, name: str) -> bool:
    """Whether `value` is of the class `name` of `module`, which is not imported for the question."""
    import sys

    # An object of a class can only be there if its module has been imported.
    loaded = sys.modules.get(module)
    kind = getattr(loaded, name, None)
    return isinstance(kind, type) and isinstance(value, kind)
