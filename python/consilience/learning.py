"""The names and conventions of Snorkel 0.7: votes 1, -1 and 0 for abstaining, dependencies as triples of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import numpy.typing as npt

from consilience._optional import require
from consilience.errors import NotFittedError, OptionError
from consilience.learner import StructureLearner
from consilience.model import FittedModel, fit_model
from consilience.structure import Dependency, Structure
from consilience.votes import Votes

if TYPE_CHECKING:
    import pandas as pd

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
        """Return the dependencies as a set of `(i, j, type)`.

        Parameters
        ----------
        L
            The votes, one row per item: 1, -1 (or more classes from 1 on), and 0 if a function abstains; dense or
            scipy.sparse.
        higher_order
            Whether to look for DEP_FIXING and DEP_REINFORCING in addition to DEP_SIMILAR; in their `(i, j, type)`, j acts on i.
        propensity
            Whether each function has a term for how often it votes.
        threshold
            The cut-off, and the penalty on all weights.
        truncation
            Items between two truncations of the weights.

        Examples
        --------
        >>> import numpy as np
        >>> rng = np.random.default_rng(1)
        >>> L = rng.choice([-1, 0, 1], size=(2000, 4))
        >>> L[:, 3] = L[:, 1]
        >>> DependencySelector().select(L, threshold=0.1)
        {(1, 3, 0)}
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


_TYPE = {number: name for name, number in _NUMBER.items()}


@dataclass
class GenerativeModelWeights:
    """The weights of a fitted model: the accuracy of each function, as in the paper.

    Parameters
    ----------
    lf_accuracy
        The weight of the accuracy of each function.

    Examples
    --------
    >>> L = np.array([[1, 1, 0], [-1, -1, 1], [1, 0, 1], [-1, -1, -1]] * 20)
    >>> model = GenerativeModel()
    >>> model.train(L)
    >>> model.weights.lf_accuracy.shape
    (3,)
    """

    lf_accuracy: npt.NDArray[np.float64]


