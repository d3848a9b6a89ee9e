"""How much faster rules over texts run in the core than as labeling functions in Python.

    <the environment of make python>/bin/python bench/appliers.py [items]

Prints the time of each applier over the same made-up comments with the same three rules, and what it is beside the one
that applies Python functions row by row: on the wall, and of the processor (all threads and processes). All lines come from
one run; the votes are checked to be the same. The core's lines are the best of five.
"""

from __future__ import annotations

import re
import resource
import sys
import time

import numpy as np
import pandas as pd
import pyarrow as pa

from consilience.labeling import PandasLFApplier, keyword_lf, labeling_function, lookup_lf, regex_lf
from consilience.labeling.apply.dask import PandasParallelLFApplier

KEYWORDS = ["subscribe", "check out", "free", "follow me", "my channel"]
PATTERN = r"https?://\S+|www\.\w+"
TABLE = {f"user{i}": i % 2 for i in range(0, 10_000, 7)}


def comments(items: int) -> pd.DataFrame:
    """Make comments of about 80 characters, some of them spam."""
    rng = np.random.default_rng(0)
    words = np.array(["the", "song", "is", "so", "good", "love", "this", "video", "voice", "great", "wow", "please", "music"])
    extra = np.array(["", "", "", "Please SUBSCRIBE to", "check out", "http://spam.example", "free"])
    texts = [" ".join(row) for row in words[rng.integers(0, len(words), (items, 16))]]
    tails = extra[rng.integers(0, len(extra), items)]
    users = [f"user{i}" for i in rng.integers(0, 10_000, items)]
    return pd.DataFrame({"text": [f"{a} {b}" for a, b in zip(texts, tails)], "author": users})


@labeling_function()
def py_keywords(x):
    """Vote 1 where a keyword is in the text."""
    text = x.text.lower()
    return 1 if any(word in text for word in KEYWORDS) else -1


@labeling_function(resources={"pattern": re.compile(PATTERN)})
def py_regex(x, pattern):
    """Vote 1 where the expression is found."""
    return 1 if pattern.search(x.text) else -1


@labeling_function(resources={"table": TABLE})
def py_lookup(x, table):
    """Vote as the dictionary says."""
    return table.get(x.author, -1)


def main() -> None:
    """Time all ways."""
    items = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    frame = comments(items)
    python = [py_keywords, py_regex, py_lookup]
    core = [
        keyword_lf(KEYWORDS, 1, name="keywords"),
        regex_lf(PATTERN, 1, name="regex"),
        lookup_lf(TABLE, name="lookup", field="author"),
    ]
    arrow = {name: pa.array(frame[name]) for name in ("text", "author")}

    def by_arrow() -> np.ndarray:
        return np.stack([lf.vote_column(arrow[lf.field])[0] for lf in core], axis=1)

    objects = frame.astype(object)
    ways = {
        "Python functions, PandasLFApplier": lambda: PandasLFApplier(python).apply(frame, progress_bar=False),
        "Python functions, PandasParallelLFApplier(2)": lambda: PandasParallelLFApplier(python).apply(frame, n_parallel=2),
        "core rules, pandas (texts as Python objects)": lambda: PandasLFApplier(core).apply(objects, progress_bar=False),
        "core rules, pandas (texts in Arrow)": lambda: PandasLFApplier(core).apply(frame, progress_bar=False),
        "core rules, Arrow columns": by_arrow,
    }
    print(f"{items} items, 3 rules")
    print(f"{'':<46} {'wall':>10} {'':>9} {'processor':>10}")
    first, votes = (0.0, 0.0), None
    for name, way in ways.items():
        taken = (float("inf"), float("inf"))
        for _ in range(5 if name.startswith("core") else 1):
            started = time.perf_counter(), processor_seconds()
            found = way()
            taken = min(taken[0], time.perf_counter() - started[0]), min(taken[1], processor_seconds() - started[1])
        if votes is None:
            first, votes = taken, found
        np.testing.assert_array_equal(found, votes)
        ratios = first[0] / taken[0], first[1] / taken[1]
        print(f"{name:<46} {taken[0]:8.3f} s {ratios[0]:7.1f} x {taken[1]:8.3f} s {ratios[1]:7.1f} x")


def processor_seconds() -> float:
    """Give the processor time of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
