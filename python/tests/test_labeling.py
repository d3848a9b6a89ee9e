"""Labeling functions and appliers."""

import logging
from collections import namedtuple
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from consilience.labeling import (
    LabelingFunction,
    LFApplier,
    PandasLFApplier,
    filter_unlabeled_dataframe,
    labeling_function,
)
from consilience.labeling.apply.core import ApplierMetadata, BaseLFApplier
from consilience.labeling.apply.dask import DaskLFApplier, PandasParallelLFApplier
from consilience.labeling.apply.processes import in_processes
from consilience.preprocess import preprocessor


@preprocessor()
def square(x):
    x.num = x.num**2
    return x


@preprocessor()
def returns_none(x):
    return None


class SquareHitTracker:
    def __init__(self):
        self.n_hits = 0

    def __call__(self, x):
        self.n_hits += 1
        return x**2


@labeling_function()
def f(x):
    return 0 if x.num > 42 else -1


@labeling_function(pre=[square])
def fp(x):
    return 0 if x.num > 42 else -1


@labeling_function(resources={"db": [3, 6, 9]})
def g(x, db):
    return 0 if x.num in db else -1


@labeling_function()
def f_bad(x):
    return 0 if x.mum > 42 else -1


DATA = [3, 43, 12, 9, 3]
L_EXPECTED = np.array([[-1, 0], [0, -1], [-1, -1], [-1, 0], [-1, 0]])
L_EXPECTED_BAD = np.array([[-1, -1], [0, -1], [-1, -1], [-1, -1], [-1, -1]])
L_PREPROCESS = np.array([[-1, -1], [0, 0], [-1, 0], [-1, 0], [-1, -1]])
FRAME = pd.DataFrame({"num": DATA})
POINTS = [SimpleNamespace(num=num) for num in DATA]


def test_functions():
    lf = LabelingFunction("my_lf", lambda x: 0 if x.num > 42 else -1)
    assert lf(SimpleNamespace(num=43)) == 0
    assert lf(SimpleNamespace(num=19)) == -1
    assert lf.name == "my_lf"
    assert repr(lf) == "LabelingFunction my_lf, Preprocessors: []"
    assert repr(fp) == "LabelingFunction fp, Preprocessors: [LambdaMapper square, Pre: []]"
    assert isinstance(f, LabelingFunction)
    assert g(SimpleNamespace(num=6)) == 0
    assert labeling_function("named")(lambda x: 1).name == "named"
    with pytest.raises(ValueError, match="missing parentheses"):

        @labeling_function
        def bad(x):
            return 0


def test_preprocessors_run_and_must_return_something():
    x = SimpleNamespace(num=7)
    assert fp(x) == 0
    assert x.num == 7
    with pytest.raises(ValueError, match="should not return None"):
        LabelingFunction("lf", lambda x: 0, pre=[square, returns_none])(x)


@pytest.mark.parametrize("points", [POINTS, tuple(POINTS), np.array(POINTS), (p for p in POINTS)])
def test_items_in_any_sequence(points):
    np.testing.assert_equal(LFApplier([f, g]).apply(points, progress_bar=False), L_EXPECTED)


def test_items_of_any_kind():
    Item = namedtuple("Item", ["num"])
    for make in (Item, lambda num: pd.Series({"num": num}), lambda num: SimpleNamespace(num=num)):
        votes = LFApplier([f, g]).apply([make(num) for num in DATA], progress_bar=False)
        np.testing.assert_equal(votes, L_EXPECTED)
        assert votes.dtype == np.dtype(int)


@pytest.mark.parametrize("progress_bar", [True, False])
def test_data_frames(progress_bar, capsys):
    np.testing.assert_equal(PandasLFApplier([f, g]).apply(FRAME, progress_bar=progress_bar), L_EXPECTED)
    assert ("5/5" in capsys.readouterr().err) == progress_bar
    np.testing.assert_equal(PandasLFApplier([f, fp]).apply(FRAME, progress_bar=False), L_PREPROCESS)
    assert FRAME.num.tolist() == DATA


