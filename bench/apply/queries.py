r"""Runs the queries of `apply --print-sql` in real engines and compares them with `apply --patterns`.

    python bench/apply/queries.py CONSILIENCE [--spark] [--regexes N] [--seed N]

CONSILIENCE is the command. Needs duckdb; with --spark also pyspark and Java. About 130 fixed cases cover every kind of source
over CSV, TSV, JSONL and Parquet; N random regular expressions (300 by default) follow over random texts. A query must give the
same patterns, or be refused before it runs; where `apply` stops at a cell, the query must fail, too. Anything else is printed,
and the exit code is 1.
"""

from __future__ import annotations

import argparse
import collections
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable, Iterator, NamedTuple

import duckdb

HEAD = "classes = ['ham', 'spam']\ntext = 'text'\n"

TEXTS = [
    "free", "", "FREE é", "caffé", "a_b", "12", "١٢", "ΣΑΣ", "WİN", "win", "x y", "free\u00a0x", "naïve", "Ⓐbc",
    "zero\u200cjoin", "free.", "\nfree", "free\n", "K\u212a", "ſs", "a-b", "foo bar", "foobar", "foo  bar", "bär foo bar",
]  # fmt: skip

REGEXES = [
    r"\w+", r"\bfree\b", r"\d", r"^\d+$", r"\s", r"\W", r"[a-z&&[^x]]$", r"[\w--a]$", r"(?i)free", r"(?i)k", r"(?i)s", r".",
    r"^$", r"^free$", r"(?m)^free$", r"(?x) f r e e # c", r"(?<n>free)", r"\u00e9", r"f{2,3}|r", r"foo\b\s*\bbar",
    r"\b\s*\bfoo", r"(?:\b\w+\s*)+$", r"\bfoo\b.*\bbar\b", r"^\bfoo|\bbar$", r"\B", r"a(?=b)", r"\p{Greek}", r"[[:alpha:]]+",
    r"(?-u:\w)", r"(?-u:\b)free", r"\b{start}free", r"[^\x00-\x7f]", r"it's|\\", r"[\^\-\]]", r"a|", r"\bé|é\b",
    r"(?:\b[a-z]+\b ?){2}", r"(?mR)^x$", r"a{0,2000}b", r"[^\s\S]", r"(?s).x", r"\x{E9}", r"\pL\pM*", "ς", "[σς]x", r"\P{L}",
    r"foo\b(?:\b)",
]  # fmt: skip


class Case(NamedTuple):
    """One file of sources and the data it reads: a query that makes a Parquet file, or the name and text of a file."""

    name: str
    sources: str
    data: str | tuple[str, str]


def source(name: str, rule: str, vote: str | None = "spam") -> str:
    return f"[[source]]\nname = '{name}'\n" + (f"vote = '{vote}'\n" if vote else "") + rule + "\n"


def column(name: str, rule: str) -> str:
    return source("s", f"column = '{name}'\n{rule}\notherwise = 'ham'", None)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def text_cases(texts: str) -> Iterator[Case]:
    for lower in (False, True):
        ending = f"\nlower = {str(lower).lower()}\notherwise = 'ham'"
        for pattern in REGEXES:
            yield Case(f"regex {pattern!r}, lower {lower}", source("r", f"regex = '''{pattern}'''{ending}"), texts)
        for words in (False, True):
            for keywords in (["free"], ["σας"], ["win", "é"], ["İ"], ["it's"], ["a-b", "x.y"], ["ab"], ["bc"]):
                rule = f"keywords = {json.dumps(keywords, ensure_ascii=False)}\nwords = {str(words).lower()}{ending}"
                yield Case(f"keywords {keywords}, words {words}, lower {lower}", source("k", rule), texts)


