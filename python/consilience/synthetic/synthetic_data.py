"""Votes drawn from known functions, to test with."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int_]


def generate_simple_label_matrix(
    n: int, m: int, cardinality: int, abstain_multiplier: float = 1.0
) -> tuple[FloatArray, IntArray, IntArray]:
    """Draw labels, functions that are better than chance, and their votes, by numpy's global generator.

    Parameters
    ----------
    n
        Items.
    m
        Labeling functions, independent of each other given the label.
    cardinality
        Classes, equally frequent.
    abstain_multiplier
        Multiplies the odds of abstaining, which are between 0.1 and 0.9.

    Returns
    -------
    `(P, Y, L)`: P of m times k + 1 times k with [j, v + 1, y] the probability that function j votes v (-1 abstains) on
    an item of class y; Y the n labels; L the n times m votes.

    Examples
    --------
    >>> P, Y, L = generate_simple_label_matrix(100, 5, 3)
    >>> P.shape, Y.shape, L.shape
    ((5, 4, 3), (100,), (100, 5))
    """
    # Votes on an item of class y: right with a share above one half, the rest split at random between the other classes.
    right = np.random.uniform(0.55, 0.95, (m, cardinality))
    split = np.random.dirichlet(np.ones(cardinality - 1), (m, cardinality))
    odds_of_abstaining = abstain_multiplier * np.random.uniform(0.1, 0.9, (m, cardinality))
    P = np.empty((m, cardinality + 1, cardinality))
    for y in range(cardinality):
        others = [1 + v for v in range(cardinality) if v != y]
        P[:, 0, y] = odds_of_abstaining[:, y]
        P[:, 1 + y, y] = right[:, y]
        P[:, others, y] = (1 - right[:, y, None]) * split[:, y, :]
    P /= P.sum(axis=1, keepdims=True)
    Y = np.random.choice(cardinality, n)
    # A uniform number falls into one of the intervals that the probabilities of the votes cut the line into.
    thresholds = np.cumsum(P, axis=1)[:, :-1, :]
    drawn = np.random.rand(n, m)
    L = (drawn[:, :, None] >= thresholds[:, :, Y].transpose(2, 0, 1)).sum(axis=2) - 1
    return P, Y, L.astype(int)
