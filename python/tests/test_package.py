"""What the package promises as a whole: what it imports, that Ctrl-C stops it."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import consilience

OPTIONAL = ["pandas", "polars", "pyarrow", "scipy", "sklearn", "matplotlib", "networkx", "dask", "pyspark", "spacy", "tqdm"]
EVERYTHING = (
    "import consilience, consilience.labeling, consilience.labeling.model, consilience.labeling.apply.dask, "
    "consilience.labeling.apply.spark, consilience.labeling.lf.nlp, consilience.analysis, consilience.utils, "
    "consilience.preprocess.nlp, consilience.map.spark, consilience.slicing, consilience.learning, "
    "consilience.synthetic.synthetic_data, consilience.types, consilience.spark, consilience.dask, consilience.crowd, "
    "consilience.labeling.model.graph_utils, consilience.labeling.model.logger, consilience.augmentation"
)


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_nothing_but_numpy_is_imported():
    loaded = run(f"{EVERYTHING}; import sys; print(' '.join(sys.modules))").split()
    assert not {name.partition(".")[0] for name in loaded} & set(OPTIONAL)


def test_import_loads_little():
    code = "import numpy, sys; before = set(sys.modules); import consilience; print(' '.join(set(sys.modules) - before))"
    assert len(run(code).split()) < 60


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
    said = run(code)
    assert "lf_summary needs the package pandas" in said
    assert "pip install pandas, or all that the package can use: pip install 'consilience[all]'" in said


def test_the_extra_all_has_what_hints_name():
    from importlib.metadata import requires

    from consilience._optional import _DISTRIBUTIONS, IN_ALL

    lines = requires("consilience")
    wanted = {line.partition(";")[0].strip() for line in lines if "extra == 'all'" in line or 'extra == "all"' in line}
    extras = next(line for line in wanted if line.startswith("consilience["))
    parts = extras.partition("[")[2].rstrip("]").split(",")
    brought = {re.split(r"[<>=;\[ ]", line)[0] for line in lines for part in parts if re.search(f"extra == .{part}.", line)}
    brought |= {line for line in wanted if "[" not in line}
    assert brought == {_DISTRIBUTIONS.get(package, package) for package in IN_ALL}


def test_long_work_hints_at_tqdm_once():
    code = (
        "import sys, time, warnings; sys.modules['tqdm'] = sys.modules['tqdm.auto'] = None\n"
        "import consilience._progress as p; from consilience.labeling import LFApplier, LabelingFunction\n"
        "warnings.simplefilter('always')\n"
        "lf = LabelingFunction('slow', lambda x: time.sleep(x) or 0)\n"
        "LFApplier([lf]).apply([0.0])\n"
        "p.SECONDS_BEFORE_A_BAR = 0.01\n"
        "for shown in (False, True, True): LFApplier([lf]).apply([0.02, 0.0], progress_bar=shown)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr
    assert said.count("progress bars need tqdm: pip install tqdm") == 1


# Each kind of long work, on votes for which it takes minutes.
LONG_WORK = {
    "Algorithm 1": (60, 30_000, 'consilience.StructureLearner(method="sgd", epochs=100_000).fit(votes)'),
    "the exact method": (300, 40_000, "consilience.StructureLearner().fit(votes)"),
    "a fit": (400, 60_000, "while True: consilience.LabelModel().fit(votes)"),
    "sampling and its like": (12, 2_000, "while True: consilience.LabelModel(dependencies='independent').fit(votes)"),
    "rules over texts": (3, 10, "while True: regex_lf('(a|b)*c', 1).vote_column(texts)"),
}
INTERRUPTED = """
import sys, time, numpy as np, consilience
from consilience.labeling import regex_lf
sources, items = {sources}, {items}
rng = np.random.default_rng(0)
votes = consilience.Votes(rng.integers(-1, 2, (items, sources), dtype=np.int8))
texts = ["ab" * 5_000] * 200
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("stopped", flush=True)
    # The threads of the core end too: until they all rest, or for good.
    for _ in range(60):
        used = time.process_time()
        time.sleep(0.5)
        if time.process_time() - used < 0.1:
            print("at rest", flush=True)
            break
"""


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("name", LONG_WORK)
def test_ctrl_c_stops_within_a_second(name):
    sources, items, work = LONG_WORK[name]
    code = INTERRUPTED.format(sources=sources, items=items, work=work)
    # The best of three: on a busy machine a second may pass before a process has its turn.
    assert any(seconds_to_stop(code) < 1.0 for _ in range(3))


def seconds_to_stop(code):
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)
        assert process.poll() is None
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped\n"
        seconds = time.monotonic() - started
        assert process.stdout.readline() == "at rest\n"
        return seconds
    finally:
        process.kill()
        process.communicate()


def test_work_of_other_threads_goes_on_after_ctrl_c():
    code = (
        "import _thread, threading, time, numpy as np, consilience\n"
        "rng = np.random.default_rng(0)\n"
        "votes = consilience.Votes(rng.integers(-1, 2, (20_000, 40)))\n"
        "found = []\n"
        "def other(): found.append(consilience.StructureLearner(method='sgd', epochs=60).fit(votes).structure_)\n"
        "thread = threading.Thread(target=other)\n"
        "thread.start()\n"
        "threading.Timer(0.3, _thread.interrupt_main).start()\n"
        "try: consilience.StructureLearner(method='sgd', epochs=100_000).fit(votes)\n"
        "except KeyboardInterrupt: print('stopped')\n"
        "thread.join()\n"
        "print(len(found))"
    )
    assert run(code) == "stopped\n1\n"


def test_progress_is_told(capfd):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    code = (
        "import numpy as np, consilience, consilience._progress as p\n"
        "p.SECONDS_BEFORE_A_BAR = 0.0\n"
        "votes = consilience.Votes(np.random.default_rng(0).integers(-1, 2, (20_000, 40)))\n"
        "consilience.StructureLearner(method='sgd', epochs=60).fit(votes, progress_bar={})"
    )
    for shown in (True, False):
        said = subprocess.run([sys.executable, "-c", code.format(shown)], capture_output=True, text=True, check=True).stderr
        assert ("learn" in said and "/120" in said) == shown, said


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


def test_the_stub_is_what_the_rust_files_say():
    tool = Path(__file__).resolve().parent.parent / "tools" / "stubs.py"
    subprocess.run([sys.executable, str(tool), "--check"], check=True)
