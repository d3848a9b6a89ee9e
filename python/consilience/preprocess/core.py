"""Preprocessors: mappers that run before a labeling function."""

from consilience.map.core import BaseMapper, LambdaMapper, Mapper, lambda_mapper

BasePreprocessor = BaseMapper


class Preprocessor(Mapper):
    """A preprocessor that reads named fields and returns new ones; see `Mapper`."""


class LambdaPreprocessor(LambdaMapper):
    """A preprocessor that wraps a function; the function takes an item and returns it changed. See `LambdaMapper`."""


class preprocessor(lambda_mapper):  # noqa: N801 (a decorator)
    """Turn a function into a preprocessor; see `lambda_mapper`."""


__all__ = ["BasePreprocessor", "LambdaPreprocessor", "Preprocessor", "preprocessor"]
