"""Majority vote in scikit-learn's manner."""

import pickle

import numpy as np
import pandas as pd
import pytest

from consilience import LabelModel, MajorityVote, StructureLearner, Votes, errors

L = np.array([[0, 1, 1], [0, -1, 0], [0, 1, -1], [-1, -1, -1], [2, 2, 0]])


def test_shares_and_labels():
    model = MajorityVote().fit(L)
    assert model.classes_.tolist() == [0, 1, 2]
    np.testing.assert_allclose(
        model.predict_proba(L), [[1 / 3, 2 / 3, 0], [1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3, [1 / 3, 0, 2 / 3]]
    )
    assert model.predict(L).tolist() == [1, 0, -1, -1, 2]
    assert MajorityVote(ties="first").fit_predict(L).tolist() == [1, 0, 0, 0, 2]


def test_random_ties_are_those_of_the_command_line():
    # The same numbers as in crates/consilience/src/labels/decide.rs, where classes are counted from 1.
    core = [int(number) - 1 for number in "233332322233333223322333"]
    votes = Votes([[1, 2, -1]] * 24, classes=3)
    assert MajorityVote(ties="random", seed=1).fit_predict(votes).tolist() == core
    labels = LabelModel("independent", ties="random", seed=1).fit(votes).label(votes)
    assert labels.labels.tolist() == core
    assert LabelModel("independent", ties="random", seed=1).fit_predict(votes).tolist() == core


def test_scores_count_ties_by_chance():
    votes = Votes([[0, 1, -1], [1, 1, -1], [0, 0, 1], [-1, -1, -1]], classes=3)
    for ties in ("abstain", "first", "random"):
        # Right by half, right, wrong; nobody votes on the last.
        assert MajorityVote(ties=ties).fit(votes).score(votes, [1, 1, 1, 0]) == pytest.approx(0.5)
        assert MajorityVote(ties=ties).fit(votes).score(votes, [1, None, -1, 0]) == pytest.approx(0.5)
    # A class that nobody votes for is never right, and no gold gives no score.
    assert MajorityVote().fit(votes).score(votes, [2, 1, 7, 0]) == pytest.approx(1 / 3)
    assert np.isnan(MajorityVote().fit(votes).score(votes, [-1, -1, -1, 0]))


def test_random_ties_are_fair_seeded_and_among_the_tied():
    tied = np.tile([[0, 1, -1], [2, 2, -1]], (5000, 1))
    labels = MajorityVote(ties="random", seed=3).fit_predict(tied)
    assert labels.tolist() == MajorityVote(ties="random", seed=3).fit_predict(tied).tolist()
    assert set(labels[::2]) == {0, 1}
    assert set(labels[1::2]) == {2}
    assert abs(labels[::2].mean() - 0.5) < 0.04


def test_texts():
    frame = pd.DataFrame({"a": ["ham", "spam"], "b": ["ham", None], "c": [None, "ham"]})
    model = MajorityVote().fit(frame)
    assert model.predict(frame).tolist() == ["ham", None]
    assert model.predict(pd.DataFrame({"a": ["spam"], "b": ["spam"], "c": [None]})).tolist() == ["spam"]


def test_new_items_may_lack_classes_but_not_bring_new_ones():
    model = MajorityVote().fit(L)
    assert model.predict([[1, 1, -1]]).tolist() == [1]
    with pytest.raises(errors.UnknownClassesError, match='"7", but the model'):
        model.predict([[7, 1, -1]])
    with pytest.raises(ValueError, match="2 features.*expecting 3"):
        model.predict([[0, 1]])


def test_before_fit():
    with pytest.raises(errors.NotFittedError, match="call fit first"):
        MajorityVote().predict(L)
    with pytest.raises(errors.OptionError, match="ties"):
        MajorityVote(ties="coin").fit(L)


def test_scikit_learn():
    from sklearn.base import clone, is_classifier
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer
    from sklearn.utils.validation import check_is_fitted

    model = MajorityVote(ties="first")
    assert clone(model).get_params() == model.get_params() == {"ties": "first", "seed": 0}
    assert is_classifier(model)
    with pytest.raises(ValueError, match="Invalid parameter 'tie'"):
        model.set_params(tie="first")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    votes = np.where(rng.random((200, 5)) < 0.8, y[:, None], 1 - y[:, None])
    votes[rng.random(votes.shape) < 0.3] = -1
    pipeline = make_pipeline(FunctionTransformer(lambda v: v[:, :3]), MajorityVote())
    assert pipeline.fit(votes, y).predict(votes).shape == (200,)
    search = GridSearchCV(MajorityVote(), {"ties": ["abstain", "first"]}, cv=3).fit(votes, y)
    # Scores count ties by chance, however they are labelled.
    assert np.ptp(search.cv_results_["mean_test_score"]) == 0
    check_is_fitted(search.best_estimator_)
    learner = clone(StructureLearner(select="top=1"))
    check_is_fitted(learner.fit(votes))
    assert pickle.loads(pickle.dumps(learner)).structure_ == learner.structure_
    assert repr(learner) == "StructureLearner(select='top=1')"


def test_votes_as_input():
    votes = Votes(L)
    assert MajorityVote().fit_predict(votes).tolist() == MajorityVote().fit_predict(L).tolist()
    assert MajorityVote().fit(votes).score(votes, [1, 0, 1, 1, 2]) == pytest.approx(3.5 / 4)
