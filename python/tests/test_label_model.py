"""Label models: the package's own, Snorkel's, the crowd's."""

import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

import consilience
from consilience import StructureLearner, Votes, errors
from consilience.crowd import DawidSkene
from consilience.labeling import LFAnalysis
from consilience.labeling.model import LabelModel, MajorityLabelVoter
from consilience.labeling.model.label_model import TrainConfig
from consilience.synthetic.synthetic_data import generate_simple_label_matrix


@pytest.fixture(scope="module")
def simple():
    np.random.seed(123)
    return generate_simple_label_matrix(5_000, 10, 2)


def test_the_tutorials_call(simple):
    _, Y, L = simple
    model = LabelModel(cardinality=2, verbose=True)
    assert model.fit(L_train=L, n_epochs=500, log_freq=100, seed=123) is None
    assert model.train_config == TrainConfig(n_epochs=500, log_freq=100, seed=123)
    accuracy = model.score(L, Y, tie_break_policy="random")["accuracy"]
    majority = MajorityLabelVoter().score(L, Y, tie_break_policy="random")["accuracy"]
    assert accuracy > majority - 0.005
    assert accuracy > 0.8
    preds, probs = model.predict(L, return_probs=True)
    assert preds.shape == (5000,)
    assert preds.dtype == np.dtype(int)
    assert probs.shape == (5000, 2)
    np.testing.assert_allclose(probs.sum(axis=1), 1)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_tables_and_weights_are_near_the_truth(k):
    np.random.seed(k)
    P, Y, L = generate_simple_label_matrix(10_000, 10, k)
    model = LabelModel(cardinality=k, verbose=False)
    model.fit(L, n_epochs=200, lr=0.01, seed=123)
    found = model.get_conditional_probs()
    assert found.shape == (10, k + 1, k)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert np.abs(found - P).mean() < 0.05
    weights = model.get_weights()
    assert weights.shape == (10,)
    np.testing.assert_allclose(weights, LFAnalysis(L).lf_empirical_accuracies(Y), atol=0.1)
    assert model.mu.shape == (10 * k, k)
    assert (model.n, model.m) == (10_000, 10)
    np.testing.assert_allclose(model.coverage, LFAnalysis(L).lf_coverages())


def test_class_balance():
    L = np.array([[0, 0, -1], [-1, 1, 1], [-1, -1, -1], [1, 0, 0]] * 30)
    model = LabelModel()
    model.fit(L)
    np.testing.assert_allclose(model.p, [0.5, 0.5])
    assert model.predict(L)[2] == -1
    model.fit(L, class_balance=[0.3, 0.7])
    np.testing.assert_allclose(model.predict_proba(L)[2], [0.3, 0.7])
    assert model.predict(L)[2] == 1
    model.fit(L, Y_dev=[0, 0, 0, 1])
    np.testing.assert_allclose(model.p, [0.75, 0.25])
    np.testing.assert_allclose(model.P, np.diag([0.75, 0.25]))


@pytest.mark.parametrize(
    ("L", "arguments", "message"),
    [
        (np.zeros((5, 2), dtype=int), {}, "at least 3 labeling functions, to tell them apart, but has 2"),
        (np.array([[0, 1, 2]]), {}, "a vote 2, but cardinality=2"),
        (np.array([[0, 1, -2]]), {}, "-2 in row 0, column 2"),
        (np.array([[0, 1, 0.5]]), {}, "whole numbers"),
        (np.array([[0, 1, np.nan]]), {}, "whole numbers"),
        (np.array([[0, 1, 1]]), {"class_balance": [0.2, 0.2, 0.6]}, "class_balance has 3 entries"),
        (np.array([[0, 1, 1]]), {"class_balance": [0.0, 1.0]}, r"prior is 0 for class\(es\) \[0\]"),
        (
            np.array([[0, 1, 1]]),
            {"Y_dev": [1, 1]},
            r"Y_dev has 1 class\(es\)\. Does not match LabelModel cardinality 2: .*, but has \[1\]",
        ),
        (np.array([[0, 1, 1]]), {"Y_dev": [0, 1, 2]}, r"Y_dev has 3 class\(es\)\. .*, but has \[0, 1, 2\]"),
        (np.array([[0, 1, 1]]), {"prec_init": [0.7, 0.7]}, "prec_init must have shape 3"),
        (np.array([[0, 1, 1]]), {"optimizer": "bad"}, "optimizer option 'bad'; it is one of sgd, adam, adamax"),
        (np.array([[0, 1, 1]]), {"lr_scheduler": "bad"}, "lr scheduler option 'bad'; it is one of"),
        (np.array([[0, 1, 1]]), {"epochs": 5}, "epochs is not a setting"),
    ],
)
def test_what_fit_refuses(L, arguments, message):
    with pytest.raises(ValueError, match=message):
        LabelModel().fit(L, **arguments)


