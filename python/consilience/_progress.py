"""Progress bars with tqdm, on request."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, Callable, Optional, TypeVar

from consilience._optional import how_to_install

_T = TypeVar("_T")

#: Called with the number of passes done and the total; 0 if it is unknown.
Tell = Callable[[int, int], None]

# Most fits are over before a bar would be of use.
SECONDS_BEFORE_A_BAR = 1.0


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


class _Hint:
    """Says once, when work takes long, that there would be a bar if tqdm were installed."""

    said = False

    def __init__(self) -> None:
        self.started = time.monotonic()

    def tick(self) -> None:
        if not _Hint.said and time.monotonic() - self.started > SECONDS_BEFORE_A_BAR:
            _Hint.said = True
            warnings.warn(f"progress bars need tqdm: {how_to_install('tqdm')}, or pass progress_bar=False", stacklevel=2)


def _hinting(iterable: Iterable[_T]) -> Iterator[_T]:
    hint = _Hint()
    for value in iterable:
        yield value
        hint.tick()


def progress(iterable: Iterable[_T], shown: bool, total: Optional[int] = None) -> Iterator[_T]:
    """Pass `iterable` through, with a progress bar on request; long work hints at tqdm if that is missing."""
    if not shown:
        return iter(iterable)
    tqdm = _tqdm()
    return _hinting(iterable) if tqdm is None else iter(tqdm(iterable, total=total))


@contextlib.contextmanager
def telling(shown: bool, what: str) -> Iterator[Optional[Tell]]:
    """Return the callback for the core's progress, if a bar is requested; long work hints at tqdm if that is missing."""
    if not shown:
        yield None
        return
    tqdm = _tqdm()
    if tqdm is None:
        hint = _Hint()
        yield lambda done, total: hint.tick()
        return
    with tqdm(desc=what, unit=" passes", delay=SECONDS_BEFORE_A_BAR) as bar:

        def tell(done: int, total: int) -> None:
            bar.total = total or None
            bar.update(done - bar.n)

        yield tell
