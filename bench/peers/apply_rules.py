"""Applies three rules to made-up comments in one way, in a process of its own, and says what it took.

    python bench/peers/apply_rules.py WAY ITEMS RESULT.json

The rules: does one of five keywords occur, does an expression match, what does a dictionary say of the author. Written as
Python functions they go through the appliers of Snorkel and of Consilience alike; declared as rules they run in our core.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

KEYWORDS = ["subscribe", "check out", "free", "follow me", "my channel"]
PATTERN = re.compile(r"https?://\S+|www\.\w+")
AUTHORS = {f"user{i}": i % 2 for i in range(0, 10_000, 7)}
WORDS = ["the", "song", "is", "so", "good", "love", "this", "video", "voice", "great", "wow", "please", "music"]
TAILS = ["", "", "", "Please SUBSCRIBE to", "check out", "http://spam.example", "free"]


class Comment(NamedTuple):
    """A comment and who wrote it."""

    text: str
    author: str


def comments(items: int) -> pd.DataFrame:
    """Make comments of about 80 characters, some of them spam."""
    rng = np.random.default_rng(0)
    bodies = [" ".join(row) for row in np.array(WORDS)[rng.integers(0, len(WORDS), (items, 16))]]
    tails = np.array(TAILS)[rng.integers(0, len(TAILS), items)]
    authors = [f"user{i}" for i in rng.integers(0, 10_000, items)]
    return pd.DataFrame({"text": [f"{body} {tail}" for body, tail in zip(bodies, tails)], "author": authors})


# Dask tries functions on made-up rows without a text, hence the str().
def keyword(x: Any) -> int:
    """Vote 1 where a keyword is in the text."""
    text = str(x.text).lower()
    return 1 if any(word in text for word in KEYWORDS) else -1


def link(x: Any) -> int:
    """Vote 1 where the expression is found."""
    return 1 if PATTERN.search(str(x.text)) else -1


def author(x: Any) -> int:
    """Vote as the dictionary says."""
    return AUTHORS.get(x.author, -1)


def functions(package: str) -> list[Any]:
    """The rules as labeling functions of a package."""
    if package == "snorkel":
        from snorkel.labeling import LabelingFunction
    else:
        from consilience.labeling import LabelingFunction
    return [LabelingFunction(f.__name__, f) for f in (keyword, link, author)]


def declared() -> list[Any]:
    """The rules as our core runs them."""
    from consilience.labeling import keyword_lf, lookup_lf, regex_lf

    return [
        keyword_lf(KEYWORDS, 1, name="keyword"),
        regex_lf(PATTERN.pattern, 1, name="link"),
        lookup_lf(AUTHORS, name="author", field="author"),
    ]


def applier(package: str, kind: str) -> type:
    """An applier of a package."""
    if package == "snorkel":
        import snorkel.labeling.apply.dask as parallel
        from snorkel import labeling
    else:
        import consilience.labeling.apply.dask as parallel
        from consilience import labeling
    return getattr(parallel if kind == "PandasParallelLFApplier" else labeling, kind)


def way(package: str, kind: str, rules: str) -> Callable[[pd.DataFrame], Callable[[], np.ndarray]]:
    """Give what is to be measured, made ready for a frame."""

    def ready(frame: pd.DataFrame) -> Callable[[], np.ndarray]:
        made = applier(package, kind)(declared() if rules == "declared" else functions(package))
        if kind == "PandasParallelLFApplier":
            return lambda: made.apply(frame, n_parallel=2)
        data = [Comment(*row) for row in frame.itertuples(index=False)] if kind == "LFApplier" else frame
        return lambda: made.apply(data, progress_bar=False)

    return ready


WAYS = {
    f"{package}, {kind}, {rules}": (package, kind, rules)
    for package in ("snorkel", "consilience")
    for kind in ("LFApplier", "PandasLFApplier", "PandasParallelLFApplier")
    for rules in ("functions", "declared")
    if rules == "functions" or (package, kind) == ("consilience", "PandasLFApplier")
}


def main() -> None:
    """Run a way."""
    name, items, result = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    ready = way(*WAYS[name])
    ready(comments(100))()
    apply = ready(comments(items))
    clock = time.perf_counter()
    votes = apply()
    taken = time.perf_counter() - clock
    # Two ways are alike when these are.
    place = np.arange(1, votes.size + 1, dtype=np.int64).reshape(votes.shape)
    result.write_text(json.dumps({"seconds": taken, "votes": f"{votes.shape} {int((place * (votes + 1)).sum())}"}))


if __name__ == "__main__":
    main()
