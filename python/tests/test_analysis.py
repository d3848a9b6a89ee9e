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

L = np.array(
    [
        [-1, -1, 0, -1, 0, 0],
        [-1, -1, -1, 2, -1, 0],
        [1, -1, -1, 0, -1, -1],
        [2, -1, 0, -1, -1, -1],
        [-1, -1, -1, -1, 0, -1],
        [0, -1, 0, 1, -1, 0],
    ]
)
Y = np.array([0, 1, 2, 0, 0, 0])


@pytest.fixture
def lfa():
    return LFAnalysis(L)


def test_table(lfa):
    assert lfa.label_coverage() == 1.0
    assert lfa.label_overlap() == pytest.approx(5 / 6)
    assert lfa.label_conflict() == pytest.approx(4 / 6)
    assert LFAnalysis(np.array([[-1, -1], [0, 0]])).label_coverage() == 0.5


def test_functions(lfa):
    assert lfa.lf_polarities() == [[0, 1, 2], [], [0], [0, 1, 2], [0], [0]]
    np.testing.assert_allclose(lfa.lf_coverages(), np.array([3, 0, 3, 3, 2, 3]) / 6)
    np.testing.assert_allclose(lfa.lf_overlaps(), np.array([3, 0, 3, 3, 1, 3]) / 6)
    np.testing.assert_allclose(lfa.lf_overlaps(normalize_by_coverage=True), [1, 0, 1, 1, 0.5, 1])
    np.testing.assert_allclose(lfa.lf_conflicts(), np.array([3, 0, 2, 3, 0, 2]) / 6)
    np.testing.assert_allclose(lfa.lf_conflicts(normalize_by_overlaps=True), [1, 0, 2 / 3, 1, 0, 2 / 3])
    np.testing.assert_allclose(lfa.lf_empirical_accuracies(Y), [1 / 3, 0, 1, 0, 1, 2 / 3])


def test_empirical_probabilities(lfa):
    P = lfa.lf_empirical_probs(Y, 3)
    assert P.shape == (6, 4, 3)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    np.testing.assert_allclose(P[0, :, 0], [0.5, 0.25, 0, 0.25])
    np.testing.assert_allclose(P[1, :, 1], [1, 0, 0, 0])
    assert np.isfinite(lfa.lf_empirical_probs(np.zeros(6), 3)).all()
    with pytest.raises(ValueError, match="only 2 classes"):
        lfa.lf_empirical_probs(Y, 2)


def test_summary(lfa):
    expected = pd.DataFrame(
        {
            "Polarity": [[0, 1, 2], [], [0], [0, 1, 2], [0], [0]],
            "Coverage": np.array([3, 0, 3, 3, 2, 3]) / 6,
            "Overlaps": np.array([3, 0, 3, 3, 1, 3]) / 6,
            "Conflicts": np.array([3, 0, 2, 3, 0, 2]) / 6,
        }
    )
    pd.testing.assert_frame_equal(lfa.lf_summary(), expected)
    expected["Correct"] = [1, 0, 3, 0, 2, 2]
    expected["Incorrect"] = [2, 0, 0, 3, 0, 1]
    expected["Emp. Acc."] = [1 / 3, 0, 1, 0, 1, 2 / 3]
    pd.testing.assert_frame_equal(lfa.lf_summary(Y), expected)
    expected["Learned Weight"] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    pd.testing.assert_frame_equal(lfa.lf_summary(Y, est_weights=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), expected)
    pd.testing.assert_frame_equal(lfa.lf_summary(Y.reshape(-1, 1)), expected.drop(columns="Learned Weight"))


def test_summary_without_abstains():
    full = np.array([[0, 1], [1, 1], [1, 0]])
    summary = LFAnalysis(full).lf_summary(np.array([0, 1, 0]))
    assert summary["Correct"].tolist() == [2, 2]
    assert summary["Incorrect"].tolist() == [1, 1]


def test_summary_with_names():
    lfs = [labeling_function(name=f"lf_{j}")(lambda x: -1) for j in range(6)]
    summary = LFAnalysis(L, lfs).lf_summary(Y, est_weights=np.ones(6))
    assert summary.columns.tolist() == [
        "j", "Polarity", "Coverage", "Overlaps", "Conflicts", "Correct", "Incorrect", "Emp. Acc.", "Learned Weight"
    ]  # fmt: skip
    assert summary.index.tolist() == [f"lf_{j}" for j in range(6)]
    assert summary["j"].tolist() == list(range(6))
    with pytest.raises(ValueError, match=r"Number of LFs \(5\) and number of LF matrix columns \(6\) are different"):
        LFAnalysis(L, lfs[:5])


def test_bad_matrices():
    for bad, message in (
        (np.array([[-2, 0]]), "row 0, column 0 is -2"),
        (np.array([0, 1]), "two dimensions"),
        ([[0, 1], [0]], "lengths"),
        (np.array([[0.5, 1]]), "non-integer"),
        (np.array([[np.nan, 1]]), "non-integer"),
        (np.array([["a", "b"]]), "non-integer"),
    ):
        with pytest.raises(ValueError, match=message):
            LFAnalysis(bad)
    with pytest.raises(ValueError, match="5 labels, but L has 6"):
        LFAnalysis(L).lf_empirical_accuracies(Y[:5])
    with pytest.raises(ValueError, match="est_weights"):
        LFAnalysis(L).lf_summary(est_weights=np.ones(3))