def test_frames_with_odd_indices():
    frame = FRAME.set_index(pd.Index([7, 7, 1, 0, 7]))
    np.testing.assert_equal(PandasLFApplier([f, g]).apply(frame, progress_bar=False), L_EXPECTED)
    np.testing.assert_equal(PandasParallelLFApplier([f, g]).apply(frame, n_parallel=2), L_EXPECTED)


def test_nothing_to_apply_to():
    assert LFApplier([f, g]).apply([], progress_bar=False).shape == (0, 2)
    assert PandasLFApplier([f, g]).apply(FRAME[:0], progress_bar=False).shape == (0, 2)
    assert PandasParallelLFApplier([f, g]).apply(FRAME[:0]).shape == (0, 2)
    assert LFApplier([]).apply(POINTS, progress_bar=False).shape == (5, 0)


def test_faults():
    applier = LFApplier([f, f_bad])
    with pytest.raises(AttributeError, match="mum"):
        applier.apply(POINTS, progress_bar=False)
    votes = applier.apply(POINTS, progress_bar=False, fault_tolerant=True)
    np.testing.assert_equal(votes, L_EXPECTED_BAD)
    votes, meta = applier.apply(POINTS, progress_bar=False, fault_tolerant=True, return_meta=True)
    np.testing.assert_equal(votes, L_EXPECTED_BAD)
    assert meta == ApplierMetadata({"f_bad": 5})
    votes, meta = PandasLFApplier([f, f_bad]).apply(FRAME, False, True, True)
    np.testing.assert_equal(votes, L_EXPECTED_BAD)
    assert meta.faults == {"f_bad": 5}
    assert LFApplier([f]).apply(POINTS, False, return_meta=True)[1] == ApplierMetadata({})


@pytest.mark.parametrize(
    ("value", "vote"),
    [
        (1, 1),
        (np.int8(1), 1),
        (np.int64(2), 2),
        (np.float32(1.0), 1),
        (1.0, 1),
        (True, 1),
        (np.bool_(False), 0),
        (-1, -1),
        (-7, -1),
        (np.int64(-3), -1),
        (np.array([1]), 1),
        (np.array(1), 1),
    ],
)
def test_what_counts_as_a_vote(value, vote):
    lf = LabelingFunction("lf", lambda x: value)
    assert LFApplier([lf]).apply([0], progress_bar=False).tolist() == [[vote]]


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (None, TypeError),
        ("spam", TypeError),
        ([1], TypeError),
        (np.array([1, 2]), TypeError),
        (np.str_("1"), TypeError),
        (1j, TypeError),
        (0.5, ValueError),
        (float("nan"), ValueError),
        (np.float64("inf"), ValueError),
        (Decimal("1"), TypeError),
    ],
)
def test_what_is_no_vote(value, error):
    lf = LabelingFunction("odd_one", lambda x: value)
    with pytest.raises(error, match="odd_one returned"):
        LFApplier([lf]).apply([0], progress_bar=False)
    votes, meta = LFApplier([lf]).apply([0], False, fault_tolerant=True, return_meta=True)
    assert (votes.tolist(), meta.faults) == ([[-1]], {"odd_one": 1})


def test_names_must_differ():
    for applier in (LFApplier, PandasLFApplier, DaskLFApplier, PandasParallelLFApplier, BaseLFApplier):
        with pytest.raises(ValueError, match="not unique: 2 operators with name f"):
            applier([f, g, f])
    assert repr(LFApplier([f, g])) == "LFApplier, LFs: ['f', 'g']"


