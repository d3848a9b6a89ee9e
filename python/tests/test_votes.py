"""Tables of votes from everything that holds one."""

import pickle
from collections import OrderedDict

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import consilience
from consilience import Votes, errors

L = np.array([[0, 1, -1], [1, 1, -1], [0, 1, -1], [2, -1, 0]])


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "f4", "f8", ">i4", "O"])
def test_every_dtype_of_whole_numbers(dtype):
    votes = Votes(L.astype(dtype))
    np.testing.assert_array_equal(votes.to_numpy(), L)
    assert votes.classes == ["0", "1", "2"]
    assert votes.sources == ["s0", "s1", "s2"]
    assert votes.shape == (4, 3)
    assert votes.distinct_rows == 3
    assert len(votes) == 4


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "?"])
def test_unsigned_and_bool(dtype):
    matrix = np.array([[0, 1], [1, 1]]).astype(dtype)
    np.testing.assert_array_equal(Votes(matrix).to_numpy(), matrix.astype(int))


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(np.int16, st.tuples(st.integers(1, 60), st.integers(1, 9)), elements=st.integers(-1, 300)),
    st.sampled_from(["C", "F", "strided", "reversed"]),
)
def test_any_matrix_comes_back(matrix, layout):
    matrix[0, 0] = 0
    if matrix.size > 1:
        matrix.flat[-1] = 1
    if len(np.unique(matrix[matrix >= 0])) < 2:
        matrix = np.vstack([matrix, np.full(matrix.shape[1], 1), np.zeros(matrix.shape[1])]).astype(np.int16)
    if layout == "F":
        laid = np.asfortranarray(matrix)
    elif layout == "strided":
        laid = np.repeat(np.repeat(matrix, 2, axis=0), 3, axis=1)[::2, ::3]
    elif layout == "reversed":
        laid = matrix[::-1, ::-1].copy()[::-1, ::-1]
    else:
        laid = matrix
    votes = Votes(laid)
    classes = np.array([-1] + [int(c) for c in votes.classes])
    np.testing.assert_array_equal(classes[votes.to_numpy() + 1], matrix)
    assert votes.distinct_rows == len(np.unique(matrix, axis=0))
    rows, counts, of_item = votes.patterns()
    np.testing.assert_array_equal(rows[of_item], votes.to_numpy())
    np.testing.assert_array_equal(np.bincount(of_item), counts)


def test_a_table_of_many_strips_and_of_many_classes():
    rng = np.random.default_rng(0)
    matrix = rng.integers(-1, 700, size=(30_000, 7))
    votes = Votes(matrix, classes=700)
    np.testing.assert_array_equal(votes.to_numpy(), matrix)


def test_large_numbers_are_class_names():
    votes = Votes(np.array([[10_000_000, -1], [7, 10_000_000]]))
    assert votes.classes == ["7", "10000000"]
    np.testing.assert_array_equal(votes.to_numpy(), [[1, -1], [0, 1]])


def test_declared_classes():
    votes = Votes(L, classes=["no", "maybe", "yes"])
    assert votes.classes == ["no", "maybe", "yes"]
    np.testing.assert_array_equal(votes.to_numpy(), L)
    assert Votes(np.array([[0, 1]]), classes=5).classes == ["0", "1", "2", "3", "4"]
    assert Votes(np.array([["b", "a"]]), classes=["b", "a"]).to_numpy().tolist() == [[0, 1]]


FRAME = OrderedDict(a=["ham", "spam", None, "ham"], b=["spam", "spam", "ham", None])
EXPECTED = [[0, 1], [1, 1], [-1, 0], [0, -1]]


