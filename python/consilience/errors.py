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
    SourcesError,
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
    """An estimator was used before it was fitted."""


class ReadingWarning(UserWarning):
    """A decision made while a table was read; overrule it if it was not intended."""


class NoEffectWarning(UserWarning):
    """Settings that were given and change nothing."""


class SavedModelError(ValueError):
    """A file is not a saved model of the expected kind."""


__all__ = [
    "AnswersError",
    "BugError",
    "ConsilienceError",
    "CountsError",
    "DuplicateNameError",
    "GoldLengthError",
    "NoEffectWarning",
    "NoItemsError",
    "NoSuchClassError",
    "NotFittedError",
    "OptionError",
    "OtherSourcesError",
    "PatternError",
    "ReadingWarning",
    "RowError",
    "SavedModelError",
    "SelectRuleError",
    "SourcesError",
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
