"""Settings that are wrong, scores against gold of any shape, and tables whose columns have no names or other ones."""

import copy

import numpy as np
import pandas as pd
import pytest

from consilience import LabelModel, MajorityVote, Report, Structure, StructureLearner, Votes, errors
from consilience.crowd import DawidSkene
from consilience.labeling import LFAnalysis
from consilience.labeling.model import LabelModel as MirroredModel
from consilience.labeling.model import MajorityLabelVoter


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    return y, np.where(rng.random((400, 5)) < [0.95, 0.9, 0.85, 0.75, 0.55], y[:, None], 1 - y[:, None])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LabelModel(seed=-1), "seed must be at least 0 and at most 18446744073709551615, but is -1"),
        (lambda: LabelModel(seed=2**64), "seed must be at least 0"),
        (lambda: LabelModel(seed=None), "seed must be a whole number, but is None"),
        (lambda: LabelModel(seed=1.5), "seed must be a whole number"),
        (lambda: MajorityVote(seed="a"), "seed must be a whole number, but is 'a'"),
        (lambda: LabelModel(class_balance="ab"), "class balance must be a list of shares, one per class, but is 'ab'"),
        (lambda: LabelModel(class_balance=5), "class balance must be 2 shares"),
        (lambda: StructureLearner(select=5), "select must be a text, but is 5"),
        (lambda: StructureLearner(method="sgd", select=None), "select must be a text"),
        (lambda: StructureLearner(types=5), "types must be a list of types"),
        (lambda: StructureLearner(types=[5]), "types must be a text"),
        (lambda: StructureLearner(tolerance="a"), "tolerance must be a number, but is 'a'"),
        (lambda: StructureLearner(ridge=None), "ridge must be a number"),
        (lambda: StructureLearner(method="sgd", epsilon="a"), "epsilon must be a number"),
        (lambda: StructureLearner(method="sgd", step="a"), "step must be a number"),
        (lambda: StructureLearner(method="sgd", epochs=1.5), "epochs must be a whole number"),
        (lambda: StructureLearner(method="sgd", epochs=True), "epochs must be a whole number"),
        (lambda: StructureLearner(method="sgd", truncation=0), "truncation must be at least 1, but is 0"),
        (lambda: StructureLearner(method="sgd", own_rates=None), "own_rates must be a text"),
        (lambda: StructureLearner(method="sgd", class_prior="no"), "class_prior must be True or False, but is 'no'"),
    ],
)
def test_wrong_settings_are_named(make, message, drawn):
    with pytest.raises(errors.OptionError, match=message):
        make().fit(drawn[1])


def test_other_wrong_settings(drawn):
    _, X = drawn
    for wrong in ({"n_iter": "x"}, {"n_iter": 0}, {"tol": "x"}):
        with pytest.raises(errors.OptionError, match=next(iter(wrong))):
            DawidSkene(**wrong).fit(pd.DataFrame({"task": ["a"], "worker": ["u"], "label": ["x"]}))
    with pytest.raises(errors.OptionError, match="pairs must be at least 0, but is -1"):
        Report(X, pairs=-1)
    for wrong in ("2", 2.0, True):
        with pytest.raises(TypeError, match="cardinality must be a whole number"):
            MajorityLabelVoter(cardinality=wrong)
    with pytest.raises(errors.OptionError, match="seed"):
        MirroredModel(verbose=False).fit(X, seed=-3)
    # Numbers of numpy are numbers.
    LabelModel(seed=np.int64(3), class_balance=np.array([0.4, 0.6])).fit(X)
    StructureLearner(tolerance=np.float32(1e-4)).fit(X)


def test_settings_of_settings():
    sklearn = pytest.importorskip("sklearn.base")
    model = LabelModel(dependencies=StructureLearner(select="top=1"), class_balance=np.array([0.4, 0.6]))
    assert repr(model) == "LabelModel(dependencies=StructureLearner(select='top=1'), class_balance=array([0.4, 0.6]))"
    assert model.get_params()["dependencies__select"] == "top=1"
    assert "dependencies__select" not in model.get_params(deep=False)
    other = sklearn.clone(model).set_params(dependencies__select="top=2", ties="first")
    assert (other.dependencies.select, other.ties, model.dependencies.select) == ("top=2", "first", "top=1")
    other.set_params(dependencies__select="top=3", dependencies=StructureLearner(ridge=0.5))
    assert (other.dependencies.select, other.dependencies.ridge) == ("top=3", 0.5)
    for wrong in ("dependencies__odd", "odd__select", "ties__select"):
        with pytest.raises(ValueError, match="Invalid parameter"):
            model.set_params(**{wrong: 1})
    assert repr(copy.copy(DawidSkene(n_iter=7))) == "DawidSkene(n_iter=7)"


