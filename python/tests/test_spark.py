"""Labeling functions, votes and labels over a real Spark on this machine."""

import os
import shutil
import sys

import numpy as np
import pandas as pd
import pytest

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("Spark needs Java, which is not on this machine", allow_module_level=True)

import consilience.spark  # noqa: E402
from consilience import LabelModel, MajorityVote, StructureLearner, Votes, errors  # noqa: E402
from consilience.labeling import LFApplier, keyword_lf, labeling_function  # noqa: E402
from consilience.labeling.apply.spark import SparkLFApplier  # noqa: E402
from consilience.map import Mapper  # noqa: E402
from consilience.map.spark import make_spark_mapper  # noqa: E402
from consilience.preprocess import preprocessor  # noqa: E402
from consilience.slicing import slicing_function  # noqa: E402
from consilience.slicing.apply.spark import SparkSFApplier  # noqa: E402


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    # The workers must be this Python, which has the package.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.warehouse.dir", str(folder))
        .getOrCreate()
    )
    yield session
    session.stop()


def functions():
    # Classes of a test module cannot be imported by workers; those within a function are sent whole.
    class Degrees(Mapper):
        def run(self, kelvin):
            return {"celsius": kelvin - 273}

    @preprocessor()
    def place(x):
        from pyspark.sql import Row

        return Row(**{**x.asDict(), "inside": x.note is not None and "lab" in x.note})

    @labeling_function()
    def warm(x):
        return 0 if x.kelvin > 290 else -1

    @labeling_function(resources={"faulty": [0, 999]})
    def broken_sensor(x, faulty):
        return 1 if x.kelvin in faulty else -1

    @labeling_function(pre=[place, make_spark_mapper(Degrees("degrees"))])
    def cold_lab(x):
        return 1 if x.inside and x.celsius < 15 else -1

    return [warm, broken_sensor, cold_lab, keyword_lf(["roof"], 0, field="note")]


FRAME = pd.DataFrame({"kelvin": [295, 280, 999, 0, 280, 300], "note": ["lab 2", "lab 1", "roof", None, "Roof", "lab 1"]})
EXPECTED = [[0, -1, -1, -1], [-1, -1, 1, -1], [0, 1, -1, 0], [-1, 1, -1, -1], [-1, -1, -1, 0], [0, -1, -1, -1]]


def test_rows(spark):
    frame = spark.createDataFrame(FRAME)
    applier = SparkLFApplier(functions())
    np.testing.assert_equal(applier.apply(frame.rdd), EXPECTED)
    np.testing.assert_equal(applier.apply(frame), EXPECTED)
    rows = frame.collect()
    np.testing.assert_equal(LFApplier(functions()).apply(rows, progress_bar=False), EXPECTED)


def test_faults(spark):
    @labeling_function()
    def by_station(x):
        return 0 if x.station else -1

    rdd = spark.sparkContext.parallelize(spark.createDataFrame(FRAME).collect(), 3)
    votes, meta = SparkLFApplier([by_station, functions()[0]]).apply(rdd, fault_tolerant=True, return_meta=True)
    assert votes[:, 0].tolist() == [-1] * 6
    assert meta.faults == {"by_station": 6}
    with pytest.raises(Exception, match="station"):
        SparkLFApplier([by_station]).apply(rdd)


def test_slices(spark):
    @slicing_function()
    def warm(x):
        return x.kelvin > 290

    S = SparkSFApplier([warm]).apply(spark.createDataFrame(FRAME[["kelvin"]]).rdd)
    assert S.warm.tolist() == [1, 0, 1, 0, 0, 1]


