"""Functions that add fields to items."""

from consilience.map.core import BaseMapper, LambdaMapper, Mapper, lambda_mapper

__all__ = ["BaseMapper", "LambdaMapper", "Mapper", "lambda_mapper"]
