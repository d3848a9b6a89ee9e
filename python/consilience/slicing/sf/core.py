"""Slicing functions: whether an item is in a slice."""

from __future__ import annotations

from typing import Any, Callable

from consilience.labeling.lf.core import LabelingFunction, labeling_function


class SlicingFunction(LabelingFunction):
    """A function that says whether an item is in a slice; see `LabelingFunction`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> question = SlicingFunction("question", lambda x: x.text.endswith("?"))
    >>> question(SimpleNamespace(text="Who is it?"))
    True
    """


class slicing_function(labeling_function):  # noqa: N801 (a decorator)
    """Turn a function into a slicing function.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> @slicing_function()
    ... def question(x):
    ...     return x.text.endswith("?")
    >>> question
    SlicingFunction question, Preprocessors: []
    >>> question(SimpleNamespace(text="Who is it?"))
    True
    """

    def __call__(self, f: Callable[..., Any]) -> SlicingFunction:
        """Make `f` into a slicing function."""
        return SlicingFunction(self.name or f.__name__, f, self.resources, self.pre)