def test_what_is_accepted_without_effect(simple):
    _, _, L = simple
    first, second = LabelModel(), LabelModel(device="cuda")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first.fit(L, seed=7)
    with pytest.warns(errors.NoEffectWarning) as warned:
        second.fit(
            L, n_epochs=3, lr=1.0, l2=np.ones(10), optimizer="adam", lr_scheduler="step", prec_init=np.full(10, 0.6),
            mu_eps=0.1, progress_bar=False, seed=7, optimizer_config={"sgd_config": {"momentum": 0.5}}, lr_scheduler_config={},
        )  # fmt: skip
    assert len(warned) == 1
    assert warned[0].filename == __file__
    named = "n_epochs, lr, l2, optimizer, lr_scheduler, prec_init, optimizer_config, lr_scheduler_config, device ("
    assert f"these settings have no effect and can be removed: {named}" in str(warned[0].message)
    np.testing.assert_array_equal(first.predict_proba(L), second.predict_proba(L))


def test_mu_eps_bounds_the_tables(simple):
    _, _, L = simple
    free, bounded = LabelModel(verbose=False), LabelModel(verbose=False)
    free.fit(L)
    bounded.fit(L, mu_eps=0.2)
    assert free.mu.min() < 0.2
    np.testing.assert_array_equal(bounded.mu, np.clip(free.mu, 0.2, 0.8))
    np.testing.assert_array_equal(bounded.get_conditional_probs()[:, 1:].ravel(), bounded.mu.numpy().ravel())
    np.testing.assert_array_equal(free.predict_proba(L), bounded.predict_proba(L))
    for wrong in (-0.1, 0.5):
        with pytest.raises(errors.OptionError, match="mu_eps must be at least 0 and below 0.5"):
            LabelModel().fit(L, mu_eps=wrong)


