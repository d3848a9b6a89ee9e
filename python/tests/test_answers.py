"""Answers: samples, corrected models, certificates."""

import pickle

import numpy as np
import pandas as pd
import pytest

import consilience
from consilience import LabelModel, Votes, errors
from consilience.crowd import DawidSkene


@pytest.fixture(scope="module")
def rare():
    """Votes of five sources on two classes, of which the second is rare."""
    rng = np.random.default_rng(0)
    truth = (rng.random(3000) < 0.08).astype(int)
    right = rng.random((3000, 5)) < 0.72
    votes = np.where(right, truth[:, None], 1 - truth[:, None])
    votes[rng.random((3000, 5)) < 0.4] = -1
    return votes, truth


def test_samples_are_extended_and_never_repeat():
    first = consilience.sample(500, 50, seed=3)
    assert len(set(first.tolist())) == 50
    assert consilience.sample(500, 80, seed=3)[:50].tolist() == first.tolist()
    more = consilience.sample(500, 30, seed=3, without=first)
    assert not set(more.tolist()) & set(first.tolist())
    assert [*first, *more] == consilience.sample(500, 80, seed=3).tolist()
    assert sorted(consilience.sample(pd.DataFrame({"a": range(9)}), 100).tolist()) == list(range(9))
    with pytest.raises(errors.OptionError, match="n must be at least 1"):
        consilience.sample(10, 0)


def test_answers_teach_the_class_shares(rare):
    votes, truth = rare
    drawn = consilience.sample(votes, 50, seed=1)
    answers = np.full(len(truth), -1)
    answers[drawn] = truth[drawn]
    rest = answers < 0
    plain = LabelModel().fit(votes)
    taught = LabelModel().fit(votes, answers=answers)
    assert (taught.predict(votes) == truth)[rest].mean() > (plain.predict(votes) == truth)[rest].mean() + 0.05
    assert taught.held_out_.shape == (50, 2)
    np.testing.assert_allclose(taught.held_out_.sum(axis=1), 1)
    labels = LabelModel().fit_predict(votes, answers=answers)
    assert (labels[drawn] == truth[drawn]).all()
    again = pickle.loads(pickle.dumps(taught))
    np.testing.assert_array_equal(again.predict_proba(votes), taught.predict_proba(votes))
    with pytest.raises(AttributeError):
        plain.held_out_  # noqa: B018


def test_every_form_of_answers_is_the_same(rare):
    votes, truth = rare
    drawn = consilience.sample(votes, 40, seed=2)
    answers = np.full(len(truth), -1)
    answers[drawn] = truth[drawn]
    expected = LabelModel().fit(votes, answers=answers).predict_proba(votes)
    as_list = [None if a < 0 else int(a) for a in answers]
    forms = [
        as_list,
        pd.Series(answers),
        pd.Series(as_list, dtype="Int64"),
        np.where(answers < 0, np.nan, answers),
        {int(i): int(truth[i]) for i in drawn},
        pd.Series(truth[drawn], index=drawn),
        pd.DataFrame({"item": drawn, "text": "t", "answer": truth[drawn]}),
    ]
    for form in forms:
        np.testing.assert_array_equal(LabelModel().fit(votes, answers=form).predict_proba(votes), expected)
    # By name where the votes have names, whatever the order.
    frame = pd.DataFrame(votes, columns=list("abcde")).assign(item=[f"x{i}" for i in range(len(votes))])
    named = {f"x{i}": str(truth[i]) for i in reversed(drawn)}
    found = LabelModel().fit(Votes(frame), answers=named).predict_proba(votes)
    np.testing.assert_allclose(found, expected)


def test_no_answers_change_nothing(rare):
    votes, _ = rare
    expected = LabelModel().fit(votes).predict_proba(votes)
    for none in ({}, [None] * len(votes), np.full(len(votes), -1)):
        np.testing.assert_array_equal(LabelModel().fit(votes, answers=none).predict_proba(votes), expected)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([0, 1], "there are 3000 items, but 2 answers"),
        ({3000: 1}, '1 answer is for an unknown item, "3000"'),
        ({0: 2}, "the answer 2 is not a class; the classes are 0, 1"),
        ({0: "spam"}, "'spam' is not a class"),
        (pd.DataFrame({"item": [1, 1], "answer": [0, 1]}), 'item "1" has two different answers, "0" and "1"'),
        (pd.DataFrame({"item": [1], "label": [0]}), 'there is no column "answer"'),
    ],
)
def test_wrong_answers_are_refused(rare, answers, message):
    with pytest.raises(errors.AnswersError, match=message):
        LabelModel().fit(rare[0], answers=answers)


def test_odd_answers_are_said(rare):
    votes, truth = rare
    one = {int(i): 0 for i in np.flatnonzero(truth == 0)[:20]}
    assert any('all 20 answers are "0"' in note for note in LabelModel().fit(votes, answers=one).notes_)
    model = LabelModel().fit(votes, answers=truth)
    assert any("3000 of 3000 items are answered" in note for note in model.notes_)
    wrong = votes.copy()
    wrong[:, 4] = 1 - truth
    notes = LabelModel().fit(wrong, answers=truth).notes_
    assert any('the source "s4" is worse than chance' in note for note in notes)


def test_certificates(rare):
    votes, truth = rare
    drawn = consilience.sample(votes, 200, seed=5)
    model = LabelModel().fit(votes)
    labels, p = model.predict(votes), model.predict_proba(votes)
    answers = {int(i): int(truth[i]) for i in drawn}
    found = consilience.certify(labels, answers, probabilities=p, classes=model.classes_, within=0.02)
    assert found.answers == 200
    assert found.items == 3000
    right = (labels == truth)[drawn][labels[drawn] >= 0].mean()
    assert found.accuracy.estimate == pytest.approx(right)
    assert found.accuracy.low < (labels == truth)[labels >= 0].mean() < found.accuracy.high
    share = found.shares["1"]
    assert share.low < truth.mean() < share.high
    assert found.classes["1"].recall.low < found.classes["1"].recall.estimate
    assert found.within["accuracy"] > 200
    assert not found.cross_fitted
    assert "accuracy" in repr(found)
    assert pickle.loads(pickle.dumps(found)).to_json() == found.to_json()


