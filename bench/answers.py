"""What `--answers` costs, from file to file.

    python3 bench/answers.py [--tables 1000000x20,1000000x100,100000x50] [--answers 100] [--consilience target/release/consilience]

For each table, `consilience simulate` makes votes in Parquet, and a random sample of the items gets its true classes as answers.
Then `fit` and `label` run with and without `--answers`, one after the other, on one thread; the least of all rounds counts. Prints
the seconds of the processor without answers, with them, and what they add.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile


def processor_seconds(command: list[str]) -> float:
    """Run a command, and return its seconds of the processor."""
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return used.ru_utime + used.ru_stime


def write_answers(truth: pathlib.Path, count: int, file: pathlib.Path) -> None:
    """Write the true classes of a random sample of the items, which are named by their numbers."""
    known = json.loads(truth.read_text())
    items = sorted(random.Random(1).sample(range(len(known["labels"])), count))
    with file.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", "answer"])
        rows.writerows([item, known["labels"][item]] for item in items)


def main() -> None:
    """Measure all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="1000000x20,1000000x100,100000x50", help="items x sources, separated by commas")
    parser.add_argument("--answers", type=int, default=100, help="how many items have an answer")
    parser.add_argument("--rounds", type=int, default=5, help="how often each command runs")
    parser.add_argument("--consilience", default="target/release/consilience", help="the command, built for release")
    options = parser.parse_args()
    print("| items x sources | command | without answers | with | added |")
    print("|---|---|---|---|---|", flush=True)
    for table in options.tables.split(","):
        items, sources = table.split("x")
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            votes, truth, answers = place / "votes.parquet", place / "truth.json", place / "answers.csv"
            made = ["--sources", sources, "--items", items, "--abstain", "0.6", "--correct", "0.6..0.9", "--seed", "1"]
            simulate = [options.consilience, "--quiet", "simulate", *made, "-o", str(votes), "--truth", str(truth)]
            processor_seconds(simulate)
            write_answers(truth, options.answers, answers)
            for verb, output in (("fit", "model.json"), ("label", "labels.parquet")):
                plain = [options.consilience, "--quiet", "--threads", "1", verb, str(votes), "-o", str(place / output)]
                taught = [*plain, "--answers", str(answers)]
                rounds = [[processor_seconds(command) for command in (plain, taught)] for _ in range(options.rounds)]
                without, with_answers = (min(seconds) for seconds in zip(*rounds))
                added = f"{100 * (with_answers / without - 1):+.1f}%"
                print(f"| {table} | {verb} | {without:.3f} s | {with_answers:.3f} s | {added} |", flush=True)


if __name__ == "__main__":
    main()
