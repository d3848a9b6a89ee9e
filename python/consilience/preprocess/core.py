"""Preprocessors: mappers that run before a labeling function."""

from consilience.map.core import BaseMapper, LambdaMapper, Mapper, lambda_mapper

BasePreprocessor = BaseMapper


class Preprocessor(Mapper):
    """A preprocessor that reads named fields and returns new ones; see `Mapper`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> class Words(Preprocessor):
    ...     def run(self, text):
    ...         return {"words": text.split()}
    >>> Words("words")(SimpleNamespace(text="buy now")).words
    ['buy', 'now']
    """


class LambdaPreprocessor(LambdaMapper):
    """A preprocessor that wraps a function; the function takes an item and returns it changed. See `LambdaMapper`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> lower = LambdaPreprocessor("lower", lambda x: SimpleNamespace(text=x.text.lower()))
    >>> lower(SimpleNamespace(text="BUY"))
    namespace(text='buy')
    """


class preprocessor(lambda_mapper):  # noqa: N801 (a decorator)
    """Turn a function into a preprocessor; see `lambda_mapper`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from consilience.labeling import labeling_function
    >>> @preprocessor()
    ... def lower(x):
    ...     x.text = x.text.lower()
    ...     return x
    >>> @labeling_function(pre=[lower])
    ... def sells(x):
    ...     return 1 if "buy" in x.text else -1
    >>> sells(SimpleNamespace(text="BUY NOW"))
    1
    """


__all__ = ["BasePreprocessor", "LambdaPreprocessor", "Preprocessor", "preprocessor"]
