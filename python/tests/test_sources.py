"""Declared sources: the file of the command line, read, written, checked and applied."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consilience import Sources, StructureLearner, Votes, errors
from consilience.labeling import PandasLFApplier, keyword_lf, labeling_function, lookup_lf, regex_lf

FILE = """\
classes = ["ham", "spam"]
text = "body"

[[source]]
name = "prize"
vote = "spam"
lower = true
regex = "you (have )?won"

[[source]]
name = "thanks"
vote = "ham"
keywords = ["thanks", "regards"]
lower = true
words = true

[[source]]
name = "title"
vote = "spam"
otherwise = "ham"
on = "title"
keywords = ["FREE"]

[[source]]
name = "sender"
lower = true
lookup = { file = "senders.csv", keys = ["sender"], vote = "class" }
strip = true

[[source]]
name = "judge"
column = "judge"
map = { "5" = "spam", "1" = "ham" }

[[source]]
name = "score"
column = "score"
thresholds = [{ at_least = 0.8, vote = "spam" }, { below = 0.2, vote = "ham" }]

[[source]]
name = "both"
vote = "spam"
all = ["prize", "title"]

[[source]]
name = "neither"
vote = "ham"
not = "either"

[[source]]
name = "either"
vote = "spam"
any = ["prize", "sender"]
"""
DATA = {
    "body": ["You have WON", "Thanks!", "thanksgiving", "", None],
    "title": ["FREE", "free", None, "FREE", "x"],
    "sender": [" Acme", "hooli", "Initech", None, "acme"],
    "judge": ["5", "1", "3", "", None],
    "score": [0.9, 0.1, 0.5, None, 0.8],
}
# Votes are 0 (ham), 1 (spam) and -1; in the order of the file.
EXPECTED = [
    [1, -1, 1, 1, 1, 1, 1, -1, 1],
    [-1, 0, 0, -1, 0, 0, -1, 0, -1],
    [-1, -1, -1, 0, -1, -1, -1, -1, 1],
    [-1, -1, 1, -1, -1, -1, -1, -1, -1],
    [-1, -1, 0, 1, -1, 1, -1, -1, 1],
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "senders.csv").write_text("sender,class\nacme,spam\nInitech,ham\n")
    (tmp_path / "sources.toml").write_text(FILE)
    return tmp_path


@pytest.fixture
def sources(folder):
    return Sources.load(folder / "sources.toml")


FRAMES = {
    "dictionary": lambda data: data,
    "rows": lambda data: [dict(zip(data, row)) for row in zip(*data.values())],
    "pandas": pd.DataFrame,
    "pandas objects": lambda data: pd.DataFrame(data).astype(object),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "categories": lambda data: pd.DataFrame(data).astype({"judge": "category", "sender": "category"}),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_all_frames_give_the_same_votes(sources, frame):
    votes = sources.apply(frame(DATA))
    assert votes.sources == sources.names
    assert votes.classes == ["ham", "spam"]
    assert votes.to_numpy().tolist() == EXPECTED


def test_numbers_are_read_as_a_file_has_them(sources):
    frame = pd.DataFrame({**DATA, "judge": pd.array([5, 1, 3, None, None], dtype="Int64")})
    assert sources.apply(frame).to_numpy().tolist() == EXPECTED
    assert sources.apply(pl.from_pandas(frame)).to_numpy().tolist() == EXPECTED
    texts = pd.DataFrame({**DATA, "score": ["0.9", " 0.1", "0.5", "", "0.8"]})
    assert sources.apply(texts).to_numpy().tolist() == EXPECTED
    truth = Sources(["a", "b"], [{"name": "c", "column": "x", "map": {"true": "b"}}])
    assert truth.apply({"x": [True, False, None]}).to_numpy().ravel().tolist() == [1, -1, -1]
    assert truth.apply(pa.table({"x": [True, False, None]})).to_numpy().ravel().tolist() == [1, -1, -1]


def test_the_file_comes_back(sources, folder):
    assert sources.classes == ["ham", "spam"]
    assert sources.text == "body"
    assert len(sources) == 9
    assert repr(sources) == (
        "Sources(9 sources, 2 classes: prize, thanks, title, sender, judge, score, both, neither, and 1 more)"
    )
    again = Sources(sources.classes, sources.declared, text=sources.text, folder=folder)
    assert again == sources
    assert again.to_toml() == sources.to_toml()
    assert sources.declared[5] == {
        "name": "score",
        "column": "score",
        "thresholds": [{"at_least": 0.8, "vote": "spam"}, {"below": 0.2, "vote": "ham"}],
    }
    sources.save(folder / "again.toml")
    assert Sources.load(folder / "again.toml").apply(DATA) == sources.apply(DATA)
    copy = pickle.loads(pickle.dumps(sources))
    assert copy == sources
    assert copy.apply(DATA) == sources.apply(DATA)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet="ab\"'\\\n\t\x7f\x01é😀", min_size=1, max_size=6), min_size=1, max_size=3))
def test_any_text_comes_back(words):
    sources = Sources(["a", "b"], [{"name": "k", "vote": "a", "keywords": words}], text="t")
    assert sources.declared[0]["keywords"] == words
    assert Sources.from_toml(sources.to_toml()) == sources
    assert sources.apply({"t": words}).to_numpy().ravel().tolist() == [0] * len(words)


def test_labeling_functions_are_the_same_rules(tmp_path):
    lfs = [
        keyword_lf(["Free", "win"], label=1, name="free", field="body"),
        keyword_lf(["a"], label=0, name="exact", field="title", lower=False, words=True, otherwise=1),
        regex_lf(r"check.*out", label=1, name="check", field="body", ignore_case=True),
        lookup_lf({"acme": 0, 'ho"oli,\n': 1}, name="the sender", field="sender", lower=True, strip=True),
    ]
    frame = pd.DataFrame(
        {
            "body": ["FREE stuff", "Check it OUT", None, "none"],
            "title": ["a", "ab", "b a", None],
            "sender": [" ACME", 'HO"oli,\n', None, "x"],
        }
    )
    expected = PandasLFApplier(lfs).apply(frame, progress_bar=False)
    assert set(expected.ravel().tolist()) == {-1, 0, 1}
    sources = Sources(["ham", "spam"], lfs, text="body")
    np.testing.assert_array_equal(sources.apply(frame).to_numpy(), expected)
    sources.save(tmp_path / "sources.toml")
    assert (tmp_path / "the_sender.csv").read_text().startswith('"key","vote"\n"acme","ham"\n')
    np.testing.assert_array_equal(Sources.load(tmp_path / "sources.toml").apply(frame).to_numpy(), expected)
    sources.save(tmp_path / "sources.toml")
    (tmp_path / "the_sender.csv").write_text("mine")
    with pytest.raises(errors.SourcesError, match="is another dictionary"):
        sources.save(tmp_path / "sources.toml")
    assert (tmp_path / "the_sender.csv").read_text() == "mine"


def test_what_cannot_be_declared():
    @labeling_function()
    def mine(x):
        return 0

    with pytest.raises(TypeError, match="mine: only functions made by keyword_lf"):
        Sources(["a", "b"], [mine])
    with pytest.raises(errors.SourcesError, match='source "k" votes for class number 2, but the classes are a, b'):
        Sources(["a", "b"], [keyword_lf(["x"], label=2, name="k")])
    with pytest.raises(errors.SourcesError, match="class number -1"):
        Sources(["a", "b"], [keyword_lf(["x"], label=-1, name="k")])
    with pytest.raises(errors.SourcesError, match="another dictionary would be saved as a_b.csv too"):
        Sources(["a", "b"], [lookup_lf({"x": 0}, name="a b"), lookup_lf({"x": 0}, name="a/b")])
    with pytest.raises(TypeError, match="but not None"):
        Sources(["a", "b"], [{"name": "k", "vote": None, "keywords": ["x"]}])


def test_errors_have_places(tmp_path):
    path = tmp_path / "sources.toml"
    path.write_text("classes = ['a', 'b']\n[[source]]\nname = 'k'\nvotes = 'a'\nregex = '(x'\n")
    with pytest.raises(errors.SourcesError) as caught:
        Sources.load(path)
    lines = str(caught.value).splitlines()
    assert lines[1].endswith('sources.toml, line 4, column 1: source "k": unknown key "votes"; did you mean vote?')
    assert len(lines) >= 3
    assert isinstance(caught.value, ValueError)
    with pytest.raises(errors.SourcesError, match="cannot be read"):
        Sources.load(tmp_path / "missing.toml")
    with pytest.raises(errors.SourcesError, match='"k": depends on itself: k -> k'):
        Sources(["a", "b"], [{"name": "k", "vote": "a", "not": "k"}])


@pytest.mark.parametrize("kind", [{"sql": "length(t) > 3", "vote": "a"}, {"command": ["rm", "-rf", "/"]}])
def test_what_only_the_command_line_runs(kind):
    name = next(iter(kind))
    sources = Sources(["a", "b"], [{"name": "k", **kind}], text="t")
    assert sources.names == ["k"]
    with pytest.raises(errors.SourcesError, match=f'source "k" .line 6.: {name} needs the query engine.*`consilience apply`'):
        sources.apply({"t": ["x"]})


def test_files_stay_below_the_folder(tmp_path):
    outside = tmp_path / "outside.csv"
    outside.write_text("k,v\nx,a\n")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.csv").symlink_to(outside)

    def lookup(file):
        return Sources(["a", "b"], [{"name": "l", "lookup": {"file": file, "keys": ["k"], "vote": "v"}}], folder=inside)

    for file in ("../outside.csv", str(outside)):
        with pytest.raises(errors.SourcesError, match="below the folder of the sources"):
            lookup(file)
    with pytest.raises(errors.SourcesError, match='source "l".*is a link that leads out of the folder'):
        lookup("link.csv").apply({"k": ["x"]})
    with pytest.raises(errors.SourcesError, match='source "l".*cannot be read'):
        lookup("missing.csv").apply({"k": ["x"]})


def test_data_that_does_not_fit(sources):
    with pytest.raises(errors.SourcesError, match='the data has no column "title"; its columns are body'):
        sources.apply({"body": ["x"]})
    with pytest.raises(errors.ConsilienceError, match="not on ndarray"):
        sources.apply(np.zeros((2, 2)))
    with pytest.raises(errors.ConsilienceError, match='the column "title" has 1 cells, but there are 2 items'):
        sources.apply({**{name: ["x", "y"] for name in DATA}, "score": [1.0, 2.0], "title": ["x"]})
    with pytest.raises(errors.SourcesError, match='the column "body" has .* of type date; convert it to text'):
        import datetime

        sources.apply({**DATA, "body": [datetime.date(2024, 1, 1)] * 5})
    with pytest.raises(errors.NoItemsError):
        sources.apply({name: [] for name in DATA})
    with pytest.raises(errors.OptionError, match="on_error"):
        sources.apply(DATA, on_error="ignore")


def test_faults_stop_or_abstain():
    rules = [{"name": "judge", "column": "judge"}, {"name": "k", "vote": "b", "keywords": ["x"]}]
    sources = Sources(["a", "b"], rules, text="t")
    data = {"id": ["i", "j", "k"], "judge": ["a", "c", "d"], "t": ["x", "y", "x"]}
    with pytest.raises(errors.SourcesError, match='source "judge" failed on row 1: the cell of column "judge" cannot be read'):
        sources.apply(data)
    with pytest.warns(errors.ReadingWarning, match='source "judge" failed on 2 items and abstains there; first on row 1'):
        votes = sources.apply(data, on_error="abstain")
    assert votes.to_numpy().tolist() == [[0, 1], [-1, -1], [-1, 1]]
    assert votes.item_names == ["i", "j", "k"]
    assert len(votes.notes) == 1
    assert sources.apply({**data, "judge": ["a", "b", ""]}, item="t").item_names == ["x", "y", "x"]
    with pytest.raises(errors.ConsilienceError, match='there is no column "name"'):
        sources.apply(data, item="name")


def test_declarations_explain_links():
    random = np.random.default_rng(7)
    words = ["win", "prize", "click", "thanks"]
    truth = random.random(3000) < 0.5
    chances = np.where(truth[:, None] == np.array([True, True, True, False]), 0.5, 0.1)
    texts = [" ".join(w for w, there in zip(words, row) if there) or "-" for row in random.random((3000, 4)) < chances]
    rules = [{"name": word, "vote": "spam" if word != "thanks" else "ham", "keywords": [word]} for word in words]
    rules += [{"name": "loud", "vote": "spam", "any": ["win", "prize"]}]
    votes = Sources(["ham", "spam"], rules, text="t").apply({"t": texts})
    declared = StructureLearner().fit(votes).structure_
    plain = StructureLearner().fit(Votes(votes.to_pandas(), classes=votes.classes)).structure_
    # Nothing is learned from it.
    assert declared.candidates == plain.candidates
    assert declared.explanation("loud", "win") == "loud is declared as any of win, prize"
    assert declared.explanation("win", "prize") is None
    assert plain.explanation("loud", "win") is None
    assert '"explanation": "loud is declared as any of win, prize"' in declared.to_json(every=True)
    assert type(declared).from_json(declared.to_json(every=True)) == declared
    with pytest.raises(errors.UnknownSourcesError, match='there is no source "x"; the sources are win'):
        declared.explanation("x", "win")


def test_votes_go_on_to_labels():
    random = np.random.default_rng(3)
    words = np.array(["win", "prize", "thanks", "hello", "money"])
    texts = [" ".join(random.choice(words, 4)) for _ in range(3000)]
    rules = [{"name": word, "vote": "spam" if j < 2 else "ham", "keywords": [word]} for j, word in enumerate(words)]
    votes = Sources(["ham", "spam"], rules, text="t").apply({"t": texts})
    assert isinstance(votes, Votes)
    assert votes.to_numpy().tolist() == [[(1 if j < 2 else 0) if w in t else -1 for j, w in enumerate(words)] for t in texts]
    assert StructureLearner().fit(votes).structure_.sources == tuple(words)
