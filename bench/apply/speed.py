"""Times declared sources against the same rules in Python functions, Polars and DuckDB, from file to file.

    python bench/apply/speed.py CONSILIENCE [ROWS]

CONSILIENCE is the command (a release build); ROWS is 1,000,000 by default. Needs pandas, polars, duckdb and pyarrow. Texts
are generated: 5 to 15 words of a vocabulary of 5,000 with Zipf's frequencies, some numbers and links. Of the 50 rules, 25
are lists of keywords and 25 regular expressions. Python functions run on the first 20,000 texts, as Snorkel's applier does: one
`DataFrame.apply` that calls every function on every row. All of them must give the same votes.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl

PART = 20_000
SEED = 7


def vocabulary(rng: random.Random) -> list[str]:
    letters = "eeeeaaaiiioootttnnnsssrrrhhlldcumfpgwybvk"
    words = {"".join(rng.choice(letters) for _ in range(rng.randint(3, 9))) for _ in range(6000)}
    return sorted(words)[:5000]


def texts(rng: random.Random, words: list[str], rows: int) -> list[str]:
    weights = [1 / (rank + 2) for rank in range(len(words))]
    rng.shuffle(words)
    drawn = rng.choices(words, weights, k=rows * 12)
    made, at = [], 0
    for _ in range(rows):
        length = rng.randint(5, 15)
        part = drawn[at : at + length]
        at = (at + length) % (len(drawn) - 15)
        chance = rng.random()
        if chance < 0.05:
            part.insert(2, str(rng.randint(1, 99999)))
        elif chance < 0.08:
            part.append("https://example.org/" + part[0])
        elif chance < 0.3:
            part[0] = part[0].capitalize()
        made.append(" ".join(part))
    return made


def rules(rng: random.Random, words: list[str]) -> list[dict[str, object]]:
    common, rare = words[20:400], words[400:]
    made: list[dict[str, object]] = []
    for i in range(25):
        keywords = rng.sample(rare, 8) + rng.sample(common, 2)
        made.append({"name": f"k{i}", "vote": str(i % 2), "keywords": keywords})
    for i in range(25):
        a, b, c = rng.sample(common, 3)
        d, e = rng.sample(rare, 2)
        pattern = [
            rf"\b({a}|{b}) \w+ {c}\b",
            rf"{a}.*{d}",
            rf"\b({d}|{e})\w*",
            rf"(^| )({a}|{b}|{c})( \w+)? ({d}|{e}|{a})( |$)",
            r"[0-9]{3,}" if i < 5 else rf"https?://\S+{a}",
        ][i % 5]
        made.append({"name": f"r{i}", "vote": str(i % 2), "regex": pattern})
    return made


def toml(declared: list[dict[str, object]]) -> str:
    lines = ['classes = ["0", "1"]', 'text = "text"']
    for rule in declared:
        lines += ["", "[[source]]"] + [f"{key} = {json.dumps(value)}" for key, value in rule.items()]
    return "\n".join(lines) + "\n"


def by_polars(declared: list[dict[str, object]], data: Path, out: Path) -> None:
    columns = []
    for rule in declared:
        text = pl.col("text")
        if "keywords" in rule:
            found = text.str.contains_any(rule["keywords"])
        else:
            found = text.str.contains(rule["regex"])
        columns.append(pl.when(found).then(pl.lit(int(rule["vote"]))).alias(rule["name"]))
    pl.scan_parquet(data).select(columns).collect().write_parquet(out)


def by_duckdb(declared: list[dict[str, object]], data: Path, out: Path) -> None:
    columns = []
    for rule in declared:
        if "keywords" in rule:
            found = " OR ".join(f"contains(text, '{keyword}')" for keyword in rule["keywords"])
        else:
            found = f"regexp_matches(text, '{rule['regex']}')"
        columns.append(f"CASE WHEN {found} THEN {rule['vote']} END AS {rule['name']}")
    duckdb.sql(f"COPY (SELECT {', '.join(columns)} FROM '{data}') TO '{out}' (FORMAT parquet)")


def by_functions(declared: list[dict[str, object]], data: Path) -> list[list[int]]:
    def keywords(words: list[str], vote: int):
        return lambda x: vote if any(word in x.text for word in words) else -1

    def regex(pattern: str, vote: int):
        compiled = re.compile(pattern)
        return lambda x: vote if compiled.search(x.text) else -1

    functions = [
        keywords(rule["keywords"], int(rule["vote"])) if "keywords" in rule else regex(rule["regex"], int(rule["vote"]))
        for rule in declared
    ]
    frame = pd.read_parquet(data).head(PART)
    return frame.apply(lambda x: [function(x) for function in functions], axis=1).tolist()


def timed(what: str, rows: int, work) -> float:
    best = min(run(work) for _ in range(2))
    print(f"{what:24} {best:8.2f} s {rows / best:12,.0f} rows/s", flush=True)
    return rows / best


def run(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    command = sys.argv[1]
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    rng = random.Random(SEED)
    words = vocabulary(rng)
    made = texts(rng, words, rows)
    declared = rules(rng, words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "data.parquet"
        pl.DataFrame({"text": made}).write_parquet(data)
        (folder / "sources.toml").write_text(toml(declared))
        out = {who: folder / f"{who}.parquet" for who in ["ours", "polars", "duckdb"]}
        apply = [command, "--quiet", "apply", folder / "sources.toml", data, "-o", out["ours"]]
        ours = timed("consilience apply", rows, lambda: subprocess.run(apply, check=True))
        polars = timed("polars", rows, lambda: by_polars(declared, data, out["polars"]))
        duck = timed("duckdb", rows, lambda: by_duckdb(declared, data, out["duckdb"]))
        votes: list[list[int]] = []
        functions = timed("python functions", PART, lambda: votes.extend(by_functions(declared, data)))
        print(f"against Python functions {ours / functions:.0f} x, Polars {ours / polars:.2f} x, DuckDB {ours / duck:.2f} x")
        tables = {who: pl.read_parquet(path).cast(pl.Int64) for who, path in out.items()}
        assert tables["ours"].equals(tables["duckdb"]), "duckdb votes otherwise"
        # Polars 2.1 does not always keep the order of rows.
        names = tables["ours"].columns
        assert tables["ours"].sort(names).equals(tables["polars"].sort(names)), "polars votes otherwise"
        expected = [tuple(None if vote < 0 else vote for vote in row) for row in votes[:PART]]
        assert tables["ours"].head(PART).rows() == expected, "Python functions vote otherwise"
        print(f"the same votes: {sum(tables['ours'].count().row(0)):,}")


if __name__ == "__main__":
    main()
