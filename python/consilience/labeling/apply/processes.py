"""Process parts of a table in several processes, with functions that cannot be pickled."""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Callable, TypeVar

from consilience._progress import progress

_P = TypeVar("_P")
_R = TypeVar("_R")

# What forked processes inherit: the function and the parts. Decorated functions and closures cannot be pickled.
_inherited: list[tuple[Callable[[Any], Any], Sequence[Any]]] = []


def _work(number: int) -> tuple[bool, Any]:
    function, parts = _inherited[-1]
    return _guarded(function, parts[number])


def _work_sent(sent: bytes) -> tuple[bool, Any]:
    function, part = pickle.loads(sent)
    return _guarded(function, part)


def _guarded(function: Callable[[Any], Any], part: Any) -> tuple[bool, Any]:
    try:
        return True, function(part)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return False, RuntimeError(f"a labeling function failed:\n{traceback.format_exc()}")
        return False, error


@contextlib.contextmanager
def _kept(function: Callable[[Any], Any], parts: Sequence[Any]) -> Iterator[None]:
    _inherited.append((function, parts))
    try:
        yield
    finally:
        _inherited.pop()


def in_processes(
    function: Callable[[_P], _R],
    parts: Sequence[_P],
    processes: int,
    start: str | None = None,
    progress_bar: bool = False,
) -> list[_R]:
    """Apply `function` to each part in `processes` processes, and return the results in the order of the parts.

    If the system can fork, the processes inherit the function and the parts; elsewhere (or with `start="spawn"`) these are
    sent, by cloudpickle if it is installed.
    """
    if start is None:
        start = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    # Unlike a `multiprocessing.Pool`, which waits for ever, this one tells when a process has died.
    pool = ProcessPoolExecutor(min(processes, max(len(parts), 1)), mp_context=multiprocessing.get_context(start))
    results: list[_R] = []
    try:
        with _kept(function, parts):
            if start == "fork":
                done = [pool.submit(_work, number) for number in range(len(parts))]
            else:
                done = [pool.submit(_work_sent, _sent(function, part)) for part in parts]
            for fine, result in progress((future.result() for future in done), progress_bar, len(parts)):
                if not fine:
                    raise result
                results.append(result)
    except BaseException as error:
        _end(pool)
        if isinstance(error, BrokenProcessPool):
            raise RuntimeError(
                "a process that applied labeling functions died; was its memory used up, or does a function end the process?"
            ) from None
        raise
    pool.shutdown()
    return results


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes of `pool` in the middle of their work."""
    # The pool sees that they are gone and gives up what they had to do; to cancel it too would be one ending too many.
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()
    pool.shutdown()


def _sent(function: Callable[[Any], Any], part: Any) -> bytes:
    try:
        import cloudpickle
    except ImportError:
        return pickle.dumps((function, part))
    sent: bytes = cloudpickle.dumps((function, part))
    return sent
