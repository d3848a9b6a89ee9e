"""Slices."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from consilience.analysis import Scorer
from consilience.preprocess import preprocessor
from consilience.slicing import PandasSFApplier, SFApplier, SlicingFunction, slice_dataframe, slicing_function
from consilience.slicing.apply.dask import DaskSFApplier, PandasParallelSFApplier


@preprocessor()
def trimmed(x):
    x.text = x.text.strip()
    return x


@slicing_function()
def question(x):
    return x.text.endswith("?")


@slicing_function(pre=[trimmed])
def trimmed_question(x):
    return x.text.endswith("?")


@slicing_function()
def by_subject(x):
    return x.subject == "urgent"


FRAME = pd.DataFrame({"text": ["who?", "me", "why? ", "where?"]})


def test_functions_and_appliers():
    assert isinstance(question, SlicingFunction)
    with pytest.raises(ValueError, match=r"write @slicing_function\(\)"):
        slicing_function(lambda x: True)
    items = [SimpleNamespace(text=text) for text in FRAME.text]
    for S in (
        SFApplier([question, trimmed_question]).apply(items, progress_bar=False),
        PandasSFApplier([question, trimmed_question]).apply(FRAME, progress_bar=False),
        PandasParallelSFApplier([question, trimmed_question]).apply(FRAME, n_parallel=2),
    ):
        assert isinstance(S, np.recarray)
        assert S.dtype.names == ("question", "trimmed_question")
        assert S["question"].tolist() == [1, 0, 0, 1]
        assert S.trimmed_question.tolist() == [1, 0, 1, 1]
        assert S.shape == (4,)


def test_dask():
    dd = pytest.importorskip("dask.dataframe")
    S = DaskSFApplier([question]).apply(dd.from_pandas(FRAME, npartitions=2), scheduler="synchronous")
    assert S.question.tolist() == [1, 0, 0, 1]


def test_faults_are_outside():
    S, meta = PandasSFApplier([question, by_subject]).apply(FRAME, False, fault_tolerant=True, return_meta=True)
    assert S.by_subject.tolist() == [0, 0, 0, 0]
    assert meta.faults == {"by_subject": 4}


def test_frames_and_scores():
    assert slice_dataframe(FRAME, trimmed_question).index.tolist() == [0, 2, 3]
    S = PandasSFApplier([question, trimmed_question]).apply(FRAME, progress_bar=False)
    golds, preds = np.array([1, 0, 0, 1]), np.array([1, 1, 1, 1])
    scores = Scorer(metrics=["accuracy"]).score_slices(S, golds, preds, np.eye(2)[preds])
    assert scores["question"] == {"accuracy": 1.0}
    assert scores["trimmed_question"] == {"accuracy": pytest.approx(2 / 3)}
