"""What can go wrong: one exception for each error of the core, all of them ValueErrors."""

from consilience._core import (
    AnswersError,
    BugError,
    ConsilienceError,
    CountsError,
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
    TooManyItemsError,
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


class ReadingWarning(UserWarning):
    """What was decided while a table was read, for you to know and, where it was not meant, to overrule."""


__all__ = [
    "AnswersError",
    "BugError",
    "ConsilienceError",
    "CountsError",
    "DuplicateNameError",
    "GoldLengthError",
    "NoItemsError",
    "NoSuchClassError",
    "NotFittedError",
    "OptionError",
    "OtherSourcesError",
    "PatternError",
    "ReadingWarning",
    "RowError",
    "SelectRuleError",
    "TooFewClassesError",
    "TooFewSourcesError",
    "TooManyClassesError",
    "TooManyItemsError",
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
