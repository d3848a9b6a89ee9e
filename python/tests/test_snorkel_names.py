"""docs/snorkel.md lists the public names of Snorkel 0.10: counterparts exist, and what has none says so when imported."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "snorkel.md"
ROWS = re.findall(r"^\| `(snorkel[\w.]+)` \| (.+) \|$", PAGE.read_text(), re.MULTILINE)


def imported(name):
    """Import the name as a script does: `from module import name`."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def test_the_page_lists_every_name():
    names = [name for name, _ in ROWS]
    assert len(names) == len(set(names)) == 143
    assert {name.split(".")[1] for name in names if name.count(".") > 1} == {
        "analysis", "augmentation", "classification", "labeling", "map", "preprocess", "slicing", "synthetic", "types", "utils",
        "version",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "here"), ROWS)
def test_counterparts_exist(name, here):
    named = re.fullmatch(r"`(consilience[\w.]+)`", here)
    if named:
        assert imported(named[1]) is not None
        # Under the same path, so that only the import changes.
        if not named[1].endswith("__version__"):
            assert named[1] == name.replace("snorkel", "consilience", 1)
        return
    assert re.fullmatch(r"none: \S.+", here)
    for written in re.findall(r"`(consilience\.[\w.]+)`", here):
        assert pkgutil.resolve_name(written) is not None


@pytest.mark.parametrize("name", [name for name, here in ROWS if "torch" in here])
def test_what_needs_torch_says_so_in_one_line(name):
    with pytest.raises(ImportError) as raised:
        imported(name.replace("snorkel", "consilience", 1))
    said = str(raised.value)
    assert "needs torch and is not part of consilience; " in said
    assert "docs/snorkel.md" in said
    assert "\n" not in said


def test_contrib_and_unknown_names():
    with pytest.raises(ImportError, match=r"snorkel.contrib of 0.10 is empty"):
        importlib.import_module("consilience.contrib")
    slicing = importlib.import_module("consilience.slicing")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        slicing.nothing  # noqa: B018
