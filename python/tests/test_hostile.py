"""Bad input, each kind handed to everything that takes votes: one clear line, never a crash, never another exception."""

import datetime
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from consilience import LabelModel, MajorityVote, Report, StructureLearner, Votes
from consilience.crowd import DawidSkene
from consilience.errors import ReadingWarning
from consilience.labeling import LFAnalysis, LFApplier, labeling_function
from consilience.labeling.model import LabelModel as MirroredModel
from consilience.labeling.model import MajorityLabelVoter
from consilience.learning import DependencySelector, GenerativeModel

GOOD = np.array([[0, 1, 1], [1, 1, 0], [0, 0, 0], [1, -1, 1]])
DAY = datetime.datetime(2020, 1, 1)
# What is refused by everything, and what may have a meaning for somebody.
REFUSED = {
    "complex numbers": GOOD.astype(complex),
    "dates": np.full((4, 3), np.datetime64("2020-01-01")),
    "spans of time": np.zeros((4, 3), dtype="m8[s]"),
    "raw memory": np.zeros((4, 3), dtype="V4"),
    "structures": np.zeros(4, dtype=[("a", int)]),
    "fractions": GOOD + 0.5,
    "NaN": np.where(GOOD == 0, np.nan, GOOD),
    "infinite": np.where(GOOD == 0, np.inf, GOOD),
    "huge floats": GOOD * 1e300,
    "huge integers": GOOD.astype(object) * 10**30,
    "the largest of 64 bits": np.full((4, 3), 2**64 - 1, dtype=np.uint64),
    "the smallest of 64 bits": np.full((4, 3), -(2**63)),
    "ragged": [[0, 1, 1], [1], [0, 0, 0]],
    "below -1": np.where(GOOD == 0, -2, GOOD),
    "one row": GOOD[0],
    "three dimensions": GOOD[None],
    "a number": 3,
    "None": None,
    "a text": "votes",
    "an empty list": [],
    "a set": {1, 2},
    "objects": [[object()] * 3] * 2,
    "lists in lists": [[[1], [2], [3]]],
    "columns of different lengths": {"a": [0, 1], "b": [1], "c": [1, 1]},
    "a frame of lists": pd.DataFrame({"a": [[1], [2]], "b": [[1], [2]], "c": [[1], [2]]}),
    "a frame of dates": pd.DataFrame({"a": [DAY] * 2, "b": [DAY] * 2, "c": [DAY] * 2}),
}
SOMETIMES = {
    "no rows": GOOD[:0],
    "no sources": GOOD[:, :0],
    "an empty frame": pd.DataFrame(),
    "a frame without rows": pd.DataFrame({"a": [], "b": [], "c": []}),
    "votes above the cardinality": GOOD + 5,
    "two sources": GOOD[:, :2],
    "one source": GOOD[:, :1],
    "numbers and texts": [[0, "a", None]] * 3,
    "half a letter": [["\ud800", "a", "b"]] * 3,
    "names that stand twice": pd.DataFrame(GOOD, columns=["a", "a", "b"]),
    "names of two levels": pd.DataFrame(GOOD, columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])),
    "silence": np.full((4, 3), -1),
    "one class": np.zeros((4, 3), dtype=int),
    "masked": np.ma.masked_array(GOOD, mask=GOOD == 1),
    "half precision": GOOD.astype(np.float16),
    "bytes of the other end first": GOOD.astype(">i4"),
    "every other column": np.repeat(GOOD, 2, axis=1)[:, ::2],
    "columns first in memory": np.asfortranarray(GOOD),
}
TAKERS = {
    "Votes": Votes,
    "LabelModel": lambda x: LabelModel().fit(x).predict(x),
    "StructureLearner": lambda x: StructureLearner().fit(x),
    "Algorithm 1": lambda x: StructureLearner(method="sgd").fit(x),
    "MajorityVote": lambda x: MajorityVote().fit(x).predict(x),
    "Report": lambda x: Report(x).to_pandas(),
    "DawidSkene": lambda x: DawidSkene().fit(x),
    "LFAnalysis": lambda x: LFAnalysis(x).lf_summary(),
    "MajorityLabelVoter": lambda x: MajorityLabelVoter().predict(x),
    "the mirrored LabelModel": lambda x: MirroredModel(verbose=False).fit(x),
    "DependencySelector": lambda x: DependencySelector().select(x),
    "GenerativeModel": lambda x: GenerativeModel().train(x),
}


