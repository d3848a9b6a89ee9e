"""Preprocessors: mappers that run before a labeling function."""

from consilience.map.core import BaseMapper, LambdaMapper, Mapper, lambda_mapper

BasePreprocessor = BaseMapper
Preprocessor = Mapper
LambdaPreprocessor = LambdaMapper
preprocessor = lambda_mapper

__all__ = ["BasePreprocessor", "LambdaPreprocessor", "Preprocessor", "preprocessor"]
