"""Runs public label models and ours on the same data in the same run.

    python bench/peers [--quick] [--output DIR] [--home DIR] [--cores 1] [--data DIR] [--only speed,board,appliers]

`make peers` is the same. What was interrupted goes on where it was when it is started again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from environment import HERE, ROOT, Environment, say

PARTS = ("speed", "board", "appliers")
GIGABYTE = 10**9


def main() -> None:
    """Run what was asked for."""
    args = _arguments()
    environment = Environment(args.home.resolve())
    if not args.inside:
        environment.make()
        for package, state in environment.packages.items():
            say(f"{package} {state['version']}" if "version" in state else f"{package} is skipped: {state['skipped']}")
        # The rest needs numpy and matplotlib, which the environment has.
        raise SystemExit(subprocess.run([str(environment.python), "-B", str(HERE), *sys.argv[1:], "--inside"]).returncode)
    _measure(args, environment)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="peers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, to try it")
    parser.add_argument("--output", type=Path, default=Path("peers-output"), help="folder for the results (peers-output)")
    parser.add_argument("--home", type=Path, required=True, help="folder for the environment, outside the checkout")
    parser.add_argument("--cores", default=str(max(os.sched_getaffinity(0))), help="cores that models run on (the last one)")
    parser.add_argument("--data", type=Path, help="folder of vote tables with gold; without it that part is left out")
    parser.add_argument("--only", default=",".join(PARTS), help="parts to run, with commas between (all)")
    parser.add_argument("--seconds", type=float, default=120, help="limit of a run on the processor (120)")
    parser.add_argument("--gigabytes", type=float, default=12, help="limit of a run's memory (12, or what is free)")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if unknown := set(args.only.split(",")) - set(PARTS):
        parser.error(f"--only knows {', '.join(PARTS)}, but not {', '.join(sorted(unknown))}")
    if args.home.resolve().is_relative_to(ROOT):
        parser.error(f"--home {args.home} is inside the checkout; give a folder outside")
    if args.data and not args.data.is_dir():
        say(f"{args.data} is not a folder: real vote tables are left out")
        args.data = None
    return args


def _measure(args: argparse.Namespace, environment: Environment) -> None:
    import appliers
    import board
    import plots
    import speed
    import tables
    from runner import Limits, Machine, available_bytes

    parts = args.only.split(",")
    args.output.mkdir(parents=True, exist_ok=True)
    machine = Machine.here(args.cores)
    everything = Machine.here("all")
    limits = Limits(args.seconds, min(int(args.gigabytes * GIGABYTE), int(available_bytes() * 0.8)))
    started = time.monotonic()
    _note(args, environment, machine, limits)
    if "appliers" in parts:
        items, repeats = (5_000, 2) if args.quick else (100_000, 3)
        appliers.measure(environment, everything, limits, items, repeats, args.output / "appliers.csv")
    if "board" in parts and args.data:
        names = ["crowd_bluebird", "youtube"] if args.quick else []
        board.measure(environment, machine, limits, args.data, names, args.output / "board.csv", args.output / "labels")
    if "speed" in parts:
        sizes = speed.QUICK if args.quick else speed.FULL
        speed.measure(environment, machine, limits, sizes, args.output / "runs.csv")
    (args.output / "peers.md").write_text(tables.page(args.output))
    plots.draw(args.output)
    minutes, worked = (time.monotonic() - started) / 60, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = (worked.ru_utime + worked.ru_stime) / 60
    say(f"wrote {args.output} in {minutes:.0f} minutes ({processor:.0f} on the processor)")


def _note(args: argparse.Namespace, environment: Environment, machine: object, limits: object) -> None:
    """Write down where and with what runs are made; results of other versions are not mixed."""
    file = args.output / "machine.json"
    about = {
        "quick": args.quick,
        "packages": environment.packages,
        "limits": {"seconds": limits.seconds, "gigabytes": round(limits.bytes / GIGABYTE, 1)},
        "machine": machine.about,
    }
    if file.is_file():
        before = json.loads(file.read_text())
        for name, what in (("quick", "sizes (--quick)"), ("packages", "versions of packages")):
            if before[name] != about[name]:
                raise SystemExit(f"{args.output} has runs with other {what}; give another --output, or remove it")
        for name in ("processor", "cores pinned"):
            if before["machine"][name] != about["machine"][name]:
                raise SystemExit(f"{args.output} has runs with another {name}; give another --output, or remove it")
        say(f"{args.output} has runs already: going on from there")
        return
    file.write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
