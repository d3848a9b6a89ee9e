"""Learning the structure, and what is done with it."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest

from consilience import Dependency, Structure, StructureLearner, Votes, errors


@pytest.fixture(scope="module")
def structure(two_pairs):
    _, votes = two_pairs
    return StructureLearner().fit(Votes(votes, abstain=0)).structure_


def test_the_planted_pairs_are_found(structure):
    assert {d.sources for d in structure.dependencies} == {("s0", "s1"), ("s2", "s3")}
    for d in structure.dependencies:
        assert d.type == "correlation"
        assert abs(d.weight - 0.5) < 5 * d.stderr
        assert d.z == pytest.approx(d.weight / d.stderr)
        assert d.q < 1e-6
    assert structure.groups == [["s0", "s1"], ["s2", "s3"]]
    assert len(structure.candidates) == 45
    assert structure.items == 10_000
    assert (structure.method, structure.select) == ("exact", "auto")


def test_algorithm_1_finds_them_too(two_pairs):
    _, votes = two_pairs
    learned = StructureLearner(method="sgd", epsilon=0.05).fit(Votes(votes, abstain=0)).structure_
    assert {d.sources for d in learned.dependencies} == {("s0", "s1"), ("s2", "s3")}
    assert all(d.z is None for d in learned.candidates)
    assert learned.select == "threshold=0.05"
    same = StructureLearner(method="sgd", select="threshold=0.05").fit(Votes(votes, abstain=0)).structure_
    assert same == learned


def test_rules_of_selection(two_pairs):
    votes = Votes(two_pairs[1], abstain=0)
    for select, count in (("top=1", 1), ("top=7", 7), ("fwer=0.01", 2), ("threshold=10", 0)):
        assert len(StructureLearner(select=select).fit(votes).structure_.dependencies) == count


def test_mirror_images_and_pairs_that_seldom_meet_are_named():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 600)
    votes = np.where(rng.random((600, 6)) < 0.8, truth[:, None], 1 - truth[:, None])
    votes[:, 4] = 1 - votes[:, 0]
    votes[3:, 5] = -1
    structure = StructureLearner().fit(votes).structure_
    assert structure.mirrors == (("s0", "s4"),)
    assert structure.untested == 4
    assert structure.tests >= len(structure.candidates)
    assert Structure.from_json(structure.to_json(every=True)) == structure


def test_exact_copies_are_named():
    rng = np.random.default_rng(2)
    matrix = rng.integers(-1, 2, (500, 4))
    matrix[:, 3] = matrix[:, 1]
    structure = StructureLearner().fit(matrix).structure_
    assert structure.copies == (("s1", "s3"),)
    assert ["s1", "s3"] in structure.groups


def test_names_come_from_the_frame():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.integers(0, 2, (300, 3)), columns=["x", "y", "z"])
    assert StructureLearner().fit(frame).structure_.sources == ("x", "y", "z")


def test_documents(structure, tmp_path):
    path = tmp_path / "structure.json"
    structure.save(path, every=True)
    assert Structure.load(path) == Structure.from_json(structure.to_json(every=True))
    document = json.loads(path.read_text())
    keys = ["sources", "classes", "dependencies", "copies", "once", "method", "select", "items", "tests", "version"]
    assert list(document) == keys
    assert document["dependencies"][0]["type"] == "correlation"
    kept = Structure.from_json(structure.to_json())
    assert kept.dependencies == structure.dependencies
    assert list(tmp_path.iterdir()) == [path]
    assert pickle.loads(pickle.dumps(structure)) == structure


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": "99.0.0"}, "99.0.0.*update"),
        ({"version": "new"}, "not a version number"),
        ({"dependencies": [{"type": "correlation"}]}, "structure: missing field `sources`"),
        ({"sources": None}, "structure: invalid type: null"),
    ],
)
def test_documents_that_are_refused(structure, change, message):
    document = {**json.loads(structure.to_json()), **change}
    with pytest.raises(ValueError, match=message):
        Structure.from_json(json.dumps(document))


def test_text_that_is_no_json():
    for text in ("", "{", "[]", "3"):
        with pytest.raises(errors.ConsilienceError, match="structure"):
            Structure.from_json(text)


def test_networkx(structure):
    graph = structure.to_networkx()
    assert set(graph.nodes) == set(structure.sources)
    assert sorted(kind for *_, kind in graph.edges(data="type")) == ["correlation"] * 2 + ["repetition"] * 2
    assert {frozenset(edge[:2]) for edge in graph.edges} == {frozenset(("s0", "s1")), frozenset(("s2", "s3"))}


def test_pictures(structure):
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    own = plt.subplots()[1]
    assert structure.draw(own) is own
    assert {text.get_text() for text in own.texts} >= set(structure.sources)
    plt.close("all")


def test_pictures_of_the_report(structure, tmp_path):
    import xml.etree.ElementTree as ElementTree

    picture = structure.draw()
    tree = ElementTree.fromstring(picture._repr_svg_())
    drawn = {text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")}
    assert drawn == {"s0", "s1", "s2", "s3"}
    picture.save(tmp_path / "structure.svg")
    assert (tmp_path / "structure.svg").read_text() == picture.svg
    assert ElementTree.fromstring(Structure(("a",), ("0", "1"), ()).draw().svg) is not None


def test_notebooks_and_tables(structure):
    html = structure._repr_html_()
    assert "s0 - s1" in html
    assert "<table>" in html
    odd = Structure(("<b>", "c"), ("0", "1"), (Dependency("fixing", ("<b>", "c"), 1.0),))
    assert "&lt;b&gt; ← c" in odd._repr_html_()
    frame = structure.to_pandas()
    assert frame["sources"].tolist()[:2] == [d.sources for d in structure.dependencies]
    assert frame["type"].tolist() == ["correlation"] * 2 + ["repetition"] * 2
    assert len(structure.to_pandas(every=True)) == 45 + 2
    assert repr(structure).startswith("Structure(10 sources, 2 dependencies: ")


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"method": "magic"}, errors.OptionError, "exact or sgd"),
        ({"select": "best"}, errors.SelectRuleError, "rule"),
        ({"select": "fdr=2"}, errors.SelectRuleError, "rule"),
        ({"types": ["friendship"]}, errors.UnknownTypeError, "friendship"),
        ({"types": []}, errors.OptionError, "types must be"),
        ({"types": ["correlation", "agreement", "exclusive"]}, errors.OptionError, "tell apart"),
        ({"tolerance": 0.0}, errors.OptionError, "tolerance must be above 0"),
        ({"ridge": float("nan")}, errors.OptionError, "ridge"),
        ({"epsilon": 0.1}, errors.OptionError, "sgd"),
        ({"method": "sgd", "select": "fdr=0.05"}, errors.OptionError, "standard errors"),
        ({"method": "sgd", "epsilon": -1.0}, errors.OptionError, "epsilon"),
        ({"method": "sgd", "epsilon": 0.1, "select": "threshold=0.1"}, errors.OptionError, "mean the same"),
        ({"method": "sgd", "select": "threshold=x"}, errors.OptionError, "a number"),
        ({"method": "sgd", "epochs": 0}, errors.OptionError, "epochs"),
        ({"method": "sgd", "epochs": -3}, errors.OptionError, "epochs"),
        ({"method": "sgd", "own_rates": "all"}, errors.OptionError, "own_rates"),
    ],
)
def test_bad_settings(settings, error, message):
    matrix = np.random.default_rng(0).integers(0, 2, (50, 3))
    with pytest.raises(error, match=message):
        StructureLearner(**settings).fit(matrix)


def test_too_few_sources():
    with pytest.raises(errors.TooFewSourcesError, match="at least two"):
        StructureLearner().fit(np.array([[0, 0], [1, 1]]))


def test_problems_without_an_optimum_are_told(two_pairs):
    _, votes = two_pairs
    with pytest.warns(RuntimeWarning, match="the optimum was not reached for s"):
        StructureLearner(tolerance=1e-30).fit(Votes(votes[:500], abstain=0))