def table(items=4_000, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    frame = pd.DataFrame({"id": np.arange(items)})
    for j in range(6):
        vote = np.where(rng.random(items) < 0.75, truth, rng.integers(0, 3, items))
        frame[f"judge.{j}"] = np.where(rng.random(items) < 0.6, vote, -1)
    frame["judge.5"] = frame["judge.4"].where(frame["id"] % 10 != 0, -1)
    return frame


def spread(spark, frame, words=None):
    rows = [
        tuple([int(row[0])] + [None if v < 0 else words[v] for v in row[1:]]) if words else tuple(int(v) for v in row)
        for row in frame.to_numpy()
    ]
    kind = "string" if words else "int"
    columns = ", ".join(f"`{name}` {kind if name != 'id' else 'int'}" for name in frame.columns)
    return spark.createDataFrame(rows, columns).repartition(4)


@pytest.mark.parametrize("words", [None, ["ham", "spam", "eggs"]], ids=["numbers", "texts"])
def test_the_labels_of_one_machine(spark, words):
    frame = table()
    df = spread(spark, frame, words)
    votes = consilience.spark.count_votes(df, ignore=["id"])
    if words:
        names = {-1: None, **dict(enumerate(words))}
        frame = frame.assign(**{name: frame[name].map(names) for name in frame.columns if name != "id"})
    alone = Votes(frame, ignore=["id"])
    assert (votes.sources, votes.classes, len(votes)) == (alone.sources, alone.classes, len(alone))
    for here, there in zip(votes.patterns()[:2], alone.patterns()[:2]):
        np.testing.assert_array_equal(here, there)
    assert StructureLearner().fit(votes).structure_ == StructureLearner().fit(alone).structure_
    model, expected = LabelModel().fit(votes), LabelModel().fit(alone)
    rows = sorted(consilience.spark.label(df, model).collect(), key=lambda row: row["id"])
    assert rows[0].asDict().keys() == {*frame.columns, "label", "confidence", *(f"p_{name}" for name in alone.classes)}
    probabilities = np.array([[row[f"p_{name}"] for name in alone.classes] for row in rows])
    assert probabilities.tobytes() == expected.predict_proba(alone).tobytes()
    assert [row["label"] for row in rows] == expected.predict(alone).tolist()
    assert [row["confidence"] for row in rows] == probabilities.max(axis=1).tolist()


def test_one_row_a_vote(spark):
    frame = table(300).drop(columns=["judge.5"])
    long = frame.melt("id", var_name="judge", value_name="vote").query("vote >= 0")
    rows = [(int(i), judge, int(vote)) for i, judge, vote in long.itertuples(index=False)]
    df = spark.createDataFrame(rows, "id int, judge string, vote int")
    wide = consilience.spark.wide(df, "id", "judge", "vote")
    votes = consilience.spark.count_votes(wide, ignore="id")
    alone = Votes(frame[frame.drop(columns="id").max(axis=1) >= 0], ignore=["id"])
    np.testing.assert_array_equal(votes.patterns()[0], alone.patterns()[0])
    np.testing.assert_array_equal(votes.patterns()[1], alone.patterns()[1])
    twice = spark.createDataFrame([*rows, (*rows[0][:2], 1 - min(rows[0][2], 1))], "id int, judge string, vote int")
    with pytest.raises(errors.TwoVotesError, match="two different votes"):
        consilience.spark.wide(twice, "id", "judge", "vote")


def test_what_is_refused(spark):
    frame = table(60)
    df = spread(spark, frame)
    names = [name for name in frame.columns if name != "id"]
    model = LabelModel().fit(frame[names])
    for call, error, said in (
        (lambda: consilience.spark.count_votes(df, ["nope"]), errors.ConsilienceError, 'no column "nope"'),
        (lambda: consilience.spark.count_votes(df.where("id < 0")), errors.NoItemsError, "no items"),
        (lambda: consilience.spark.count_votes(df, names, classes=2), errors.UndeclaredVoteError, "is not a class"),
        (lambda: consilience.spark.label(df, LabelModel()), errors.NotFittedError, "not fitted"),
        (lambda: consilience.spark.label(df.withColumnRenamed("id", "label"), model), ValueError, "already has a column label"),
        (lambda: consilience.spark.label(df, MajorityVote(ties="random").fit(frame[names])), errors.OptionError, "random"),
    ):
        with pytest.raises(error, match=said):
            call()
    # A vote that the model has never seen fails in the worker that meets it.
    strange = spark.createDataFrame([(9,) * len(frame.columns)], ", ".join(f"`{name}` int" for name in frame.columns))
    with pytest.raises(Exception, match="the model.s classes are"):
        consilience.spark.label(strange, model).collect()
