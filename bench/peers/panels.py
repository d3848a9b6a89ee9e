"""Simulated panels of sources, and what one would say who knows all about them.

Two classes, even. Each source votes on 30% of the items and is right with a probability of its own, uniform in 0.55..0.85.
Items on which nobody votes are left out. Three kinds:

- independent: every source for itself.
- copied: five sources repeat another one vote by vote. Among ten, that one tosses a coin; among more it is as any other.
- noisy copies: the same, with each repeated vote turned round with probability 0.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

KINDS = ("independent", "copied", "noisy copies")
COVERAGE = 0.3
ACCURACIES = (0.55, 0.85)
COPIES = 5
NOISE = 0.2
#: Up to this many sources, the one that others copy tosses a coin.
FEW = 10


@dataclass
class Panel:
    """Votes (-1 abstains), the true classes, and the classes that the oracle names."""

    votes: npt.NDArray[np.int8]
    truth: npt.NDArray[np.int8]
    oracle: npt.NDArray[np.int8]

    @property
    def oracle_accuracy(self) -> float:
        """The share of items that the oracle has right."""
        return float(np.mean(self.oracle == self.truth))


def simulate(kind: str, items: int, sources: int, seed: int) -> Panel:
    """Draw a panel."""
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, but is {kind!r}")
    if sources <= COPIES:
        raise ValueError(f"sources must be more than {COPIES}, but is {sources}")
    rng = np.random.default_rng([seed, sources])
    own = sources if kind == "independent" else sources - COPIES
    accuracies = rng.uniform(*ACCURACIES, own)
    if kind != "independent" and sources <= FEW:
        accuracies[-1] = 0.5
    # Enough rows for all but a vanishing share of draws, since some have no vote and are left out.
    drawn = int(items * 1.02 / (1 - (1 - COVERAGE) ** own)) + 200
    truth = rng.integers(0, 2, drawn, dtype=np.int8)
    votes = np.empty((drawn, sources), dtype=np.int8)
    odds = np.zeros(drawn)
    for j, accuracy in enumerate(accuracies):
        column = _column(rng, truth, accuracy)
        votes[:, j] = column
        odds += np.log(accuracy / (1 - accuracy)) * np.where(column < 0, 0, 2 * column - 1)
    original = votes[:, own - 1]
    for j in range(own, sources):
        turned = (rng.random(drawn, dtype=np.float32) < NOISE) & (original >= 0) & (kind == "noisy copies")
        votes[:, j] = np.where(turned, 1 - original, original)
    coin = rng.integers(0, 2, drawn, dtype=np.int8)
    oracle = np.where(odds == 0, coin, odds > 0).astype(np.int8)
    kept = np.flatnonzero((votes >= 0).any(axis=1))[:items]
    if len(kept) < items:
        raise RuntimeError(f"only {len(kept)} of {items} items have a vote")
    return Panel(np.ascontiguousarray(votes[kept]), truth[kept], oracle[kept])


def _column(rng: np.random.Generator, truth: npt.NDArray[np.int8], accuracy: float) -> npt.NDArray[np.int8]:
    """Draw the votes of one source."""
    wrong = rng.random(len(truth), dtype=np.float32) >= accuracy
    silent = rng.random(len(truth), dtype=np.float32) >= COVERAGE
    return np.where(silent, np.int8(-1), truth ^ wrong).astype(np.int8)