def typed_cases(table: str) -> Iterator[Case]:
    thresholds = "thresholds = [{at_least = 0.8, vote = 'spam'}, {below = 0.0, vote = 'ham'}]"
    yield Case("thresholds", source("s", f"column = 's'\n{thresholds}", None), table)
    yield Case("thresholds, otherwise", column("s", thresholds), table)
    infinite = "{at_least = inf, vote = 'spam'}, {at_most = -inf, vote = 'ham'}, {above = -0.0, vote = 'ham'}"
    yield Case("infinite thresholds", column("s", f"thresholds = [{infinite}]"), table)
    yield Case("thresholds on integers", column("n", "thresholds = [{above = 3, vote = 'spam'}]"), table)
    yield Case("a column of classes", column("l", ""), table)
    yield Case("a column of other texts", column("text", ""), table)
    yield Case("map", column("text", "map = {free = 'spam', '12' = 'ham'}"), table)
    yield Case("map of integers", column("n", "map = {'1' = 'spam', '12' = 'ham'}"), table)
    yield Case("map of numbers", column("s", "map = {'1' = 'spam'}"), table)
    for sql, vote in [
        ("n > 3 -- small", "spam"),
        ("n > 3 AS other", "spam"),
        ('"n" > 3', "spam"),
        ("CASE WHEN n > 3 THEN 'spam' WHEN n > 1 THEN '' END", None),
        ("CASE WHEN n > 3 THEN 'eggs' END", None),
        ("text = 'it''s' or text like 'f%'", "spam"),
        ("n", None),
        ("n + 1", "spam"),
        ("missing > 1", "spam"),
    ]:
        yield Case(f"sql {sql}", source("q", f"sql = '''{sql}'''\notherwise = 'ham'", vote), table)


def composed_cases(table: str) -> Iterator[Case]:
    composed = [
        source("a", "regex = 'free'"),
        source("b", "column = 'l'", None),
        source("c", "sql = 'n > 3'", "ham"),
        source("d", "all = ['a', 'b', 'c']\notherwise = 'ham'"),
        source("e", "any = ['a', 'b', 'c']\notherwise = 'ham'"),
        source("f", "not = 'e'\notherwise = 'spam'", "ham"),
        source("g", "all = ['d']"),
        source("h", "any = ['f', 'g']"),
        source("i", "column = 's'\nthresholds = [{above = 0, vote = 'spam'}]", None),
        source("j", "not = 'i'"),
    ]
    yield Case("composition", "".join(composed), table)
    levels = source("a0", "regex = 'free'") + source("b0", "sql = 'n > 3'")
    for i in range(1, 26):
        parts = f"['a{i - 1}', 'b{i - 1}']"
        levels += source(f"a{i}", f"all = {parts}") + source(f"b{i}", f"any = {parts}", "ham")
    yield Case("25 levels", levels, table)
    chain = source("a0", "regex = 'free'")
    for i in range(1, 102):
        chain += source(f"a{i}", f"not = 'a{i - 1}'")
        if i >= 100:
            yield Case(f"{i} levels", chain, table)


def named_cases(texts: str) -> Iterator[Case]:
    yield Case("names that differ by case", source("A", "regex = 'free'") + source("a", "regex = 'x'"), texts)
    yield Case("a source called count", source("count", "regex = 'free'"), texts)
    yield Case("quotation marks", source('it"s`x', "regex = 'free'") + source("two words", "regex = 'x'"), texts)


def parquet_cases() -> Iterator[Case]:
    words = "select unnest(['1', '', 'x ', ' 2.5 ', 'nan', null]) as w, unnest([1, 2, 3, 4, 5, 6]) as n"
    rule = "thresholds = [{above = 0.7, vote = 'spam'}, {below = 0, vote = 'ham'}]"
    yield Case("thresholds on texts, one of them not a number", column("w", rule), words)
    yield Case("thresholds on texts", column("w", rule), words.replace("x ", "\u30003"))
    small = column("f", "thresholds = [{above = 0.1, vote = 'spam'}]")
    yield Case("small floats", small, "select 0.1::float as f")
    dates = source("t", "regex = '^2024-01-0'\non = 'd'")
    truths = source("b", "column = 'b'\nmap = {true = 'spam', false = 'ham'}", None)
    yield Case(
        "dates and truths as texts",
        dates + truths,
        "select unnest(['2024-01-05'::date, '2024-02-05'::date, null]) as d, unnest([true, false, null]) as b",
    )
    yield Case("times as texts", source("t", "regex = '^2024'\non = 'd'"), "select '2024-01-05'::timestamp as d")


