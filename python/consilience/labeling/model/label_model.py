"""The label model under the names and conventions of Snorkel 0.10."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from consilience._settings import number
from consilience.errors import NoEffectWarning, NotFittedError, OptionError
from consilience.labeling.analysis import LFAnalysis, label_matrix
from consilience.labeling.model.base_labeler import BaseLabeler, FloatArray, IntArray
from consilience.labeling.model.logger import Logger
from consilience.labeling.model.overlaps import Overlaps
from consilience.labeling.model.parameters import Parameters, plain
from consilience.model import Dependencies, FittedModel, fit_model
from consilience.utils import to_int_label_array
from consilience.utils.config_utils import merge_config
from consilience.utils.lr_schedulers import LRSchedulerConfig
from consilience.utils.optimizers import OptimizerConfig
from consilience.votes import Votes

OPTIMIZERS = ("sgd", "adam", "adamax")
LR_SCHEDULERS = ("constant", "linear", "exponential", "step")

# The tables of conditional probabilities: items that they come from at most, steps, and votes added to each cell.
MOST_TABLE_ROWS = 1 << 16
TABLE_STEPS = 3
TABLE_PRIOR = 1e-3

SETTINGS_WITH_EFFECT = ("seed", "mu_eps")
MOST_REPEATS_SHOWN = 5


class TrainConfig(NamedTuple):
    """The settings of `LabelModel.fit`.

    `seed` and `mu_eps` have an effect. The others belong to a training loop, which this model does not have; scripts that
    set them keep working, with one warning that names them.
    """

    n_epochs: int = 100
    lr: float = 0.01
    l2: float = 0.0
    optimizer: str = "sgd"
    optimizer_config: OptimizerConfig = OptimizerConfig()
    lr_scheduler: str = "constant"
    lr_scheduler_config: LRSchedulerConfig = LRSchedulerConfig()
    prec_init: Any = 0.7
    seed: int = 0
    log_freq: int = 10
    mu_eps: Optional[float] = None


class LabelModelConfig(NamedTuple):
    """The settings of `LabelModel`."""

    verbose: bool = True
    device: str = "cpu"


class LabelModel(Overlaps, BaseLabeler):
    """Probabilistic labels from the votes of labeling functions, without ground truth.

    Parameters
    ----------
    cardinality
        The number of classes.
    verbose
        Whether `fit` prints, to standard error, what it was fitted to, which functions (by number) repeat each other, and
        any notes.
    device
        Has no effect; the model does not use a GPU.
    dependencies
        "auto": votes that repeat other functions count once, and the votes show which functions repeat each other;
        "independent": every vote counts in full; or a `Structure` or `StructureLearner`.

    Examples
    --------
    >>> L = np.array([[1, 1, -1, 0], [0, 0, 0, -1], [-1, 1, 1, 1], [-1, -1, -1, -1]])
    >>> model = LabelModel(verbose=False)
    >>> model.fit(L, class_balance=[0.6, 0.4])
    >>> model.predict(L)
    array([1, 0, 1, 0])
    >>> model.predict_proba(L)[3]
    array([0.6, 0.4])
    """

    _saved_fields = ("cardinality", "config", "dependencies")
    coverage: FloatArray
    train_config: TrainConfig
    logger: Logger
    warmup_steps: int
    _model: FittedModel
    _fitted_mu: FloatArray

    def __init__(
        self,
        cardinality: int = 2,
        verbose: bool = True,
        device: str = "cpu",
        dependencies: Dependencies = "auto",
    ) -> None:
        super().__init__(cardinality)
        self.config = LabelModelConfig(verbose, device)
        self.dependencies = dependencies

    def fit(
        self,
        L_train: IntArray,
        Y_dev: Optional[npt.ArrayLike] = None,
        class_balance: Optional[npt.ArrayLike] = None,
        progress_bar: bool = True,
        **kwargs: Any,
    ) -> None:
        """Fit the model to votes.

        Parameters
        ----------
        L_train
            The votes: one row per item, one column per function, -1 if it abstains; at least three functions.
        Y_dev
            Labels of some items; only their class shares are used.
        class_balance
            The share of each class; takes precedence over `Y_dev`. Equal shares if neither is given.
        progress_bar
            Whether to show progress if fitting takes longer than a second (requires tqdm).
        kwargs
            The fields of `TrainConfig`: `seed`, and `mu_eps`, which keeps the tables of `get_conditional_probs` within
            [mu_eps, 1 - mu_eps] (labels are not computed from them). All others have no effect, and a warning names them.

        Examples
        --------
        >>> L = np.array([[1, 1, -1, 0], [0, 0, 0, -1], [-1, 1, 1, 1], [0, 0, 1, 0]])
        >>> model = LabelModel(verbose=False)
        >>> model.fit(L, seed=123)
        >>> model.predict(L)
        array([1, 0, 1, 0])
        """
        self._warn_of_no_effect(kwargs)
        before = dict(vars(self))
        try:
            self._fit(L_train, Y_dev, class_balance, progress_bar, kwargs)
        except BaseException:
            # A fit that fails or is stopped leaves the model as it was.
            vars(self).clear()
            vars(self).update(before)
            raise

    def _fit(
        self,
        L_train: IntArray,
        Y_dev: Optional[npt.ArrayLike],
        class_balance: Optional[npt.ArrayLike],
        progress_bar: bool,
        settings: dict[str, Any],
    ) -> None:
        self.train_config = self._checked(merge_config(TrainConfig(), settings))
        votes = label_matrix(L_train, "L_train")
        self._check_votes(votes, "L_train")
        self._set_constants(votes)
        self._precisions(self.train_config.prec_init)
        self._set_logger()
        self._set_class_balance(class_balance, Y_dev)
        self.coverage = LFAnalysis(votes).lf_coverages()
        balance = None if class_balance is None and Y_dev is None else self.p.tolist()
        table = Votes(votes, classes=self.cardinality)
        self._model = fit_model(table, self.dependencies, balance, self.train_config.seed, progress_bar)
        self._estimate_tables(votes)
        if self.config.verbose:
            self._print_summary()

    def _warn_of_no_effect(self, settings: dict[str, Any]) -> None:
        named = [name for name in settings if name in TrainConfig._fields and name not in SETTINGS_WITH_EFFECT]
        named += ["device"] * (self.config.device != "cpu")
        if named:
            warnings.warn(
                f"these settings have no effect and can be removed: {', '.join(named)} (the model has no training loop; the "
                "weights are optimized until they converge)",
                NoEffectWarning,
                stacklevel=3,
            )

    def _print_summary(self) -> None:
        pairs = sorted({(min(a, b), max(a, b)) for a, b, _ in self._model.core.repeats})
        repeated = [f"{a} and {b}" for a, b in pairs]
        shown = ", ".join(repeated[:MOST_REPEATS_SHOWN])
        more = f" and {len(repeated) - MOST_REPEATS_SHOWN} more" if len(repeated) > MOST_REPEATS_SHOWN else ""
        lines = [
            f"LabelModel: {self.n:,} items, {self.m} functions, {self.cardinality} classes; "
            f"functions that repeat each other: {shown + more if repeated else 'none'}",
            *self._model.core.notes,
        ]
        print("\n".join(lines), file=sys.stderr)  # noqa: T201 (what verbose asks for)

    def _checked(self, config: TrainConfig) -> TrainConfig:
        if config.optimizer not in OPTIMIZERS:
            raise ValueError(f"Unrecognized optimizer option '{config.optimizer}'; it is one of {', '.join(OPTIMIZERS)}")
        if config.lr_scheduler not in LR_SCHEDULERS:
            raise ValueError(
                f"Unrecognized lr scheduler option '{config.lr_scheduler}'; it is one of {', '.join(LR_SCHEDULERS)}"
            )
        warmup = config.lr_scheduler_config
        if warmup.warmup_steps < 0:
            raise ValueError(f"warmup_steps must be at least 0, but is {warmup.warmup_steps}")
        if warmup.warmup_steps and warmup.warmup_unit != "epochs":
            raise ValueError(
                f"LabelModel does not support any warmup_unit other than 'epochs', but was given '{warmup.warmup_unit}'"
            )
        if config.mu_eps is not None and not 0 <= number("mu_eps", config.mu_eps) < 0.5:
            raise OptionError(f"mu_eps must be at least 0 and below 0.5, but is {config.mu_eps}")
        self.warmup_steps = int(warmup.warmup_steps or warmup.warmup_percentage * config.n_epochs)
        return config

    def _set_logger(self) -> None:
        self.logger = Logger(self.train_config.log_freq)

    def _check_votes(self, votes: IntArray, name: str = "L") -> None:
        if votes.size and votes.max() >= self.cardinality:
            raise ValueError(
                f"{name} has cardinality {int(votes.max()) + 1}, cardinality={self.cardinality} passed in: "
                f"there is a vote {votes.max()}, but cardinality={self.cardinality} allows 0 to {self.cardinality - 1}"
            )

    def _set_class_balance(self, class_balance: Optional[npt.ArrayLike], Y_dev: Optional[npt.ArrayLike] = None) -> None:
        k = self.cardinality
        if class_balance is not None:
            shares = np.asarray(class_balance, dtype=np.float64)
            if shares.shape != (k,):
                raise ValueError(
                    f"class_balance has {shares.size} entries. Does not match LabelModel cardinality {k}; give one per class"
                )
        elif Y_dev is not None:
            counts = Counter(int(y) for y in to_int_label_array(Y_dev) if y != -1)
            if len(counts) != k or set(counts) != set(range(k)):
                raise ValueError(
                    f"Y_dev has {len(counts)} class(es). Does not match LabelModel cardinality {k}: "
                    f"it must have each of 0 to {k - 1}, but has {sorted(counts)}"
                )
            shares = np.array([counts[c] for c in range(k)], dtype=np.float64)
        else:
            shares = np.full(k, 1 / k)
        if not np.all(shares > 0):
            none = np.flatnonzero(~(shares > 0)).tolist()
            raise ValueError(f"Class balance prior is 0 for class(es) {none}, or below, or NaN; each share must be above 0")
        self.p = shares / shares.sum()
        self.P = Parameters.of(np.diag(self.p))

    def _estimate_tables(self, votes: IntArray) -> None:
        """Estimate P(LF_i = j - 1 | Y = y) from the votes, with each item weighted by the probabilities of its classes.

        Labels are tempered and abstaining says nothing in them, so that the first estimate is too even. A few steps of
        expectation maximisation, with repeated votes counted once, take that out: on drawn votes they halve the error.
        """
        k = self.cardinality
        # An even share of the items is enough.
        rows = np.ascontiguousarray(votes[:: -(-len(votes) // MOST_TABLE_ROWS)])
        posterior = self._learned_probabilities(rows)
        shares = np.asarray(self._model.core.shares)[:, None]
        said = [(rows == vote).astype(np.float64) for vote in range(-1, k)]
        for step in range(TABLE_STEPS + 1):
            cells = np.stack([votes.T @ posterior + TABLE_PRIOR for votes in said], axis=1)
            cells /= cells.sum(axis=1, keepdims=True)
            if step < TABLE_STEPS:
                scores = np.log(self.p) + sum(votes @ (np.log(cells[:, v]) * shares) for v, votes in enumerate(said))
                posterior = np.exp(scores - scores.max(axis=1, keepdims=True))
                posterior /= posterior.sum(axis=1, keepdims=True)
        eps = self.train_config.mu_eps or 0.0
        self._fitted_mu = np.clip(cells[:, 1:, :].reshape(self.m * k, k), eps, 1 - eps)
        self.mu = Parameters.of(self._fitted_mu)

    def _given_mu(self) -> Optional[FloatArray]:
        """Return mu if a script has set or changed it: then labels and weights come from it alone."""
        mu, k = plain(self.mu), self.cardinality
        if mu.shape != (self.m * k, k):
            raise ValueError(f"mu has the shape {mu.shape}, but must have {(self.m * k, k)}: a row per function and class")
        return None if hasattr(self, "_model") and np.array_equal(mu, self._fitted_mu) else mu

    def _probabilities_by(self, mu: FloatArray, votes: IntArray) -> FloatArray:
        """Return p(y) times the product of mu over the votes that are there, normalised."""
        log_mu = np.log(np.maximum(mu, np.finfo(np.float64).tiny))
        scores = np.log(self.p) + sum((votes == c) @ log_mu[c :: self.cardinality] for c in range(self.cardinality))
        probs = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: FloatArray = probs / probs.sum(axis=1, keepdims=True)
        return shares

    def _learned_probabilities(self, votes: IntArray) -> FloatArray:
        probs = self._model.core.infer(Votes(votes, classes=self.cardinality)._table).probabilities()
        # An item without votes has the class balance.
        probs[~(votes != -1).any(axis=1)] = self.p
        return probs

    def _fitted(self) -> None:
        if not hasattr(self, "mu"):
            raise NotFittedError("this LabelModel is not fitted yet; call fit(L_train) first")

    def predict_proba(self, L: IntArray) -> FloatArray:
        """Return the probability of each class, one row per item; the class balance if nobody votes.

        Parameters
        ----------
        L
            The votes: one row per item, one column per function, -1 if it abstains; as many functions as in `fit`.

        Examples
        --------
        >>> L = np.array([[1, 1, -1, 0], [0, 0, 0, -1], [-1, 1, 1, 1], [0, 0, 1, 0]])
        >>> model = LabelModel(verbose=False)
        >>> model.fit(L)
        >>> model.predict_proba(L).argmax(axis=1)
        array([1, 0, 1, 0])
        """
        self._fitted()
        votes = label_matrix(L)
        self._check_votes(votes)
        if votes.shape[1] != self.m:
            raise ValueError(f"L has {votes.shape[1]} labeling functions, but the model was fitted to {self.m}")
        if not len(votes):
            return np.empty((0, self.cardinality))
        mu = self._given_mu()
        return self._learned_probabilities(votes) if mu is None else self._probabilities_by(mu, votes)

    def _get_conditional_probs(self, mu: FloatArray) -> FloatArray:
        """Add to mu, whose rows are the classes that each function votes for, the probabilities that it abstains."""
        votes = np.asarray(mu, dtype=np.float64).reshape(self.m, self.cardinality, self.cardinality)
        abstains = 1 - votes.sum(axis=1, keepdims=True)
        return np.concatenate([abstains, votes], axis=1)

    def get_conditional_probs(self) -> FloatArray:
        """Return P of m times k + 1 times k; [i, j, y] is the probability that function i votes j - 1 on an item of class y.

        Examples
        --------
        >>> L = np.array([[1, 1, -1, 0], [0, 0, 0, -1], [-1, 1, 1, 1], [0, 0, 1, 0]])
        >>> model = LabelModel(verbose=False)
        >>> model.fit(L)
        >>> model.get_conditional_probs().shape
        (4, 3, 2)
        """
        self._fitted()
        return self._get_conditional_probs(plain(self.mu))

    def get_weights(self) -> FloatArray:
        """Return, for each function, the probability that its vote is correct, at least 1e-6 and at most 1.

        Examples
        --------
        >>> L = np.array([[1, 1, -1, 0], [0, 0, 0, -1], [-1, 1, 1, 1], [0, 0, 1, 0]])
        >>> model = LabelModel(verbose=False)
        >>> model.fit(L)
        >>> model.get_weights().shape
        (4,)
        """
        self._fitted()
        joint = self.get_conditional_probs()[:, 1:, :] * np.diag(plain(self.P))
        # The votes that were seen, where mu is a script's own: it need not add up to them.
        cast = joint.sum(axis=(1, 2)) if self._given_mu() is None else self.coverage
        right = np.einsum("iyy->i", joint)
        weights: FloatArray = np.zeros(self.m)
        np.divide(right, cast, out=weights, where=cast > 0)
        return np.clip(weights, 1e-6, 1.0)
