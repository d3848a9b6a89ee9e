"""Conversions, names, settings, made-up votes."""

import hashlib
from typing import NamedTuple

import numpy as np
import pytest

from consilience.synthetic.synthetic_data import generate_simple_label_matrix
from consilience.utils import filter_labels, preds_to_probs, probs_to_preds, to_int_label_array
from consilience.utils.config_utils import merge_config
from consilience.utils.data_operators import check_unique_names


def test_ties():
    probs = np.array([[0.7, 0.2, 0.1], [0.5, 0.2, 0.3], [1 / 3] * 3, [0.45, 0.45, 0.1], [0.4, 0.4 + 1e-7, 0.2]])
    assert probs_to_preds(probs, "abstain").tolist() == [0, 0, -1, -1, -1]
    assert probs_to_preds(probs, "abstain", tol=1e-9).tolist() == [0, 0, -1, -1, 1]
    by_hash = [int(hashlib.sha1(str(i).encode()).hexdigest(), 16) for i in range(5)]
    expected = [0, 0, by_hash[2] % 3, by_hash[3] % 2, by_hash[4] % 2]
    assert probs_to_preds(probs).tolist() == expected
    assert probs_to_preds(probs, tie_break_policy="random").tolist() == expected
    drawn = np.array([probs_to_preds(probs, "true-random") for _ in range(300)])
    assert set(drawn[:, 2]) == {0, 1, 2}
    assert set(drawn[:, 3]) == {0, 1}
    assert probs_to_preds(probs).dtype == np.dtype(int)
    np.random.seed(3)
    first = probs_to_preds(np.full((50, 2), 0.5), "true-random")
    np.random.seed(3)
    np.testing.assert_array_equal(first, probs_to_preds(np.full((50, 2), 0.5), "true-random"))


def test_bad_probabilities():
    with pytest.raises(
        ValueError, match="tie_break_policy=coin policy not recognized; it is one of abstain, random, true-random"
    ):
        probs_to_preds(np.array([[0.5, 0.5]]), "coin")
    with pytest.raises(ValueError, match="at least 2 classes"):
        probs_to_preds(np.array([[0.3]]))
    with pytest.raises(ValueError, match="two dimensions"):
        probs_to_preds(np.array([0.3, 0.7]))
    with pytest.raises(ValueError, match="NaN in row 1"):
        probs_to_preds(np.array([[0.3, 0.7], [np.nan, 0.5]]))


def test_labels_as_probabilities():
    np.testing.assert_array_equal(preds_to_probs(np.array([0, 2]), 3), [[1, 0, 0], [0, 0, 1]])
    with pytest.raises(ValueError, match="label 1 is -1"):
        preds_to_probs(np.array([0, -1]), 2)
    with pytest.raises(ValueError, match="none of the 2 classes"):
        preds_to_probs(np.array([0, 2]), 2)


def test_whole_labels():
    for X in ([1, 2], [1.0, 2.0], np.array([[1], [2]]), np.array([[1, 2]]), ["1", "2"]):
        assert to_int_label_array(X).tolist() == [1, 2]
    assert to_int_label_array([[1]]).tolist() == [1]
    assert to_int_label_array(5).tolist() == [5]
    assert to_int_label_array([]).tolist() == []
    assert to_int_label_array([True, False]).tolist() == [1, 0]
    assert to_int_label_array([[1, 2], [3, 4]], flatten_vector=False).tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ValueError, match="one column"):
        to_int_label_array([[1, 2], [3, 4]])
    for bad in ([1.5], [np.nan], ["a"], [None], [object()]):
        with pytest.raises(ValueError, match="whole numbers"):
            to_int_label_array(bad)
    with pytest.raises(ValueError, match="rows of one length"):
        to_int_label_array([[1, 2], [3]])


def test_filters():
    labels = {
        "golds": np.array([2, 1, -1, 0, 2]),
        "preds": np.array([-1, 1, 0, -1, 2]),
        "probs": np.eye(5)[:, :3],
    }
    kept = filter_labels(labels, {"golds": [-1], "preds": [-1]})
    assert kept["golds"].tolist() == [1, 2]
    assert kept["probs"].shape == (2, 3)
    assert filter_labels({**labels, "preds": None}, {"golds": [-1], "preds": [-1]})["preds"] is None
    assert filter_labels(labels, {}) == labels
    with pytest.raises(ValueError, match="entries"):
        filter_labels({"golds": np.zeros(3), "preds": np.zeros(2)}, {"golds": [-1]})
    with pytest.raises(ValueError, match="entries"):
        filter_labels({"golds": np.zeros(3), "preds": np.zeros(2)}, {"golds": [-1], "preds": [-1]})


def test_names():
    check_unique_names([])
    check_unique_names(["a", "b"])
    with pytest.raises(ValueError, match="2 operators with name a"):
        check_unique_names(["a", "b", "a"])


class Inner(NamedTuple):
    a: int = 1
    b: int = 2


class Outer(NamedTuple):
    x: int = 0
    inner: Inner = Inner()


def test_settings():
    assert merge_config(Outer(), {"x": 5, "inner": {"a": 7}}) == Outer(5, Inner(7, 2))
    assert merge_config(Outer(), {"inner": Inner(3, 3)}).inner == Inner(3, 3)
    with pytest.raises(ValueError, match="y is not a setting of Outer"):
        merge_config(Outer(), {"y": 1})


@pytest.mark.parametrize("k", [2, 3, 4])
def test_made_up_votes_follow_their_tables(k):
    np.random.seed(k)
    P, Y, L = generate_simple_label_matrix(20_000, 4, k)
    assert (P.shape, Y.shape, L.shape) == ((4, k + 1, k), (20_000,), (20_000, 4))
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert set(np.unique(L)) == set(range(-1, k))
    for y in range(k):
        for v in range(-1, k):
            np.testing.assert_allclose((L[Y == y] == v).mean(axis=0), P[:, v + 1, y], atol=0.03)
        assert (P[:, 1:, y].argmax(axis=1) == y).all()
    np.random.seed(k)
    assert (generate_simple_label_matrix(500, 4, k, abstain_multiplier=50.0)[2] == -1).mean() > 0.7
