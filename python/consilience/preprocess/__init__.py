"""Functions that prepare items for labeling functions."""

from consilience.preprocess.core import (
    BasePreprocessor,
    LambdaPreprocessor,
    Preprocessor,
    preprocessor,
)

__all__ = ["BasePreprocessor", "LambdaPreprocessor", "Preprocessor", "preprocessor"]