def file_cases() -> Iterator[Case]:
    table = (
        "id,text,n,d,b,v,sc\n007,free,1,2024-01-05,True,ham,0.5\n8,12,2,2024-01-06,False,spam,nan\n"
        '09,,3,,True,,1e3\n10,"a\nb",,2024-02-06,,ham,\n'
    )
    identity = source("r", "regex = '^0'\non = 'id'")
    truth = source("m", "column = 'b'\nmap = {True = 'spam'}\notherwise = 'ham'", None)
    high = source("t", "column = 'sc'\nthresholds = [{above = 0.7, vote = 'spam'}]\notherwise = 'ham'", None)
    expressions = ["n > 1", "id = '007'", "length(d) > 3", "sc > 0.7", "b", "text = ''"]
    all_kinds = [
        identity,
        truth,
        high,
        source("d", "regex = '01-0'\non = 'd'"),
        source("k", "keywords = ['1']\non = 'n'"),
        source("v", "column = 'v'", None),
        *(source(f"q{i}", f"sql = '''{sql}'''\notherwise = 'ham'") for i, sql in enumerate(expressions)),
    ]
    yield Case("CSV, all kinds", "".join(all_kinds), ("data.csv", table))
    yield Case("CSV, text rules", identity + truth, ("data.csv", table))
    yield Case("CSV with semicolons", identity, ("data.csv", table.replace(",", ";")))
    above = column("text", "thresholds = [{above = 1, vote = 'spam'}]")
    yield Case("CSV, texts that are not numbers", above, ("data.csv", table))
    for cell in ["1_000", "x", "1.", ".5", " 7 ", "+inf", "-nan", "1e400", "0x1", "٣", "\u30003"]:
        rule = column("w", "thresholds = [{above = 0.7, vote = 'spam'}]")
        yield Case(f"CSV, number {cell!r}", rule, ("data.csv", f"w,z\n0.1,1\n{cell},1\n"))
    tabs = "id\ttext\tn\n007\tfree\t1\n8\tx\t2\n"
    yield Case("TSV", identity + source("q", "sql = 'n > 1'"), ("data.tsv", tabs))
    by_case = source("r", "regex = '1'\non = 'A'") + source("s", "regex = '1'\non = 'a'")
    yield Case("columns that differ by case", by_case, ("data.csv", "A,a\n1,2\n"))
    lines = (
        '{"id": "007", "n": 1.50, "text": "free", "b": true, "k": 1e3}\n'
        '{"id": "8", "n": 2, "text": "", "b": false, "k": 5}\n{"text": null, "id": "x"}\n'
    )
    kinds = [
        identity,
        source("q", "sql = 'n > 1.7'"),
        source("b", "sql = 'b'"),
        source("m", "column = 'b'\nmap = {true = 'spam'}\notherwise = 'ham'", None),
        source("t", "column = 'n'\nthresholds = [{above = 1.7, vote = 'spam'}]\notherwise = 'ham'", None),
    ]
    yield Case("JSONL", "".join(kinds), ("data.jsonl", lines))
    for pattern in ["50", "5$", r"^1\.5", "^1e3", "000", "e"]:
        rules = source("r", f"regex = '{pattern}'\non = 'n'") + source("s", f"regex = '{pattern}'\non = 'k'")
        yield Case(f"JSONL, numbers as texts, {pattern}", rules, ("data.jsonl", lines))


def fixed_cases() -> Iterator[Case]:
    texts = f"select unnest([{', '.join(map(quoted, TEXTS))}, null]) as text"
    numbers = "select unnest([0.0, -0.0, 1.0, 0.5, 'nan'::double, null, 'inf'::double, '-inf'::double]) as s"
    labels = "unnest(['ham', ' spam ', '', null, 'spam', 'ham', 'ham', chr(12288) || 'spam']) as l"
    numbered = f"select text, row_number() over () - 3 as n from ({texts})"
    table = f"select text, n, s, l from ({numbered}) join ({numbers}, {labels}) on true"
    yield from text_cases(texts)
    yield from typed_cases(table)
    yield from composed_cases(table)
    yield from named_cases(texts)
    yield from parquet_cases()


