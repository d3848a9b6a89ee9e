"""What estimators share, in scikit-learn's manner and without it."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from consilience.errors import NotFittedError

_E = TypeVar("_E", bound="Estimator")


class Estimator:
    """Settings are the constructor's arguments, kept as given and checked in `fit`; what is learned ends in `_`."""

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the settings by name.

        Parameters
        ----------
        deep
            Whether settings of estimators among them are also returned, as `setting__theirs`.

        Examples
        --------
        >>> from consilience import MajorityVote
        >>> MajorityVote(ties="first").get_params()
        {'ties': 'first', 'seed': 0}
        """
        settings = {name: getattr(self, name) for name in self._names()}
        if deep:
            for name, value in list(settings.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    settings.update({f"{name}__{inner}": setting for inner, setting in value.get_params(deep=True).items()})
        return settings

    def set_params(self: _E, **params: Any) -> _E:
        """Change settings, and return the estimator.

        Parameters
        ----------
        params
            The settings by name; `setting__theirs` is one of an estimator among them.

        Examples
        --------
        >>> from consilience import MajorityVote
        >>> MajorityVote().set_params(ties="first")
        MajorityVote(ties='first')
        """
        inner: dict[str, dict[str, Any]] = {}
        for key, value in params.items():
            name, nested, theirs = key.partition("__")
            if name not in self._names() or (nested and not hasattr(params.get(name, getattr(self, name)), "set_params")):
                raise ValueError(f"Invalid parameter {key!r} for estimator {self!r}. Valid parameters are: {self._names()!r}.")
            if nested:
                inner.setdefault(name, {})[theirs] = value
            else:
                setattr(self, name, value)
        for name, settings in inner.items():
            getattr(self, name).set_params(**settings)
        return self

    def _fitted(self, attribute: str) -> Any:
        if attribute not in vars(self):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")
        return vars(self)[attribute]

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        told = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if not _same(value, defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(told)})"

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what this estimator is."""
        from consilience._optional import require

        utils = require("sklearn.utils", "scikit-learn's tags")
        kind = getattr(self, "_estimator_type", None)
        return utils.Tags(
            estimator_type=kind,
            target_tags=utils.TargetTags(required=False),
            transformer_tags=None,
            classifier_tags=utils.ClassifierTags() if kind == "classifier" else None,
            regressor_tags=None,
            input_tags=utils.InputTags(sparse=True, string=True, categorical=True, allow_nan=False),
        )

    def __sklearn_is_fitted__(self) -> bool:
        """Whether `fit` has been called."""
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))


def _same(value: Any, default: Any) -> bool:
    # Arrays are compared entry by entry, and none is a default.
    return value is default or (isinstance(value, (str, int, float, tuple)) and bool(value == default))


def gold_values(y: Any, items: int, classes: npt.NDArray[Any]) -> list[Any]:
    """Return the true classes `y` of as many items, in a vector or in one column, and in the vocabulary of `classes`."""
    gold = np.asarray(y)
    if gold.shape not in ((items,), (items, 1)):
        raise ValueError(f"y has the shape {gold.shape}, but there are {items} items; provide one label per item")
    values: list[Any] = gold.reshape(-1).tolist()
    known, found = set(classes.tolist()), set(values)
    if found and not known & found:
        raise ValueError(f"y has {_some_of(found)}, but the classes are {_some_of(known)}; use the same class names")
    return values


def share_of_right(labels: npt.NDArray[Any], y: Any, classes: npt.NDArray[Any]) -> float:
    """Return the share of `labels` that are those of `y`."""
    gold = gold_values(y, len(labels), classes)
    return float(np.mean([label == value for label, value in zip(labels.tolist(), gold)]))


def _some_of(values: set[Any]) -> str:
    shown = sorted(map(repr, values))
    return ", ".join(shown[:8]) + (f", ... ({len(shown)} in all)" if len(shown) > 8 else "")