def frames():
    frame = pd.DataFrame(FRAME)
    table = pa.table(FRAME)
    yield "pandas object", frame
    yield "pandas string", frame.astype("string")
    yield "pandas category", frame.astype("category")
    yield "polars", pl.DataFrame(FRAME)
    yield "polars category", pl.DataFrame(FRAME).with_columns(pl.all().cast(pl.Categorical))
    yield "polars chunked", pl.concat([pl.DataFrame(FRAME)[:2], pl.DataFrame(FRAME)[2:]], rechunk=False)
    yield "arrow", table
    yield "arrow large", table.cast(pa.schema([("a", pa.large_string()), ("b", pa.large_string())]))
    # Made, not cast: some versions of pyarrow crash when they export a table that was cast to views.
    yield "arrow view", pa.table({name: pa.array(values, type=pa.string_view()) for name, values in FRAME.items()})
    yield "arrow dictionary", table.cast(pa.schema([(n, pa.dictionary(pa.int8(), pa.string())) for n in "ab"]))
    yield "arrow chunked", pa.concat_tables([table.slice(0, 1), table.slice(1, 3)])
    yield (
        "arrow chunked dictionary",
        pa.concat_tables(
            [
                t.combine_chunks().cast(pa.schema([(n, pa.dictionary(pa.int32(), pa.string())) for n in "ab"]))
                for t in (table.slice(2, 2), table.slice(0, 2))
            ]
        ).take([2, 3, 0, 1]),
    )
    yield "arrow batch", table.to_batches()[0]
    yield "arrow slice", pa.concat_tables([table, table]).combine_chunks().slice(4, 4)
    yield "dictionary", FRAME


@pytest.mark.parametrize(("kind", "frame"), list(frames()), ids=[kind for kind, _ in frames()])
def test_frames_of_texts(kind, frame):
    votes = Votes(frame)
    assert votes.sources == ["a", "b"]
    assert votes.classes == ["ham", "spam"]
    assert votes.to_numpy().tolist() == EXPECTED
    assert votes.class_labels.tolist() == ["ham", "spam"]


NUMBERS = {"a": [0, 1, None, 0], "b": [1, 1, 0, None]}


def number_frames():
    yield "pandas floats", pd.DataFrame(NUMBERS)
    yield "pandas nullable", pd.DataFrame(NUMBERS).astype("Int64")
    yield "pandas arrow", pd.DataFrame(NUMBERS).astype("int8[pyarrow]")
    yield "polars", pl.DataFrame(NUMBERS)
    yield "polars small", pl.DataFrame(NUMBERS).cast(pl.UInt8)
    yield "polars float", pl.DataFrame(NUMBERS).cast(pl.Float32)
    yield "polars bool", pl.DataFrame(NUMBERS).cast(pl.Boolean)
    yield "arrow", pa.table(NUMBERS)
    yield "arrow int16", pa.table(NUMBERS).cast(pa.schema([("a", pa.int16()), ("b", pa.uint32())]))
    yield "arrow nulls and -1", pa.table({"a": [0, 1, -1, 0], "b": [1, 1, 0, None]})
    yield "mapping", NUMBERS


@pytest.mark.parametrize(("kind", "frame"), list(number_frames()), ids=[kind for kind, _ in number_frames()])
def test_frames_of_numbers(kind, frame):
    votes = Votes(frame)
    assert votes.classes == ["0", "1"]
    assert votes.to_numpy().tolist() == EXPECTED
    assert votes.class_labels.tolist() == [0, 1]


def test_arrow_numbers_are_read_where_they_are():
    column = pa.array(np.arange(5, dtype=np.int64))
    from consilience import _arrow

    read = _arrow.read(pa.table({"x": column}))[0]
    assert read.numbers.__array_interface__["data"][0] == column.buffers()[1].address
    del column
    np.testing.assert_array_equal(read.numbers, range(5))


def test_any_object_with_an_arrow_stream():
    class Wrapped:
        def __init__(self, table):
            self.table = table

        def __arrow_c_stream__(self, requested_schema=None):
            return self.table.__arrow_c_stream__(requested_schema)

    assert Votes(Wrapped(pa.table(FRAME))).to_numpy().tolist() == EXPECTED


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(st.none(), st.text(max_size=30)), min_size=1, max_size=40), st.integers(0, 5))
def test_arrow_texts_of_any_length(values, skip):
    from consilience import _arrow

    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        column = pa.array([None] * skip + values, type=kind).slice(skip)
        assert _arrow.read(pa.table({"x": column}))[0].texts().to_list() == values
    series = pl.Series("x", values, dtype=pl.String)
    assert _arrow.read(series)[0].texts().to_list() == values


