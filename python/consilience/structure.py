"""Which sources depend on each other."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Optional, Union

from consilience import _core
from consilience._html import table
from consilience._optional import require
from consilience.errors import ConsilienceError

if TYPE_CHECKING:
    import pandas as pd


#: Width of a picture, in pixels.
_WIDTH = 640.0


@dataclass(frozen=True)
class Dependency:
    """A dependency between sources, and its evidence in the votes.

    Parameters
    ----------
    type
        correlation, agreement, conjunction, reinforcing, fixing or exclusive.
    sources
        The names of its sources; for a directed type, the first is the one that is reinforced or corrected.
    weight
        Its weight in the model.
    stderr, z, p, q
        The standard error of the weight, the weight in standard errors, the probability of a weight this large if there were no
        dependency, and the smallest false discovery rate at which it is selected; None if the method does not give them.
    selected
        Whether it is part of the structure.

    Examples
    --------
    >>> Dependency("correlation", ("a", "b"), 0.5, stderr=0.1, z=5.0).certainty
    5.0
    """

    type: str
    sources: tuple[str, ...]
    weight: float
    stderr: Optional[float] = None
    z: Optional[float] = None
    p: Optional[float] = None
    q: Optional[float] = None
    selected: bool = True

    @property
    def certainty(self) -> float:
        """How certain it is: |z|, or |weight| if there are no standard errors."""
        return abs(self.weight if self.z is None else self.z)


@dataclass(frozen=True)
class Repetition:
    """Two sources that repeat each other: they agree more often than the class and the difficulty of the items explain.

    Parameters
    ----------
    sources
        Their names.
    share
        How much they repeat each other, as a share of the maximum; 0 to let the model measure it.
    z
        Excess agreement in standard deviations; None if unknown.

    Examples
    --------
    >>> Structure(["a", "b", "c"], ["0", "1"], [], repetitions=[Repetition(("a", "b"))]).groups
    [['a', 'b']]
    """

    sources: tuple[str, str]
    share: float = 0.0
    z: Optional[float] = None


class Structure:
    """The learned dependencies between sources.

    Parameters
    ----------
    sources, classes
        Their names.
    candidates
        All dependencies that were considered.
    copies
        Groups of sources that vote the same on every item. With the exact method, only the first has dependencies.
    method, select
        How it was learned, and the rule that selected the dependencies.
    items
        The number of items it was learned from.
    mirrors
        Pairs of a source and its mirror image, which votes on the same items and whose votes determine the source's votes. With
        the exact method, only the first has dependencies.
    tests
        The number of pairs that were tested.
    untested
        The number of pairs with too few common items to test; they are not among the candidates.
    repetitions
        Pairs of sources that repeat each other; `LabelModel` counts their votes in part.
    once
        Groups of sources that count as one: near copies, and echoes that no other source agrees with. None if repetition was
        not looked for; `LabelModel` then measures it for pairs joined by dependencies with a positive weight.

    Examples
    --------
    >>> link = Dependency("correlation", ("a", "b"), 0.5)
    >>> structure = Structure(("a", "b", "c"), ("0", "1"), (link,))
    >>> structure
    Structure(3 sources, 1 dependency: a - b)
    >>> structure.groups
    [['a', 'b']]
    """

    _graph: _core.Structure

    def __init__(
        self,
        sources: Sequence[str],
        classes: Sequence[str],
        candidates: Sequence[Dependency],
        copies: Sequence[Sequence[str]] = (),
        method: str = "",
        select: str = "",
        items: int = 0,
        mirrors: Sequence[tuple[str, str]] = (),
        tests: int = 0,
        untested: int = 0,
        repetitions: Sequence[Repetition] = (),
        once: Optional[Sequence[Sequence[str]]] = None,
    ) -> None:
        self._graph = _core.Structure.of(
            list(sources),
            list(classes),
            [(d.type, list(d.sources), d.weight, d.stderr, d.z, d.p, d.q, d.selected) for d in candidates],
            [list(group) for group in copies],
            method,
            select,
            items,
            list(mirrors),
            tests,
            untested,
            [(*_pair(r.sources), r.share, r.z) for r in repetitions],
            None if once is None else [list(group) for group in once],
        )

    @classmethod
    def _of(cls, graph: _core.Structure) -> Structure:
        structure = cls.__new__(cls)
        structure._graph = graph
        return structure

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources' names."""
        return tuple(self._graph.sources)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes' names."""
        return tuple(self._graph.classes)

    @cached_property
    def candidates(self) -> tuple[Dependency, ...]:
        """All dependencies that were considered, most certain first."""
        return tuple(
            Dependency(kind, tuple(sources), weight, stderr, z, p, q, selected)
            for kind, sources, weight, stderr, z, p, q, selected in self._graph.candidates
        )

    @property
    def copies(self) -> tuple[tuple[str, ...], ...]:
        """Groups of sources that vote the same on every item."""
        return tuple(map(tuple, self._graph.copies))

    @property
    def mirrors(self) -> tuple[tuple[str, str], ...]:
        """Pairs of a source and its mirror image."""
        return tuple((first, image) for first, image in self._graph.mirrors)

    @property
    def method(self) -> str:
        """How it was learned."""
        return self._graph.method

    @property
    def select(self) -> str:
        """The rule that selected the dependencies."""
        return self._graph.select

    @property
    def items(self) -> int:
        """The number of items it was learned from."""
        return self._graph.items

    @property
    def tests(self) -> int:
        """The number of possible dependencies."""
        return self._graph.tests

    @property
    def untested(self) -> int:
        """The number of pairs with too few common items to test."""
        return self._graph.untested

    @property
    def unsettled(self) -> tuple[str, ...]:
        """Sources whose problem did not converge, so that their weights may be off."""
        return tuple(self._graph.unsettled)

    @property
    def repetitions(self) -> tuple[Repetition, ...]:
        """Pairs of sources that repeat each other."""
        return tuple(Repetition((a, b), share, z) for a, b, share, z in self._graph.repetitions)

    @property
    def once(self) -> Optional[tuple[tuple[str, ...], ...]]:
        """Groups of sources that count as one; None if repetition was not looked for."""
        groups = self._graph.once
        return None if groups is None else tuple(map(tuple, groups))

    @property
    def dependencies(self) -> list[Dependency]:
        """The selected dependencies, most certain first."""
        return [d for d in self.candidates if d.selected]

    def most_certain_first(self) -> list[Dependency]:
        """Return all candidates, most certain first.

        Examples
        --------
        >>> links = [Dependency("correlation", ("a", "b"), 0.1), Dependency("correlation", ("a", "c"), 0.5)]
        >>> [d.sources for d in Structure(["a", "b", "c"], ["0", "1"], links).most_certain_first()]
        [('a', 'c'), ('a', 'b')]
        """
        return list(self.candidates)

    @property
    def groups(self) -> list[list[str]]:
        """Groups of sources that depend on each other, directly or indirectly, or repeat each other; largest first."""
        return self._graph.groups

    def explanation(self, a: str, b: str) -> Optional[str]:
        """Return why two sources move together, if one is declared from the other or both from a third; otherwise None.

        What `Sources` declares explains links that were learned from the votes; nothing is learned from it.

        Parameters
        ----------
        a, b
            The sources' names.

        Examples
        --------
        >>> from consilience import Sources
        >>> rules = [{"name": word, "vote": "spam", "keywords": [word]} for word in ("win", "prize", "free")]
        >>> rules.append({"name": "either", "vote": "spam", "any": ["win", "prize"]})
        >>> texts = ["win a prize", "free", "you win", "prize for free", "hello"] * 50
        >>> votes = Sources(["ham", "spam"], rules, text="body").apply({"body": texts})
        >>> from consilience import StructureLearner
        >>> structure = StructureLearner().fit(votes).structure_
        >>> structure.explanation("win", "either")
        'either is declared as any of win, prize'
        """
        return self._graph.explanation(a, b)

    def to_pandas(self, every: bool = False) -> pd.DataFrame:
        """Return a data frame with one row per dependency, most certain first, then one per pair that repeats each other.

        Parameters
        ----------
        every
            Whether to include every candidate instead of the selected ones. The weight of a repetition is its share.

        Examples
        --------
        >>> link = Dependency("correlation", ("a", "b"), 0.5)
        >>> Structure(["a", "b"], ["0", "1"], [link]).to_pandas()[["type", "sources", "weight"]]
                  type sources  weight
        0  correlation  (a, b)     0.5
        """
        rows = [*(self.most_certain_first() if every else self.dependencies), *self._repetitions()]
        columns = ["type", "sources", "weight", "stderr", "z", "p", "q", "selected"]
        pandas = require("pandas", "Structure.to_pandas")
        frame: pd.DataFrame = pandas.DataFrame([asdict(d) for d in rows], columns=columns)
        return frame

    def to_networkx(self) -> Any:
        """Return a networkx graph: a node per source, an edge per dependency with its type, weight and certainty.

        Edges of directed types point to the source that is reinforced or corrected; copies have the type "copy".

        Examples
        --------
        >>> link = Dependency("fixing", ("a", "b"), 0.5)
        >>> list(Structure(["a", "b"], ["0", "1"], [link]).to_networkx().edges(data="type"))
        [('b', 'a', 'fixing')]
        """
        networkx = require("networkx", "Structure.to_networkx")
        graph = networkx.MultiDiGraph(method=self.method, select=self.select, items=self.items)
        graph.add_nodes_from(self.sources)
        for d in self.dependencies:
            to, *others = d.sources
            for other in others:
                graph.add_edge(other, to, type=d.type, weight=d.weight, z=d.z, q=d.q)
        for r in self.repetitions:
            graph.add_edge(r.sources[1], r.sources[0], type="repetition", weight=r.share, z=r.z)
        for first, *others in self.copies:
            for other in others:
                graph.add_edge(other, first, type="copy")
        return graph

    def draw(self, ax: Any = None) -> Any:
        """Draw the structure as the report does, or with matplotlib on given axes.

        Parameters
        ----------
        ax
            Axes to draw on; line widths follow the weights, and the axes are returned. Default: an SVG picture that a notebook
            shows, of the sources that depend on each other.

        Examples
        --------
        >>> link = Dependency("correlation", ("a", "b"), 0.5)
        >>> picture = Structure(["a", "b", "c"], ["0", "1"], [link]).draw()
        >>> picture.svg.startswith("<svg")
        True
        """
        from consilience._draw import Picture, draw_structure

        return Picture(self._graph.to_svg(_WIDTH)) if ax is None else draw_structure(self, ax)

    def to_json(self, every: bool = False) -> str:
        """Return the text of a structure.json, as the command line writes it.

        Parameters
        ----------
        every
            Whether to include every candidate instead of the selected ones.

        Examples
        --------
        >>> link = Dependency("correlation", ("a", "b"), 0.5)
        >>> text = Structure(["a", "b"], ["0", "1"], [link]).to_json()
        >>> Structure.from_json(text).dependencies == [link]
        True
        """
        return self._graph.to_json(every)

    def to_dot(self, every: bool = False) -> str:
        """Return the graph in the DOT language of Graphviz, as `consilience learn -o structure.dot` writes it.

        Parameters
        ----------
        every
            Whether to include every candidate instead of the selected ones.

        Examples
        --------
        >>> link = Dependency("correlation", ("a", "b"), 0.5)
        >>> "s0 -- s1" in Structure(["a", "b"], ["0", "1"], [link]).to_dot()
        True
        """
        return self._graph.to_dot(every)

    def to_graphml(self, every: bool = False) -> str:
        """Return the graph as GraphML, as `consilience learn -o structure.graphml` writes it.

        Parameters
        ----------
        every
            Whether to include every candidate instead of the selected ones.

        Examples
        --------
        >>> link = Dependency("correlation", ("a", "b"), 0.5)
        >>> Structure(["a", "b"], ["0", "1"], [link]).to_graphml()[:5]
        '<?xml'
        """
        return self._graph.to_graphml(every)

    @classmethod
    def from_json(cls, text: str) -> Structure:
        """Parse the text of a structure.json, written by this package, the command line or by hand.

        Parameters
        ----------
        text
            The text. One written by hand needs only `sources` and `dependencies`. A ConsilienceError explains what is wrong.

        Examples
        --------
        >>> text = Structure(["a", "b"], ["0", "1"], [Dependency("correlation", ("a", "b"), 0.5)]).to_json()
        >>> Structure.from_json(text)
        Structure(2 sources, 1 dependency: a - b)
        >>> Structure.from_json('{"sources": ["a", "b"], "dependencies": [{"type": "correlation", "sources": ["a", "b"]}]}')
        Structure(2 sources, 1 dependency: a - b)
        """
        return cls._of(_core.Structure.from_json(text))

    def save(self, path: Union[str, os.PathLike[str]], every: bool = False) -> None:
        """Write a structure.json, which `consilience fit --structure` can read; no partial file is ever left.

        Parameters
        ----------
        path
            The file; compressed if its name ends in .gz or .zst.
        every
            Whether to include every candidate instead of the selected ones.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "structure.json"
        >>> Structure(["a", "b"], ["0", "1"], []).save(path)
        >>> path.exists()
        True
        """
        self._graph.save(path, every)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Structure:
        """Read a structure.json that this package or the command line wrote.

        Parameters
        ----------
        path
            The file.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "structure.json"
        >>> structure = Structure(["a", "b"], ["0", "1"], [Dependency("correlation", ("a", "b"), 0.5)])
        >>> structure.save(path)
        >>> Structure.load(path) == structure
        True
        """
        return cls._of(_core.Structure.load(path))

    def _repetitions(self) -> list[Dependency]:
        return [Dependency("repetition", r.sources, r.share, z=r.z) for r in self.repetitions]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Structure) and self._graph == other._graph

    def __hash__(self) -> int:
        return hash((self.sources, self.classes, self.candidates))

    def __reduce__(self) -> tuple[Any, ...]:
        return Structure.from_json, (self.to_json(every=True),)

    def __repr__(self) -> str:
        kept = self.dependencies
        shown = ", ".join(" - ".join(d.sources) for d in kept[:5]) + (", ..." if len(kept) > 5 else "")
        count = "1 dependency" if len(kept) == 1 else f"{len(kept)} dependencies"
        return f"Structure({len(self.sources)} sources, {count}{': ' + shown if kept else ''})"

    def _repr_html_(self) -> str:
        listed = table(("Sources", "Type", "Weight", "Std. error", "z", "q"), map(_cells, self.dependencies))
        groups = "".join(f"<li>{escape(', '.join(group))}</li>" for group in self.groups)
        said = f"{len(self.sources)} sources, {self.items} items, {escape(self.method)}, {escape(self.select)}"
        repeated = "".join(f"<li>{escape(' - '.join(r.sources))}: {r.share:.0%}</li>" for r in self.repetitions[:40])
        said_again = f"<p>Sources that repeat each other</p><ul>{repeated}</ul>" if repeated else ""
        together = f"<p>Groups of sources that depend on each other</p><ul>{groups}</ul>" if groups else ""
        return f"<div><p>{said}</p>{listed}{said_again}{together}</div>"


def _pair(names: Sequence[str]) -> tuple[str, str]:
    if len(names) != 2:
        raise ConsilienceError('a dependency of the type "repetition" needs two sources')
    return names[0], names[1]


def _cells(d: Dependency) -> list[str]:
    def number(value: Optional[float], shape: str) -> str:
        return "" if value is None else format(value, shape)

    arrow = " ← " if d.type in ("reinforcing", "fixing") else " - "
    return [
        arrow.join(d.sources),
        d.type,
        number(d.weight, ".3f"),
        number(d.stderr, ".3f"),
        number(d.z, ".1f"),
        number(d.q, ".0e"),
    ]