def random_cases(rng: random.Random, count: int) -> Iterator[Case]:
    atoms = ["a", "b", " ", "é", "_", "-", r"\w", r"\W", r"\s", r"\d", ".", "[ab]", "[^a]", r"\b", r"\b", r"\b", "^", "$"]
    atoms += ["(?m:^)", "(?m:$)", r"\n", "(?i:k)", "[[:punct:]]", r"[\w--b]"]
    letters = ["a", "b", " ", "é", "_", "-", "\n", "1", "K", "\u212a", "\u0301", "x"]

    def pattern(depth: int) -> str:
        chance = rng.random()
        if depth == 0 or chance < 0.35:
            return rng.choice(atoms)
        if chance < 0.7:
            return "".join(pattern(depth - 1) for _ in range(rng.randint(2, 3)))
        if chance < 0.85:
            return f"(?:{pattern(depth - 1)}|{pattern(depth - 1)})"
        return f"(?:{pattern(depth - 1)})" + rng.choice(["*", "+", "?", "{2}", "*?", "{1,2}"])

    made = ["".join(rng.choice(letters) for _ in range(rng.randint(1, 6))) for _ in range(150)]
    texts = f"select unnest([{', '.join(map(quoted, made))}]) as text"
    for _ in range(count):
        made_pattern = pattern(3)
        yield Case(f"random regex {made_pattern!r}", source("r", f"regex = '''{made_pattern}'''"), texts)


Patterns = list[tuple[str, ...]]


def in_duckdb(query: str) -> Patterns:
    return [tuple("" if cell is None else str(cell) for cell in row) for row in duckdb.sql(query).fetchall()]


def in_spark() -> Callable[[str], Patterns]:
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    spark = builder.config("spark.sql.shuffle.partitions", "1").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")

    def run(query: str) -> Patterns:
        rows = spark.sql(query.strip().rstrip(";")).collect()
        return [tuple("" if cell is None else str(cell) for cell in row) for row in rows]

    return run


def output_of(command: str, *arguments: str) -> tuple[str | None, str]:
    done = subprocess.run([command, "--quiet", *arguments], capture_output=True, text=True)
    return (done.stdout if done.returncode == 0 else None), done.stderr.strip()


def verdict(command: str, case: Case, dialect: str, run: Callable[[str], Patterns]) -> tuple[str, str]:
    """How the query of a case compares, and what to show if it does not."""
    Path("sources.toml").write_text(HEAD + case.sources)
    data = str(Path("data.parquet").resolve()) if isinstance(case.data, str) else case.data[0]
    if isinstance(case.data, str):
        duckdb.sql(f"copy ({case.data}) to 'data.parquet'")
    else:
        Path(data).write_text(case.data[1])
    table, problem = output_of(command, "apply", "sources.toml", data, "--patterns")
    query, refusal = output_of(command, "apply", "sources.toml", data, f"--print-sql={dialect}")
    if query is None:
        return ("refused", "") if refusal else ("WRONG", "refused without a reason")
    try:
        found = sorted(run(query))
    except Exception as error:  # Engines raise errors of their own.
        if table is None:
            return "both fail", ""
        return "WRONG", f"the query fails: {str(error).splitlines()[0]}"
    if table is None:
        return "WRONG", f"apply fails ({problem}), the query gives {found}"
    expected = sorted(tuple(row) for row in list(csv.reader(io.StringIO(table)))[1:])
    return ("same", "") if found == expected else ("WRONG", f"apply gives {expected}, the query {found}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("consilience")
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--regexes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    command = str(Path(asked.consilience).resolve())
    rng = random.Random(asked.seed)
    cases = [*fixed_cases(), *random_cases(rng, asked.regexes)]
    engines: list[tuple[str, list[Case], Callable[[str], Patterns]]] = [("duckdb", [*cases, *file_cases()], in_duckdb)]
    if asked.spark:
        engines.append(("spark", cases, in_spark()))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for dialect, chosen, run in engines:
            counts: collections.Counter[str] = collections.Counter()
            for case in chosen:
                kind, detail = verdict(command, case, dialect, run)
                counts[kind] += 1
                if kind == "WRONG":
                    print(f"{dialect}: {case.name}: {detail}", flush=True)
            wrong += counts["WRONG"]
            print(f"{dialect}: {len(chosen)} cases: {', '.join(f'{count} {kind}' for kind, count in counts.most_common())}")
        os.chdir("/")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
