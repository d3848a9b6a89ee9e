"""Models without anything learned."""

import logging

import numpy as np
import pytest

from consilience.labeling.model import MajorityClassVoter, MajorityLabelVoter, RandomVoter
from consilience.labeling.model.base_labeler import BaseLabeler

L = np.array([[0, -1, 0, 1], [1, 1, -1, -1], [0, -1, -1, 1], [-1, -1, -1, -1]])


def test_random():
    probs = RandomVoter(cardinality=3).predict_proba(L)
    assert probs.shape == (4, 3)
    np.testing.assert_allclose(probs.sum(axis=1), 1)
    assert RandomVoter().fit() is None


def test_majority_class():
    voter = MajorityClassVoter(cardinality=2)
    with pytest.raises(ValueError, match="fit"):
        voter.predict_proba(L)
    assert voter.fit(balance=np.array([0.8, 0.2])) is None
    np.testing.assert_array_equal(voter.predict_proba(L), np.tile([1.0, 0.0], (4, 1)))
    voter.fit([0.5, 0.5])
    np.testing.assert_array_equal(voter.predict_proba(L), np.full((4, 2), 0.5))
    with pytest.raises(ValueError, match="2 classes"):
        voter.fit([0.2, 0.2, 0.6])


def test_majority():
    voter = MajorityLabelVoter()
    np.testing.assert_array_equal(voter.predict_proba(L), [[1, 0], [0, 1], [0.5, 0.5], [0.5, 0.5]])
    assert voter.predict(L).tolist() == [0, 1, -1, -1]
    preds, probs = voter.predict(L, return_probs=True)
    assert preds.tolist() == [0, 1, -1, -1]
    assert probs.shape == (4, 2)
    assert set(voter.predict(L, tie_break_policy="random")[2:]) <= {0, 1}
    three = MajorityLabelVoter(cardinality=3).predict_proba(np.array([[0, 2, 1, 2, 0]]))
    np.testing.assert_array_equal(three, [[0.5, 0, 0.5]])


def test_scores(caplog):
    voter = MajorityLabelVoter()
    Y = np.array([0, 1, 1, 1])
    with caplog.at_level(logging.WARNING):
        assert voter.score(L, Y) == {"accuracy": 1.0}
    assert "non-abstain labels only" in caplog.text
    caplog.clear()
    assert voter.score(L, Y, metrics=["coverage", "f1"], tie_break_policy="random")["coverage"] == 1.0
    assert not caplog.records
    assert voter.score(L, Y, metrics=["accuracy", "coverage"]) == {"accuracy": 1.0, "coverage": 0.5}
    with pytest.raises(ValueError, match="Unrecognized metric"):
        voter.score(L, Y, metrics=["best"])


def test_files(tmp_path):
    voter = MajorityClassVoter(cardinality=3)
    voter.fit([0.2, 0.3, 0.5])
    voter.save(str(tmp_path / "voter.pkl"))
    other = MajorityClassVoter()
    assert other.load(str(tmp_path / "voter.pkl")) is None
    assert other.cardinality == 3
    assert other.predict(L).tolist() == [2] * 4


def test_bad_votes():
    for bad, message in (
        (np.array([[2, 0, 0]]), "cardinality=2"),
        (np.array([[-2, 0, 0]]), "-2"),
        (np.array([0, 1]), "two dimensions"),
        (np.array([[0.5, 1]]), "whole numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            MajorityLabelVoter().predict(bad)
    with pytest.raises(ValueError, match="cardinality"):
        MajorityLabelVoter(cardinality=1)
    with pytest.raises(TypeError, match="abstract"):
        BaseLabeler()
    with pytest.raises(ValueError, match="policy"):
        MajorityLabelVoter().predict(L, tie_break_policy="best")