@pytest.mark.parametrize("taker", TAKERS)
def test_votes_that_are_none(taker):
    for name, data in {**REFUSED, **SOMETIMES}.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            said, warned = None, False
            try:
                TAKERS[taker](data)
            except (ValueError, TypeError, ReadingWarning) as error:
                said, warned = str(error), isinstance(error, ReadingWarning)
        if said is None or warned:
            assert name in SOMETIMES, name
        if said is not None:
            # One line that says something.
            assert len(said.splitlines()) == 1, (name, said)
            assert len(said) > 15, (name, said)


def test_what_is_masked_abstains():
    masked = np.ma.masked_array(GOOD, mask=GOOD == 1)
    expected = np.where(GOOD == 1, -1, GOOD)
    np.testing.assert_array_equal(Votes(masked, classes=2).to_numpy(), expected)
    np.testing.assert_array_equal(LFAnalysis(masked).L, expected)


def test_arrays_at_odd_addresses():
    # Messages between machines hold arrays that begin anywhere.
    frame = pd.DataFrame({"a": [0, 1, 1, 0], "b": [1, 1, 0, 0], "c": [0, 1, 0, 0]})

    def moved(column):
        array = np.frombuffer(b"x" + column.to_numpy().tobytes(), dtype=column.dtype, offset=1)
        assert not array.flags.aligned
        return array

    odd = pd.DataFrame({name: pd.Series(moved(column), copy=False) for name, column in frame.items()}, copy=False)
    np.testing.assert_array_equal(Votes(odd).to_numpy(), Votes(frame).to_numpy())
    matrix = np.frombuffer(b"x" + frame.to_numpy().tobytes(), dtype=np.int64, offset=1).reshape(frame.shape)
    np.testing.assert_array_equal(Votes(matrix).to_numpy(), Votes(frame).to_numpy())


def test_the_layout_of_an_array_does_not_matter():
    wanted = Votes(GOOD)
    for name in ("half precision", "bytes of the other end first", "every other column", "columns first in memory"):
        assert Votes(SOMETIMES[name]) == wanted, name


@pytest.mark.parametrize(
    ("returned", "vote"),
    [
        (1, 1), (-1, -1), (-7, -1), (True, 1), (False, 0), (np.int8(1), 1), (np.uint64(2), 2), (np.bool_(True), 1), (1.0, 1),
        (np.float32(0.0), 0), (np.array(1), 1), (np.array([1]), 1),
        (None, TypeError), ("spam", TypeError), ("1", TypeError), (0.5, ValueError), (np.float64(0.5), ValueError),
        (float("nan"), ValueError), (float("inf"), ValueError), ([1], TypeError), (np.array([0, 1]), TypeError),
        (object(), TypeError), (1j, TypeError),
    ],
)  # fmt: skip
def test_what_labeling_functions_return(returned, vote):
    @labeling_function()
    def rule(x):
        return returned

    items = [SimpleNamespace(a=1)]
    if isinstance(vote, int):
        assert LFApplier([rule]).apply(items, progress_bar=False).tolist() == [[vote]]
        return
    with pytest.raises(vote, match="rule"):
        LFApplier([rule]).apply(items, progress_bar=False)
    found, meta = LFApplier([rule]).apply(items, progress_bar=False, fault_tolerant=True, return_meta=True)
    assert (found.tolist(), meta.faults) == ([[-1]], {"rule": 1})


def test_labeling_functions_that_raise():
    class Own(Exception):
        pass

    @labeling_function()
    def rule(x):
        raise Own("out of order")

    with pytest.raises(Own, match="out of order"):
        LFApplier([rule]).apply([SimpleNamespace(a=1)], progress_bar=False)

    @labeling_function()
    def stop(x):
        raise KeyboardInterrupt

    # Ctrl-C is no fault of a function.
    with pytest.raises(KeyboardInterrupt):
        LFApplier([stop]).apply([SimpleNamespace(a=1)], progress_bar=False, fault_tolerant=True)
