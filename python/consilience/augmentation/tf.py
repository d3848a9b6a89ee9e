"""Transformation functions: mappers that turn an item into another item of the same class."""

from __future__ import annotations

from typing import Callable, Optional

from consilience.map.core import BaseMapper, LambdaMapper, Mapper, lambda_mapper
from consilience.types import DataPoint

__all__ = ["BaseTransformationFunction", "LambdaTransformationFunction", "TransformationFunction", "transformation_function"]

#: What appliers take: any mapper.
BaseTransformationFunction = BaseMapper


class TransformationFunction(Mapper):
    """A transformation that reads named fields and returns new ones. Subclass it and implement `run`.

    The parameters are those of `consilience.map.Mapper`. If `run` returns None, the item is left unchanged.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> class Shout(TransformationFunction):
    ...     def run(self, text):
    ...         return {"text": text.upper()}
    >>> Shout("shout")(SimpleNamespace(text="buy now"))
    namespace(text='BUY NOW')
    """


class LambdaTransformationFunction(LambdaMapper):
    """A transformation that wraps a function; the function takes an item and returns it changed, or None.

    The parameters are those of `consilience.map.LambdaMapper`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> louder = LambdaTransformationFunction("louder", lambda x: SimpleNamespace(text=x.text + "!"))
    >>> louder(SimpleNamespace(text="buy now"))
    namespace(text='buy now!')
    """


class transformation_function(lambda_mapper):  # noqa: N801 (a decorator)
    """Turn a function into a transformation function.

    Parameters
    ----------
    name
        Its name. Default: that of the function.
    pre
        Mappers that run first, in this order.
    memoize
        Whether to cache the result for an item and reuse it for equal items. Leave it off if the function draws
        at random.
    memoize_key
        What makes two items equal. Default: all their fields.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> @transformation_function()
    ... def shout(x):
    ...     x.text = x.text.upper()
    ...     return x
    >>> shout(SimpleNamespace(text="buy now"))
    namespace(text='BUY NOW')
    """

    def __call__(self, f: Callable[[DataPoint], Optional[DataPoint]]) -> LambdaTransformationFunction:
        """Make `f` into a transformation function."""
        return LambdaTransformationFunction(self.name or f.__name__, f, self.pre, self.memoize, self.memoize_key)
