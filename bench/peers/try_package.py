"""Runs the label models of one package on a small table of votes, and prints the package's version.

python bench/peers/try_package.py PACKAGE
"""

from __future__ import annotations

import sys
from importlib.metadata import version

import numpy as np

from models import MODELS
from panels import simulate


def main() -> None:
    """Try a package."""
    package = sys.argv[1]
    panel = simulate("independent", 300, 8, seed=0)
    for model in MODELS.values():
        if model.package == package:
            prepare, label = model.load()
            found = label(prepare(panel.votes, 2), 2)
            if found.shape != (300, 2) or not np.isfinite(found).all():
                raise SystemExit(f"{model.name} gave no finite probability for each item and class: an error of the package")
    print(version(package))


if __name__ == "__main__":
    main()