def test_long_tables():
    rows = {"task": ["x", "y", "x", "z"], "worker": ["w10", "w2", "w2", "w2"], "label": ["1", "0", "1", None]}
    for frame in (pd.DataFrame(rows), pl.DataFrame(rows), pa.table(rows), rows):
        votes = Votes(frame)
        assert votes.item_names == ["x", "y", "z"]
        assert votes.sources == ["w2", "w10"]
        assert votes.to_numpy().tolist() == [[1, 1], [0, -1], [-1, -1]]
    numbers = pd.DataFrame({"Item": [3, 1, 3], "judge": [1, 1, 2], "Vote": [0, 1, 1]})
    votes = Votes(numbers)
    assert votes.item_names == ["3", "1"]
    assert votes.to_numpy().tolist() == [[0, 1], [1, -1]]
    named = pd.DataFrame({"row": ["a", "b"], "judge": ["j", "j"], "label": [0, 1], "when": [5, 6]})
    assert Votes(named, item="row", long=True, ignore=["when"]).item_names == ["a", "b"]


def test_long_tables_refuse_two_votes_and_missing_names():
    with pytest.raises(errors.TwoVotesError, match='"x".*"a"'):
        Votes({"item": ["x", "x"], "source": ["a", "a"], "vote": [0, 1]})
    with pytest.raises(ValueError, match="row 1"):
        Votes({"item": ["x", None], "source": ["a", "a"], "vote": [0, 1]})
    with pytest.raises(ValueError, match="item, source and vote"):
        Votes(pd.DataFrame({"a": [1], "b": [0]}), long=True)


def test_a_column_called_item_names_the_items():
    votes = Votes({"item": ["x", "y", "z"], "a": [0, 1, 1], "b": [0, 0, 1]})
    assert votes.sources == ["a", "b"]
    assert votes.item_names == ["x", "y", "z"]
    other = Votes({"item": [0, 1, 1], "id": ["x", "y", "z"], "a": [0, 1, 1]}, item="id")
    assert other.sources == ["item", "a"]


@pytest.mark.parametrize("ids", [range(30), [f"comment {i}" for i in range(30)]])
@pytest.mark.filterwarnings("ignore::consilience.errors.ReadingWarning")
def test_a_column_of_ids_is_no_source(ids):
    table = {"id": list(ids), "a": [0, 1] * 15, "b": [1] * 30}
    votes = Votes(table)
    assert (votes.sources, votes.item_names) == (["a", "b"], [str(name) for name in ids])
    assert votes.notes == ['column "id" names the items (pass keep=["id"] to make it a source)']
    assert Votes({"remark": list(ids), "a": [0, 1] * 15, "b": [1, 0, 0] * 10}).sources == ["a", "b"]
    assert Votes(table, ignore=["id"]).item_names is None
    assert Votes(table, item="id").sources == ["a", "b"]


def test_hundreds_of_classes_of_one_source_are_refused():
    texts = [str(i % 2) for i in range(5000)] + [f"text {i}" for i in range(200)]
    table = {"a": [0, 1] * 2600, "b": texts, "c": [1, 0] * 2600}
    with pytest.raises(errors.ConsilienceError, match='"b" votes for 200 classes that no other source'):
        Votes(table)
    with pytest.raises(errors.TooManyNamesError):
        Votes([[0, 1]], classes=10**8)


def test_the_largest_unsigned_number_is_a_wrapped_minus_one():
    for dtype in (np.uint8, np.uint16, np.uint32):
        largest = int(np.iinfo(dtype).max)
        matrix = np.array([[0, 1], [1, largest]], dtype=dtype)
        for data in (matrix, pd.DataFrame(matrix, columns=["a", "b"]), pa.table({"a": matrix[:, 0], "b": matrix[:, 1]})):
            with pytest.raises(errors.VoteNumberError, match=f"{largest} is the largest value"):
                Votes(data)
            assert Votes(data, abstain=largest).to_numpy().tolist() == [[0, 1], [1, -1]]


