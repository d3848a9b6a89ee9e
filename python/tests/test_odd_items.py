"""Odd labeling functions and odd items: what is said of them, and that nothing hangs."""

import os
import re
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from consilience import LabelModel, Votes
from consilience.labeling import (
    LabelingFunction,
    LFApplier,
    PandasLFApplier,
    keyword_lf,
    labeling_function,
    lookup_lf,
    regex_lf,
)
from consilience.labeling.apply.dask import PandasParallelLFApplier

FRAME = pd.DataFrame({"text": ["Buy now", "hello", "buy\nlater", "good BUY"]})


def votes_of(lf, frame=FRAME):
    return PandasLFApplier([lf]).apply(frame, progress_bar=False)[:, 0].tolist()


def test_compiled_expressions_are_those_of_their_text():
    for pattern, flags, expected in (
        ("buy", 0, [-1, -1, 1, -1]),
        ("buy", re.IGNORECASE, [1, -1, 1, 1]),
        ("^later$", re.MULTILINE, [-1, -1, 1, -1]),
        ("buy.later", re.DOTALL, [-1, -1, 1, -1]),
        ("b u y  # spaces do not count", re.VERBOSE | re.IGNORECASE, [1, -1, 1, 1]),
    ):
        compiled = re.compile(pattern, flags)
        assert votes_of(regex_lf(compiled, 1)) == expected
        assert expected == [1 if compiled.search(text) else -1 for text in FRAME.text]
    with pytest.raises(ValueError, match="re.ASCII"):
        regex_lf(re.compile("a", re.ASCII), 1)
    for wrong in (None, re.compile(b"a"), 3):
        with pytest.raises(TypeError, match="pattern must be a regular expression"):
            regex_lf(wrong, 1)


def test_votes_of_text_functions_are_numbers_of_classes():
    for make in (
        lambda: keyword_lf(["a"], "spam"),
        lambda: keyword_lf(["a"], 1.5),
        lambda: regex_lf("a", None),
        lambda: regex_lf("a", 1, otherwise="ham"),
        lambda: lookup_lf({"a": "spam"}, name="l"),
    ):
        with pytest.raises(TypeError, match="must be the number of a class, or -1 to abstain"):
            make()
    with pytest.raises(TypeError, match="keywords must be texts, but one is 1"):
        keyword_lf(["a", 1], 1)
    with pytest.raises(TypeError, match="table must be a dictionary"):
        lookup_lf(["a"], name="l")
    assert votes_of(keyword_lf(["buy"], np.int64(2))) == [2, -1, 2, 2]


def test_dictionaries_are_items():
    assert LFApplier([keyword_lf(["buy"], 1)]).apply([{"text": "buy"}, {"text": "no"}], progress_bar=False).tolist() == [
        [1],
        [-1],
    ]


def test_what_is_no_labeling_function_and_no_sequence_of_items():
    for wrong in (len, None, "shouts"):
        with pytest.raises(TypeError, match="is not a labeling function; put @labeling_function"):
            LFApplier([wrong])
    lf = LabelingFunction("one", lambda x: 1)
    with pytest.raises(TypeError, match="use PandasLFApplier"):
        LFApplier([lf]).apply(FRAME)
    with pytest.raises(TypeError, match="expects a pandas data frame, not an object of type list"):
        PandasLFApplier([lf]).apply([1, 2])
    with pytest.raises(ValueError, match="returned 1000000000000000000000, which is too large for a class"):
        LFApplier([LabelingFunction("huge", lambda x: 10**21)]).apply([1], progress_bar=False)
    with pytest.raises(TypeError, match="n_parallel must be a whole number"):
        PandasParallelLFApplier([lf]).apply(FRAME, n_parallel="2")


def test_a_process_that_dies_is_told():
    @labeling_function()
    def dies(x):
        if x.text == "hello":
            os._exit(3)
        return 1

    @labeling_function()
    def leaves(x):
        sys.exit(3)

    for fault_tolerant in (False, True):
        with pytest.raises(RuntimeError, match="a process that applied labeling functions died"):
            PandasParallelLFApplier([dies]).apply(FRAME, fault_tolerant=fault_tolerant)
        # As where there is one process only.
        with pytest.raises(SystemExit):
            PandasParallelLFApplier([leaves]).apply(FRAME, fault_tolerant=fault_tolerant)
    assert PandasParallelLFApplier([LabelingFunction("one", lambda x: 1)]).apply(FRAME).tolist() == [[1]] * 4


def test_rows_that_are_dictionaries():
    wide = Votes([{"a": 0, "b": 1}, {"b": 0, "c": 1}, {"a": 1, "b": None, "c": -1}])
    assert wide.sources == ["a", "b", "c"]
    assert wide.to_numpy().tolist() == [[0, 1, -1], [-1, 0, 1], [1, -1, -1]]
    assert np.asarray(wide, dtype=np.int8).tolist() == wide.to_numpy().tolist()
    rows = [{"item": i, "judge": judge, "label": "yes" if i % 2 else "no"} for i in range(6) for judge in ("x", "y", "z")]
    votes = Votes(rows)
    assert (votes.shape, votes.classes) == ((6, 3), ["no", "yes"])
    assert LabelModel().fit_predict(rows).tolist() == ["no", "yes"] * 3
    with pytest.raises((TypeError, ValueError)):
        Votes([{"a": [1]}, {"a": [2]}])
    assert votes == Votes([SimpleNamespace(**row).__dict__ for row in rows])
