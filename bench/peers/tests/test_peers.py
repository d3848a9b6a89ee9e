"""The panels, the scoring and the documents; none of it needs the peers or a network."""

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import board
import docs
import measure
import models
import panels
import tables
from runner import Runs


@pytest.mark.parametrize("kind", panels.KINDS)
def test_panels_are_as_they_say(kind):
    panel = panels.simulate(kind, 20_000, 10, seed=3)
    assert panel.votes.shape == (20_000, 10)
    assert (panel.votes >= 0).any(axis=1).all()
    original, copies = panel.votes[:, 4], panel.votes[:, 5:]
    both = (original >= 0)[:, None] & (copies >= 0)
    agree = (copies == original[:, None])[both].mean()
    expected = {"independent": None, "copied": 1.0, "noisy copies": 0.8}[kind]
    if expected is None:
        assert agree < 0.7
    else:
        assert agree == pytest.approx(expected, abs=0.01)
        assert ((original >= 0)[:, None] == (copies >= 0)).all()
        right = (original == panel.truth)[original >= 0].mean()
        assert right == pytest.approx(0.5, abs=0.02)


def test_the_oracle_is_as_good_as_can_be():
    """By enumeration: with known accuracies the best rule's accuracy is the mean of the larger posterior."""
    panel = panels.simulate("independent", 60_000, 6, seed=1)
    voted = panel.votes >= 0
    accuracies = [(panel.votes == panel.truth[:, None])[voted[:, j], j].mean() for j in range(6)]
    one = np.ones(60_000)
    zero = np.ones(60_000)
    for j, a in enumerate(accuracies):
        one *= np.where(voted[:, j], np.where(panel.votes[:, j] == 1, a, 1 - a), 1)
        zero *= np.where(voted[:, j], np.where(panel.votes[:, j] == 0, a, 1 - a), 1)
    assert panel.oracle_accuracy == pytest.approx((np.maximum(one, zero) / (one + zero)).mean(), abs=0.006)


def test_panels_do_not_change():
    """Results of one version can be held beside another's."""
    first, second = (panels.simulate("noisy copies", 500, 12, seed=9) for _ in range(2))
    assert (first.votes == second.votes).all()
    assert (panels.simulate("noisy copies", 500, 12, seed=8).votes != first.votes).any()


def test_ties_count_in_part():
    probabilities = np.array([[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]])
    assert measure.accuracy(probabilities, np.array([0, 1, 1])) == pytest.approx((0.5 + 1 + 0) / 3)


def test_scores_by_hand():
    table = board.Table("t", 2, "f1", np.array([[1], [1], [0], [-1]]), np.array([1, 0, 1, 1]))
    rows = np.array([[0.2, 0.8], [0.4, 0.6], [0.7, 0.3], [0.5, 0.5]])
    found = board.score(table, rows, np.array([True, True, True, False]))
    assert found["score"] == pytest.approx(100 * 2 * 1 / (2 + 2))
    assert found["log_loss"] == pytest.approx(-(np.log(0.8) + np.log(0.4) + np.log(0.3)) / 3)


def test_labels_are_in_the_order_of_the_votes(tmp_path):
    rows = np.array([[0.25, 0.75], [0.5, 0.5]])
    taken = {"seconds": 1.5, "peak_bytes": 7, "version": "1", "processor_seconds": 1}
    board._write_labels(tmp_path / "t", "snorkel", rows, np.array([True, False]), taken)
    assert (tmp_path / "t" / "snorkel.csv").read_text() == "item,label,confidence,p_0,p_1\n0,1,0.75,0.25,0.75\n1,,0.5,0.5,0.5\n"
    assert json.loads((tmp_path / "t" / "snorkel.json").read_text()) == {"seconds": 1.5, "peak_bytes": 7, "version": "1"}


def test_runs_go_on_where_they_were(tmp_path):
    runs = Runs(tmp_path / "runs.csv", ("model", "repeat", "seconds"))
    runs.add({"model": "a", "repeat": 0, "seconds": 0.25})
    again = Runs(tmp_path / "runs.csv", ("model", "repeat", "seconds"))
    assert again.find(model="a", repeat=0) == [{"model": "a", "repeat": "0", "seconds": "0.25"}]
    assert not again.find(model="a", repeat=1)


def test_titles_are_those_of_the_models():
    assert {name: model.title for name, model in models.MODELS.items()} == tables.TITLES
    assert {name: model.package for name, model in models.MODELS.items()} == tables.PACKAGES


RESULTS = docs.ROOT / docs.RESULTS


def test_documents_say_what_the_results_say():
    results = tables.Results(RESULTS)
    for name in docs.DOCUMENTS:
        text = (docs.ROOT / name).read_text()
        assert docs.filled(text, results) == text, f"{name} differs from {docs.RESULTS}; run: python bench/peers/docs.py"


def test_the_judges_picture_is_what_the_model_says():
    consilience = pytest.importorskip("consilience")
    pytest.importorskip("matplotlib")
    sys.path.insert(0, str(docs.ROOT / "docs/pictures"))
    import judges_panel

    kept = json.loads((docs.ROOT / "docs/pictures/judges-panel.json").read_text())
    truth, matrix = judges_panel.panel()
    votes = consilience.Votes(matrix, sources=judges_panel.JUDGES, classes=2)
    for name, dependencies in (("independent", "independent"), ("default", "auto")):
        found = judges_panel.fitted(dependencies, truth, votes)
        assert round(found["right"], 2) == round(kept[name]["right"], 2), "run: make pictures"
        assert {tuple(link[:2]) for link in found["repeats"]} == {tuple(link[:2]) for link in kept[name]["repeats"]}


def test_drift_is_seen(tmp_path):
    """A changed time in the results changes the table."""
    for file in ("machine.json", "runs.csv"):
        (tmp_path / file).write_bytes((RESULTS / file).read_bytes())
    before = tables.speed(tables.Results(tmp_path))
    with (tmp_path / "runs.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        if row["model"] == "consilience" and row["outcome"] == "done":
            row["processor_seconds"] = str(2 * float(row["processor_seconds"]))
    with (tmp_path / "runs.csv").open("w", newline="") as lines:
        writer = csv.DictWriter(lines, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    assert tables.speed(tables.Results(tmp_path)) != before
