"""The matrices of Snorkel's method of moments, for scripts that inspect them; labels are not computed from them.

As in Snorkel, votes are 0 for abstain and 1 to k for the classes. Rows of mu and of O are functions and, within
them, classes: row i * k + c is "function i votes for class c".
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience._optional import require
from consilience.labeling.model.graph_utils import get_clique_tree
from consilience.labeling.model.parameters import Parameters, plain

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int_]


class CliqueData(NamedTuple):
    """The rows of a function, and the cliques of the tree that it is in."""

    start_index: int
    end_index: int
    max_cliques: set[int]


class Overlaps:
    """The matrices that `LabelModel` computes from votes on demand."""

    cardinality: int
    n: int
    m: int
    d: int
    t: int
    p: FloatArray
    P: Parameters
    O: Parameters  # noqa: E741 (its name)
    mask: Parameters
    mu: Any
    mu_init: Parameters
    c_tree: Any
    c_data: dict[int, CliqueData]
    train_config: Any

    def _set_constants(self, L: IntArray) -> None:
        self.n, self.m = L.shape
        if self.m < 3:
            raise ValueError(f"L_train should have at least 3 labeling functions, to tell them apart, but has {self.m}")
        self.t = 1

    def _create_tree(self) -> None:
        """Make the clique tree of functions that do not depend on each other: each is its own clique."""
        self.c_tree = get_clique_tree(range(self.m), [])

    def _create_L_ind(self, L: IntArray) -> FloatArray:  # noqa: N802 (its name)
        """Return a column for each function and class, 1 if the function votes for the class."""
        classes = np.arange(1, self.cardinality + 1)
        indicators: FloatArray = (np.asarray(L)[:, :, None] == classes).reshape(len(L), -1).astype(np.float64)
        return indicators

    def _get_augmented_label_matrix(self, L: IntArray, higher_order: bool = False) -> FloatArray:
        """Return the same as `_create_L_ind`, as there are no cliques of two, and note where each function's columns are."""
        k = self.cardinality
        cliques = dict(self.c_tree.nodes(data="members"))
        self.c_data = {
            i: CliqueData(i * k, (i + 1) * k, {number for number, members in cliques.items() if i in members})
            for i in range(self.m)
        }
        for number, members in cliques.items():
            columns = [self.c_data[i] for i in members]
            ends = {"start_index": min(c.start_index for c in columns), "end_index": max(c.end_index for c in columns)}
            self.c_tree.nodes[number].update(ends)
        return self._create_L_ind(L)

    def _generate_O(self, L: IntArray, higher_order: bool = False) -> None:  # noqa: N802 (its name)
        """Set O, the share of items on which two votes are cast together."""
        indicators = self._get_augmented_label_matrix(L, higher_order)
        self.d = indicators.shape[1]
        self.O = Parameters.of(indicators.T @ indicators / self.n)

    def _build_mask(self) -> None:
        """Set the mask: False for two votes of functions in one clique, True for others."""
        apart = [[not a.max_cliques & b.max_cliques for b in self.c_data.values()] for a in self.c_data.values()]
        self.mask = np.kron(apart, np.ones((self.cardinality, self.cardinality))).astype(bool).view(Parameters)

    def _precisions(self, prec_init: Any) -> FloatArray:
        """Return the precision that each function is taken to start with."""
        if isinstance(prec_init, str) or not (np.isscalar(prec_init) or hasattr(prec_init, "__len__")):
            raise TypeError(
                f"prec_init is of type {type(prec_init)} which is not supported currently. "
                "Give a number, or one per labeling function"
            )
        precisions = plain(prec_init)
        if precisions.ndim > 0 and precisions.shape != (self.m,):
            raise ValueError(f"prec_init must have shape {self.m}, one per labeling function, but has {precisions.size}")
        return np.broadcast_to(precisions, (self.m,))

    def _init_params(self) -> None:
        """Set mu_init, where P(vote c | class c) = P(vote c) * precision / P(class c), mu by it at random, and the mask."""
        k = self.cardinality
        cast = np.diag(plain(self.O)).reshape(self.m, k)
        right = np.clip(cast * self._precisions(self.train_config.prec_init)[:, None] / self.p, 0, 1)
        self.mu_init = Parameters.of((right[:, :, None] * np.eye(k)).reshape(self.m * k, k))
        self.mu = Parameters.of(self.mu_init * np.random.random())
        self._build_mask()

    def _loss_l2(self, l2: Union[float, FloatArray] = 0) -> np.float64:
        """Return the squared distance of mu from mu_init, each row times its entry of `l2`."""
        scales = np.broadcast_to(np.asarray(l2, dtype=np.float64), (self.d,))
        return np.float64((np.square(scales[:, None] * (plain(self.mu) - plain(self.mu_init)))).sum())

    def _loss_mu(self, l2: Union[float, FloatArray] = 0) -> np.float64:
        """Return how far mu is from explaining O: between functions by mu P muᵀ, on the diagonal by the sums of mu P."""
        mu, shares, together = plain(self.mu), plain(self.P), plain(self.O)
        between = (together - mu @ shares @ mu.T)[np.asarray(self.mask)]
        alone = (mu @ shares).sum(axis=1) - np.diag(together)
        return np.float64(np.square(between).sum() + np.square(alone).sum() + self._loss_l2(l2))

    def _clamp_params(self) -> None:
        """Move the entries of mu into [mu_eps, 1 - mu_eps]; mu_eps is about 1 / n if it is not set, and at most 0.01."""
        eps: Optional[float] = self.train_config.mu_eps
        if eps is None:
            eps = min(0.01, 10.0 ** -np.ceil(np.log10(self.n)))
        self.mu = Parameters.of(np.clip(plain(self.mu), eps, 1 - eps))

    def _break_col_permutation_symmetry(self) -> None:
        """Exchange columns of mu, those of classes with the same share, so that functions are right as often as can be."""
        assign = require("scipy.optimize", "Exchanging columns of mu").linear_sum_assignment
        k = self.cardinality
        mu, shares = plain(self.mu), np.diag(plain(self.P))
        right = mu.reshape(self.m, k, k).sum(axis=0) * shares
        order = np.arange(k)
        for share in np.unique(np.round(shares, 3)):
            alike = np.flatnonzero(np.round(shares, 3) == share)
            rows, columns = assign(right[np.ix_(alike, alike)], maximize=True)
            order[alike[rows]] = alike[columns]
        self.mu = Parameters.of(mu[:, order])
