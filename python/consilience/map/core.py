"""Functions that take an item and return a copy of it with more or other fields."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Callable, Optional

from consilience.map.items import copy_of, get_hashable, with_fields
from consilience.types import DataPoint, FieldMap, HashingFunction

__all__ = ["BaseMapper", "LambdaMapper", "Mapper", "get_hashable", "lambda_mapper"]


def refuse_bare_decorator(decorator: object, name: object) -> None:
    """Raise a ValueError where `name` is the decorated function: the decorator was written without parentheses."""
    if callable(name):
        written = type(decorator).__name__
        raise ValueError(f"@{written} needs parentheses, because it takes settings; write @{written}()")


class BaseMapper:
    """What all mappers have: a name, mappers that run before, and a memory.

    Parameters
    ----------
    name
        Its name.
    pre
        Mappers that run first, in this order.
    memoize
        Whether the result for an item is kept and given again for an equal item.
    memoize_key
        What makes two items equal; all their fields where not given.
    """

    def __init__(
        self,
        name: str,
        pre: Sequence[BaseMapper] = (),
        memoize: bool = False,
        memoize_key: Optional[HashingFunction] = None,
    ) -> None:
        self.name = name
        self._before = list(pre)
        self.memoize = memoize
        self._key_of: HashingFunction = get_hashable if memoize_key is None else memoize_key
        self._kept: dict[Hashable, Optional[DataPoint]] = {}

    def reset_cache(self) -> None:
        """Forget all kept results."""
        self._kept = {}

    def _mapped(self, x: DataPoint) -> Optional[DataPoint]:
        raise NotImplementedError(f"{type(self).__name__} does not say how items are mapped")

    def __call__(self, x: DataPoint) -> Optional[DataPoint]:
        """Give a changed copy of `x`, or None."""
        key: Hashable = None
        if self.memoize:
            key = self._key_of(x)
            # None is a result like any other, so `get` would not do.
            if key in self._kept:
                return self._kept[key]
        mapped: Optional[DataPoint] = copy_of(x)
        for mapper in self._before:
            mapped = None if mapped is None else mapper(mapped)
        if mapped is not None:
            mapped = self._mapped(mapped)
        if self.memoize:
            self._kept[key] = mapped
        return mapped

    def __repr__(self) -> str:
        after = f" after {self._before}" if self._before else ""
        return f"{type(self).__name__} {self.name}{after}"


class Mapper(BaseMapper):
    """A mapper that reads named fields and returns new ones: subclass it and write `run`.

    Parameters
    ----------
    name
        Its name.
    field_names
        For each argument of `run`, the field of the item that it gets; the field of the same name where not given.
    mapped_field_names
        For each field that `run` returns, its name in the item; the same name where not given.
    pre, memoize, memoize_key
        As for all mappers.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> class Lower(Mapper):
    ...     def run(self, text):
    ...         return {"lower": text.lower()}
    >>> Lower("lower")(SimpleNamespace(text="Hello"))
    namespace(text='Hello', lower='hello')
    """

    def __init__(
        self,
        name: str,
        field_names: Optional[Mapping[str, str]] = None,
        mapped_field_names: Optional[Mapping[str, str]] = None,
        pre: Optional[Sequence[BaseMapper]] = None,
        memoize: bool = False,
        memoize_key: Optional[HashingFunction] = None,
    ) -> None:
        super().__init__(name, pre or (), memoize, memoize_key)
        arguments = inspect.signature(self.run).parameters.values()
        # The base class's own `run` takes anything, and is replaced before the first item.
        written = getattr(self.run, "__func__", self.run) is not Mapper.run
        if written and any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in arguments):
            raise ValueError(
                f"run of {type(self).__name__} takes *args or **kwargs; write its arguments out: they name the fields it reads"
            )
        self.field_names = dict(field_names) if field_names else {p.name: p.name for p in arguments}
        self.mapped_field_names = None if mapped_field_names is None else dict(mapped_field_names)

    def run(self, *args: Any, **kwargs: Any) -> Optional[FieldMap]:
        """Take the values of fields and return new fields, or None."""
        raise NotImplementedError(f"{type(self).__name__} does not have a method run")

    def _extended(self, x: DataPoint, fields: FieldMap) -> DataPoint:
        return with_fields(x, fields)

    def _mapped(self, x: DataPoint) -> Optional[DataPoint]:
        fields = self.run(**{argument: getattr(x, field) for argument, field in self.field_names.items()})
        if fields is None:
            return None
        if self.mapped_field_names is not None:
            fields = {name: fields[returned] for returned, name in self.mapped_field_names.items()}
        return self._extended(x, fields) if fields else x


class LambdaMapper(BaseMapper):
    """A mapper made of a function that takes an item and returns it changed, or None.

    Parameters
    ----------
    name
        Its name.
    f
        The function; it gets a copy of the item.
    pre, memoize, memoize_key
        As for all mappers.
    """

    def __init__(
        self,
        name: str,
        f: Callable[[DataPoint], Optional[DataPoint]],
        pre: Optional[Sequence[BaseMapper]] = None,
        memoize: bool = False,
        memoize_key: Optional[HashingFunction] = None,
    ) -> None:
        super().__init__(name, pre or (), memoize, memoize_key)
        self._change = f

    def _mapped(self, x: DataPoint) -> Optional[DataPoint]:
        return self._change(x)


class lambda_mapper:  # noqa: N801 (a decorator)
    """Make a function into a mapper.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> @lambda_mapper()
    ... def lower(x):
    ...     x.text = x.text.lower()
    ...     return x
    >>> lower(SimpleNamespace(text="Hello"))
    namespace(text='hello')
    """

    def __init__(
        self,
        name: Optional[str] = None,
        pre: Optional[Sequence[BaseMapper]] = None,
        memoize: bool = False,
        memoize_key: Optional[HashingFunction] = None,
    ) -> None:
        refuse_bare_decorator(self, name)
        self.name = name
        self.pre = pre
        self.memoize = memoize
        self.memoize_key = memoize_key

    def __call__(self, f: Callable[[DataPoint], Optional[DataPoint]]) -> LambdaMapper:
        """Make `f` into a mapper."""
        name = self.name or f.__name__
        return LambdaMapper(name, f, self.pre, self.memoize, self.memoize_key)
