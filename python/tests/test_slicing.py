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
def square(x):
    x.num = x.num**2
    return x


@slicing_function()
def large(x):
    return x.num > 42


@slicing_function(pre=[square])
def large_square(x):
    return x.num > 42


@slicing_function()
def bad(x):
    return x.mum > 42


FRAME = pd.DataFrame({"num": [3, 43, 12]})


def test_functions_and_appliers():
    assert isinstance(large, SlicingFunction)
    with pytest.raises(ValueError, match="missing parentheses"):
        slicing_function(lambda x: True)
    points = [SimpleNamespace(num=num) for num in FRAME.num]
    for S in (
        SFApplier([large, large_square]).apply(points, progress_bar=False),
        PandasSFApplier([large, large_square]).apply(FRAME, progress_bar=False),
        PandasParallelSFApplier([large, large_square]).apply(FRAME, n_parallel=2),
    ):
        assert isinstance(S, np.recarray)
        assert S.dtype.names == ("large", "large_square")
        assert S["large"].tolist() == [0, 1, 0]
        assert S.large_square.tolist() == [0, 1, 1]
        assert S.shape == (3,)


def test_dask():
    dd = pytest.importorskip("dask.dataframe")
    S = DaskSFApplier([large]).apply(dd.from_pandas(FRAME, npartitions=2), scheduler="synchronous")
    assert S.large.tolist() == [0, 1, 0]


def test_faults_are_outside():
    S, meta = PandasSFApplier([large, bad]).apply(FRAME, False, fault_tolerant=True, return_meta=True)
    assert S.bad.tolist() == [0, 0, 0]
    assert meta.faults == {"bad": 3}


def test_frames_and_scores():
    assert slice_dataframe(FRAME, large_square).num.tolist() == [43, 12]
    S = PandasSFApplier([large, large_square]).apply(FRAME, progress_bar=False)
    golds, preds = np.array([0, 1, 0]), np.array([0, 1, 1])
    scores = Scorer(metrics=["accuracy"]).score_slices(S, golds, preds, np.eye(2)[preds])
    assert scores["large_square"] == {"accuracy": 0.5}