class GenerativeModel:
    """The label model of Snorkel 0.7.

    Parameters
    ----------
    class_prior
        Whether `train` reads a class balance; otherwise classes have equal shares.
    lf_prior, lf_propensity, lf_class_propensity
        Accepted without effect: vote rates are always part of the model.
    seed
        The seed of sampling if exact inference does not fit.

    Examples
    --------
    >>> L = np.array([[1, 1, 0], [-1, -1, 1], [1, 0, 1], [-1, -1, -1]] * 20)
    >>> model = GenerativeModel()
    >>> model.train(L, epochs=10)
    >>> bool((np.sign(model.marginals(L) - 0.5) == np.sign(L.sum(axis=1))).all())
    True
    """

    weights: GenerativeModelWeights
    _model: FittedModel
    _train: Votes

    def __init__(
        self,
        class_prior: bool = False,
        lf_prior: bool = False,
        lf_propensity: bool = False,
        lf_class_propensity: bool = False,
        seed: int = 271828,
    ) -> None:
        self.class_prior = class_prior
        self.lf_prior = lf_prior
        self.lf_propensity = lf_propensity
        self.lf_class_propensity = lf_class_propensity
        self.seed = seed
        self.cardinality = 2

    def train(
        self,
        L: Any,
        deps: Iterable[tuple[int, int, int]] = (),
        init_deps: float = 0.0,
        init_class_prior: Optional[float] = None,
        epochs: int = 30,
        cardinality: Optional[int] = None,
        **kwargs: Any,
    ) -> None:
        """Fit the model to votes.

        Parameters
        ----------
        L
            The votes, one row per item: 1, -1 (or classes from 1 to `cardinality`), and 0 if a function abstains.
        deps
            Dependencies as `DependencySelector` gives them; functions are independent if there are none.
        init_class_prior
            Half the logarithm of the odds of class 1 against -1; used if the model has a class prior.
        cardinality
            The number of classes. Default: 2.
        init_deps, epochs, kwargs
            Accepted without effect: the weights are found by exact optimisation.

        Examples
        --------
        >>> L = np.array([[1, 1, 0], [-1, -1, 1], [1, 0, 1], [-1, -1, -1]] * 20)
        >>> model = GenerativeModel()
        >>> model.train(L)
        >>> model.cardinality
        2
        """
        self.cardinality = 2 if cardinality is None else cardinality
        votes = self._read(L)
        names = votes.sources
        links = []
        for i, j, kind in deps:
            if kind not in _TYPE or not (0 <= i < len(names) and 0 <= j < len(names)):
                raise OptionError(f"({i}, {j}, {kind}) is not a dependency between the {len(names)} labeling functions")
            links.append(Dependency(_TYPE[kind], (names[i], names[j]), 0.0))
        structure = Structure(tuple(names), tuple(votes.classes), tuple(links))
        balance = None
        if self.class_prior and init_class_prior is not None:
            share = 1 / (1 + np.exp(-2 * init_class_prior))
            balance = [1 - share, share]
        self._model = fit_model(votes, structure if links else "independent", balance, self.seed, link_weights=bool(links))
        self._train = votes
        accuracy = np.zeros(len(names))
        for of_type, sources, _, weight in self._model.core.weights:
            if of_type == "accuracy":
                accuracy[names.index(sources[0])] = weight
        self.weights = GenerativeModelWeights(accuracy)

    def _read(self, L: Any) -> Votes:
        classes = ["-1", "1"] if self.cardinality == 2 else [str(c) for c in range(1, self.cardinality + 1)]
        if self.cardinality == 2 and _highest(L) == 2:
            classes = ["1", "2"]
        return Votes(L, abstain=0, classes=classes)

    def _trained(self) -> FittedModel:
        if not hasattr(self, "_model"):
            raise NotFittedError("this GenerativeModel is not trained yet; call train(L) first")
        return self._model

    def marginals(self, L: Any) -> npt.NDArray[np.float64]:
        """Return the probability of class 1, one per item; of each class, one row per item, if there are more than two.

        Parameters
        ----------
        L
            The votes, as for `train`.

        Examples
        --------
        >>> L = np.array([[1, 1, 0], [-1, -1, 1], [1, 0, 1], [-1, -1, -1]] * 20)
        >>> model = GenerativeModel()
        >>> model.train(L)
        >>> (model.marginals(L)[:4] > 0.5).tolist()
        [True, False, True, False]
        """
        probabilities = self._trained().core.infer(self._read(L)._table).probabilities()
        return probabilities[:, 1] if self.cardinality == 2 else probabilities

    def learned_lf_stats(self) -> pd.DataFrame:
        """Return, for each function, the accuracy of its votes by the model, and its coverage.

        Examples
        --------
        >>> L = np.array([[1, 1, 0], [-1, -1, 1], [1, 0, 1], [-1, -1, -1]] * 20)
        >>> model = GenerativeModel()
        >>> model.train(L)
        >>> model.learned_lf_stats().columns.tolist()
        ['Accuracy', 'Coverage']
        """
        probabilities = self._trained().core.infer(self._train._table).probabilities()
        votes = self._train.to_numpy()
        cast = votes >= 0
        right = np.take_along_axis(probabilities, np.maximum(votes, 0), axis=1) * cast
        accuracy = right.sum(axis=0) / np.maximum(cast.sum(axis=0), 1)
        frame: pd.DataFrame = require("pandas", "learned_lf_stats").DataFrame(
            {"Accuracy": accuracy, "Coverage": cast.mean(axis=0)}
        )
        return frame


def _highest(L: Any) -> float:
    try:
        highest = L.max() if hasattr(L, "max") else np.max(L)
        return float(highest) if not isinstance(highest, np.complexfloating) else 0.0
    except (TypeError, ValueError):
        # No matrix of numbers: `Votes` says what is wrong with it.
        return 0.0
