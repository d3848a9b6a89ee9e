"""Policies that draw sequences at random, with numpy's global generator: `np.random.seed` makes them repeatable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

import numpy as np

from consilience._settings import whole
from consilience.augmentation.policy.core import Policy
from consilience.errors import OptionError


class MeanFieldPolicy(Policy):
    """Draws each function of a sequence independently, with given probabilities.

    Parameters
    ----------
    n_tfs
        The number of transformation functions.
    sequence_length
        How many functions run on an item, one after the other.
    p
        The probability of each function. Default: equal.
    n_per_original
        How many new items to create from each item.
    keep_original
        Whether to keep the unchanged item, before those created from it.

    Examples
    --------
    >>> MeanFieldPolicy(2, sequence_length=3, p=[0, 1]).generate_for_example()
    [[], [1, 1, 1]]
    """

    def __init__(
        self,
        n_tfs: int,
        sequence_length: int = 1,
        p: Optional[Sequence[float]] = None,
        n_per_original: int = 1,
        keep_original: bool = True,
    ) -> None:
        super().__init__(n_tfs, n_per_original, keep_original)
        self.sequence_length = whole("sequence_length", sequence_length, 1)
        if p is not None:
            shares = np.asarray(p, dtype=np.float64)
            if shares.shape != (self.n,):
                raise OptionError(f"p must have one probability per function, {self.n} of them, but is {p!r}")
            if not (shares >= 0).all() or not np.isclose(shares.sum(), 1):
                raise OptionError(f"p must have probabilities that add up to 1, but is {p!r}")
        self._p = p

    def generate(self) -> list[int]:
        """Draw one sequence: the numbers of the functions, in the order in which they run.

        Examples
        --------
        >>> MeanFieldPolicy(2, sequence_length=3, p=[1, 0]).generate()
        [0, 0, 0]
        """
        drawn: list[int] = np.random.choice(self.n, size=self.sequence_length, p=self._p).tolist()
        return drawn


class RandomPolicy(MeanFieldPolicy):
    """Draws each function of a sequence independently, all with the same probability.

    Parameters
    ----------
    n_tfs
        The number of transformation functions.
    sequence_length
        How many functions run on an item, one after the other.
    n_per_original
        How many new items to create from each item.
    keep_original
        Whether to keep the unchanged item, before those created from it.

    Examples
    --------
    >>> np.random.seed(0)
    >>> RandomPolicy(2, sequence_length=3).generate_for_example()
    [[], [0, 1, 1]]
    """

    def __init__(
        self,
        n_tfs: int,
        sequence_length: int = 1,
        n_per_original: int = 1,
        keep_original: bool = True,
    ) -> None:
        super().__init__(n_tfs, sequence_length, None, n_per_original, keep_original)