def test_good_labels_narrow_the_interval_of_a_share():
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 2, 3000)
    labels = np.where(rng.random(3000) < 0.1, 1 - truth, truth)
    answers = {int(i): int(truth[i]) for i in consilience.sample(labels[:, None], 200, seed=5)}
    share = consilience.certify(labels, answers).shares["1"]
    assert share.low < truth.mean() < share.high
    assert share.high - share.low < share.answers_alone.high - share.answers_alone.low
    assert share.ratio < 0.8


def test_answers_that_taught_are_cross_fitted(rare):
    votes, truth = rare
    drawn = consilience.sample(votes, 60, seed=6)
    answers = {int(i): int(truth[i]) for i in drawn}
    model = LabelModel().fit(votes, answers=answers)
    p = model.predict_proba(votes)
    found = consilience.certify(
        model.predict(votes), answers, probabilities=p, held_out=model.held_out_, classes=model.classes_
    )
    assert found.cross_fitted
    order = np.sort(drawn)
    right = (model.held_out_.argmax(axis=1) == truth[order])[model.predict(votes)[order] >= 0]
    assert found.accuracy.estimate == pytest.approx(right.mean())


def test_labels_of_a_model_know_their_items(rare):
    votes, truth = rare
    names = [f"mail-{i}" for i in range(len(truth))]
    frame = pd.DataFrame(votes, columns=[f"s{j}" for j in range(votes.shape[1])]).replace(-1, np.nan)
    table = consilience.Votes(frame.assign(item=names))
    drawn = consilience.sample(table, 60, seed=6)
    answers = pd.DataFrame({"item": [names[i] for i in drawn], "answer": truth[drawn]})
    model = LabelModel().fit(table, answers=answers)
    found = consilience.certify(model.label(table), answers, held_out=model.held_out_)
    rows = {int(i): int(truth[i]) for i in drawn}
    p = model.predict_proba(table)
    same = consilience.certify(model.predict(table), rows, probabilities=p, held_out=model.held_out_, classes=model.classes_)
    assert found.cross_fitted
    assert found.to_json() == same.to_json()
    with pytest.raises(errors.AnswersError, match="they do not represent all items"):
        consilience.certify(model.label(table), answers.assign(drawn="where models differ"))


def test_labels_from_anywhere():
    labels = pd.Series(["cat", "dog", "cat", "cat"], index=["a", "b", "c", "d"])
    found = consilience.certify(labels, {"a": "cat", "b": "cat", "d": "bird"})
    assert found.accuracy.estimate == pytest.approx(1 / 3)
    assert list(found.shares) == ["bird", "cat", "dog"]
    assert found.calibration is None
    with pytest.raises(errors.AnswersError, match="no item has an answer"):
        consilience.certify(labels, {})
    with pytest.raises(errors.AnswersError, match="unknown item"):
        consilience.certify(labels, {"x": "cat"})
    with pytest.raises(errors.OptionError, match="the width must be above 0"):
        consilience.certify(labels, {"a": "cat"}, within=2.0)


def test_true_labels_of_a_crowd():
    """With most workers wrong, known labels turn the crowd round; they are kept themselves."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 300)
    rows = []
    for task, y in enumerate(truth):
        rows += [(task, f"w{j}", y if rng.random() < a else 1 - y) for j, a in enumerate([0.9, 0.3, 0.25, 0.2])]
    table = pd.DataFrame(rows, columns=["task", "worker", "label"])
    known = pd.Series(truth[:200], index=range(200))
    blind = DawidSkene().fit_predict(table)
    helped = DawidSkene().fit(table, true_labels=known)
    assert (blind.to_numpy() == truth).mean() < 0.3
    assert (helped.labels_.loc[200:].to_numpy() == truth[200:]).mean() > 0.85
    assert (helped.labels_.loc[:199].to_numpy() == truth[:200]).all()
    assert helped.probas_.loc[3, truth[3]] == 1
    assert DawidSkene().fit_predict(table, known).equals(helped.labels_)
    assert DawidSkene().fit_predict_proba(table, true_labels=known).equals(helped.probas_)


def test_a_sample_of_items_that_models_label_differently():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 600)
    judges = np.where(rng.random((600, 4)) < 0.8, truth[:, None], 1 - truth[:, None])
    coin = np.where(rng.random((600, 5)) < 0.9, rng.integers(0, 2, (600, 1)), rng.integers(0, 2, (600, 5)))
    votes = Votes(np.hstack([judges, coin]))
    ours, other = LabelModel().fit_predict(votes), LabelModel("independent").fit_predict(votes)
    differ = np.flatnonzero((ours != other) & (ours >= 0) & (other >= 0))
    assert len(differ) > 60
    drawn = consilience.sample(votes, 20, seed=1, differ=True)
    assert len(set(drawn.tolist())) == 20
    assert set(drawn) <= set(differ)
    assert consilience.sample(votes.to_numpy(), 10, seed=1, differ=True).tolist() == drawn[:10].tolist()
    more = consilience.sample(votes, 1_000, seed=1, differ=True, without=drawn)
    assert sorted([*drawn, *more]) == differ.tolist()
    with pytest.raises(errors.OptionError, match="differ must be"):
        consilience.sample(votes, 5, differ="yes")
