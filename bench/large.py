"""Labels of tables with more distinct rows than are held at once: time, memory, and whether they grow with the rows.

    python3 bench/large.py [--rows 50000000,100000000] [--consilience target/release/consilience] [--folder FOLDER]

For each number of rows, `consilience simulate` makes votes of 20 sources in Parquet and `consilience label` goes from that file to
labels in Parquet. Prints one line per table: seconds on the wall, seconds of the processor, memory at the peak, rows per second,
and the time beside that of the table before. The files are removed as soon as they are measured; the largest take about 5 GB.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

# Few enough votes that rows repeat, many enough that a hundred million rows have more than four million different ones.
VOTES = ["--sources", "20", "--abstain", "0.7", "--correct", "0.6..0.9", "--seed", "1"]


def measured(command: list[str]) -> tuple[float, float, float]:
    """Run a command: seconds on the wall, of the processor, and gigabytes at the peak."""
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20


def main() -> None:
    """Measure all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="50000000,100000000", help="numbers of rows, separated by commas")
    parser.add_argument("--consilience", default="target/release/consilience", help="the command, built for release")
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="where the files go")
    options = parser.parse_args()
    print("| rows | wall | processor | peak | rows per second | time beside the table before |")
    print("|---|---|---|---|---|---|", flush=True)
    before = None
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        votes, labels = (str(pathlib.Path(folder) / name) for name in ("votes.parquet", "labels.parquet"))
        for rows in (int(rows) for rows in options.rows.split(",")):
            measured([options.consilience, "simulate", *VOTES, "--items", str(rows), "-o", votes])
            wall, processor, peak = measured([options.consilience, "label", votes, "-o", labels])
            ratio = f"{wall / before:.2f}" if before else ""
            before = wall
            line = f"| {rows:,} | {wall:.1f} s | {processor:.1f} s | {peak:.2f} GiB | {rows / wall:,.0f} | {ratio} |"
            print(line, flush=True)
            pathlib.Path(votes).unlink()
            pathlib.Path(labels).unlink()


if __name__ == "__main__":
    main()
