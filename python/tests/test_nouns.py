"""What the command line can do, from Python: explain, compare, label, simulate, plan, train; and the same files."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest

import consilience
from consilience import EndModel, LabelModel, Labels, Structure, StructureLearner, Votes, errors, plan, simulate


@pytest.fixture(scope="module")
def drawn():
    return simulate(sources=6, items=1500, clique=3, strength=1.0, seed=4)


@pytest.fixture(scope="module")
def model(drawn):
    return LabelModel().fit(drawn.votes)


def test_simulations(drawn):
    assert drawn.votes.shape == (1500, 6)
    assert sorted(drawn.truth) == ["classes", "dependencies", "labels", "sources", "version"]
    links = [d["sources"] for d in drawn.truth["dependencies"] if d["type"] == "correlation"]
    assert links == [["s0", "s1"], ["s0", "s2"], ["s1", "s2"]]
    assert [str(label) for label in drawn.labels] == drawn.truth["labels"]
    again = simulate(sources=6, items=1500, clique=3, strength=1.0, seed=4)
    assert again.votes == drawn.votes
    assert simulate(sources=6, items=1500, clique=3, strength=1.0, seed=5).votes != drawn.votes
    named = simulate(sources=3, items=50, classes=["ham", "spam"], correct=(0.7, 0.9), abstain=0.0, balance=[0.9, 0.1])
    assert (named.votes.to_numpy() >= 0).all()
    assert set(named.labels) <= {"ham", "spam"}


def test_the_truth_in_a_file(drawn, tmp_path):
    drawn.save_truth(tmp_path / "truth.json")
    assert json.loads((tmp_path / "truth.json").read_text()) == drawn.truth


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"pairs": 1, "density": 0.5}, "pairs and density say which sources"),
        ({"accuracy": 99.0}, "between -10 and 10"),
        ({"abstain": 2.0}, "abstain"),
        ({"pairs": 5}, "need 10 sources, but there are 4"),
        ({"type": "friendship", "pairs": 1}, "friendship"),
        ({"accuracy": (1, 2, 3)}, "accuracy must be a number, or the smallest and the largest"),
        ({"seed": -1}, "seed must be at least 0"),
    ],
)
def test_simulations_that_are_refused(settings, message):
    with pytest.raises(errors.OptionError, match=message):
        simulate(sources=4, items=10, **settings)


def test_plans():
    planned = plan(sources=50, rows=20_000)
    assert planned.rows["practice"] == pytest.approx(750 * 2 * np.log(50))
    assert planned.rows["theorem"] is None
    assert planned.weakest["practice"] == pytest.approx(0.25 * np.sqrt(planned.rows["practice"] / 20_000))
    known = plan(sources=50, curvature=0.1)
    assert known.weakest is None
    assert known.rows["theorem"] == pytest.approx(32 * 99 / (0.1 * 0.25) ** 2 * np.log(2 * 50 * 99 / 0.05))
    assert "Theorem 1" in repr(known)
    assert "<table>" in known._repr_html_()
    for settings in ({"strength": 0.0}, {"confidence": 1.0}, {"degree": 0}, {"rows": 0}, {"sources": 1}):
        with pytest.raises(errors.OptionError, match=next(iter(settings))):
            plan(**{"sources": 50, **settings})
    with pytest.raises(errors.UnknownTypeError, match="friendship"):
        plan(sources=5, types="friendship")


def test_labels(drawn, model, tmp_path):
    labels = model.label(drawn.votes)
    assert isinstance(labels, Labels)
    np.testing.assert_array_equal(labels.probabilities, model.predict_proba(drawn.votes))
    np.testing.assert_array_equal(labels.labels, model.predict(drawn.votes))
    np.testing.assert_array_equal(labels.confidence, labels.probabilities.max(axis=1))
    frame = labels.to_pandas()
    assert frame.columns.tolist() == ["item", "label", "confidence", "p_0", "p_1"]
    labels.save(tmp_path / "labels.csv")
    read = pd.read_csv(tmp_path / "labels.csv")
    assert read.columns.tolist() == frame.columns.tolist()
    np.testing.assert_array_equal(read["p_1"], labels.probabilities[:, 1])
    np.testing.assert_array_equal(read["label"].fillna(-1), labels.labels)
    with pytest.raises(errors.ConsilienceError, match="nowhere"):
        labels.save(tmp_path / "nowhere" / "labels.csv")
    other = LabelModel("independent").fit(drawn.votes).label(drawn.votes)
    decided = (labels.labels != -1) & (other.labels != -1) & labels.with_votes
    assert labels.differ(other) == (labels.labels != other.labels)[decided].sum() > 0
    with pytest.raises(ValueError, match="compare labels of the same items"):
        labels.differ(model.label(drawn.votes.to_numpy()[:5]))


def test_decisions(drawn, model):
    labels = model.label(drawn.votes)
    decided = labels.decide(f1=1)
    p, covered = labels.probabilities[:, 1], labels.with_votes
    assert (decided[~covered] == -1).all()

    def expected(chosen):
        return 2 * p[chosen].sum() / (chosen.sum() + p[covered].sum())

    best = max(expected(covered & (p >= cut)) for cut in np.unique(p[covered]))
    assert expected(decided == 1) == pytest.approx(best)
    sure = labels.decide(abstain_below=0.9)
    np.testing.assert_array_equal(sure == -1, (labels.confidence < 0.9) | (labels.labels == -1))
    with pytest.raises(errors.OptionError, match="f1 must be one of the classes 0, 1, but is 'spam'"):
        labels.decide(f1="spam")


def test_graphs(drawn):
    networkx = pytest.importorskip("networkx")
    structure = StructureLearner().fit(drawn.votes).structure_
    graph = networkx.parse_graphml(structure.to_graphml())
    assert set(networkx.get_node_attributes(graph, "name").values()) == set(structure.sources)
    assert structure.to_dot(every=True).count("--") > structure.to_dot().count("--") > 0


def test_explanations(drawn, model):
    item = model.explain(drawn.votes, item=3)
    probabilities = model.predict_proba(drawn.votes)[3]
    np.testing.assert_allclose(item.data["probabilities"], probabilities, rtol=1e-12)
    votes = drawn.votes.to_numpy()[3]
    assert {c["source"] for c in item.data["contributions"]} == {f"s{j}" for j in np.flatnonzero(votes >= 0)}
    # Without a vote, the label has the probability that a fresh inference gives.
    first = item.data["contributions"][0]
    without = votes.copy()
    without[int(first["source"][1:])] = -1
    label = int(item.data["label"])
    assert model.predict_proba(without[None])[0, label] == pytest.approx(first["probability_without"])
    panel = model.explain(drawn.votes)
    assert 3 < panel.data["effective_votes"] < 6
    source = model.explain(drawn.votes, source="s0")
    assert source.data == panel.data["sources"][0]
    assert source.data["votes"] == (drawn.votes.to_numpy()[:, 0] >= 0).sum()
    named = Votes(pd.DataFrame({"item": ["x", "y"], "a": [0, 1], "b": [0, 1], "c": [0, 1]}))
    assert repr(LabelModel().fit(named).explain(named, item="y")).startswith("Item y: 1 (")
    for explanation in (item, panel, source):
        assert "s0" in repr(explanation)
        assert "<td>s0</td>" in explanation._repr_html_()
    with pytest.raises(errors.OptionError, match="item must be at least 0 and at most 1499"):
        model.explain(drawn.votes, item=1500)
    with pytest.raises(errors.UnknownSourcesError, match="nobody"):
        model.explain(drawn.votes, source="nobody")
    with pytest.raises(errors.OptionError, match="pass one of them"):
        model.explain(drawn.votes, item=1, source="s0")
    with pytest.raises(errors.ConsilienceError, match='no item "z"'):
        model.explain(drawn.votes, item="z")


def test_comparisons(drawn, model):
    rows = {row["model"]: row for row in model.compare(drawn.votes, gold=drawn.labels).rows}
    assert list(rows) == ["this model", "independent", "Dawid and Skene", "majority vote"]
    labels = model.label(drawn.votes)
    covered = labels.with_votes
    best = labels.probabilities >= labels.probabilities.max(axis=1, keepdims=True) - 1e-9
    right = (best[np.arange(1500), drawn.labels] / best.sum(axis=1))[covered].mean()
    assert rows["this model"]["right"] == pytest.approx(right)
    independent = LabelModel("independent").fit(drawn.votes).label(drawn.votes)
    assert rows["independent"]["differs"] == labels.differ(independent)
    shares = consilience.MajorityVote().fit(drawn.votes).predict_proba(drawn.votes)
    most = shares >= shares.max(axis=1, keepdims=True) - 1e-9
    by_majority = (most[np.arange(1500), drawn.labels] / most.sum(axis=1))[covered].mean()
    assert rows["majority vote"]["right"] == pytest.approx(by_majority)
    compared = model.compare(drawn.votes)
    assert "Labels that differ" in repr(compared)
    assert "<table>" in compared._repr_html_()
    assert all(row["right"] is None for row in compared.rows)


def test_models_in_files(drawn, model, tmp_path):
    model.save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    assert document["version"] == consilience.__version__
    assert document["items"] == 1500
    again = LabelModel.load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict_proba(drawn.votes), model.predict_proba(drawn.votes))
    assert again.repeats_ == model.repeats_
    assert again.classes_.tolist() == [0, 1]
    pickled = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(pickled.predict_proba(drawn.votes), model.predict_proba(drawn.votes))
    (tmp_path / "newer.json").write_text(json.dumps({**document, "version": "99.0.0"}))
    with pytest.raises(errors.ConsilienceError, match="newer.json: .*99.0.0"):
        LabelModel.load(tmp_path / "newer.json")
    structure = StructureLearner().fit(drawn.votes).structure_
    structure.save(tmp_path / "structure.json")
    with pytest.raises(errors.ConsilienceError, match="structure.json: "):
        LabelModel.load(tmp_path / "structure.json")
    with pytest.raises(errors.ConsilienceError, match="no such file"):
        LabelModel.load(tmp_path / "missing.json")
    with pytest.raises(errors.NotFittedError):
        LabelModel().save(tmp_path / "no.json")
    assert not (tmp_path / "no.json").exists()


def test_corrected_models_in_files(drawn, tmp_path):
    answers = np.where(np.arange(1500) < 100, drawn.labels, -1)
    model = LabelModel().fit(drawn.votes, answers=answers)
    model.save(tmp_path / "model.json")
    again = LabelModel.load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict_proba(drawn.votes), model.predict_proba(drawn.votes))


def test_structures_of_other_orders(drawn):
    structure = StructureLearner().fit(drawn.votes).structure_
    turned = Votes(drawn.votes.to_numpy()[:, ::-1], sources=drawn.votes.sources[::-1])
    same = LabelModel(structure).fit(turned)
    np.testing.assert_allclose(same.predict_proba(turned), LabelModel(structure).fit(drawn.votes).predict_proba(drawn.votes))
    with pytest.raises(AttributeError):
        structure.sources = ()
    assert hash(structure) == hash(Structure.from_json(structure.to_json(every=True)))


def test_end_models(tmp_path):
    rng = np.random.default_rng(0)
    spam = rng.random(300) < 0.4
    words = np.where(
        spam[:, None], rng.choice(["win", "free", "money", "now"], (300, 6)), rng.choice(["lunch", "song"], (300, 6))
    )
    texts = [" ".join(row) for row in words]
    probabilities = np.where(spam[:, None], [0.2, 0.8], [0.9, 0.1])
    probabilities[:20] = 0.5
    model = EndModel().fit(texts, probabilities, classes=["ham", "spam"])
    assert model.score(texts, np.where(spam, "spam", "ham")) == 1.0
    assert model.training_["items"] == 280
    assert EndModel().fit(texts, probabilities, every=True).training_["items"] == 300
    model.save(tmp_path / "end.json")
    again = EndModel.load(tmp_path / "end.json")
    np.testing.assert_array_equal(again.predict_proba(texts), model.predict_proba(texts))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(texts), model.predict_proba(texts))
    frame = pd.DataFrame({"title": texts, "body": texts[::-1]})
    two = EndModel().fit(frame, np.where(spam, "spam", "ham"))
    assert two.predict(frame[["body", "title"]]).shape == (300,)
    for bad, message in (
        (lambda: EndModel().fit(texts, probabilities[:5]), "300 texts, but 5 labels"),
        (lambda: EndModel().fit(texts[:20], probabilities[:20]), "better than chance"),
        (lambda: EndModel().fit([1, 2], [[0.1, 0.9]] * 2), "1 is not a text"),
        (lambda: EndModel(bits=40).fit(texts, probabilities), "bits must be at least 8 and at most 26"),
        (lambda: EndModel(words=3).fit(texts, probabilities), "words must be the shortest and the longest"),
        (lambda: two.predict({"title": texts}), "no column body"),
        (lambda: two.predict(texts), "reads title, body"),
    ):
        with pytest.raises(ValueError, match=message):
            bad()
    with pytest.raises(errors.NotFittedError):
        EndModel().predict(texts)


def test_end_models_learn_from_labels(drawn, model):
    labels = model.label(drawn.votes)
    texts = [f"word{label} filler" for label in drawn.labels]
    end = EndModel().fit(texts, labels)
    assert end.predict(["word1 filler"]).tolist() == [1]


def test_what_notebooks_show(drawn, model):
    shown = [
        drawn,
        drawn.votes,
        model,
        LabelModel(),
        model.label(drawn.votes),
        StructureLearner().fit(drawn.votes).structure_,
        consilience.Report(drawn.votes),
        consilience.certify(drawn.labels, drawn.labels),
    ]
    for one in shown:
        html = one._repr_html_()
        assert html.startswith("<div>")
        assert html.endswith("</div>")
        assert html.count("<table>") == html.count("</table>")
        assert "object at" not in repr(one)
    wide = Votes(np.zeros((2, 50), dtype=int), classes=2)
    assert "<table>" not in wide._repr_html_()
    odd = Votes([["<b>", "x"], ["x", "x"]])
    assert "&lt;b&gt;" in odd._repr_html_()