def test_numbers_never_stand_for_the_names_of_a_model():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 300)
    numbers = np.where(rng.random((300, 5)) < 0.8, truth[:, None], 1 - truth[:, None])
    names = np.array(["reject", "approve"], dtype=object)[numbers]
    for model in (consilience.LabelModel(), consilience.MajorityVote()):
        model.fit(names)
        assert set(model.predict(names)) <= {"approve", "reject", None}
        for data in (numbers, Votes(numbers), pd.DataFrame(numbers, columns=[f"s{j}" for j in range(5)])):
            with pytest.raises(errors.UnknownClassesError, match='"0", "1", but the model\'s classes are "approve", "reject"'):
                model.predict(data)
        with pytest.raises(ValueError, match="y has 0, 1, but the classes are 'approve', 'reject'"):
            model.score(names, truth)
        assert model.score(names, np.array(["reject", "approve"], dtype=object)[truth]) > 0.8


def test_items_and_ignored_columns():
    frame = pd.DataFrame({"id": ["x", "y"], "a": [0, 1], "note": ["n", "m"], "b": [1, 1]})
    votes = Votes(frame, item="id", ignore=["note"])
    assert votes.sources == ["a", "b"]
    assert votes.item_names == ["x", "y"]
    with pytest.raises(ValueError, match='no column "nope"'):
        Votes(frame, item="nope")


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil"])
def test_sparse_matrices_abstain_where_nothing_is_stored(kind):
    dense = np.array([[1, 2, 0], [0, 0, 0], [2, 2, 1]])
    votes = Votes(getattr(scipy.sparse, f"{kind}_matrix")(dense))
    assert votes.classes == ["1", "2"]
    assert votes.to_numpy().tolist() == (dense - 1).tolist()
    assert Votes(dense, abstain=0) == votes


def test_signs_with_zero_for_abstaining():
    votes = Votes(np.array([[1, -1], [0, 1]]), abstain=0)
    assert votes.classes == ["-1", "1"]
    assert votes.to_numpy().tolist() == [[1, 0], [-1, 1]]
    assert votes.class_labels.tolist() == [-1, 1]


def test_equality_pickle_and_copies():
    votes = Votes(pd.DataFrame(FRAME))
    again = pickle.loads(pickle.dumps(votes))
    assert again == votes
    assert again.to_numpy().tolist() == EXPECTED
    assert Votes(votes) == votes
    assert Votes(votes, sources=["x", "y"]).sources == ["x", "y"]
    assert Votes(votes, classes=["ham", "spam", "eggs"]).classes == ["ham", "spam", "eggs"]
    assert votes != Votes([[0, 1]])
    signs = Votes(np.array([[1, -1], [0, 1]]), abstain=0)
    assert pickle.loads(pickle.dumps(signs)) == signs
    with pytest.raises(TypeError):
        hash(votes)


