"""Progress bars, by tqdm, where they are asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any, Callable, Optional, TypeVar

_T = TypeVar("_T")

#: Hears how many passes are done, and how many there will be; 0 where nobody knows.
Tell = Callable[[int, int], None]

# Most fits are over before a bar would be of use.
SECONDS_BEFORE_A_BAR = 1.0


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


def progress(iterable: Iterable[_T], shown: bool, total: Optional[int] = None) -> Iterator[_T]:
    """Pass `iterable` through, with a bar where it is asked for and tqdm is installed."""
    tqdm = _tqdm() if shown else None
    return iter(iterable) if tqdm is None else iter(tqdm(iterable, total=total))


@contextlib.contextmanager
def telling(shown: bool, what: str) -> Iterator[Optional[Tell]]:
    """Give what the core tells its progress to, with a bar where it is asked for and tqdm is installed; None elsewhere."""
    tqdm = _tqdm() if shown else None
    if tqdm is None:
        yield None
        return
    with tqdm(desc=what, unit=" passes", delay=SECONDS_BEFORE_A_BAR) as bar:

        def tell(done: int, total: int) -> None:
            bar.total = total or None
            bar.update(done - bar.n)

        yield tell
