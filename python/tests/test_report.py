"""The report of a table."""

import json

import numpy as np
import pytest

import consilience
from consilience import Report, errors
from consilience.labeling import LFAnalysis

RNG = np.random.default_rng(4)
L = RNG.integers(-1, 3, (200, 6))
Y = RNG.integers(0, 3, 200)


def test_it_says_what_the_analysis_of_labeling_functions_says():
    report, analysis = Report(L, gold=Y).data, LFAnalysis(L)
    assert report["coverage"] == analysis.label_coverage()
    assert report["overlaps"] == analysis.label_overlap()
    assert report["conflicts"] == analysis.label_conflict()
    for key, values in (
        ("coverage", analysis.lf_coverages()),
        ("overlaps", analysis.lf_overlaps()),
        ("conflicts", analysis.lf_conflicts()),
    ):
        np.testing.assert_allclose([source[key] for source in report["sources"]], values)
    np.testing.assert_allclose(
        [source["gold"]["accuracy"] for source in report["sources"]], analysis.lf_empirical_accuracies(Y)
    )


def test_tables_and_notebooks():
    frame = Report(L, gold=Y).to_pandas()
    assert frame.index.tolist() == [f"s{j}" for j in range(6)]
    assert "accuracy" in frame
    assert "accuracy" not in Report(L).to_pandas()
    assert "Accuracy" in Report(L, gold=Y)._repr_html_()
    assert "Accuracy" not in Report(L)._repr_html_()
    assert repr(Report(L)).startswith("Report(200 items, 6 sources, coverage ")


def test_gold_is_checked():
    unknown = Y.astype(object)
    unknown[:10] = None
    assert Report(L, gold=unknown).data["items_with_gold"] == 190
    with pytest.raises(errors.GoldLengthError, match="200 items"):
        Report(L, gold=Y[:50])
    with pytest.raises(errors.UndeclaredVoteError, match="gold label 9"):
        Report(L, gold=[9] * 200)


def copied():
    """A panel whose last source copies the first."""
    truth = RNG.integers(0, 2, 400)
    votes = np.where(RNG.random((400, 7)) < 0.8, truth[:, None], 1 - truth[:, None])
    votes[:, 6] = votes[:, 0]
    return votes, truth


def test_the_page_shows_what_the_data_says(tmp_path):
    votes, truth = copied()
    found = consilience.report(votes, gold=truth, title="<b>panel")
    assert [sorted(link["sources"]) for link in found.data["links"] if link["kind"] == "copy"] == [[0, 6]]
    assert "certificate" not in found.data
    page = found.to_html()
    assert "&lt;b&gt;panel" in page
    assert "<b>panel" not in page
    assert found._repr_html_().startswith("<iframe")
    assert "<!DOCTYPE" not in found._repr_html_()
    for name in ("report.html", "report.md", "report.json"):
        found.save(tmp_path / name)
    assert (tmp_path / "report.html").read_text() == page
    assert (tmp_path / "report.md").read_text() == found.to_markdown()
    assert json.loads((tmp_path / "report.json").read_text()) == found.data
    with pytest.raises(errors.ConsilienceError, match=r"\.html, \.md or \.json"):
        found.save(tmp_path / "report.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.json", "report.md"]


def test_answers_bring_a_certificate_and_a_structure_is_used():
    votes, truth = copied()
    answers = np.where(np.arange(400) % 8 == 0, truth, -1)
    found = consilience.report(votes, answers=answers)
    assert found.data["certificate"]["answers"] == 50
    names = consilience.Votes(votes).sources
    alone = consilience.Structure(names, ["0", "1"], [])
    assert consilience.report(votes, structure=alone).data["links"] == []
    with pytest.raises(errors.OtherSourcesError):
        consilience.report(votes, structure=consilience.Structure(["a", "b"], ["0", "1"], []))
