"""Rules over texts that run in the core."""

import pickle
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consilience import errors
from consilience.labeling import (
    LFApplier,
    PandasLFApplier,
    keyword_lf,
    labeling_function,
    lookup_lf,
    regex_lf,
)
from consilience.labeling.apply.dask import PandasParallelLFApplier

TEXTS = ["Please SUBSCRIBE!", "nice song", None, "check THIS out", "", "Ünïcode SUBSCRIBÉ subscribe", float("nan")]
FRAME = pd.DataFrame({"text": TEXTS, "sender": ["acme", " Acme ", "hooli", None, "x", "y", "ACME"]})


def lfs():
    return [
        keyword_lf(["subscribe"], label=1, name="subscribe"),
        regex_lf(r"check.*out", label=1, name="check_out", ignore_case=True),
        lookup_lf({"acme": 0, "hooli": 1}, name="sender", field="sender", lower=True, strip=True),
    ]


EXPECTED = [[1, -1, 0], [-1, -1, 0], [-1, -1, 1], [-1, 1, -1], [-1, -1, -1], [1, -1, -1], [-1, -1, 0]]


def test_appliers_agree_with_single_items():
    assert PandasLFApplier(lfs()).apply(FRAME, progress_bar=False).tolist() == EXPECTED
    points = [SimpleNamespace(**row) for row in FRAME.astype(object).to_dict("records")]
    assert LFApplier(lfs()).apply(points, progress_bar=False).tolist() == EXPECTED
    assert [[lf(x) for lf in lfs()] for x in points] == EXPECTED
    assert PandasParallelLFApplier(lfs()).apply(FRAME, n_parallel=2).tolist() == EXPECTED


def test_they_stand_between_other_functions():
    @labeling_function()
    def short(x):
        return 0 if isinstance(x.text, str) and len(x.text) < 10 else -1

    first, second, third = lfs()
    votes = PandasLFApplier([first, short, second, third]).apply(FRAME, progress_bar=False)
    assert votes[:, [0, 2, 3]].tolist() == EXPECTED
    assert votes[:, 1].tolist() == [-1, 0, -1, -1, 0, -1, -1]
    forked = PandasParallelLFApplier([first, short, second, third]).apply(FRAME)
    assert forked.tolist() == votes.tolist()


@pytest.mark.parametrize(
    "column",
    [
        TEXTS,
        pd.Series(TEXTS),
        pd.Series(TEXTS, dtype="string"),
        np.array(TEXTS, dtype=object),
        pl.Series([None if isinstance(t, float) else t for t in TEXTS]),
        pa.array([None if isinstance(t, float) else t for t in TEXTS]),
        pa.chunked_array([["Please SUBSCRIBE!", "nice song", None], ["check THIS out", "", "subscribe", None]]),
        pd.Series(TEXTS).astype("category"),
        pa.array([None if isinstance(t, float) else t for t in TEXTS]).dictionary_encode(),
    ],
)
def test_columns_of_every_kind(column):
    votes, faults = keyword_lf(["subscribe"], 1).vote_column(column)
    assert votes.tolist() == [1, -1, -1, -1, -1, 1, -1]
    assert faults == 0


def test_options():
    point = SimpleNamespace(text="subscriber", d="x")
    assert keyword_lf("subscribe", 1)(point) == 1
    assert keyword_lf("subscribe", 1, words=True)(point) == -1
    assert keyword_lf("subscribe", 1, words=True)(SimpleNamespace(text="(Subscribe)")) == 1
    assert keyword_lf("Subscribe", 1, lower=False)(point) == -1
    assert keyword_lf("no", 1, otherwise=0)(point) == 0
    assert regex_lf("^SUB", 1, lower=True)(point) == -1
    assert regex_lf("^sub", 1, lower=True)(SimpleNamespace(text="SUB")) == 1
    assert keyword_lf(["a"], 1)({"text": "a"}) == 1
    assert repr(keyword_lf(["a", "b"], 1)) == "TextLabelingFunction keyword_a, Preprocessors: []"


def test_faults_are_counted_or_raised():
    frame = pd.DataFrame({"text": ["subscribe", 7, None, b"x", "\ud800"]})
    lf = keyword_lf(["subscribe"], 1, name="k")
    with pytest.raises(TypeError, match="row 1: expected a text, got 7"):
        PandasLFApplier([lf]).apply(frame, progress_bar=False)
    votes, meta = PandasLFApplier([lf]).apply(frame, False, fault_tolerant=True, return_meta=True)
    assert votes.ravel().tolist() == [1, -1, -1, -1, -1]
    assert meta.faults == {"k": 3}
    with pytest.raises(TypeError, match="expected a text"):
        lf(SimpleNamespace(text=7))


def test_bad_rules():
    assert regex_lf(r"a(?=b)", 1).vote_column(pd.Series(["ab", "ac"]))[0].tolist() == [1, -1]
    with pytest.raises(errors.PatternError, match="unclosed"):
        regex_lf(r"(a", 1)
    for keywords in ([], [""], ["a", ""]):
        with pytest.raises(ValueError, match="one or more texts"):
            keyword_lf(keywords, 1, name="k")
    with pytest.raises(ValueError, match="appears twice"):
        lookup_lf({"A": 1, "a": 0}, name="l", lower=True)
    with pytest.raises(KeyError, match="text"):
        PandasLFApplier([keyword_lf(["a"], 1)]).apply(pd.DataFrame({"x": ["a"]}))


def test_pickle():
    for lf in lfs():
        again = pickle.loads(pickle.dumps(lf))
        assert again.vote_column(FRAME[lf.field])[0].tolist() == lf.vote_column(FRAME[lf.field])[0].tolist()


WORDS = st.text(alphabet="abAB éÉß_-'1İ", max_size=12)


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=20), st.lists(WORDS.filter(bool), min_size=1, max_size=4), st.booleans())
def test_keywords_say_what_python_says(texts, keywords, lower):
    votes, _ = keyword_lf(keywords, 1, lower=lower).vote_column(texts)

    def is_in(text):
        return any((k.lower() if lower else k) in (text.lower() if lower else text) for k in keywords)

    assert votes.tolist() == [1 if is_in(text) else -1 for text in texts]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet="ab1_- \n", max_size=15), min_size=1, max_size=10))
def test_expressions_say_what_python_says(texts):
    for pattern in (r"a+b", r"\ba", r"^a|b$", r"\d\s", r"[^a]{3}", r"(ab|ba)+"):
        votes, _ = regex_lf(pattern, 1).vote_column(texts)
        # Python's $ also matches before a line feed at the end, Rust's does not.
        python = pattern.replace("$", r"\Z")
        assert votes.tolist() == [1 if re.search(python, text) else -1 for text in texts]


def test_many_texts_on_many_threads():
    texts = [f"text number {i}" + (" spam" if i % 3 == 0 else "") for i in range(50_000)]
    votes, _ = keyword_lf(["spam"], 1).vote_column(texts)
    np.testing.assert_array_equal(votes == 1, np.arange(50_000) % 3 == 0)
