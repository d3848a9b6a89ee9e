"""Structure learning under the names and conventions of Snorkel 0.7: votes 1, -1 and 0 for abstaining, triples of numbers."""

from __future__ import annotations

from typing import Any

from consilience.learner import StructureLearner
from consilience.votes import Votes

DEP_SIMILAR = 0
DEP_FIXING = 1
DEP_REINFORCING = 2
DEP_EXCLUSIVE = 3

_NUMBER = {"correlation": DEP_SIMILAR, "fixing": DEP_FIXING, "reinforcing": DEP_REINFORCING, "exclusive": DEP_EXCLUSIVE}


class DependencySelector:
    """Selects dependencies between labeling functions by Algorithm 1 of Bach et al. (2017).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> L = rng.choice([-1, 0, 1], size=(2000, 5))
    >>> L[:, 1] = L[:, 0]
    >>> DependencySelector().select(L, threshold=0.1)
    {(0, 1, 0)}
    """

    def select(
        self,
        L: Any,
        higher_order: bool = False,
        propensity: bool = False,
        threshold: float = 0.05,
        truncation: int = 10,
    ) -> set[tuple[int, int, int]]:
        """Give the dependencies as a set of `(i, j, type)`.

        Parameters
        ----------
        L
            The votes, one row an item: 1, -1 (or more classes from 1 on), and 0 where a function abstains; dense or
            scipy.sparse.
        higher_order
            Whether to look for DEP_FIXING and DEP_REINFORCING beside DEP_SIMILAR; in `(i, j, type)` of these j acts on i.
        propensity
            Whether each function has a term for how often it votes.
        threshold
            The cut-off, and the penalty on all weights.
        truncation
            Items between two truncations of the weights.
        """
        votes = Votes(L, abstain=0)
        types = ["correlation", "fixing", "reinforcing"] if higher_order else ["correlation"]
        learner = StructureLearner(
            method="sgd",
            types=types,
            epsilon=threshold,
            truncation=truncation,
            own_rates="propensity" if propensity else "none",
        )
        place = {name: j for j, name in enumerate(votes.sources)}
        selected = set()
        for dependency in learner.fit(votes).structure_.dependencies:
            i, j = (place[name] for name in dependency.sources)
            selected.add((i, j, _NUMBER[dependency.type]))
        return selected