def test_empty_matrices_have_no_nan():
    empty = LFAnalysis(np.empty((0, 3), dtype=int))
    assert empty.label_coverage() == 0
    assert empty.lf_coverages().tolist() == [0, 0, 0]
    assert empty.lf_polarities() == [[], [], []]


def test_accuracy_and_filters():
    golds, preds = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 0, 0, 1])
    assert metric_score(golds, preds) == pytest.approx(0.8)
    assert metric_score(golds.tolist(), preds.reshape(-1, 1).astype(float)) == pytest.approx(0.8)
    assert metric_score(golds, preds, filter_dict={"golds": [0]}) == pytest.approx(0.5)
    assert metric_score(golds, preds, filter_dict={"golds": [0], "preds": [0]}) == pytest.approx(1.0)
    assert metric_score(golds, np.array([-1, 0, 0, -1, 1]), metric="coverage") == pytest.approx(0.6)
    assert metric_score(preds=np.array([-1, 0]), metric="coverage") == 0.5


def test_bad_metrics():
    golds = np.array([0, 1, 1])
    for arguments, message in (
        ({"metric": "bad"}, "metric you provided"),
        ({"preds": None}, "requires access to preds"),
        ({"preds": [0, 1]}, "same number of elements"),
        ({"preds": [0, 0.5, 1]}, "non-integer"),
        ({"preds": np.zeros((3, 2))}, "1d"),
        ({"filter_dict": {"bad_key": [0]}}, "only include keys"),
        ({"filter_dict": {"golds": [0, 1]}}, "nothing to score"),
        ({"metric": "roc_auc"}, "requires access to probs"),
        ({"metric": "roc_auc", "probs": np.ones((3, 3)) / 3}, "only defined for binary"),
        ({"metric": "roc_auc", "probs": np.ones((3, 2)) / 2, "golds": [1, 1, 1]}, "one class"),
        ({"metric": "roc_auc", "probs": np.ones((2, 2)) / 2}, "same number"),
        ({"metric": "f1", "golds": [0, 1, 2]}, "f1 not supported for multiclass"),
        ({"metric": "precision", "golds": [0, 1, 2]}, "multiclass"),
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
    golds, preds = np.array([0, 0, 1, 1, -1]), np.array([0, 1, 1, -1, 1])
    probs = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.5, 0.5], [0.1, 0.9]])
    assert Scorer(metrics=["accuracy", "coverage", "f1"]).score(golds, preds, probs) == pytest.approx(
        {"accuracy": 2 / 3, "coverage": 0.8, "f1": 2 / 3}
    )
    assert Scorer(metrics=["accuracy"], abstain_label=None).score(golds, preds) == {"accuracy": 0.4}
    assert Scorer(metrics=["accuracy"], abstain_label=10).score(golds, preds) == {"accuracy": 0.4}
    own = Scorer(custom_metric_funcs={"pred_sum": lambda g, p, q: float(np.sum(p))})
    assert own.score(golds, preds, probs) == {"pred_sum": 2.0}
    assert set(Scorer(metrics=list(METRICS)[:4]).metrics) == set(list(METRICS)[:4])
    with pytest.raises(ValueError, match="Unrecognized metric"):
        Scorer(metrics=["best"])
    with pytest.raises(ValueError, match="Cannot score empty labels"):
        Scorer(metrics=["accuracy"]).score([], [])


def test_slices():
    golds, preds = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    probs = np.eye(2)[preds]
    S = np.rec.fromarrays([[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]], names=["s1", "s2", "none"])
    scores = Scorer(metrics=["accuracy"]).score_slices(S, golds, preds, probs)
    assert scores == {"overall": {"accuracy": 0.75}, "s1": {"accuracy": 0.5}, "s2": {"accuracy": 1.0}, "none": {}}
    frame = Scorer(metrics=["accuracy"]).score_slices(S, golds, preds, probs, as_dataframe=True)
    assert frame.loc["s1", "accuracy"] == 0.5
    with pytest.raises(ValueError, match="must have the same number of elements"):
        Scorer(metrics=["accuracy"]).score_slices(S, golds[:3], preds, probs)


def test_buckets():
    y1, y2 = np.array([1, 2, 2, 0]), np.array([1, 2, 1, 0])
    buckets = get_label_buckets(y1, y2)
    assert {key: value.tolist() for key, value in buckets.items()} == {(1, 1): [0], (2, 2): [1], (2, 1): [2], (0, 0): [3]}
    assert {k: v.tolist() for k, v in get_label_buckets(y1.reshape(-1, 1)).items()} == {(1,): [0], (2,): [1, 2], (0,): [3]}
    with pytest.raises(ValueError, match="same length"):
        get_label_buckets(y1, y2[:3])
    x = np.array([[0, 0], [1, 1], [2, 2], [3, 3]])
    np.testing.assert_array_equal(get_label_instances((2, 1), x, y1, y2), [[2, 2]])
    assert get_label_instances((5, 5), x, y1, y2).shape == (0, 2)
    frame = pd.DataFrame({"a": range(4)})
    assert get_label_instances((2,), frame, y1).a.tolist() == [1, 2]
    with pytest.raises(ValueError, match="amount of labels"):
        get_label_instances((2,), x, y1, y2)
    with pytest.raises(ValueError, match="same length"):
        get_label_instances((2, 1), x[:3], y1, y2)


def test_items_of_a_function_are_not_needed():
    assert LFAnalysis(L, [SimpleNamespace(name=str(j)) for j in range(6)]).lf_summary().index[0] == "0"
