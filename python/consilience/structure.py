"""Which sources depend on each other."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Optional, Union

from consilience import _core
from consilience._optional import require
from consilience.errors import ConsilienceError

if TYPE_CHECKING:
    import pandas as pd

VERSION: str = _core.__version__


@dataclass(frozen=True)
class Dependency:
    """A dependency between sources, and what the votes say of it.

    Parameters
    ----------
    type
        correlation, agreement, conjunction, reinforcing, fixing or exclusive.
    sources
        The names of its sources; of a directed type the first is the one that is backed up or corrected.
    weight
        Its weight in the model.
    stderr, z, p, q
        The weight's standard error, the weight in standard errors, the probability of one this large where there is no
        dependency, the smallest false discovery rate at which it is selected; None where the method does not give them.
    selected
        Whether it is part of the structure.
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
        """How certain it is: |z|, or |weight| where there are no standard errors."""
        return abs(self.weight if self.z is None else self.z)


@dataclass(frozen=True)
class Repetition:
    """Two sources that repeat each other: they agree beyond what the class and the difficulty of the items explain.

    Parameters
    ----------
    sources
        Their names.
    share
        How far they do, as a share of the most possible; 0 where the model is to measure it.
    z
        By how many standard deviations they agree more often than expected; None where it is not known.
    """

    sources: tuple[str, str]
    share: float = 0.0
    z: Optional[float] = None


