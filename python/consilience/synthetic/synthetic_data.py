"""Votes drawn from known functions, for tests."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int_]


def generate_simple_label_matrix(
    n: int, m: int, cardinality: int, abstain_multiplier: float = 1.0
) -> tuple[FloatArray, IntArray, IntArray]:
    """Draw labels, functions that are better than chance, and their votes, by numpy's global generator.

    What a function says on an item of a class weighs between 0 and 1, the right vote cardinality - 1 more. With the same
    seed, the votes are the same as Snorkel's.

    Parameters
    ----------
    n
        Items.
    m
        Labeling functions, independent of each other given the label.
    cardinality
        Classes, equally frequent.
    abstain_multiplier
        Multiplies the weight of abstaining among a function's votes.

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
    weights = np.random.rand(m, cardinality + 1, cardinality)
    weights[:, 1:] += (cardinality - 1) * np.eye(cardinality)
    weights[:, 0] *= abstain_multiplier
    P = weights / weights.sum(axis=1, keepdims=True)
    Y = np.random.choice(cardinality, n)
    # A uniform number falls into one of the intervals that the probabilities of the votes cut the line into.
    limits = np.cumsum(P, axis=1)
    limits /= limits[:, -1:]
    drawn = np.random.random_sample((n, m))
    L = np.full((n, m), -1, dtype=int)
    for y in range(cardinality):
        rows = np.flatnonzero(y == Y)
        for j in range(m):
            L[rows, j] += np.searchsorted(limits[j, :, y], drawn[rows, j], side="right")
    return P, Y, L
