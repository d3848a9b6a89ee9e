"""Labeling functions over a real Spark on this machine."""

import os
import sys

import numpy as np
import pandas as pd
import pytest

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")

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
