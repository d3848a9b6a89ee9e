"""What estimators share, in scikit-learn's manner and without it."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from consilience.errors import NotFittedError

_E = TypeVar("_E", bound="Estimator")


class Estimator:
    """Settings are the constructor's arguments, kept as given and checked in `fit`; what is learned ends in `_`."""

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Give the settings by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: _E, **params: Any) -> _E:
        """Change settings."""
        for name, value in params.items():
            if name not in self._names():
                raise ValueError(f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {self._names()!r}.")
            setattr(self, name, value)
        return self

    def _fitted(self, attribute: str) -> Any:
        if attribute not in vars(self):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")
        return vars(self)[attribute]

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        told = [f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name].default]
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