@dataclass(frozen=True)
class Structure:
    """The learned dependencies between sources.

    Parameters
    ----------
    sources, classes
        Their names.
    candidates
        All dependencies that were looked at; a learner gives the most certain first.
    copies
        Groups of sources that vote the same on every item; only the first of each has dependencies by the exact method.
    method, select
        How it was learned, and the rule that selected the dependencies.
    items
        From how many items.
    mirrors
        Pairs of a source and its mirror image, which votes on the same items and whose votes determine the source's; only
        the first has dependencies by the exact method.
    tests
        How many pairs were tested; 0 where nothing was.
    untested
        How many pairs meet on too few items to be tested; they are not among the candidates.
    repetitions
        Pairs of sources that repeat each other; `LabelModel` counts their votes in part.
    once
        Groups of sources that count as one: near copies, and echoes that nobody else agrees with. None where nobody looked for
        repetition; then `LabelModel` measures it on the pairs that dependencies with a positive weight join.

    Examples
    --------
    >>> link = Dependency("correlation", ("a", "b"), 0.5)
    >>> structure = Structure(("a", "b", "c"), ("0", "1"), (link,))
    >>> structure
    Structure(3 sources, 1 dependency: a - b)
    >>> structure.groups
    [['a', 'b']]
    """

    sources: tuple[str, ...]
    classes: tuple[str, ...]
    candidates: tuple[Dependency, ...] = field(repr=False)
    copies: tuple[tuple[str, ...], ...] = ()
    method: str = ""
    select: str = ""
    items: int = 0
    mirrors: tuple[tuple[str, str], ...] = ()
    tests: int = 0
    untested: int = 0
    repetitions: tuple[Repetition, ...] = ()
    once: Optional[tuple[tuple[str, ...], ...]] = None

    @property
    def dependencies(self) -> list[Dependency]:
        """The selected dependencies, the most certain first."""
        return [d for d in self.most_certain_first() if d.selected]

    def most_certain_first(self) -> list[Dependency]:
        """Give all candidates, the most certain first."""
        return sorted(self.candidates, key=lambda d: -d.certainty)

    @property
    def groups(self) -> list[list[str]]:
        """Sources that depend on each other, directly or over others, or repeat each other; the largest group first."""
        leader = {name: name for name in self.sources}

        def find(name: str) -> str:
            while leader[name] != name:
                name = leader[name]
            return name

        place = {name: j for j, name in enumerate(self.sources)}
        joined_sources: list[tuple[str, ...]] = [d.sources for d in self.candidates if d.selected]
        joined_sources += [r.sources for r in self.repetitions]
        for joined in [*joined_sources, *self.copies, *self.mirrors, *(self.once or ())]:
            for a, b in zip(joined, joined[1:]):
                first, second = sorted((find(a), find(b)), key=place.__getitem__)
                leader[second] = first
        groups: dict[str, list[str]] = {}
        for name in self.sources:
            groups.setdefault(find(name), []).append(name)
        return sorted((g for g in groups.values() if len(g) > 1), key=lambda g: -len(g))

    def to_pandas(self, every: bool = False) -> pd.DataFrame:
        """Give a table with one row per dependency, the most certain first, then one per pair that repeats each other.

        With `every`, of every candidate. The weight of a repetition is its share.
        """
        rows = [*(self.most_certain_first() if every else self.dependencies), *self._repetitions()]
        columns = ["type", "sources", "weight", "stderr", "z", "p", "q", "selected"]
        pandas = require("pandas", "Structure.to_pandas")
        frame: pd.DataFrame = pandas.DataFrame([asdict(d) for d in rows], columns=columns)
        return frame

    def to_networkx(self) -> Any:
        """Give a networkx graph: a node a source, an edge a dependency with its type, weight and certainty.

        Directed types are edges towards the source that is backed up or corrected; copies have the type "copy".
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
        """Draw the sources on a circle with a line a dependency, as wide as its weight, by matplotlib; give the axes.

        Parameters
        ----------
        ax
            The axes to draw on; new ones where not given.
        """
        from consilience._draw import draw_structure

        return draw_structure(self, ax)

    def to_json(self, every: bool = False) -> str:
        """Give the text of a structure.json; with `every`, every candidate is in it."""
        rows = [*(self.most_certain_first() if every else self.dependencies), *self._repetitions()]
        document = {
            "sources": list(self.sources),
            "classes": list(self.classes),
            "dependencies": [{k: v for k, v in asdict(d).items() if v is not None} for d in rows],
            "copies": [list(group) for group in self.copies],
            "mirrors": [list(pair) for pair in self.mirrors],
            "once": None if self.once is None else [list(group) for group in self.once],
            "method": self.method,
            "select": self.select,
            "items": self.items,
            "tests": self.tests,
            "untested": self.untested,
            "version": VERSION,
        }
        # As the command line does: what is empty is left out.
        for name in ("mirrors", "tests", "untested"):
            if not document[name]:
                del document[name]
        if self.once is None:
            del document["once"]
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Structure:
        """Take the text of a structure.json, of this package or of the command line."""
        try:
            document = json.loads(text)
            version = str(document["version"])
            if _numbers(version) > _numbers(VERSION):
                raise ConsilienceError(
                    f"it was written by Consilience {version}, this is {VERSION}; update Consilience or write the file again"
                )
            repetitions = [
                Repetition(_pair(d["sources"]), float(d.get("weight", 0.0)), d.get("z"))
                for d in document["dependencies"]
                if d["type"] == "repetition" and d.get("selected", True)
            ]
            once = document.get("once")
            return cls(
                sources=tuple(document["sources"]),
                classes=tuple(document["classes"]),
                candidates=tuple(
                    Dependency(
                        d["type"],
                        tuple(d["sources"]),
                        float(d.get("weight", 0.0)),
                        d.get("stderr"),
                        d.get("z"),
                        d.get("p"),
                        d.get("q"),
                        bool(d.get("selected", True)),
                    )
                    for d in document["dependencies"]
                    if d["type"] != "repetition"
                ),
                copies=tuple(tuple(group) for group in document.get("copies", ())),
                method=document["method"],
                select=document["select"],
                items=int(document["items"]),
                mirrors=tuple((first, image) for first, image in document.get("mirrors", ())),
                tests=int(document.get("tests", 0)),
                untested=int(document.get("untested", 0)),
                repetitions=tuple(repetitions),
                once=tuple(tuple(group) for group in once) if once is not None else () if repetitions else None,
            )
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
            raise ConsilienceError(f"this is no structure.json that Consilience wrote ({error!r})") from error

    def _repetitions(self) -> list[Dependency]:
        return [Dependency("repetition", r.sources, r.share, z=r.z) for r in self.repetitions]

    def save(self, path: Union[str, os.PathLike[str]], every: bool = False) -> None:
        """Write a structure.json, whole or not at all."""
        import tempfile

        folder = os.path.dirname(os.path.abspath(path))
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".json")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self.to_json(every))
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Structure:
        """Read a structure.json."""
        with open(path, encoding="utf-8") as file:
            return cls.from_json(file.read())

    def __repr__(self) -> str:
        kept = self.dependencies
        shown = ", ".join(" - ".join(d.sources) for d in kept[:5]) + (", ..." if len(kept) > 5 else "")
        count = "1 dependency" if len(kept) == 1 else f"{len(kept)} dependencies"
        return f"Structure({len(self.sources)} sources, {count}{': ' + shown if kept else ''})"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("Sources", "Type", "Weight", "Std. error", "z", "q"))
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(d)) + "</tr>" for d in self.dependencies)
        groups = "".join(f"<li>{escape(', '.join(group))}</li>" for group in self.groups)
        said = f"{len(self.sources)} sources, {self.items} items, {escape(self.method)}, {escape(self.select)}"
        repeated = "".join(f"<li>{escape(' - '.join(r.sources))}: {r.share:.0%}</li>" for r in self.repetitions[:40])
        said_again = f"<p>Sources that repeat each other</p><ul>{repeated}</ul>" if repeated else ""
        together = f"<p>Groups of sources that depend on each other</p><ul>{groups}</ul>" if groups else ""
        return (
            f"<div><p>{said}</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{said_again}{together}</div>"
        )


def _pair(names: Sequence[str]) -> tuple[str, str]:
    if len(names) != 2 or names[0] == names[1]:
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


def _numbers(version: str) -> list[int]:
    parts: Sequence[str] = version.split(".")
    if not all(part.isdigit() for part in parts):
        raise ConsilienceError(f'its version "{version}" is no version number such as {VERSION}; write the file again')
    return [int(part) for part in parts]