def test_to_pandas_and_back():
    frame = Votes(pd.DataFrame(FRAME)).to_pandas()
    assert frame["a"].tolist()[:2] == ["ham", "spam"]
    assert frame["a"].isna().tolist() == [False, False, True, False]
    assert Votes(frame) == Votes(pd.DataFrame(FRAME))


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (np.array([[0.5, 1.0]]), errors.VoteNumberError, "fraction"),
        (np.array([[np.nan, 1.0]]), errors.VoteNumberError, "NaN"),
        (np.array([[np.inf, 1.0]]), errors.VoteNumberError, "too large"),
        (np.array([[1 + 2j, 1.0]]), errors.VoteNumberError, "Complex data not supported"),
        (np.array([["2026-01-01"]], dtype="M8[D]"), TypeError, "datetime"),
        ([[0, 1], [1]], ValueError, "different lengths"),
        ([0, 1], ValueError, "two-dimensional"),
        (np.zeros((2, 2, 2), dtype=int), ValueError, "two-dimensional"),
        (np.array([[-2, 1]]), errors.VoteNumberError, 'row 0, source "s0".*-2'),
        (np.empty((0, 3), dtype=int), errors.NoItemsError, "no votes"),
        (np.empty((3, 0), dtype=int), errors.NoItemsError, "no votes"),
        (np.full((3, 3), -1), errors.TooFewClassesError, "any class"),
        (np.zeros((3, 3), dtype=int), errors.TooFewClassesError, "the only class"),
        (pd.DataFrame(), ValueError, "no sources"),
        (pd.DataFrame({"a": []}), ValueError, "no items"),
        (pl.DataFrame({"a": [], "b": []}, schema={"a": pl.Int8, "b": pl.Int8}), errors.NoItemsError, "no items"),
        (pl.DataFrame({"a": [[1], [2]]}), errors.ConsilienceError, "no column looks like a source"),
        (pl.DataFrame({"a": [0.5]}), errors.VoteNumberError, "fraction"),
        (pl.DataFrame({"a": [float("nan")]}), errors.VoteNumberError, "NaN"),
        (pd.DataFrame([[0, 1]], columns=["a", "a"]), errors.DuplicateNameError, "duplicate"),
        (pd.DataFrame({"a": [object()]}), TypeError, "is not a vote"),
        (pd.DataFrame({"a": [2**80, 1]}), errors.VoteNumberError, "too large"),
        (np.array([[2**63, 0]], dtype="u8"), errors.VoteNumberError, "too large"),
        ("votes.csv", ValueError, "two-dimensional"),
        (None, ValueError, "two-dimensional"),
        (scipy.sparse.csr_matrix(np.array([[0.5, 1.0]])), errors.VoteNumberError, "fraction"),
        (scipy.sparse.csr_matrix(np.array([[1, 2], [-5, 1]])), errors.VoteNumberError, 'row 1, source "s0"'),
    ],
)
def test_bad_tables(data, error, message):
    with pytest.raises(error, match=message):
        Votes(data)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"classes": 2}, errors.UndeclaredVoteError, 'row 3, source "s0".*"2"'),
        ({"classes": ["a"]}, errors.TooFewClassesError, "at least two"),
        ({"classes": ["a", "a"]}, errors.DuplicateNameError, "duplicate"),
        ({"classes": "ab"}, ValueError, "a list of names"),
        ({"sources": ["a", "b"]}, ValueError, "2 source names for 3 columns"),
        ({"sources": ["a", "b", "a"]}, errors.DuplicateNameError, 'duplicate source name "a"'),
        ({"item": "a"}, ValueError, "columns of a frame"),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        Votes(L, **arguments)


def test_every_exception_is_a_value_error():
    for name in {name for name in errors.__all__ if not name.endswith("Warning")}:
        kind = getattr(errors, name)
        assert issubclass(kind, RuntimeError if name == "BugError" else ValueError)
        assert kind.__module__ == "consilience.errors"


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
@pytest.mark.parametrize("coverage", [0.05, 0.5, 1.0])
def test_bytes_are_read_like_other_numbers(dtype, coverage):
    rng = np.random.default_rng(0)
    for sources in (1, 15, 16, 17, 100):
        votes = rng.integers(0, 3, (500, sources))
        votes[rng.random(votes.shape) >= coverage] = 0 if dtype == np.uint8 else -1
        settings = {"classes": 4, "abstain": 0 if dtype == np.uint8 else -1}
        wanted = Votes(votes, **settings)
        for matrix in (votes.astype(dtype), np.asfortranarray(votes.astype(dtype)), votes.astype(dtype)[::-1][::-1]):
            assert Votes(matrix, **settings) == wanted


def test_bytes_of_any_classes_are_read_like_other_numbers():
    # One more class than a byte has room for next to abstaining, and classes that do not follow on each other.
    for classes in (np.arange(256), np.arange(255), np.array([3, 7, 200])):
        votes = np.stack([np.tile(classes, 3), np.repeat(classes, 3)[::-1]], axis=1)
        settings = {"classes": [str(c) for c in classes]}
        assert Votes(votes.astype(np.uint8), **settings) == Votes(votes, **settings)


def test_a_wrong_byte_is_named():
    votes = np.full((40, 20), -1, dtype=np.int8)
    votes[7, 19], votes[9, 3] = -5, -5
    with pytest.raises(errors.VoteNumberError, match='row 7, source "s19": the vote "-5"'):
        Votes(votes)
    votes[votes == -5] = 9
    with pytest.raises(errors.UndeclaredVoteError, match='row 7, source "s19": the vote "9"'):
        Votes(votes, classes=2)
