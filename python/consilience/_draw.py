"""A picture of a structure."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from consilience.structure import Structure

#: Colours that people who confuse red and green can tell apart (Okabe and Ito).
COLOURS = {
    "correlation": "#0072B2",
    "agreement": "#56B4E9",
    "conjunction": "#009E73",
    "reinforcing": "#E69F00",
    "fixing": "#D55E00",
    "exclusive": "#CC79A7",
    "copy": "#666666",
}
THINNEST, WIDEST = 1.0, 6.0
ROOM_A_LETTER = 0.06


class Picture:
    """An SVG picture.

    Attributes
    ----------
    svg
        Its text.
    """

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the picture into an .svg file.

        Parameters
        ----------
        path
            The file.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "picture.svg"
        >>> Picture("<svg></svg>").save(path)
        >>> path.read_text()
        '<svg></svg>'
        """
        Path(path).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        return f"Picture({len(self.svg):,} characters of SVG)"

    def _repr_svg_(self) -> str:
        return self.svg


def _places(structure: Structure) -> dict[str, tuple[float, float]]:
    """Put the sources on a circle, those of a group side by side, so that most lines are short."""
    grouped = [name for group in structure.groups for name in group]
    alone = [name for name in structure.sources if name not in set(grouped)]
    order = grouped + alone
    turn = 2 * math.pi / max(len(order), 1)
    return {name: (math.sin(turn * i), math.cos(turn * i)) for i, name in enumerate(order)}


def draw_structure(structure: Structure, ax: Any) -> Any:
    """Draw `structure` on `ax`, and return it."""
    places = _places(structure)
    links = [(d.sources, d.type, d.weight) for d in structure.dependencies]
    links += [((first, other), "copy", 0.0) for first, *others in structure.copies for other in others]
    heaviest = max((abs(weight) for _, _, weight in links), default=1.0) or 1.0
    for (to, *others), kind, weight in links:
        for other in others:
            directed = kind in ("reinforcing", "fixing")
            ax.annotate(
                "",
                xy=places[to],
                xytext=places[other],
                arrowprops={
                    "arrowstyle": "-|>" if directed else "-",
                    "color": COLOURS.get(kind, "#000000"),
                    "linewidth": THINNEST + (WIDEST - THINNEST) * abs(weight) / heaviest,
                    "linestyle": "--" if weight < 0 else ":" if kind == "copy" else "-",
                    "shrinkA": 4,
                    "shrinkB": 4,
                },
            )
    linked = {name for sources, _, _ in links for name in sources}
    for name, (x, y) in places.items():
        ax.plot([x], [y], "o", color="#222222" if name in linked else "#BBBBBB", markersize=7, zorder=3)
        degrees = math.degrees(math.atan2(y, x))
        left = x < -1e-9
        ax.text(
            1.08 * x,
            1.08 * y,
            name,
            ha="right" if left else "left",
            va="center",
            rotation=degrees + 180 if left else degrees,
            rotation_mode="anchor",
            color="#000000" if name in linked else "#888888",
        )
    for kind in dict.fromkeys(kind for _, kind, _ in links):
        style = ":" if kind == "copy" else "-"
        ax.plot([], [], style, color=COLOURS.get(kind, "#000000"), linewidth=2, label=kind)
    if links:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.01), ncol=3, frameon=False)
    # Names stand outside of the circle, and long ones need room.
    room = max(1.6, 1.15 + ROOM_A_LETTER * max((len(name) for name in places), default=0))
    ax.set_xlim(-room, room)
    ax.set_ylim(-room, room)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax
