"""The tutorials run, and come to what they say; their tables are those that the script beside them makes."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "tutorials"

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def run(script, *arguments):
    command = [sys.executable, str(FOLDER / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def number(said, name, column=-1):
    line = next(line for line in said.splitlines() if line.strip().startswith(name))
    return float(re.findall(r"\d+\.\d+", line)[column])


@pytest.mark.parametrize("name", ["spam", "judges", "crowd"])
def test_tutorials(name, tmp_path):
    said = run(f"{name}.py", tmp_path)
    picture = (tmp_path / f"{name}.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert (FOLDER / "pictures" / f"{name}.png").exists()
    if name == "spam":
        assert "subscribe repeats channel" in said
        assert number(said, "accuracy", 0) > number(said, "accuracy", 1)
    elif name == "judges":
        pairs = re.findall(r"(\S+) - (\S+)", said)
        assert sorted(pairs) == [
            ("atlas-large", "atlas-large-strict"),
            ("atlas-large", "atlas-small"),
            ("cinder", "cinder-chat"),
        ]
        assert number(said, "learned structure", 0) > number(said, "majority vote", 0)
        assert number(said, "repeats count once") < number(said, "independent judges")
    else:
        assert sorted(re.findall(r"volunteer-\d+", said)) == ["volunteer-03", "volunteer-11", "volunteer-19"]
        assert number(said, "Dawid") > number(said, "majority")


def test_tutorials_are_typed(tmp_path):
    """A strict type checker finds nothing in them: what `apply` and `predict` return follows from how they are called."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    scripts = sorted(map(str, FOLDER.glob("*.py")))
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *scripts]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert found.stdout == f"Success: no issues found in {len(scripts)} source files\n"


def test_the_guides_curve(tmp_path):
    """With answers the labels get better, and better than without any."""
    run("../guides/fifty_labels.py", tmp_path, 3)
    assert (tmp_path / "fifty-labels.png").read_bytes().startswith(b"\x89PNG")
    found = json.loads((tmp_path / "fifty-labels.json").read_text())
    (_, before), means = found["none"], {count: point["mean"] for count, point in found["answers"].items()}
    assert means["200"][1] < means["50"][1] < means["10"][1] < before
    assert (FOLDER.parent / "guides" / "fifty-labels.png").exists()


def test_the_guides_table_is_made_by_its_script(tmp_path):
    run("../guides/data/make.py", tmp_path)
    for name in ("tickets.csv", "tickets-gold.csv"):
        assert (tmp_path / name).read_bytes() == (FOLDER.parent / "guides" / "data" / name).read_bytes()


def test_tables_are_made_by_their_script(tmp_path):
    run("data/make.py", tmp_path)
    tables = sorted(tmp_path.glob("*.csv"))
    assert len(tables) == 6
    for table in tables:
        assert table.read_bytes() == (FOLDER / "data" / table.name).read_bytes()