def test_a_search_over_them(drawn):
    search = pytest.importorskip("sklearn.model_selection").GridSearchCV
    y, X = drawn
    model = LabelModel(dependencies=StructureLearner(), ties="first")
    found = search(model, {"dependencies__select": ["top=1", "auto"]}, cv=3).fit(X, y)
    assert found.best_score_ > 0.9


@pytest.mark.parametrize("model", [LabelModel(), MajorityVote()])
def test_gold_of_any_shape(model, drawn):
    y, X = drawn
    model.fit(X)
    expected = (model.predict(X) == y).mean()
    for gold in (y, y.tolist(), y.reshape(-1, 1), pd.Series(y), pd.DataFrame({"gold": y}), y.astype(float)):
        assert model.score(X, gold) == expected
    for wrong in (y[:10], np.stack([y, y], axis=1), 3):
        with pytest.raises(ValueError, match="400 items; provide one label per item"):
            model.score(X, wrong)
    with pytest.raises(ValueError, match="y has '0', '1', but the classes are 0, 1"):
        model.score(X, y.astype(str))
    report = Report(X, gold=y.reshape(-1, 1))
    assert report.data == Report(X, gold=y).data


def test_columns_are_found_by_name_or_place(drawn):
    _, X = drawn
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = LabelModel().fit(frame)
    expected = model.predict_proba(frame)
    np.testing.assert_array_equal(model.predict_proba(frame[list("edcba")]), expected)
    for nameless in (X, X.tolist(), X.astype(np.int8)):
        np.testing.assert_array_equal(model.predict_proba(nameless), expected)
    with pytest.raises(errors.UnknownSourcesError, match='"z"'):
        model.predict(frame.rename(columns={"a": "z"}))
    for fewer in (frame[list("abcd")], X[:, :4], X[:, :4].tolist()):
        with pytest.raises(ValueError, match="X has 4 features, but LabelModel is expecting 5"):
            model.predict(fewer)


def test_ties_between_signs_are_no_class(drawn):
    _, X = drawn
    signs = np.hstack([2 * X - 1, 1 - 2 * X])
    votes = Votes(signs, abstain=0)
    assert set(MajorityVote().fit_predict(votes).tolist()) == {0}
    assert set(MajorityVote(ties="first").fit_predict(votes).tolist()) == {-1}
    three = Votes(np.array([[-1, 0], [0, -1], [1, 0]]), abstain=7)
    with pytest.raises(errors.OptionError, match="both are classes"):
        MajorityVote().fit_predict(three)
    assert MajorityVote(ties="first").fit_predict(three).tolist() == [-1, -1, 0]
    with pytest.warns(errors.ReadingWarning, match="-1 and 1 are the only votes"):
        assert Votes(2 * X - 1).classes == ["-1", "1"]
    with pytest.raises(errors.TooFewClassesError):
        Votes(2 * X - 1, abstain=-1)


def test_tasks_keep_their_numbers():
    table = pd.DataFrame({"task": [10, 10, 2, 2], "worker": list("uvuv"), "label": list("xxyy")})
    labels = DawidSkene().fit_predict(table)
    assert labels.to_dict() == {10: "x", 2: "y"}
    joined = table.join(labels, on="task")
    assert (joined.agg_label == joined.label).all()
    named = DawidSkene().fit_predict_proba(table.assign(task=["10", "10", "2", "2"]))
    assert named.index.tolist() == ["10", "2"]


def test_frames_to_come_are_called_by_name(drawn):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(drawn[1], schema=list("abcde"))
    with pytest.raises(errors.ConsilienceError, match=r"LazyFrame is not a table of votes; call its collect\(\) first"):
        Votes(frame.lazy())
    with pytest.raises(errors.ConsilienceError, match="object is not a table of votes; pass a matrix or a data frame"):
        Votes(object())


def test_the_mirror_takes_votes(drawn):
    _, X = drawn
    votes = Votes(X)
    model, other = MirroredModel(verbose=False), MirroredModel(verbose=False)
    model.fit(votes)
    other.fit(X)
    np.testing.assert_array_equal(model.predict_proba(votes), other.predict_proba(X))
    assert LFAnalysis(votes).lf_summary().equals(LFAnalysis(X).lf_summary())


def test_a_structure_comes_back_whole(drawn):
    structure = StructureLearner(select="top=2").fit(drawn[1]).structure_
    assert Structure.from_json(structure.to_json(every=True)) == structure
