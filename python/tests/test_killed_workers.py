"""Workers of Dask and Spark that are killed in the middle of a task: the result is right, or a clear error."""

import os
import shutil
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from consilience import LabelModel, Votes
from consilience.labeling import LFApplier, PandasLFApplier, labeling_function

ITEMS = 48
PATIENCE = 120


def rows_in(folder):
    """Return a function that takes as long as a row does, with a file in the folder that says which process is at it."""
    folder = str(folder)

    # Functions of a test module cannot be imported by workers; those within a function are sent whole.
    def row():
        mark = Path(folder, f"row.{os.getpid()}")
        mark.touch()
        time.sleep(0.05)
        mark.unlink()

    return row


def slow_function(folder):
    row = rows_in(folder)

    @labeling_function()
    def slow(x):
        row()
        return int(x.number) % 3 - 1

    return slow


def at_work(folder):
    """The processes that are in the middle of a row."""
    return sorted(int(path.suffix[1:]) for path in Path(folder).glob("row.*"))


def kill_one(folder, pid_of=lambda pid: pid):
    """Wait until a worker is in the middle of a row, kill it, and check that the row was never finished."""
    deadline = time.monotonic() + PATIENCE
    while not (working := at_work(folder)):
        assert time.monotonic() < deadline, "no worker began to work"
        time.sleep(0.001)
    victim = working[0]
    # Stopped first, so that it is surely still in its row when it is killed.
    os.kill(victim, signal.SIGSTOP)
    time.sleep(0.02)
    if victim not in at_work(folder):
        os.kill(victim, signal.SIGCONT)
        return kill_one(folder, pid_of)
    # An executor takes its Python workers with it, which a stopped one hears only when it goes on.
    for pid in {pid_of(victim), victim}:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert victim in at_work(folder), "the fault did not hit a running task"
    return victim


def in_background(work):
    """Start work in a thread; the function that is returned waits for its result."""
    outcome = {}

    def run():
        try:
            outcome["result"] = work()
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=run, daemon=True)
    thread.start()

    def wait():
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the run hangs after a worker was killed"
        if "error" in outcome:
            raise outcome["error"]
        return outcome["result"]

    return wait


@pytest.fixture
def client(tmp_path):
    pytest.importorskip("dask.dataframe", reason="dask is not installed")
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path / "dask")
    )
    client = distributed.Client(cluster)
    yield client
    client.close()
    cluster.close()


def test_functions_on_dask(client, tmp_path):
    import dask.dataframe as dd

    from consilience.labeling.apply.dask import DaskLFApplier

    frame = pd.DataFrame({"number": np.arange(ITEMS)})
    applier = DaskLFApplier([slow_function(tmp_path)])
    wait = in_background(lambda: applier.apply(dd.from_pandas(frame, npartitions=6), scheduler=client))
    victim = kill_one(tmp_path)
    votes = wait()
    Path(tmp_path, f"row.{victim}").unlink()
    np.testing.assert_array_equal(votes, PandasLFApplier([slow_function(tmp_path)]).apply(frame, progress_bar=False))


def test_labels_on_dask(client, tmp_path):
    import dask.dataframe as dd

    import consilience.dask

    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 600)
    frame = pd.DataFrame({f"s{j}": np.where(rng.random(600) < 0.8, truth, 1 - truth) for j in range(5)})
    alone = Votes(frame)
    model = LabelModel().fit(alone)

    def slowly(part, row):
        for _ in range(10):
            row()
        return part

    for work in ("count", "label"):
        folder = tmp_path / work
        folder.mkdir()
        spread = dd.from_pandas(frame, npartitions=6).map_partitions(slowly, rows_in(folder), meta=frame)
        if work == "count":
            wait = in_background(lambda spread=spread: consilience.dask.count_votes(spread, scheduler=client))
            kill_one(folder)
            for here, there in zip(wait().patterns()[:2], alone.patterns()[:2]):
                np.testing.assert_array_equal(here, there)
        else:
            wait = in_background(lambda spread=spread: consilience.dask.label(spread, model).compute(scheduler=client))
            kill_one(folder)
            labelled = wait()
            probabilities = labelled[[f"p_{name}" for name in alone.classes]].to_numpy()
            assert probabilities.tobytes() == model.predict_proba(frame).tobytes()


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Spark needs Java, which is not on this machine")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        # Two executors, each a process of its own with one core.
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.executor.memory", "512m")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("spark")))
        .getOrCreate()
    )
    yield session
    session.stop()


def executor_of(pid):
    """The executor whose Python worker a process is: the nearest of its parents that is Java."""
    psutil = pytest.importorskip("psutil", reason="psutil is not installed")
    return next(parent.pid for parent in psutil.Process(pid).parents() if parent.name() == "java")


def test_functions_on_spark(spark, tmp_path):
    from consilience.labeling.apply.spark import SparkLFApplier

    frame = pd.DataFrame({"number": np.arange(ITEMS)})
    rows = spark.createDataFrame(frame).collect()
    wait = in_background(lambda: SparkLFApplier([slow_function(tmp_path)]).apply(spark.sparkContext.parallelize(rows, 6)))
    victim = kill_one(tmp_path, executor_of)
    votes = wait()
    Path(tmp_path, f"row.{victim}").unlink()
    np.testing.assert_array_equal(votes, LFApplier([slow_function(tmp_path)]).apply(rows, progress_bar=False))


def test_labels_on_spark(spark, tmp_path):
    import consilience.spark

    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 600)
    frame = pd.DataFrame(
        {"id": np.arange(600), **{f"s{j}": np.where(rng.random(600) < 0.8, truth, 1 - truth) for j in range(5)}}
    )
    alone = Votes(frame, ignore=["id"])
    model = LabelModel().fit(alone)
    row = rows_in(tmp_path)

    def slowly(batches):
        for batch in batches:
            for _ in range(10):
                row()
            yield batch

    df = spark.createDataFrame(frame).repartition(6)
    df = df.mapInArrow(slowly, df.schema)

    wait = in_background(lambda: consilience.spark.count_votes(df, ignore=["id"]))
    victim = kill_one(tmp_path, executor_of)
    for here, there in zip(wait().patterns()[:2], alone.patterns()[:2]):
        np.testing.assert_array_equal(here, there)
    Path(tmp_path, f"row.{victim}").unlink()

    wait = in_background(lambda: consilience.spark.label(df, model).collect())
    kill_one(tmp_path, executor_of)
    rows = sorted(wait(), key=lambda row: row["id"])
    probabilities = np.array([[row[f"p_{name}"] for name in alone.classes] for row in rows])
    assert probabilities.tobytes() == model.predict_proba(frame.drop(columns="id")).tobytes()
