"""Awkward tables as people have them: frames are read by the same rules as files.

The tables and what is expected of them are those of the Rust tests (crates/consilience-io/tests/corpus).
"""

import csv
import io
import warnings
from pathlib import Path

import pytest

import consilience

CORPUS = Path(__file__).parents[2] / "crates" / "consilience-io" / "tests" / "corpus"
OPTIONS = {"item": "item", "gold": "gold", "source": "keep", "ignore": "ignore", "classes": "classes", "abstain": "abstain"}


def cases():
    for path in (CORPUS / "long.txt", CORPUS / "wide.txt"):
        for part in path.read_text(encoding="utf-8").split("== ")[1:]:
            head, _, expected = part.partition("-- expected\n")
            settings, _, table = head.partition("-- table\n")
            title, *lines = settings.splitlines()
            said = dict(line.split(": ", 1) for line in lines)
            yield title, said, table, expected.strip().splitlines()


def frame_of(said, table):
    """Give the columns of a text table as texts; None where it is none that a program would have split."""
    options = said.get("options", "").split()
    if said.get("file", "").endswith("jsonl") or any(option.startswith("header") for option in options):
        return None
    text = table.replace(" -> ", "\t") if "tabs" in said.get("bytes", "") else table
    first = text.splitlines()[0]
    separator = max(",\t;|", key=first.count)
    rows = [row for row in csv.reader(io.StringIO(text.strip("\n")), delimiter=separator) if any(cell.strip() for cell in row)]
    if not first.count(separator) or any(len(row) != len(rows[0]) for row in rows):
        return None
    return {name.strip(): [row[j] or None for row in rows[1:]] for j, name in enumerate(rows[0])}


def settings_of(said):
    settings = {}
    columns = {}
    for option in said.get("options", "").split():
        name, _, value = option.partition("=")
        if name in ("long", "wide"):
            settings["long"] = name == "long"
        elif name in ("source_column", "vote_column"):
            columns[name.removesuffix("_column")] = value
        elif name == "model":
            settings.update(classes=value.split(","), _known=True)
        elif name in ("item", "gold"):
            settings[name] = value
        else:
            settings[OPTIONS[name]] = value.split(",")
    if columns:
        settings["columns"] = columns
    return settings


CASES = [case for case in cases() if frame_of(case[1], case[2]) is not None]


def test_there_are_enough():
    assert len(CASES) >= 60


def field(expected, name):
    found = next((line for line in expected if line.startswith(f"{name}: ")), None)
    return None if found is None else found[len(name) + 2 :].split(" | ")


def votes_of(votes):
    return [[votes.classes[number] if number >= 0 else "." for number in row] for row in votes.to_numpy().tolist()]


@pytest.mark.parametrize(("title", "said", "table", "expected"), CASES, ids=[case[0] for case in CASES])
def test_frames_of_texts_are_read_as_files_are(title, said, table, expected):
    frame, settings = frame_of(said, table), settings_of(said)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        if expected[0].startswith("refused: "):
            if "is the header missing" in expected[0] or "gold classes (" in expected[0]:
                pytest.skip("a dictionary says what its columns are called, and gold is not scored here")
            with pytest.raises((consilience.errors.ConsilienceError, TypeError)):
                consilience.Votes(frame, **settings)
            return
        votes = consilience.Votes(frame, **settings)
    assert votes.sources == field(expected, "sources")
    assert votes.classes == field(expected, "classes")
    if field(expected, "items")[0].startswith("rows "):
        assert votes.item_names is None
    else:
        assert votes.item_names == field(expected, "items")
    assert votes_of(votes) == [line[2:].split(" | ") for line in expected if line.startswith("> ")]
    if field(expected, "gold") is not None:
        assert ["." if gold is None else gold for gold in votes.gold] == field(expected, "gold")
    # Rows without cells never come here.
    told = [line[6:] for line in expected if line.startswith("note: ") and " blank row" not in line]
    assert len(votes.notes) == len(told)
    for note in told:
        assert any(ours.startswith(note) for ours in votes.notes), (note, votes.notes)
    assert [str(warning.message) for warning in warned] == [note for note in votes.notes if "never vote" not in note]


@pytest.mark.parametrize(("title", "said", "table", "expected"), CASES, ids=[case[0] for case in CASES])
def test_pandas_reads_the_same_tables(title, said, table, expected):
    pandas = pytest.importorskip("pandas")
    texts, settings = frame_of(said, table), settings_of(said)
    separator = max(",\t;|", key=table.splitlines()[0].count)
    if (
        "tabs" in said.get("bytes", "")
        or expected[0].startswith("refused: ")
        or "Unnamed" in table
        or separator == ";"
        or "none" in table
        or "two spellings of a number" in expected[-1]
    ):
        pytest.skip("pandas reads this in its own way")
    typed = pandas.read_csv(io.StringIO(table), sep=separator, skip_blank_lines=True).dropna(how="all")
    typed.columns = list(texts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        votes = consilience.Votes(typed, **settings)
    assert votes.sources == field(expected, "sources")
    truth = {"true": "1", "false": "0"}
    rows = [line[2:].split(" | ") for line in expected if line.startswith("> ")]
    lower = [[truth.get(cell.lower(), cell.lower()) for cell in row] for row in rows]
    assert [[truth.get(cell.lower(), cell.lower()) for cell in row] for row in votes_of(votes)] == lower
