"""The blocks of the README files run as they are printed."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def blocks(page):
    """Give the indented blocks of a page that are Python."""
    found = re.findall(r"(?:^(?:    .*)?\n)+", page.read_text(encoding="utf-8"), re.MULTILINE)
    texts = ["\n".join(line[4:] for line in block.splitlines()).strip() for block in found]
    return [text for text in texts if re.search(r"^(import|from) ", text, re.MULTILINE)]


@pytest.mark.parametrize("name", ["README.md", "python/README.md"])
def test_blocks_run_as_printed(name, monkeypatch, capsys):
    pytest.importorskip("pandas")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    monkeypatch.chdir(ROOT)
    page = blocks(ROOT / name)
    assert page, f"{name} has no block of Python"
    space = {}
    for block in page:
        exec(compile(block, name, "exec"), space)
    assert "probabilities" in space
    if name == "README.md":
        right = {words[0]: float(words[1]) for words in map(str.split, capsys.readouterr().out.splitlines())}
        drawn = json.loads((ROOT / "docs" / "pictures" / "judges-panel.json").read_text(encoding="utf-8"))
        picture = {
            "majority": drawn["majority"],
            "independent": drawn["independent"]["right"],
            "structure": drawn["default"]["right"],
        }
        assert {name: round(share, 2) for name, share in right.items()} == {
            name: round(share, 2) for name, share in picture.items()
        }


def test_the_page_about_labels_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (block,) = blocks(ROOT / "docs" / "labels.md")
    space = {}
    exec(compile(block, "labels.md", "exec"), space)
    assert (tmp_path / "model.json").exists()
    said = capsys.readouterr().out
    assert "independent sources" in said
    assert "Labels that differ" in said
