"""The report of a table."""

import numpy as np
import pytest

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
