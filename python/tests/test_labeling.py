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
    keyword_lf,
    labeling_function,
)
from consilience.labeling.apply.core import ApplierMetadata, BaseLFApplier
from consilience.labeling.apply.dask import DaskLFApplier, PandasParallelLFApplier
from consilience.labeling.apply.processes import in_processes
from consilience.preprocess import preprocessor

TEXTS = ["BUY NOW", "see you at noon", "lunch?", "WIN", "see you at noon", "ok then"]
FRAME = pd.DataFrame({"text": TEXTS})
MESSAGES = [SimpleNamespace(text=text) for text in TEXTS]


@preprocessor()
def without_spaces(x):
    x.text = x.text.replace(" ", "")
    return x


@preprocessor()
def forgetful(x):
    x.text = ""


@labeling_function()
def shouts(x):
    return 1 if x.text.isupper() else -1


@labeling_function(resources={"openings": ["see", "ok"]})
def friendly(x, openings):
    return 0 if x.text.split()[0] in openings else -1


@labeling_function(pre=[without_spaces])
def brief(x):
    return 1 if len(x.text) < 7 else -1


@labeling_function()
def by_subject(x):
    return 1 if "offer" in x.subject else -1


SHOUTS_FRIENDLY = [[1, -1], [-1, 0], [-1, -1], [1, -1], [-1, 0], [-1, 0]]
SHOUTS_BRIEF = [[1, 1], [-1, -1], [-1, 1], [1, 1], [-1, -1], [-1, 1]]
# No message has a subject.
SHOUTS_SUBJECT = [[1, -1], [-1, -1], [-1, -1], [1, -1], [-1, -1], [-1, -1]]


def test_functions():
    lf = LabelingFunction("asks", lambda x: 0 if x.text.endswith("?") else -1)
    assert [lf(message) for message in MESSAGES] == [-1, -1, 0, -1, -1, -1]
    assert lf.name == "asks"
    assert repr(lf) == "LabelingFunction asks, Preprocessors: []"
    assert repr(brief) == "LabelingFunction brief, Preprocessors: [LambdaMapper without_spaces, Pre: []]"
    assert isinstance(shouts, LabelingFunction)
    assert friendly(SimpleNamespace(text="ok")) == 0
    assert labeling_function("named")(lambda x: 1).name == "named"
    with pytest.raises(ValueError, match=r"write @labeling_function\(\)"):

        @labeling_function
        def bare(x):
            return 0


def test_preprocessors_run_and_must_return_something():
    message = SimpleNamespace(text="a b c d e")
    assert brief(message) == 1
    assert message.text == "a b c d e"
    with pytest.raises(ValueError, match="should not return None, .*; forgetful of labeling function lf did"):
        LabelingFunction("lf", lambda x: 0, pre=[without_spaces, forgetful])(message)


@pytest.mark.parametrize("points", [MESSAGES, tuple(MESSAGES), np.array(MESSAGES), (m for m in MESSAGES)])
def test_items_in_any_sequence(points):
    np.testing.assert_equal(LFApplier([shouts, friendly]).apply(points, progress_bar=False), SHOUTS_FRIENDLY)


def test_items_of_any_kind():
    Item = namedtuple("Item", ["text"])
    for make in (Item, lambda text: pd.Series({"text": text}), lambda text: SimpleNamespace(text=text)):
        votes = LFApplier([shouts, friendly]).apply([make(text) for text in TEXTS], progress_bar=False)
        np.testing.assert_equal(votes, SHOUTS_FRIENDLY)
        assert votes.dtype == np.dtype(int)


@pytest.mark.parametrize("progress_bar", [True, False])
def test_data_frames(progress_bar, capsys):
    np.testing.assert_equal(PandasLFApplier([shouts, friendly]).apply(FRAME, progress_bar=progress_bar), SHOUTS_FRIENDLY)
    assert ("6/6" in capsys.readouterr().err) == progress_bar
    np.testing.assert_equal(PandasLFApplier([shouts, brief]).apply(FRAME, progress_bar=False), SHOUTS_BRIEF)
    assert FRAME.text.tolist() == TEXTS


def test_frames_with_odd_indices():
    frame = FRAME.set_index(pd.Index([7, 7, 1, 0, 7, 2]))
    np.testing.assert_equal(PandasLFApplier([shouts, friendly]).apply(frame, progress_bar=False), SHOUTS_FRIENDLY)
    np.testing.assert_equal(PandasParallelLFApplier([shouts, friendly]).apply(frame, n_parallel=2), SHOUTS_FRIENDLY)


def test_nothing_to_apply_to():
    assert LFApplier([shouts, friendly]).apply([], progress_bar=False).shape == (0, 2)
    assert PandasLFApplier([shouts, friendly]).apply(FRAME[:0], progress_bar=False).shape == (0, 2)
    assert PandasParallelLFApplier([shouts, friendly]).apply(FRAME[:0]).shape == (0, 2)
    assert LFApplier([]).apply(MESSAGES, progress_bar=False).shape == (6, 0)