def test_verbose_prints(capsys, planted):
    _, signs = planted(1500, [0.8] * 9, {(0, 1): 1.5}, seed=5)
    L = np.where(signs == 0, -1, (signs + 1) // 2)
    LabelModel(verbose=False).fit(L, progress_bar=False)
    assert capsys.readouterr() == ("", "")
    LabelModel(verbose=True).fit(L, progress_bar=False)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("LabelModel: 1,500 items, 9 functions, 2 classes; functions that repeat each other: 0 and 1\n")


def test_files_of_others_are_named(tmp_path, simple):
    path = tmp_path / "model.pkl"
    # What Snorkel's `save` writes: a dictionary with settings of its classes, and tensors.
    for module, name in (("torch._utils", "_rebuild_tensor_v2"), ("snorkel.labeling.model.label_model", "LabelModelConfig")):
        path.write_bytes(b"c" + module.encode() + b"\n" + name.encode() + b"\n.")
        with pytest.raises(errors.SavedModelError, match=rf"model.pkl contains a Snorkel model.*{module}.*fit a LabelModel"):
            LabelModel().load(str(path))
    path.write_bytes(b"PK\x03\x04...")
    with pytest.raises(errors.SavedModelError, match=r"model.pkl is a zip archive, as torch.save writes them"):
        LabelModel().load(str(path))
    path.write_text('{"sources": []}')
    told = "looks like JSON, not a saved LabelModel; to read a model.json, use consilience.LabelModel.load"
    with pytest.raises(errors.SavedModelError, match=told):
        LabelModel().load(str(path))
    for damaged in (b"", b"what?", pickle.dumps([1, 2])):
        path.write_bytes(damaged)
        with pytest.raises(errors.SavedModelError, match="is not a saved LabelModel"):
            LabelModel().load(str(path))
    MajorityLabelVoter(cardinality=3).save(str(path))
    with pytest.raises(errors.SavedModelError, match="it has no config, dependencies"):
        LabelModel().load(str(path))
    voter = MajorityLabelVoter()
    voter.load(str(path))
    assert voter.cardinality == 3


def test_before_fit_and_on_other_votes(simple):
    _, _, L = simple
    model = LabelModel()
    for ask in (lambda: model.predict(L), model.get_weights, model.get_conditional_probs):
        with pytest.raises(errors.NotFittedError, match="not fitted"):
            ask()
    model.fit(L)
    with pytest.raises(ValueError, match="4 labeling functions"):
        model.predict(L[:, :4])
    with pytest.raises(ValueError, match="cardinality=2 allows"):
        model.predict(np.full((1, 10), 2))
    assert model.predict_proba(L[:0]).shape == (0, 2)
    assert model.predict(np.full((2, 10), -1)).tolist() == [-1, -1]


def test_files(simple, tmp_path):
    _, _, L = simple
    model = LabelModel()
    model.fit(L, class_balance=[0.4, 0.6])
    model.save(str(tmp_path / "model.pkl"))
    other = LabelModel(cardinality=3)
    other.load(str(tmp_path / "model.pkl"))
    np.testing.assert_array_equal(model.predict_proba(L), other.predict_proba(L))
    np.testing.assert_array_equal(model.get_weights(), other.get_weights())
    assert other.cardinality == 2


def test_copies_do_not_outvote_the_others(planted):
    y, L = planted(4_000, [1.0, 1.0, 1.0, 0.2], {}, seed=5)
    copied = np.hstack([L, *[L[:, [3]]] * 6])
    truth, votes = (y + 1) // 2, np.where(copied == 0, -1, (copied + 1) // 2)
    together, apart = LabelModel(verbose=False), LabelModel(verbose=False, dependencies="independent")
    together.fit(votes)
    apart.fit(votes)
    score = {name: m.score(votes, truth, tie_break_policy="random")["accuracy"] for name, m in (("t", together), ("a", apart))}
    assert score["t"] > score["a"] - 0.01
    assert score["t"] > MajorityLabelVoter().score(votes, truth, tie_break_policy="random")["accuracy"] + 0.05


def test_the_estimator(simple, two_pairs):
    from sklearn.base import clone

    _, Y, L = simple
    model = clone(consilience.LabelModel()).fit(L)
    assert model.score(L, Y) > 0.8
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(L), model.predict_proba(L))
    assert model.classes_.tolist() == [0, 1]
    y, signs = two_pairs
    votes = Votes(signs, abstain=0)
    structure = StructureLearner().fit(votes).structure_
    for dependencies in ("auto", "independent", structure, StructureLearner()):
        labels = consilience.LabelModel(dependencies=dependencies, ties="first").fit_predict(votes)
        assert (labels == y).mean() > 0.9
    with pytest.raises(errors.OtherSourcesError, match="of the structure and of the votes differ"):
        consilience.LabelModel(dependencies=structure).fit(L[:, :3])
    with pytest.raises(errors.OptionError, match="dependencies must be"):
        consilience.LabelModel(dependencies="some").fit(L)
    with pytest.raises(ValueError, match="class"):
        consilience.LabelModel(class_balance=[0.5]).fit(L)
    with pytest.raises(errors.NotFittedError):
        consilience.LabelModel().predict(L)


