"""Labeling functions: sources written in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional

from consilience.map.core import refuse_bare_decorator
from consilience.preprocess.core import BasePreprocessor
from consilience.types import DataPoint


class LabelingFunction:
    """A function that votes on an item: the number of a class, or -1 to abstain.

    Parameters
    ----------
    name
        Its name.
    f
        The function.
    resources
        Keyword arguments for every call of `f`.
    pre
        Preprocessors to run on the item first, in this order.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> LabelingFunction("short", lambda x: 1 if len(x.text) < 3 else -1)(SimpleNamespace(text="hi"))
    1
    """

    def __init__(
        self,
        name: str,
        f: Callable[..., int],
        resources: Optional[Mapping[str, Any]] = None,
        pre: Optional[Sequence[BasePreprocessor]] = None,
    ) -> None:
        self.name = name
        self._f = f
        self._resources: Mapping[str, Any] = resources or {}
        self._pre: list[BasePreprocessor] = list(pre or ())

    def _preprocess_data_point(self, x: DataPoint) -> DataPoint:
        for step in self._pre:
            x = step(x)
            if x is None:
                raise ValueError(
                    "Preprocessor should not return None, but the item, changed or as it was; "
                    f"{getattr(step, 'name', step)} of labeling function {self.name} did"
                )
        return x

    def __call__(self, x: DataPoint) -> int:
        """Return the vote on `x`."""
        return self._f(self._preprocess_data_point(x), **self._resources)

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.name}, Preprocessors: {self._pre}"


class labeling_function:  # noqa: N801 (a decorator)
    """Turn a function into a labeling function.

    Parameters
    ----------
    name
        Its name. Default: that of the function.
    resources, pre
        As for `LabelingFunction`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> @labeling_function()
    ... def shouts(x):
    ...     return 1 if x.text.isupper() else -1
    >>> shouts
    LabelingFunction shouts, Preprocessors: []
    >>> shouts(SimpleNamespace(text="BUY NOW")), shouts(SimpleNamespace(text="See you"))
    (1, -1)
    """

    def __init__(
        self,
        name: Optional[str] = None,
        resources: Optional[Mapping[str, Any]] = None,
        pre: Optional[Sequence[BasePreprocessor]] = None,
    ) -> None:
        refuse_bare_decorator(self, name)
        self.name = name
        self.resources = resources
        self.pre = pre

    def __call__(self, f: Callable[..., int]) -> LabelingFunction:
        """Make `f` into a labeling function."""
        return LabelingFunction(self.name or f.__name__, f, self.resources, self.pre)
