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
    class Double(Mapper):
        def run(self, num):
            return {"double": 2 * num}

    @preprocessor()
    def add(x):
        from pyspark.sql import Row

        return Row(**{**x.asDict(), "more": x.num + 1})

    @labeling_function()
    def large(x):
        return 0 if x.num > 42 else -1

    @labeling_function(resources={"db": [3, 6, 9]})
    def known(x, db):
        return 1 if x.num in db else -1

    @labeling_function(pre=[add, make_spark_mapper(Double("double"))])
    def doubled(x):
        return 0 if x.double + x.more > 100 else -1

    return [large, known, doubled, keyword_lf(["spam"], 1)]


FRAME = pd.DataFrame({"num": [3, 43, 12, 9, 3], "text": ["spam", "ham", None, "SPAM", ""]})
EXPECTED = [[-1, 1, -1, 1], [0, -1, 0, -1], [-1, -1, -1, -1], [-1, 1, -1, 1], [-1, 1, -1, -1]]


def test_rows(spark):
    frame = spark.createDataFrame(FRAME)
    applier = SparkLFApplier(functions())
    np.testing.assert_equal(applier.apply(frame.rdd), EXPECTED)
    np.testing.assert_equal(applier.apply(frame), EXPECTED)
    rows = frame.collect()
    np.testing.assert_equal(LFApplier(functions()).apply(rows, progress_bar=False), EXPECTED)


def test_faults(spark):
    @labeling_function()
    def bad(x):
        return 0 if x.mum > 42 else -1

    rdd = spark.sparkContext.parallelize(spark.createDataFrame(FRAME).collect(), 3)
    votes, meta = SparkLFApplier([bad, functions()[0]]).apply(rdd, fault_tolerant=True, return_meta=True)
    assert votes[:, 0].tolist() == [-1] * 5
    assert meta.faults == {"bad": 5}
    with pytest.raises(Exception, match="mum"):
        SparkLFApplier([bad]).apply(rdd)


def test_slices(spark):
    @slicing_function()
    def large(x):
        return x.num > 42

    S = SparkSFApplier([large]).apply(spark.createDataFrame(FRAME[["num"]]).rdd)
    assert S.large.tolist() == [0, 1, 0, 0, 0]
