"""Learning which sources depend on each other."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Optional

from consilience import _core
from consilience._estimator import Estimator
from consilience._progress import Tell, telling
from consilience._settings import number, switch, text, whole
from consilience.errors import OptionError
from consilience.structure import Structure
from consilience.votes import Votes

DEFAULT_EPSILON = 0.03


class StructureLearner(Estimator):
    """Learns the dependencies between sources from their votes alone.

    Parameters
    ----------
    method
        "exact" maximizes the marginal pseudolikelihood and gives standard errors; "sgd" is Algorithm 1 of Bach et al. (2017).
    select
        Which dependencies to select: "auto" (strong and certain), "fdr=0.05" (false discovery rate), "fwer=0.05" (probability
        of any false one), "miss=0.1" (probability of missing any), "threshold=0.05" (by weight) or "top=20". "sgd" supports
        only "auto" and "threshold=...".
    types
        The types of dependencies to look for.
    epsilon
        For "sgd": the penalty and selection threshold. Default: 0.03.
    tolerance, ridge
        For "exact": the gain in log likelihood below which a problem is solved, and the precision of the prior on weights.
    step, epochs, truncation, accuracy_start, own_rates, class_prior
        For "sgd": the step size per item (default: 1 / items), the number of passes over the items, the number of items between
        truncations, the initial accuracies, terms for how often a source votes ("none", "propensity" or "vote_rates"), and
        whether to add a class prior.

    Attributes
    ----------
    structure_
        The learned structure.
    n_features_in_
        The number of sources.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.integers(0, 2, 4000)
    >>> votes = np.where(rng.random((4000, 5)) < 0.75, truth[:, None], 1 - truth[:, None])
    >>> votes[:, 1] = np.where(rng.random(4000) < 0.5, votes[:, 0], votes[:, 1])
    >>> StructureLearner().fit(votes).structure_.groups
    [['s0', 's1']]
    """

    structure_: Structure
    n_features_in_: int

    def __init__(
        self,
        method: str = "exact",
        select: str = "auto",
        types: Sequence[str] = ("correlation",),
        epsilon: Optional[float] = None,
        tolerance: float = 1e-4,
        ridge: float = 0.01,
        step: Optional[float] = None,
        epochs: int = 10,
        truncation: int = 10,
        accuracy_start: float = 1.0,
        own_rates: str = "none",
        class_prior: bool = False,
    ) -> None:
        self.method = method
        self.select = select
        self.types = types
        self.epsilon = epsilon
        self.tolerance = tolerance
        self.ridge = ridge
        self.step = step
        self.epochs = epochs
        self.truncation = truncation
        self.accuracy_start = accuracy_start
        self.own_rates = own_rates
        self.class_prior = class_prior

    def fit(self, X: Any, y: Any = None, progress_bar: bool = False) -> StructureLearner:
        """Learn the structure of a table of votes.

        Parameters
        ----------
        X
            `Votes`, or data to make them from.
        y
            Ignored; there is no ground truth.
        progress_bar
            Whether to show progress if learning takes longer than a second (requires tqdm).

        Examples
        --------
        >>> from consilience import simulate
        >>> drawn = simulate(sources=5, items=3000, pairs=1, strength=1.0, seed=1)
        >>> StructureLearner().fit(drawn.votes).structure_
        Structure(5 sources, 1 dependency: s0 - s1)
        """
        votes = X if isinstance(X, Votes) else Votes(X)
        with telling(progress_bar, "learn") as tell:
            learned = self._learned(votes, tell)
            structure = Structure._of(learned.declared(votes._compositions) if votes._compositions else learned)
        if structure.unsettled:
            warnings.warn(
                f"the optimum was not reached for {', '.join(structure.unsettled)}, so their weights may be off; "
                "a larger tolerance or more items would help",
                RuntimeWarning,
                stacklevel=2,
            )
        self.structure_ = structure
        self.n_features_in_ = len(structure.sources)
        return self

    def _learned(self, votes: Votes, tell: Optional[Tell]) -> _core.Structure:
        types = [self.types] if isinstance(self.types, str) else [text("types", kind) for kind in _listed(self.types)]
        select = text("select", self.select)
        if self.method == "exact":
            if self.epsilon is not None:
                raise OptionError('epsilon needs method="sgd"; use select="threshold=E", or leave it out')
            tolerance, ridge = number("tolerance", self.tolerance), number("ridge", self.ridge)
            return _core.learn_exact(votes._table, types, select, tolerance, ridge, tell)
        if self.method == "sgd":
            return _core.learn_sgd(
                votes._table,
                types,
                self._cut_off(),
                None if self.step is None else number("step", self.step),
                whole("epochs", self.epochs, 1),
                whole("truncation", self.truncation, 1),
                number("accuracy_start", self.accuracy_start),
                text("own_rates", self.own_rates),
                switch("class_prior", self.class_prior),
                tell,
            )
        raise OptionError(f"method must be exact or sgd, but is {self.method!r}")

    def _cut_off(self) -> float:
        rule, _, value = self.select.partition("=")
        if self.select == "auto":
            return DEFAULT_EPSILON if self.epsilon is None else number("epsilon", self.epsilon)
        if rule != "threshold":
            raise OptionError(
                f'method="sgd" has no standard errors for select="{self.select}"; use select="threshold=E" or method="exact"'
            )
        if self.epsilon is not None:
            raise OptionError("epsilon and select=threshold mean the same; pass one of them")
        try:
            return float(value)
        except ValueError:
            raise OptionError(f"the threshold must be a number, but is {value!r}") from None


def _listed(types: Any) -> list[Any]:
    try:
        return list(types)
    except TypeError:
        raise OptionError(f"types must be a list of types of dependencies, but is {types!r}") from None
