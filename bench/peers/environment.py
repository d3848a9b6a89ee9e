"""Sets up the peers from their packages and builds our own wheel, in an environment outside the checkout.

Packages come from whatever index pip is set up with, by name, pinned in `requirements`. A package that cannot be installed, or
that does not get through a small table of votes, is left out and the reason is kept: it gets no number. The environment is
made again where the interpreter or the requirements have changed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REQUIREMENTS = HERE / "requirements"
#: Each has a file of its own in `requirements`.
PEERS = ("snorkel", "crowd-kit", "hyperlm", "skweak")
#: A package that takes longer than this is left out.
INSTALL_SECONDS = 1800


class Environment:
    """A folder with an interpreter that has the packages."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.python = home / "venv" / "bin" / "python"
        self.state_file = home / "environment.json"

    @property
    def packages(self) -> dict[str, dict[str, str]]:
        """What each package is: its version, or why it was left out."""
        return json.loads(self.state_file.read_text())["packages"] if self.state_file.is_file() else {}

    def make(self) -> None:
        """Install what is not installed yet, and our wheel as the checkout has it now."""
        stamp = hashlib.sha256(sys.version.encode())
        for file in sorted(REQUIREMENTS.glob("*.txt")):
            stamp.update(file.read_bytes())
        state = json.loads(self.state_file.read_text()) if self.state_file.is_file() else {}
        if state.get("stamp") != stamp.hexdigest() or not self.python.is_file():
            shutil.rmtree(self.home / "venv", ignore_errors=True)
            self.home.mkdir(parents=True, exist_ok=True)
            _run([sys.executable, "-m", "venv", str(self.home / "venv")])
            state = {"stamp": stamp.hexdigest(), "packages": {}}
        self._install_ours(state)
        for peer in PEERS:
            if "version" not in state["packages"].get(peer, {}):
                state["packages"][peer] = self._install(peer)
                self._keep(state)
        self._keep(state)

    def _keep(self, state: dict) -> None:
        self.state_file.write_text(json.dumps(state, indent=1) + "\n")

    def _install_ours(self, state: dict) -> None:
        say("building Consilience's wheel, optimised")
        self._pip("-r", REQUIREMENTS / "ours.txt")
        wheels = self.home / "wheel"
        shutil.rmtree(wheels, ignore_errors=True)
        maturin = [str(self.python.parent / "maturin"), "build", "--quiet", "--release", "--locked"]
        _run([*maturin, "--out", str(wheels), "--interpreter", str(self.python)], cwd=ROOT / "python")
        self._pip("--force-reinstall", "--no-deps", *wheels.glob("*.whl"))
        state["packages"]["consilience"] = {**self._try("consilience"), "build": self._build()}
        self._keep(state)
        if "skipped" in state["packages"]["consilience"]:
            raise SystemExit(f"our own wheel does not work: {state['packages']['consilience']['skipped']}")

    def _build(self) -> str:
        """Name what was compiled, so that runs of two builds are not mixed."""
        compiled = next(self.home.glob("venv/lib/*/site-packages/consilience/_core*"))
        return hashlib.sha256(compiled.read_bytes()).hexdigest()[:12]

    def _install(self, peer: str) -> dict[str, str]:
        say(f"installing {peer}")
        try:
            self._pip("-r", REQUIREMENTS / f"{peer}.txt", timeout=INSTALL_SECONDS)
        except subprocess.TimeoutExpired:
            return {"skipped": f"not installed within {INSTALL_SECONDS} s"}
        except subprocess.CalledProcessError as error:
            return {"skipped": f"cannot be installed: {last_line(error.stderr)}"}
        return self._try(peer)

    def _try(self, package: str) -> dict[str, str]:
        """Run the package's models on a small table."""
        ran = subprocess.run(
            [str(self.python), "-B", str(HERE / "try_package.py"), package], capture_output=True, text=True, cwd=self.home
        )
        if ran.returncode:
            return {"skipped": f"does not run: {last_line(ran.stderr)}"}
        return {"version": ran.stdout.split()[-1]}

    def _pip(self, *arguments: object, timeout: float | None = None) -> None:
        command = [str(self.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*command, "-c", str(REQUIREMENTS / "constraints.txt"), *map(str, arguments)], timeout=timeout)


def _run(command: list[str], **options: object) -> None:
    subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload]


def last_line(text: str) -> str:
    """Give the last line of a program's last words that names an error, or the last one at all."""
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    wrong = [line for line in lines if "rror" in line]
    return (wrong or lines or ["no reason given"])[-1]


def say(text: str) -> None:
    """Tell how far things are."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)