def test_faults():
    applier = LFApplier([shouts, by_subject])
    with pytest.raises(AttributeError, match="subject"):
        applier.apply(MESSAGES, progress_bar=False)
    votes = applier.apply(MESSAGES, progress_bar=False, fault_tolerant=True)
    np.testing.assert_equal(votes, SHOUTS_SUBJECT)
    votes, meta = applier.apply(MESSAGES, progress_bar=False, fault_tolerant=True, return_meta=True)
    np.testing.assert_equal(votes, SHOUTS_SUBJECT)
    assert meta == ApplierMetadata({"by_subject": 6})
    votes, meta = PandasLFApplier([shouts, by_subject]).apply(FRAME, False, True, True)
    np.testing.assert_equal(votes, SHOUTS_SUBJECT)
    assert meta.faults == {"by_subject": 6}
    assert LFApplier([shouts]).apply(MESSAGES, False, return_meta=True)[1] == ApplierMetadata({})


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
        with pytest.raises(ValueError, match="2 operators with name shouts"):
            applier([shouts, friendly, shouts])
    assert repr(LFApplier([shouts, friendly])) == "LFApplier, LFs: ['shouts', 'friendly']"


def test_memoised_preprocessors_run_once_for_all_functions():
    read = []

    @preprocessor(memoize=True)
    def counted(x):
        read.append(x.text)
        x.words = len(x.text.split())
        return x

    @labeling_function(pre=[counted])
    def one_word(x):
        return 1 if x.words == 1 else -1

    @labeling_function(pre=[counted])
    def sentence(x):
        return 0 if x.words > 3 else -1

    expected = [[-1, -1], [-1, 0], [1, -1], [1, -1], [-1, 0], [-1, -1]]
    assert LFApplier([one_word, sentence]).apply(MESSAGES, progress_bar=False).tolist() == expected
    assert read == TEXTS[:4] + TEXTS[5:]  # the fifth message is the second again
    assert PandasLFApplier([one_word, sentence]).apply(FRAME, progress_bar=False).tolist() == expected
    # The rows of the frame are equal to the messages, and remembered.
    assert len(read) == 5


def test_several_processes():
    for n_parallel in (2, 3, None):
        np.testing.assert_equal(
            PandasParallelLFApplier([shouts, friendly]).apply(FRAME, n_parallel=n_parallel), SHOUTS_FRIENDLY
        )
    np.testing.assert_equal(PandasParallelLFApplier([shouts, brief]).apply(FRAME, n_parallel=2), SHOUTS_BRIEF)
    for scheduler in ("threads", "synchronous", "processes"):
        np.testing.assert_equal(PandasParallelLFApplier([shouts, friendly]).apply(FRAME, 2, scheduler), SHOUTS_FRIENDLY)
    with pytest.raises(ValueError, match="n_parallel should be >= 2, but is 1"):
        PandasParallelLFApplier([shouts]).apply(FRAME, n_parallel=1)
    with pytest.raises(ValueError, match="scheduler must be"):
        PandasParallelLFApplier([shouts]).apply(FRAME, scheduler="quantum")
    with pytest.raises(AttributeError, match="subject"):
        PandasParallelLFApplier([shouts, by_subject]).apply(FRAME)
    votes, meta = PandasParallelLFApplier([shouts, by_subject]).apply(FRAME, fault_tolerant=True, return_meta=True)
    np.testing.assert_equal(votes, SHOUTS_SUBJECT)
    assert meta.faults == {"by_subject": 6}


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
        np.testing.assert_equal(DaskLFApplier([shouts, friendly]).apply(frame, scheduler=scheduler), SHOUTS_FRIENDLY)
    np.testing.assert_equal(DaskLFApplier([shouts, brief]).apply(frame, "synchronous"), SHOUTS_BRIEF)
    with pytest.raises(AttributeError, match="subject"):
        DaskLFApplier([shouts, by_subject]).apply(frame, "synchronous")
    votes, meta = DaskLFApplier([shouts, by_subject]).apply(frame, "threads", fault_tolerant=True, return_meta=True)
    np.testing.assert_equal(votes, SHOUTS_SUBJECT)
    assert meta.faults == {"by_subject": 6}


def test_dask_client():
    distributed = pytest.importorskip("distributed")
    dd = pytest.importorskip("dask.dataframe")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with distributed.Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as client:
        frame = dd.from_pandas(FRAME, npartitions=2)
        np.testing.assert_equal(DaskLFApplier([shouts, friendly]).apply(frame, scheduler=client), SHOUTS_FRIENDLY)
        np.testing.assert_equal(PandasParallelLFApplier([shouts, friendly]).apply(FRAME, 2, client), SHOUTS_FRIENDLY)


def test_filter_unlabeled():
    frame = pd.DataFrame({"n": [1, 2, 3]}, index=[5, 6, 7])
    L = np.array([[0, -1], [-1, -1], [-1, 1]])
    y = np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])
    kept, labels = filter_unlabeled_dataframe(frame, y, L)
    assert kept.index.tolist() == [5, 7]
    np.testing.assert_array_equal(labels, y[[0, 2]])
    with pytest.raises(ValueError, match="same items"):
        filter_unlabeled_dataframe(frame, y[:2], L)


@pytest.mark.parametrize("applier", [PandasLFApplier, PandasParallelLFApplier])
def test_a_series_is_not_a_frame(applier):
    lfs = [LabelingFunction("long", lambda x: 1 if len(x.text) > 3 else -1)]
    for series in (pd.Series(["a", "b"], name="text"), pd.DataFrame({"text": ["a"]}).iloc[0]):
        with pytest.raises(TypeError, match=rf"{applier.__name__} expects .*, not a Series; pass series.to_frame\(\)"):
            applier(lfs).apply(series)
    with pytest.raises(TypeError, match="not a Series"):
        PandasLFApplier([keyword_lf(["a"], 1)]).apply(pd.Series(["a"], name="text"))
