"""Votes in Dask data frames: counted by partitions, labelled by partitions, as on one machine."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("dask.dataframe", reason="dask is not installed")

import dask.dataframe as dd

import consilience.dask
from consilience import LabelModel, MajorityVote, StructureLearner, Votes, errors


def table(items=3_000, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    frame = pd.DataFrame({"id": np.arange(items)})
    for j in range(6):
        right = rng.random(items) < 0.75
        vote = np.where(right, truth, rng.integers(0, 3, items))
        frame[f"judge.{j}"] = pd.array(np.where(rng.random(items) < 0.6, vote, -1), dtype="Int64")
    frame["judge.5"] = frame["judge.4"].where(frame["id"] % 10 != 0, -1)
    frame.loc[frame["id"] % 7 == 0, "judge.1"] = pd.NA
    return frame


def named(frame):
    words = {0: "ham", 1: "spam", 2: "eggs"}
    return frame.assign(**{name: frame[name].map(words) for name in frame.columns if name != "id"})


@pytest.mark.parametrize("make", [table, lambda: named(table())], ids=["numbers", "texts"])
def test_the_labels_of_one_machine(make):
    frame = make()
    spread = dd.from_pandas(frame, npartitions=5)
    votes = consilience.dask.count_votes(spread, ignore=["id"], scheduler="threads")
    alone = Votes(frame, ignore=["id"])
    assert votes.sources == alone.sources
    assert votes.classes == alone.classes
    assert len(votes) == len(alone)
    for here, there in zip(votes.patterns()[:2], alone.patterns()[:2]):
        np.testing.assert_array_equal(here, there)
    model, expected = LabelModel().fit(votes), LabelModel().fit(alone)
    labelled = consilience.dask.label(spread, model).compute(scheduler="threads")
    assert list(labelled["id"]) == list(frame["id"])
    probabilities = labelled[[f"p_{name}" for name in alone.classes]].to_numpy()
    assert probabilities.tobytes() == expected.predict_proba(alone).tobytes()
    labels = [None if pd.isna(value) else value for value in labelled["label"]]
    assert labels == expected.predict(alone).tolist()
    np.testing.assert_array_equal(labelled["confidence"], probabilities.max(axis=1))
    assert StructureLearner().fit(votes).structure_ == StructureLearner().fit(alone).structure_


def test_classes_that_only_some_partitions_see():
    frame = pd.DataFrame({"a": ["x"] * 4 + ["y"] * 4, "b": ["x"] * 6 + ["z"] * 2, "c": [None, "x"] * 4})
    votes = consilience.dask.count_votes(dd.from_pandas(frame, npartitions=4), scheduler="threads")
    assert votes.classes == ["x", "y", "z"]
    np.testing.assert_array_equal(votes.patterns()[0], Votes(frame).patterns()[0])
    declared = consilience.dask.count_votes(
        dd.from_pandas(frame, npartitions=4), classes=["z", "y", "x", "w"], scheduler="threads"
    )
    assert declared.classes == ["z", "y", "x", "w"]


def test_majority_vote_and_its_columns():
    frame = table(200)
    names = [name for name in frame.columns if name != "id"]
    spread = dd.from_pandas(frame, npartitions=2)
    model = MajorityVote().fit(frame[names])
    labelled = consilience.dask.label(spread, model, sources=names).compute(scheduler="threads")
    assert labelled["label"].tolist() == model.predict(frame[names]).tolist()


def test_what_is_refused():
    frame = table(50)
    spread = dd.from_pandas(frame, npartitions=2)
    names = [name for name in frame.columns if name != "id"]
    model = LabelModel().fit(frame[names])
    for call, error, said in (
        (lambda: consilience.dask.count_votes(spread, ["nope"]), errors.ConsilienceError, 'no column "nope"'),
        (lambda: consilience.dask.count_votes(spread, ignore=list(frame)), errors.ConsilienceError, "no sources"),
        (lambda: consilience.dask.count_votes(spread[spread.id < 0]), errors.NoItemsError, "no items"),
        (lambda: consilience.dask.label(spread, LabelModel()), errors.NotFittedError, "not fitted"),
        (lambda: consilience.dask.label(spread, LabelModel(ties="random").fit(frame[names])), errors.OptionError, "random"),
        (lambda: consilience.dask.label(spread.assign(label=1), model), errors.ConsilienceError, "already has a column label"),
        (lambda: consilience.dask.label(spread, MajorityVote().fit(frame[names])), errors.ConsilienceError, "name them"),
        (lambda: consilience.dask.label(spread.drop(columns=["judge.0"]), model), errors.ConsilienceError, "judge.0"),
    ):
        with pytest.raises(error, match=said):
            call()


def test_counted_rows():
    votes = Votes.from_counts([[0, 1, -1], [1, 1, 0], [0, 1, -1]], [2, 0, 1])
    assert votes.to_numpy().tolist() == [[0, 1, -1]] * 3
    for counts, said in (
        ([1, 2], "3 items, but there are 2 counts"),
        ([1, -1, 1], "at least 0"),
        ([0.5, 1, 1], "fraction"),
        ([0] * 3, "no items"),
    ):
        with pytest.raises(ValueError, match=said):
            Votes.from_counts([[0, 1, -1], [1, 1, 0], [0, 1, -1]], counts)
    with pytest.raises(errors.TooManyItemsError, match="do not fit into memory"):
        Votes.from_counts([[0, 1]], [2**62])