def test_memoised_preprocessors_run_once_for_all_functions():
    tracker = SquareHitTracker()

    @preprocessor(memoize=True)
    def squared(x):
        x.num_squared = tracker(x.num)
        return x

    @labeling_function(pre=[squared])
    def one(x):
        return 0 if x.num_squared > 42 else -1

    @labeling_function(pre=[squared])
    def two(x):
        return 0 if x.num_squared > 1000 else -1

    expected = [[-1, -1], [0, 0], [0, -1], [0, -1], [-1, -1]]
    assert LFApplier([one, two]).apply(POINTS, progress_bar=False).tolist() == expected
    assert tracker.n_hits == 4  # 3 comes twice
    assert PandasLFApplier([one, two]).apply(FRAME, progress_bar=False).tolist() == expected
    assert tracker.n_hits == 8


def test_several_processes():
    for n_parallel in (2, 3, None):
        np.testing.assert_equal(PandasParallelLFApplier([f, g]).apply(FRAME, n_parallel=n_parallel), L_EXPECTED)
    np.testing.assert_equal(PandasParallelLFApplier([f, fp]).apply(FRAME, n_parallel=2), L_PREPROCESS)
    for scheduler in ("threads", "synchronous", "processes"):
        np.testing.assert_equal(PandasParallelLFApplier([f, g]).apply(FRAME, 2, scheduler), L_EXPECTED)
    with pytest.raises(ValueError, match="n_parallel should be >= 2"):
        PandasParallelLFApplier([f]).apply(FRAME, n_parallel=1)
    with pytest.raises(ValueError, match="scheduler must be"):
        PandasParallelLFApplier([f]).apply(FRAME, scheduler="quantum")
    with pytest.raises(AttributeError, match="mum"):
        PandasParallelLFApplier([f, f_bad]).apply(FRAME)
    votes, meta = PandasParallelLFApplier([f, f_bad]).apply(FRAME, fault_tolerant=True, return_meta=True)
    np.testing.assert_equal(votes, L_EXPECTED_BAD)
    assert meta.faults == {"f_bad": 5}


def test_processes_report_what_pickle_cannot():
    class Odd(Exception):
        def __init__(self, a, b):
            super().__init__("no pickle")

    def fail(part):
        raise Odd(1, 2)

    with pytest.raises(RuntimeError, match="no pickle"):
        in_processes(fail, [1, 2], 2)


def test_processes_that_are_started_anew():
    pytest.importorskip("cloudpickle")
    bias = 5
    assert in_processes(lambda part: part + bias, [1, 2, 3], 2, start="spawn") == [6, 7, 8]


def test_dask():
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(FRAME, npartitions=2)
    for scheduler in ("processes", "threads", "synchronous"):
        np.testing.assert_equal(DaskLFApplier([f, g]).apply(frame, scheduler=scheduler), L_EXPECTED)
    np.testing.assert_equal(DaskLFApplier([f, fp]).apply(frame, "synchronous"), L_PREPROCESS)
    with pytest.raises(AttributeError, match="mum"):
        DaskLFApplier([f, f_bad]).apply(frame, "synchronous")
    votes, meta = DaskLFApplier([f, f_bad]).apply(frame, "threads", fault_tolerant=True, return_meta=True)
    np.testing.assert_equal(votes, L_EXPECTED_BAD)
    assert meta.faults == {"f_bad": 5}


def test_dask_client():
    distributed = pytest.importorskip("distributed")
    dd = pytest.importorskip("dask.dataframe")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with distributed.Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as client:
        frame = dd.from_pandas(FRAME, npartitions=2)
        np.testing.assert_equal(DaskLFApplier([f, g]).apply(frame, scheduler=client), L_EXPECTED)
        np.testing.assert_equal(PandasParallelLFApplier([f, g]).apply(FRAME, 2, client), L_EXPECTED)


def test_filter_unlabeled():
    frame = pd.DataFrame({"n": [1, 2, 3]}, index=[5, 6, 7])
    L = np.array([[0, -1], [-1, -1], [-1, 1]])
    y = np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])
    kept, labels = filter_unlabeled_dataframe(frame, y, L)
    assert kept.index.tolist() == [5, 7]
    np.testing.assert_array_equal(labels, y[[0, 2]])
    with pytest.raises(ValueError, match="same items"):
        filter_unlabeled_dataframe(frame, y[:2], L)
