"""Starts measured processes: pinned to cores, within limits of time and memory, one at a time; and keeps what came out."""

from __future__ import annotations

import csv
import json
import os
import platform
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from environment import Environment, last_line


#: A run may wait for the processor this many times as long as it may work, where others use the machine too.
PATIENCE = 20


@dataclass(frozen=True)
class Limits:
    """What a run may take; the seconds are those on the processor."""

    seconds: float
    bytes: int


@dataclass
class Machine:
    """Where runs are made, as it was found at the start."""

    cores: list[int]
    about: dict[str, object] = field(default_factory=dict)

    @classmethod
    def here(cls, cores: str) -> Machine:
        """Describe this machine; runs will be pinned to `cores`, or to all where it says "all"."""
        present = sorted(os.sched_getaffinity(0))
        try:
            wanted = present if cores == "all" else [int(core) for core in cores.split(",")]
        except ValueError:
            raise SystemExit(f"--cores must be core numbers with commas between, or all, but is {cores!r}") from None
        if missing := set(wanted) - set(present):
            raise SystemExit(f"--cores: this machine has no core {min(missing)}; it has {', '.join(map(str, present))}")
        about = {
            "processor": _line_of("/proc/cpuinfo", "model name"),
            "cores of the machine": len(present),
            "cores pinned": ",".join(map(str, wanted)),
            "memory in GB": round(int(_line_of("/proc/meminfo", "MemTotal").split()[0]) / 1e6, 1),
            "system": f"{platform.system()} {platform.release()}",
            "python": platform.python_version(),
            "load at start": [round(load, 2) for load in os.getloadavg()],
            "started": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
        }
        return cls(wanted, about)


def _line_of(file: str, name: str) -> str:
    for line in Path(file).read_text().splitlines():
        if line.startswith(name):
            return line.split(":", 1)[1].strip()
    return "unknown"


def available_bytes() -> int:
    """How much memory can be taken without harm to others."""
    return int(_line_of("/proc/meminfo", "MemAvailable").split()[0]) * 1024


def run(environment: Environment, machine: Machine, limits: Limits, script: Path, arguments: list[object]) -> str:
    """Run a script to its end; give what stopped it ("over time", "over memory", last words), or nothing if it went well."""
    pinned = ["taskset", "--cpu-list", ",".join(map(str, machine.cores))]
    command = [*pinned, str(environment.python), "-B", str(script), *map(str, arguments)]
    quiet = {**os.environ, "TQDM_DISABLE": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=quiet, cwd=environment.home)
        stopped = _wait(child, limits)
        if stopped or child.returncode == 0:
            return stopped
        errors.seek(0)
        return f"failed: {last_line(errors.read())}"


def _wait(child: subprocess.Popen, limits: Limits) -> str:
    """Wait for the end, or make one where a limit is passed. The limit of time has room for loading packages and votes."""
    deadline = time.monotonic() + PATIENCE * limits.seconds
    stopped = ""
    while True:
        try:
            child.wait(timeout=0.05)
            return stopped
        except subprocess.TimeoutExpired:
            if _worked(child.pid) > limits.seconds + 15 or time.monotonic() > deadline:
                stopped = "over time"
            elif _resident(child.pid) > limits.bytes:
                stopped = "over memory"
            if stopped:
                child.kill()


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _worked(pid: int) -> float:
    """Seconds on the processor, of all threads."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0.0
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


class Runs:
    """A table of single runs that is written line by line, so that what was interrupted goes on where it was."""

    def __init__(self, file: Path, columns: tuple[str, ...]) -> None:
        self.file, self.columns = file, columns
        self.rows: list[dict[str, str]] = []
        if file.is_file():
            with file.open(newline="") as lines:
                self.rows = list(csv.DictReader(lines))
        else:
            with file.open("w", newline="") as lines:
                csv.writer(lines, lineterminator="\n").writerow(columns)

    def add(self, row: dict[str, object]) -> None:
        """Add a run and write it down."""
        text = {name: _text(row.get(name, "")) for name in self.columns}
        self.rows.append(text)
        with self.file.open("a", newline="") as lines:
            csv.DictWriter(lines, self.columns, lineterminator="\n").writerow(text)

    def find(self, **wanted: object) -> list[dict[str, str]]:
        """The runs that have these values."""
        return [row for row in self.rows if all(row[name] == _text(value) for name, value in wanted.items())]


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def read_result(file: Path) -> dict[str, object]:
    """What a measured process wrote."""
    return json.loads(file.read_text())