def test_a_structure_for_other_classes_is_refused(two_pairs):
    _, signs = two_pairs
    named = Votes(np.where(signs == 0, "", np.where(signs == 1, "spam", "ham")))
    structure = StructureLearner().fit(named).structure_
    numbered = Votes(np.where(signs == 0, -1, signs == 1), sources=named.sources)
    message = r"the classes of the structure and of the votes differ \(ham,spam, here 0,1\)"
    for link_weights in (False, True):
        with pytest.raises(errors.UnknownClassesError, match=message):
            consilience.LabelModel(structure, link_weights=link_weights).fit(numbered)
    with pytest.raises(errors.UnknownClassesError, match=message):
        consilience.report(numbered, structure=structure)
    # A structure that names no classes fits any.
    data = json.loads(structure.to_json())
    del data["classes"]
    nameless = consilience.Structure.from_json(json.dumps(data))
    for given in (nameless, pickle.loads(pickle.dumps(nameless))):
        for votes in (named, numbered):
            assert consilience.LabelModel(given).fit(votes).classes_.tolist() == votes.class_labels.tolist()


def test_crowds():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 300)
    rows = [
        (f"t{t}", f"w{w}", "abc"[truth[t] if rng.random() < 0.8 else rng.integers(0, 3)])
        for t in range(300)
        for w in rng.choice(12, 5, replace=False)
    ]
    frame = pd.DataFrame(rows, columns=["task", "worker", "label"])
    model = DawidSkene(n_iter=50)
    labels = model.fit_predict(frame)
    assert np.mean([labels[f"t{t}"] == "abc"[truth[t]] for t in range(300)]) > 0.9
    probas = model.fit_predict_proba(frame)
    assert probas.columns.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(probas.sum(axis=1), 1)
    with pytest.raises(errors.NotFittedError):
        _ = DawidSkene().labels_
    with pytest.raises(errors.OptionError):
        DawidSkene(n_iter=0).fit(frame)


def test_one_structure_goes_from_votes_to_labels(planted):
    """Learning and fitting one after the other give what `LabelModel` gives by itself, also over a file."""
    _, votes = planted(1500, [0.8] * 9, {(0, 1): 1.5, (2, 3): 1.5}, seed=5)
    votes = consilience.Votes(votes, abstain=0)
    structure = consilience.StructureLearner().fit(votes).structure_
    assert [r.sources for r in structure.repetitions] == [("s0", "s1"), ("s2", "s3")]
    assert all(0 < r.share < 1 for r in structure.repetitions)
    assert [sorted(group) for group in structure.groups] == [["s0", "s1"], ["s2", "s3"]]
    alone = consilience.LabelModel().fit(votes)
    again = consilience.Structure.from_json(structure.to_json())
    assert again.repetitions == structure.repetitions
    assert again.once == structure.once
    for given in (structure, again, consilience.StructureLearner()):
        model = consilience.LabelModel(given).fit(votes)
        np.testing.assert_array_equal(model.predict_proba(votes), alone.predict_proba(votes))
        assert model.repeats_ == alone.repeats_
    assert {(a, b) for a, b, _ in alone.repeats_} >= {("s0", "s1"), ("s2", "s3")}
    empty = consilience.Structure(structure.sources, structure.classes, (), once=())
    independent = consilience.LabelModel("independent").fit(votes)
    np.testing.assert_array_equal(
        consilience.LabelModel(empty).fit(votes).predict_proba(votes), independent.predict_proba(votes)
    )


def test_link_weights_are_of_links(planted):
    """With link weights every dependency is part of the model; without links there is nothing to weigh."""
    _, votes = planted(1500, [0.8] * 6, {(0, 1): 1.5}, seed=6)
    votes = consilience.Votes(votes, abstain=0)
    model = consilience.LabelModel(consilience.StructureLearner(), link_weights=True).fit(votes)
    assert "correlation" in {kind for kind, *_ in model._model.core.weights}
    with pytest.raises(errors.OptionError, match="pass a Structure"):
        consilience.LabelModel(link_weights=True).fit(votes)
