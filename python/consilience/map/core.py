"""Functions that take an item and return a copy with new or changed fields."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Callable, Optional

from consilience.map.items import copy_of, get_hashable, is_hashable, item_key, with_fields
from consilience.types import DataPoint, FieldMap, HashingFunction

__all__ = ["BaseMapper", "LambdaMapper", "Mapper", "get_hashable", "get_parameters", "is_hashable", "lambda_mapper"]


def refuse_bare_decorator(decorator: object, name: object) -> None:
    """Raise a ValueError if `name` is the decorated function: the decorator was written without parentheses."""
    if callable(name):
        written = type(decorator).__name__
        raise ValueError(f"Looks like this decorator is missing parentheses; it takes settings, so write @{written}()")


def get_parameters(f: Callable[..., Any], allow_args: bool = False, allow_kwargs: bool = False) -> list[str]:
    """Return the names of a function's arguments; `*args` and `**kwargs` have none and are a ValueError unless allowed.

    Parameters
    ----------
    f
        The function.
    allow_args
        Whether it may have `*args`.
    allow_kwargs
        Whether it may have `**kwargs`.

    Examples
    --------
    >>> get_parameters(lambda text, year: None)
    ['text', 'year']
    """
    named = []
    variable = {
        inspect.Parameter.VAR_POSITIONAL: ("*args", allow_args),
        inspect.Parameter.VAR_KEYWORD: ("**kwargs", allow_kwargs),
    }
    for parameter in inspect.signature(f).parameters.values():
        if parameter.kind in variable:
            written, allowed = variable[parameter.kind]
            if not allowed:
                raise ValueError(
                    f"Function {getattr(f, '__name__', f)} should not have {written}; "
                    "write its arguments out: they name the fields it reads"
                )
        else:
            named.append(parameter.name)
    return named


class BaseMapper:
    """The base class of all mappers: a name, mappers that run before, and a cache.

    Parameters
    ----------
    name
        Its name.
    pre
        Mappers that run first, in this order.
    memoize
        Whether to cache the result for an item and reuse it for equal items.
    memoize_key
        What makes two items equal. Default: all their fields.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> class Shout(BaseMapper):
    ...     def _generate_mapped_data_point(self, x):
    ...         x.text = x.text.upper()
    ...         return x
    >>> Shout("shout")(SimpleNamespace(text="hello"))
    namespace(text='HELLO')
    """

    def __init__(
        self,
        name: str,
        pre: Sequence[BaseMapper] = (),
        memoize: bool = False,
        memoize_key: Optional[HashingFunction] = None,
    ) -> None:
        self.name = name
        self._pre = list(pre)
        self.memoize = memoize
        self._memoize_key: HashingFunction = get_hashable if memoize_key is None else memoize_key
        self._cache: dict[Hashable, Optional[DataPoint]] = {}

    def reset_cache(self) -> None:
        """Clear the cache.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> lower = LambdaMapper("lower", lambda x: SimpleNamespace(text=x.text.lower()), memoize=True)
        >>> lower(SimpleNamespace(text="Hello"))
        namespace(text='hello')
        >>> lower.reset_cache()
        """
        self._cache = {}

    def _generate_mapped_data_point(self, x: DataPoint) -> Optional[DataPoint]:
        raise NotImplementedError(f"{type(self).__name__} does not implement _generate_mapped_data_point")

    def __call__(self, x: DataPoint) -> Optional[DataPoint]:
        """Return a changed copy of `x`, or None."""
        key: Hashable = None
        if self.memoize:
            key = item_key(x) if self._memoize_key is get_hashable else self._memoize_key(x)
            # None is a result like any other, so `get` would not do.
            if key in self._cache:
                return self._cache[key]
        mapped: Optional[DataPoint] = copy_of(x)
        for mapper in self._pre:
            mapped = None if mapped is None else mapper(mapped)
        if mapped is not None:
            mapped = self._generate_mapped_data_point(mapped)
        if self.memoize:
            self._cache[key] = mapped
        return mapped

    def __getstate__(self) -> dict[str, Any]:
        # Kept results stay behind: they may be many, and fields that were added to a Series are lost on the way.
        return {**vars(self), "_cache": {}}

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.name}, Pre: {self._pre}"


class Mapper(BaseMapper):
    """A mapper that reads named fields and returns new ones. Subclass it and implement `run`.

    Parameters
    ----------
    name
        Its name.
    field_names
        For each argument of `run`, the field of the item to pass. Default: the field of the same name.
    mapped_field_names
        For each field that `run` returns, its name in the item. Default: the same name.
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
        read = {argument: argument for argument in get_parameters(self.run)} if field_names is None else field_names
        self.field_names = dict(read)
        self.mapped_field_names = None if mapped_field_names is None else dict(mapped_field_names)

    def run(self, *args: Any, **kwargs: Any) -> Optional[FieldMap]:
        """Take the values of fields and return new fields, or None.

        Parameters
        ----------
        args, kwargs
            The values of the fields. A subclass names them, so write its arguments out.

        Examples
        --------
        >>> class Lower(Mapper):
        ...     def run(self, text):
        ...         return {"lower": text.lower()}
        >>> Lower("lower").run("Hello")
        {'lower': 'hello'}
        """
        raise NotImplementedError(f"{type(self).__name__} does not have a method run")

    def _update_fields(self, x: DataPoint, mapped_fields: FieldMap) -> DataPoint:
        return with_fields(x, mapped_fields)

    def _generate_mapped_data_point(self, x: DataPoint) -> Optional[DataPoint]:
        fields = self.run(**{argument: getattr(x, field) for argument, field in self.field_names.items()})
        if fields is None:
            return None
        if self.mapped_field_names is not None:
            fields = {name: fields[returned] for returned, name in self.mapped_field_names.items()}
        return self._update_fields(x, fields) if fields else x


class LambdaMapper(BaseMapper):
    """A mapper that wraps a function; the function takes an item and returns it changed, or None.

    Parameters
    ----------
    name
        Its name.
    f
        The function; it gets a copy of the item.
    pre, memoize, memoize_key
        As for all mappers.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> lower = LambdaMapper("lower", lambda x: SimpleNamespace(text=x.text.lower()))
    >>> lower(SimpleNamespace(text="Hello"))
    namespace(text='hello')
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
        self._f = f

    def _generate_mapped_data_point(self, x: DataPoint) -> Optional[DataPoint]:
        return self._f(x)


class lambda_mapper:  # noqa: N801 (a decorator)
    """Turn a function into a mapper.

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
