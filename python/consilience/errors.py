"""What can go wrong: one exception for each error of the core, all of them ValueErrors."""

from consilience._core import (
    BugError,
    ConsilienceError,
    DuplicateNameError,
    GoldLengthError,
    NoItemsError,
    NoSuchClassError,
    OptionError,
    OtherSourcesError,
    PatternError,
    RowError,
    SelectRuleError,
    TooFewClassesError,
    TooFewSourcesError,
    TooManyClassesError,
    TooManyNamesError,
    TooManyPatternsError,
    TooManySourcesError,
    TooWideError,
    TwoVotesError,
    UndeclaredVoteError,
    UnknownClassesError,
    UnknownSourcesError,
    UnknownTypeError,
    VoteNumberError,
)


class NotFittedError(ValueError, AttributeError):
    """An estimator is asked for what it learns before it has learned."""


__all__ = [
    "BugError",
    "ConsilienceError",
    "DuplicateNameError",
    "GoldLengthError",
    "NoItemsError",
    "NoSuchClassError",
    "NotFittedError",
    "OptionError",
    "OtherSourcesError",
    "PatternError",
    "RowError",
    "SelectRuleError",
    "TooFewClassesError",
    "TooFewSourcesError",
    "TooManyClassesError",
    "TooManyNamesError",
    "TooManyPatternsError",
    "TooManySourcesError",
    "TooWideError",
    "TwoVotesError",
    "UndeclaredVoteError",
    "UnknownClassesError",
    "UnknownSourcesError",
    "UnknownTypeError",
    "VoteNumberError",
]
