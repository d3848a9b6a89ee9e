"""What the package promises as a whole: what it imports, how long that takes, that Ctrl-C stops it."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import consilience

OPTIONAL = ["pandas", "polars", "pyarrow", "scipy", "sklearn", "matplotlib", "networkx", "dask", "pyspark", "spacy", "tqdm"]
EVERYTHING = (
    "import consilience, consilience.labeling, consilience.labeling.model, consilience.labeling.apply.dask, "
    "consilience.labeling.apply.spark, consilience.labeling.lf.nlp, consilience.analysis, consilience.utils, "
    "consilience.preprocess.nlp, consilience.map.spark, consilience.slicing, consilience.learning, "
    "consilience.synthetic.synthetic_data, consilience.types"
)


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_nothing_but_numpy_is_imported():
    loaded = run(f"{EVERYTHING}; import sys; print(' '.join(sys.modules))").split()
    assert not {name.partition(".")[0] for name in loaded} & set(OPTIONAL)


def test_import_is_quick():
    code = "import time; t = time.process_time(); import consilience; print(time.process_time() - t)"
    assert min(float(run(code)) for _ in range(5)) < 0.15


def test_only_numpy_is_required():
    from importlib.metadata import requires

    needed = [line for line in requires("consilience") if "extra ==" not in line]
    assert [line.partition(">")[0] for line in needed] == ["numpy"]


def test_missing_packages_are_named():
    code = (
        "import sys; sys.modules['pandas'] = None\n"
        "from consilience.labeling import LFAnalysis\n"
        "try: LFAnalysis([[0, 1]]).lf_summary()\n"
        "except ImportError as error: print(error)"
    )
    assert "lf_summary needs the package pandas" in run(code)


SLOW = """
import threading, time, numpy as np, consilience
rng = np.random.default_rng(0)
votes = consilience.Votes(rng.integers(-1, 2, (30_000, 60)))
print("ready", flush=True)
consilience.StructureLearner(method="sgd", epochs=100_000).fit(votes)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_stops_within_a_second():
    process = subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert process.poll() is None
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert time.monotonic() - started < 1.0
        assert "KeyboardInterrupt" in said
    finally:
        process.kill()


def test_the_lock_is_free_while_the_core_works():
    import threading

    votes = consilience.Votes(np.random.default_rng(0).integers(-1, 2, (20_000, 40)))
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    started = time.monotonic()
    consilience.StructureLearner(method="sgd", epochs=30).fit(votes)
    ended = time.monotonic()
    stop.set()
    thread.join()
    during = [t for t in ticks if started < t < ended]
    assert len(during) > 10


def test_the_same_bytes_at_any_number_of_threads():
    code = (
        "import numpy as np, consilience; L = np.random.default_rng(0).integers(-1, 3, (3000, 12));"
        "print(consilience.StructureLearner().fit(L).structure_.to_json(every=True))"
    )
    outputs = set()
    for threads in ("1", "3"):
        env = {**os.environ, "RAYON_NUM_THREADS": threads}
        outputs.add(subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout)
    assert len(outputs) == 1


def test_forked_processes_have_threads_of_their_own():
    from consilience.labeling.apply.processes import in_processes

    L = np.random.default_rng(0).integers(-1, 2, (500, 5))
    expected = consilience.StructureLearner().fit(L).structure_
    assert in_processes(lambda part: consilience.StructureLearner().fit(L).structure_, [0, 1], 2) == [expected] * 2
