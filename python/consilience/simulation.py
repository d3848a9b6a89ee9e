"""Votes simulated from a known model."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from html import escape
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience import _core
from consilience._settings import number, seed_of, text, whole
from consilience.errors import OptionError
from consilience.votes import Votes, class_names

#: One number for all sources, or the smallest and the largest.
Spread = Union[float, tuple[float, float]]


class Simulation:
    """Simulated votes and the model that generated them, as returned by `simulate`.

    Attributes
    ----------
    votes
        The votes.
    labels
        The true class of each item, as in `votes.class_labels`.
    truth
        The model: sources, classes, dependencies with their weights, and labels, as written by `consilience simulate --truth`.

    Examples
    --------
    >>> simulate(sources=4, items=100, pairs=1, seed=3)
    Simulation(100 items, 4 sources, 2 classes)
    """

    votes: Votes
    labels: npt.NDArray[Any]
    truth: dict[str, Any]
    _text: str

    def save_truth(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the truth, as `consilience simulate --truth` does.

        Parameters
        ----------
        path
            The file.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "truth.json"
        >>> simulate(sources=4, items=100, seed=3).save_truth(path)
        >>> sorted(json.loads(path.read_text()))
        ['classes', 'dependencies', 'labels', 'sources', 'version']
        """
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text)

    def __repr__(self) -> str:
        items, sources = self.votes.shape
        return f"Simulation({items} items, {sources} sources, {len(self.votes.classes)} classes)"

    def _repr_html_(self) -> str:
        links = [d for d in self.truth["dependencies"] if len(d["sources"]) > 1]
        listed = "".join(
            f"<li>{escape(' - '.join(d['sources']))}: {escape(d['type'])} {d['weight']:g}</li>" for d in links[:40]
        )
        return f"<div><p>{escape(repr(self))}</p><ul>{listed}</ul></div>"


def simulate(
    sources: int,
    items: int,
    *,
    classes: Union[int, Sequence[str]] = 2,
    balance: Optional[Sequence[float]] = None,
    accuracy: Spread = 1.0,
    correct: Optional[Spread] = None,
    abstain: Optional[Spread] = None,
    pairs: Optional[int] = None,
    density: Optional[float] = None,
    clique: Optional[int] = None,
    cliques: int = 1,
    type: str = "correlation",  # noqa: A002 (what dependencies call it)
    strength: float = 0.25,
    seed: int = 0,
) -> Simulation:
    """Simulate votes from a known model.

    Parameters
    ----------
    sources, items
        Their numbers.
    classes
        The names of the classes, or their number.
    balance
        The share of each class. Default: equal.
    accuracy
        The weight of the accuracy of sources: one number, or the smallest and the largest.
    correct
        The share of correct votes of a source; replaces `accuracy`.
    abstain
        The share of items that a source abstains on. Default: follows from the accuracy.
    pairs
        The number of pairs of sources that depend on each other: 0 and 1, 2 and 3, ...
    density
        The probability that any two sources depend on each other.
    clique, cliques
        The size and the number of groups in which all pairs of sources depend on each other.
    type
        The type of the dependencies.
    strength
        Their weight.
    seed
        The seed. The same seed gives the same votes, here and on the command line.

    Examples
    --------
    >>> drawn = simulate(sources=6, items=1000, pairs=2, strength=0.5, seed=1)
    >>> drawn.votes
    Votes(1000 items, 6 sources, 2 classes, 315 distinct rows)
    >>> [d["sources"] for d in drawn.truth["dependencies"] if d["type"] == "correlation"]
    [['s0', 's1'], ['s2', 's3']]
    """
    given = {name: value for name, value in (("pairs", pairs), ("density", density), ("clique", clique)) if value is not None}
    if len(given) > 1:
        raise OptionError(f"{' and '.join(given)} say which sources depend on each other in different ways; pass one of them")
    names = class_names(classes)
    assert names is not None
    table, labels, truth = _core.simulate(
        whole("sources", sources, 1),
        whole("items", items, 1),
        names,
        None if balance is None else [number("balance", share) for share in balance],
        _between("accuracy", accuracy),
        None if correct is None else _between("correct", correct),
        None if abstain is None else _between("abstain", abstain),
        None if pairs is None else whole("pairs", pairs, 0),
        None if density is None else number("density", density),
        None if clique is None else whole("clique", clique, 2),
        whole("cliques", cliques, 1),
        text("type", type),
        number("strength", strength),
        seed_of(seed),
    )
    drawn = Simulation()
    drawn.votes = Votes._of(table)
    drawn.labels = drawn.votes.class_labels[labels]
    drawn.truth, drawn._text = json.loads(truth), truth
    return drawn


def _between(name: str, value: Spread) -> tuple[float, float]:
    ends = np.atleast_1d(np.asarray(value, dtype=object)).tolist()
    if len(ends) not in (1, 2):
        raise OptionError(f"{name} must be a number, or the smallest and the largest, but is {value!r}")
    return number(name, ends[0]), number(name, ends[-1])
