"""Analysis of labeling functions, metrics, scorers, buckets."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from consilience.analysis import Scorer, get_label_buckets, get_label_instances, metric_score
from consilience.analysis.metrics import METRICS
from consilience.labeling import LFAnalysis, labeling_function

# Columns: often and mostly right, sometimes, never, often and mostly wrong.
L = np.array(
    [
        [2, 1, -1, 0],
        [1, -1, -1, -1],
        [0, 0, -1, 0],
        [-1, 1, -1, 2],
        [-1, -1, -1, -1],
        [2, -1, -1, 2],
        [1, 1, -1, -1],
        [-1, -1, -1, 1],
    ]
)
Y = np.array([2, 1, 0, 1, 2, 0, 1, 2])
POLARITIES = [[0, 1, 2], [0, 1], [], [0, 1, 2]]
COVERAGES = np.array([5, 4, 0, 5]) / 8
OVERLAPS = np.array([4, 4, 0, 4]) / 8
CONFLICTS = np.array([1, 2, 0, 2]) / 8
ACCURACIES = [4 / 5, 3 / 4, 0, 1 / 5]


@pytest.fixture
def lfa():
    return LFAnalysis(L)


def test_table(lfa):
    assert lfa.label_coverage() == 7 / 8
    assert lfa.label_overlap() == 5 / 8
    assert lfa.label_conflict() == 2 / 8
    assert LFAnalysis(L[:4]).label_coverage() == 1


def test_functions(lfa):
    assert lfa.lf_polarities() == POLARITIES
    np.testing.assert_allclose(lfa.lf_coverages(), COVERAGES)
    np.testing.assert_allclose(lfa.lf_overlaps(), OVERLAPS)
    np.testing.assert_allclose(lfa.lf_overlaps(normalize_by_coverage=True), [4 / 5, 1, 0, 4 / 5])
    np.testing.assert_allclose(lfa.lf_conflicts(), CONFLICTS)
    np.testing.assert_allclose(lfa.lf_conflicts(normalize_by_overlaps=True), [1 / 4, 1 / 2, 0, 1 / 2])
    np.testing.assert_allclose(lfa.lf_empirical_accuracies(Y), ACCURACIES)


def test_empirical_probabilities(lfa):
    P = lfa.lf_empirical_probs(Y, 3)
    assert P.shape == (4, 4, 3)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    np.testing.assert_allclose(P[0, :, 1], [1 / 3, 0, 2 / 3, 0])
    np.testing.assert_allclose(P[2, :, 0], [1, 0, 0, 0])
    np.testing.assert_allclose(P[3, :, 2], [1 / 3, 1 / 3, 1 / 3, 0])
    assert np.isfinite(lfa.lf_empirical_probs(np.zeros(8), 3)).all()
    with pytest.raises(ValueError, match="only 2 classes"):
        lfa.lf_empirical_probs(Y, 2)


def test_summary(lfa):
    expected = pd.DataFrame({"Polarity": POLARITIES, "Coverage": COVERAGES, "Overlaps": OVERLAPS, "Conflicts": CONFLICTS})
    pd.testing.assert_frame_equal(lfa.lf_summary(), expected)
    expected["Correct"] = [4, 3, 0, 1]
    expected["Incorrect"] = [1, 1, 0, 4]
    expected["Emp. Acc."] = ACCURACIES
    pd.testing.assert_frame_equal(lfa.lf_summary(Y), expected)
    pd.testing.assert_frame_equal(lfa.lf_summary(Y.reshape(-1, 1)), expected)
    expected["Learned Weight"] = [0.9, 0.7, 0.5, 0.2]
    pd.testing.assert_frame_equal(lfa.lf_summary(Y, est_weights=[0.9, 0.7, 0.5, 0.2]), expected)


def test_summary_without_abstains():
    full = np.array([[0, 1], [1, 1], [1, 0]])
    summary = LFAnalysis(full).lf_summary(np.array([0, 1, 0]))
    assert summary["Correct"].tolist() == [2, 2]
    assert summary["Incorrect"].tolist() == [1, 1]


def test_summary_with_names():
    names = ["clerk", "nurse", "nobody", "rumour"]
    lfs = [labeling_function(name=name)(lambda x: -1) for name in names]
    summary = LFAnalysis(L, lfs).lf_summary(Y, est_weights=np.ones(4))
    assert summary.columns.tolist() == [
        "j", "Polarity", "Coverage", "Overlaps", "Conflicts", "Correct", "Incorrect", "Emp. Acc.", "Learned Weight"
    ]  # fmt: skip
    assert summary.index.tolist() == names
    assert summary["j"].tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match=r"Number of LFs \(3\) and number of LF matrix columns \(4\) are different"):
        LFAnalysis(L, lfs[:3])


def test_bad_matrices():
    for bad, message in (
        (np.array([[-2, 0]]), "-2 in row 0, column 0"),
        (np.array([0, 1]), "two dimensions"),
        ([[0, 1], [0]], "lengths"),
        (np.array([[0.5, 1]]), "whole numbers"),
        (np.array([[np.nan, 1]]), "whole numbers"),
        (np.array([["a", "b"]]), "whole numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            LFAnalysis(bad)
    with pytest.raises(ValueError, match="5 labels, but L has 8"):
        LFAnalysis(L).lf_empirical_accuracies(Y[:5])
    with pytest.raises(ValueError, match="est_weights"):
        LFAnalysis(L).lf_summary(est_weights=np.ones(3))


def test_empty_matrices_have_no_nan():
    empty = LFAnalysis(np.empty((0, 3), dtype=int))
    assert empty.label_coverage() == 0
    assert empty.lf_coverages().tolist() == [0, 0, 0]
    assert empty.lf_polarities() == [[], [], []]


def test_accuracy_and_filters():
    golds, preds = np.array([2, 2, 1, 0, 1, 0, 2, 1]), np.array([2, 1, 1, 0, 2, 0, -1, 1])
    assert metric_score(golds, preds) == 5 / 8
    assert metric_score(golds.tolist(), preds.reshape(-1, 1).astype(float)) == 5 / 8
    assert metric_score(golds, preds, filter_dict={"golds": [2]}) == pytest.approx(4 / 5)
    assert metric_score(golds, preds, filter_dict={"golds": [2], "preds": [2]}) == 1.0
    assert metric_score(golds, preds, metric="coverage") == 7 / 8
    assert metric_score(preds=[-1, -1, 2], metric="coverage") == pytest.approx(1 / 3)


def test_bad_metrics():
    golds = np.array([0, 1, 1])
    for arguments, message in (
        ({"metric": "best"}, r"provided \(best\) is not currently implemented; choose one of accuracy, "),
        ({"preds": None}, "accuracy requires access to preds"),
        ({"preds": [0, 1]}, "3 golds, but 2 preds"),
        ({"preds": [0, 0.5, 1]}, "whole numbers"),
        ({"preds": np.zeros((3, 2))}, "one column"),
        ({"filter_dict": {"labels": [0]}}, "must only include keys in .*, not labels"),
        ({"filter_dict": {"golds": [0, 1]}}, "nothing to score"),
        ({"metric": "roc_auc"}, "roc_auc requires access to probs"),
        ({"metric": "roc_auc", "probs": np.ones((3, 3)) / 3}, "only defined for binary problems"),
        ({"metric": "roc_auc", "probs": np.ones((3, 2)) / 2, "golds": [1, 1, 1]}, "one class only"),
        ({"metric": "roc_auc", "probs": np.ones((2, 2)) / 2}, "3 golds, but 2 rows"),
        ({"metric": "f1", "golds": [0, 1, 2]}, "Try f1_micro or f1_macro"),
        ({"metric": "precision", "golds": [0, 1, 2]}, "is for two classes"),
        ({"metric": "fbeta", "beta": -1}, "beta"),
        ({"metric": "f1", "average": "best"}, "average"),
    ):
        with pytest.raises(ValueError, match=message):
            metric_score(**{"golds": golds, "preds": golds, **arguments})


@settings(max_examples=150, deadline=None)
@given(
    st.integers(2, 4), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 20)), min_size=2, max_size=30)
)
def test_metrics_are_those_of_scikit_learn(k, rows):
    golds = np.array([a % k for a, _, _ in rows])
    preds = np.array([b % k for _, b, _ in rows])
    assert metric_score(golds, preds) == pytest.approx(sklearn.metrics.accuracy_score(golds, preds))
    assert metric_score(golds, preds, metric="matthews_corrcoef") == pytest.approx(
        sklearn.metrics.matthews_corrcoef(golds, preds)
    )
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for average in ("micro", "macro"):
            assert metric_score(golds, preds, metric=f"f1_{average}") == pytest.approx(
                sklearn.metrics.f1_score(golds, preds, average=average, zero_division=0)
            )
        for average in ("binary", "micro", "macro", "weighted"):
            if average == "binary" and (k > 2 or len(set(golds) | set(preds)) < 2):
                continue
            kwargs = {"average": average, "zero_division": 0}
            for metric, theirs in (
                ("precision", sklearn.metrics.precision_score),
                ("recall", sklearn.metrics.recall_score),
                ("f1", sklearn.metrics.f1_score),
            ):
                assert metric_score(golds, preds, metric=metric, average=average) == pytest.approx(
                    theirs(golds, preds, **kwargs)
                )
            assert metric_score(golds, preds, metric="fbeta", average=average, beta=0.5) == pytest.approx(
                sklearn.metrics.fbeta_score(golds, preds, beta=0.5, **kwargs)
            )
    if k == 2 and len(set(golds)) == 2:
        ones = np.array([p for _, _, p in rows]) / 20
        assert metric_score(golds, probs=np.stack([1 - ones, ones], 1), metric="roc_auc") == pytest.approx(
            sklearn.metrics.roc_auc_score(golds, ones)
        )


def test_undefined_scores_are_zero_with_a_warning():
    with pytest.warns(UserWarning, match="precision"):
        assert metric_score([1, 1, 0], [0, 0, 0], metric="precision") == 0.0
    assert metric_score([1, 0], [0, 1], metric="precision", pos_label=0) == 0.0


def test_scorer():
    golds, preds = np.array([1, 0, -1, 1, 0, 1]), np.array([1, 0, 0, -1, 1, 0])
    ones = np.array([0.8, 0.3, 0.2, 0.5, 0.7, 0.4])
    probs = np.stack([1 - ones, ones], 1)
    assert Scorer(metrics=["accuracy", "coverage", "f1"]).score(golds, preds, probs) == pytest.approx(
        {"accuracy": 1 / 2, "coverage": 5 / 6, "f1": 1 / 2}
    )
    for none_left_out in (None, 7):
        assert Scorer(metrics=["accuracy"], abstain_label=none_left_out).score(golds, preds) == {"accuracy": 1 / 3}
    own = Scorer(custom_metric_funcs={"mean_of_ones": lambda g, p, q: float(q[:, 1].mean())})
    assert own.score(golds, preds, probs) == {"mean_of_ones": pytest.approx(29 / 60)}
    assert set(Scorer(metrics=list(METRICS)[:4]).metrics) == set(list(METRICS)[:4])
    with pytest.raises(ValueError, match="Unrecognized metric: best; each must be one of accuracy, "):
        Scorer(metrics=["best"])
    with pytest.raises(ValueError, match="Cannot score empty labels"):
        Scorer(metrics=["accuracy"]).score([], [])


def test_slices():
    golds, preds = np.array([1, 1, 0, 0, 1]), np.array([1, 0, 0, 0, 1])
    probs = np.eye(2)[preds]
    S = np.rec.fromarrays([[1, 1, 0, 0, 0], [1, 0, 1, 1, 0], [0, 0, 0, 0, 0]], names=["short", "polite", "empty"])
    scores = Scorer(metrics=["accuracy"]).score_slices(S, golds, preds, probs)
    assert scores == {"overall": {"accuracy": 0.8}, "short": {"accuracy": 0.5}, "polite": {"accuracy": 1.0}, "empty": {}}
    frame = Scorer(metrics=["accuracy"]).score_slices(S, golds, preds, probs, as_dataframe=True)
    assert frame.loc["short", "accuracy"] == 0.5
    with pytest.raises(ValueError, match="S has 5 and there are 3 golds, 5 preds, 5 probs"):
        Scorer(metrics=["accuracy"]).score_slices(S, golds[:3], preds, probs)


def test_buckets():
    gold, found = np.array([0, 2, 0, 1, 0]), np.array([0, 2, 1, 1, 1])
    buckets = get_label_buckets(gold, found)
    assert {key: value.tolist() for key, value in buckets.items()} == {(0, 0): [0], (2, 2): [1], (0, 1): [2, 4], (1, 1): [3]}
    one = get_label_buckets(gold.reshape(-1, 1))
    assert {key: value.tolist() for key, value in one.items()} == {(0,): [0, 2, 4], (2,): [1], (1,): [3]}
    with pytest.raises(ValueError, match="have 5, 3"):
        get_label_buckets(gold, found[:3])
    features = np.arange(10).reshape(5, 2)
    np.testing.assert_array_equal(get_label_instances((0, 1), features, gold, found), [[4, 5], [8, 9]])
    assert get_label_instances((1, 2), features, gold, found).shape == (0,)
    frame = pd.DataFrame({"name": list("abcde")})
    assert get_label_instances((0,), frame, gold).name.tolist() == ["a", "c", "e"]
    with pytest.raises(ValueError, match="Number of lists must match"):
        get_label_instances((2,), features, gold, found)
    with pytest.raises(ValueError, match="rows in x does not match .*: 3 and 5"):
        get_label_instances((2, 1), features[:3], gold, found)


def test_items_of_a_function_are_not_needed():
    assert LFAnalysis(L, [SimpleNamespace(name=str(j)) for j in range(4)]).lf_summary().index[0] == "0"
