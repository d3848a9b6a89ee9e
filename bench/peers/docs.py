"""Fills the tables of the documents from the kept results, or checks that they are what the results say.

    python bench/peers/docs.py [--check]

A document marks where a table or a sentence with numbers stands by `<!-- peers: NAME -->` and `<!-- /peers -->`. The results are
in docs/peers.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tables import BLOCKS, Results

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = ("README.md", "docs/peers.md")
RESULTS = "docs/peers"
BLOCK = re.compile(r"<!-- peers: (?P<name>[^>]*?) -->\n(?P<text>.*?)<!-- /peers -->", re.DOTALL)


def filled(document: str, results: Results) -> str:
    """The document with all of its tables made anew."""

    def table(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in BLOCKS:
            raise SystemExit(f"there is no table {name!r}; there are {', '.join(BLOCKS)}")
        return f"<!-- peers: {name} -->\n{BLOCKS[name](results)}\n<!-- /peers -->"

    return BLOCK.sub(table, document)


def main() -> None:
    """Fill or check."""
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit(f"usage: {sys.argv[0]} [--check]")
    results = Results(ROOT / RESULTS)
    stale = []
    for name in DOCUMENTS:
        file = ROOT / name
        before = file.read_text()
        after = filled(before, results)
        if after != before:
            stale.append(name)
            if not check:
                file.write_text(after)
    if check and stale:
        raise SystemExit(f"{', '.join(stale)}: tables differ from {RESULTS}; run: python bench/peers/docs.py")


if __name__ == "__main__":
    main()
