"""The compiled part. Written by tools/stubs.py from the Rust files; do not change it by hand."""

from collections.abc import Callable, Sequence
from typing import Any, Optional, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "AnswersError",
    "BugError",
    "ConsilienceError",
    "CountsError",
    "DuplicateNameError",
    "GoldLengthError",
    "Keywords",
    "Lookup",
    "Model",
    "NoItemsError",
    "NoSuchClassError",
    "OptionError",
    "OtherSourcesError",
    "Pattern",
    "PatternError",
    "RowError",
    "SelectRuleError",
    "Texts",
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
    "Votes",
    "__version__",
    "analyze",
    "certify",
    "learn_exact",
    "learn_sgd",
    "majority_vote",
    "sample",
    "survey_columns",
]
__version__: str

class ConsilienceError(ValueError):
    """The input or the request is wrong."""

class BugError(RuntimeError):
    """A bug in Consilience: please report it."""

class DuplicateNameError(ConsilienceError):
    """Two sources or two classes have the same name."""

class TooManyNamesError(ConsilienceError):
    """More sources or classes than are supported."""

class TooFewClassesError(ConsilienceError):
    """Fewer than two classes."""

class UndeclaredVoteError(ConsilienceError):
    """A vote for none of the declared classes."""

class VoteNumberError(ConsilienceError):
    """A number that names no class."""

class TooManyClassesError(ConsilienceError):
    """More different votes than classes are supported."""

class NoItemsError(ConsilienceError):
    """A table without rows."""

class RowError(ConsilienceError):
    """A row that does not fit the sources."""

class NoSuchClassError(ConsilienceError):
    """A vote number without a class."""

class TwoVotesError(ConsilienceError):
    """One source voted twice on one item, differently."""

class OtherSourcesError(ConsilienceError):
    """Parts of one table have different sources."""

class GoldLengthError(ConsilienceError):
    """Gold of another length than the table."""

class TooManyPatternsError(ConsilienceError):
    """More different rows than are supported."""

class CountsError(ConsilienceError):
    """Not one count a row."""

class TooManyItemsError(ConsilienceError):
    """More items than memory has room for."""

class OptionError(ConsilienceError):
    """A setting outside of its range."""

class TooFewSourcesError(ConsilienceError):
    """Fewer than two sources that vote and differ."""

class TooManySourcesError(ConsilienceError):
    """More links than fit into memory."""

class SelectRuleError(ConsilienceError):
    """A rule of selection that cannot be read."""

class UnknownTypeError(ConsilienceError):
    """No type of dependency has this name."""

class UnknownSourcesError(ConsilienceError):
    """Votes of sources that a model does not know."""

class UnknownClassesError(ConsilienceError):
    """Votes for classes that a model does not know."""

class TooWideError(ConsilienceError):
    """Exact inference would take too much memory."""

class AnswersError(ConsilienceError):
    """Answers that do not fit the table."""

class PatternError(ConsilienceError):
    """A regular expression that cannot be used."""

def sample(items: int, count: int, seed: int) -> list[int]:
    """Draws `count` of the numbers from 0 to `items - 1` uniformly and without repetition."""
    ...

def certify(
    classes: Sequence[str],
    labels: npt.NDArray[np.int64],
    answers: npt.NDArray[np.int64],
    probabilities: Optional[npt.NDArray[np.float64]],
    held_out: Optional[npt.NDArray[np.float64]],
    within: Optional[float],
) -> str:
    """The certificate of labels as JSON; labels and answers have the number of a class for each item, -1 where there is none,
    probabilities one number per item and class, and `held_out` the same for the answered items.
    """
    ...

def majority_vote(votes: Votes) -> npt.NDArray[np.float64]:
    """The share of votes for each class, one row an item; equal shares where nobody votes."""
    ...

_Parts = tuple[str, list[int], Optional[int], float, Optional[list[float]]]

_Change = tuple[float, list[float], list[float], float, list[tuple[int, int, list[float]]], int]

_Pair = tuple[int, int, float, Optional[float]]

_Seen = tuple[float, float, str, list[float]]

_Whole = tuple[list[str], list[str], list[list[int]], list[_Parts], list[float], Optional[_Seen], int, Optional[_Change]]

@final
class Model:
    """A model fitted to votes: all that is needed to label others."""
    @staticmethod
    def fit(
        votes: Votes,
        independent: bool,
        structure: Optional[Sequence[_Parts]],
        copies: Sequence[Sequence[int]],
        repeated: Optional[Sequence[_Pair]],
        once: Sequence[Sequence[int]],
        link_weights: bool,
        balance: Optional[Sequence[float]],
        seed: int,
        tell: Optional[Callable[[int, int], Any]] = None,
    ) -> Model:
        """Fits a model: to independent sources, to a structure (links, copies; pairs that repeat each other and groups that count once,
        where these were looked for), or (where neither is asked for) to the structure that the votes show; with `link_weights`
        each link has a weight of its own.
        """
        ...
    @staticmethod
    def dawid_skene(
        votes: Votes,
        iterations: int,
        tolerance: float,
        answers: Optional[npt.NDArray[np.int64]] = None,
    ) -> Model:
        """Fits the class-conditional model of independent sources by expectation maximisation; answers are held fixed."""
        ...
    @staticmethod
    def from_parts(
        sources: Sequence[str],
        classes: Sequence[str],
        domains: Sequence[Sequence[int]],
        factors: Sequence[_Parts],
        shares: Sequence[float],
        impression: Optional[_Seen],
        items: int,
        correction: Optional[_Change] = None,
    ) -> Model:
        """The model of its parts, as `parts` gave them."""
        ...
    def parts(self) -> _Whole:
        """All that labels depend on."""
        ...
    def corrected(self, votes: Votes, answers: npt.NDArray[np.int64]) -> tuple[Model, list[str]]:
        """The model that answers correct (the number of a class for each item, -1 where nobody has answered); and what the user
        should know of them.
        """
        ...
    def held_out(self, votes: Votes, answers: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The probability of each class for each answered item, by models that have not seen its answer."""
        ...
    @property
    def notes(self) -> list[str]:
        """What the user should know."""
        ...
    @property
    def repeats(self) -> list[tuple[int, int, float]]:
        """Who repeats whom, and which share of its votes."""
        ...
    def infer(self, votes: Votes) -> npt.NDArray[np.float64]:
        """The probability of each class, one row an item."""
        ...

def analyze(votes: Votes, gold: Optional[npt.NDArray[np.int64]], pairs: int) -> str:
    """The analysis of a table as JSON; `gold` has the number of a class for each item, -1 where it is not known."""
    ...

_Candidate = tuple[str, list[int], float, Optional[float], Optional[float], Optional[float], Optional[float], bool]

_Tested = tuple[list[list[int]], int, int]

_Repeated = tuple[list[tuple[list[int], float, Optional[float]]], list[list[int]]]

_Learned = tuple[list[_Candidate], list[list[int]], _Tested, str, list[int], _Repeated]

def learn_exact(
    votes: Votes,
    types: Sequence[str],
    select: str,
    tolerance: float,
    ridge: float,
    tell: Optional[Callable[[int, int], Any]] = None,
) -> _Learned:
    """The structure by the exact method."""
    ...

def learn_sgd(
    votes: Votes,
    types: Sequence[str],
    epsilon: float,
    step: Optional[float],
    epochs: int,
    truncation: int,
    accuracy_start: float,
    own_rates: str,
    class_prior: bool,
    tell: Optional[Callable[[int, int], Any]] = None,
) -> _Learned:
    """The structure by Algorithm 1."""
    ...

_Roles = tuple[Optional[str], Optional[str], Optional[str], Optional[str]]

_Found = tuple[list[str], Optional[tuple[int, int, int, Optional[int]]], list[str]]

def survey_columns(
    names: Sequence[str],
    kinds: Sequence[Optional[str]],
    cells: Sequence[npt.NDArray[np.int64]],
    texts: Sequence[Sequence[str]],
    whole: bool,
    texts_as_names: bool,
    roles: _Roles,
    keep: Sequence[str],
    ignore: Sequence[str],
    long: Optional[bool],
    classes: Optional[Sequence[str]],
    abstain: Optional[Sequence[str]],
) -> _Found:
    """Finds out what the columns of a frame are for: each has a name, a type where that holds no votes, and the numbers of its first
    cells among its texts, -1 where a cell is missing. Where the names were texts, they may be a row of votes.
    """
    ...

@final
class Texts:
    """A column of texts, some of which may be missing."""
    @staticmethod
    def from_list(values: list[Any], tolerant: bool) -> Texts:
        """The texts of a list; None and NaN are missing, anything else is a fault: counted where they are tolerated, else a TypeError."""
        ...
    @staticmethod
    def from_joined(joined: str, count: int) -> Optional[Texts]:
        """The `count` texts that were joined by zero characters; None where these are part of a text."""
        ...
    @staticmethod
    def from_arrow(
        data: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        missing: Optional[npt.NDArray[np.bool_]],
    ) -> Texts:
        """The texts of an Arrow column: all bytes, the offsets of the texts in them, and a mask of the missing ones."""
        ...
    def __len__(self) -> int:
        """How many texts there are."""
        ...
    @property
    def faults(self) -> int:
        """How many entries were no texts."""
        ...
    def factorize(self) -> tuple[npt.NDArray[np.int64], list[str]]:
        """The number of each text among the distinct ones, in the order of their appearance, -1 where it is missing; and these."""
        ...
    def to_list(self) -> list[Optional[str]]:
        """The texts as a list, None where missing."""
        ...

@final
class Keywords:
    """Whether texts have one of some keywords."""
    def __new__(cls, keywords: Sequence[str], lower: bool, words: bool) -> Keywords:
        """Looks for `keywords`; in the lower-cased text with `lower`, as whole words with `words`."""
        ...
    def vote(self, texts: Texts, label: int, otherwise: int) -> npt.NDArray[np.int64]:
        """The vote on each text: `label` where it has a keyword, `otherwise` where it has none, -1 where it is missing."""
        ...
    def is_in(self, text: str) -> bool:
        """Whether `text` has a keyword."""
        ...

@final
class Pattern:
    """Whether texts match a regular expression."""
    def __new__(cls, pattern: str, lower: bool, ignore_case: bool) -> Pattern:
        """Takes a regular expression; it is looked for in the lower-cased text with `lower`."""
        ...
    def vote(self, texts: Texts, label: int, otherwise: int) -> npt.NDArray[np.int64]:
        """The vote on each text: `label` where it matches, `otherwise` where it does not, -1 where it is missing."""
        ...
    def is_in(self, text: str) -> bool:
        """Whether the expression is found in `text`."""
        ...

@final
class Lookup:
    """The votes of a dictionary."""
    def __new__(cls, table: Sequence[tuple[str, int]], lower: bool, strip: bool) -> Lookup:
        """Takes whole texts and their votes; texts are compared lower-cased with `lower`, without white space around with `strip`."""
        ...
    def vote(self, texts: Texts, otherwise: int) -> npt.NDArray[np.int64]:
        """The vote on each text: that of the dictionary, `otherwise` where it has none, -1 where the text is missing."""
        ...
    def find(self, text: str) -> Optional[int]:
        """The vote on `text`, if the dictionary has one."""
        ...

@final
class Votes:
    """A table of votes: distinct rows with counts."""
    @staticmethod
    def from_columns(
        columns: Sequence[Any],
        items: int,
        sources: Sequence[str],
        classes: Optional[Sequence[str]],
        abstain: Optional[Sequence[str]],
        known: bool,
    ) -> Votes:
        """The table of columns: each an array of whole numbers, with its texts where the numbers are of texts, and with a mask of
        the missing cells.
        """
        ...
    @staticmethod
    def from_sparse(
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int64],
        data: npt.NDArray[np.int64],
        sources: Sequence[str],
        classes: Optional[Sequence[str]],
        abstain: Optional[Sequence[str]],
        known: bool,
    ) -> Votes:
        """The table of a sparse matrix in rows: the cells that are stored, ascending by source within each row."""
        ...
    @staticmethod
    def from_long(
        items: npt.NDArray[np.int64],
        item_texts: Sequence[str],
        sources: npt.NDArray[np.int64],
        source_texts: Sequence[str],
        votes: npt.NDArray[np.int64],
        vote_texts: Sequence[str],
        classes: Optional[Sequence[str]],
        abstain: Optional[Sequence[str]],
        known: bool,
    ) -> tuple[Votes, list[str], int]:
        """The table of single votes: for each its item, source and vote as a number of a list of texts, -1 where it is missing."""
        ...
    def repeated(self, times: npt.NDArray[np.uint64]) -> Votes:
        """The table in which each item stands as often as `times` says."""
        ...
    def lonely_source(self) -> Optional[tuple[str, int]]:
        """A source that alone votes for very many classes, and how many these are."""
        ...
    def classes_of_one(self) -> int:
        """How many classes only one source votes for."""
        ...
    @property
    def notes(self) -> list[str]:
        """What was decided about the classes, one sentence each."""
        ...
    def hints(self) -> list[str]:
        """What may be other than it was read, one sentence each."""
        ...
    @property
    def sources(self) -> list[str]:
        """The names of the sources."""
        ...
    @property
    def classes(self) -> list[str]:
        """The names of the classes."""
        ...
    @property
    def items(self) -> int:
        """The number of items."""
        ...
    @property
    def patterns(self) -> int:
        """The number of distinct rows."""
        ...
    @property
    def bytes(self) -> int:
        """The bytes that the table takes, names left aside."""
        ...
    @property
    def domains(self) -> list[list[int]]:
        """For each source, the numbers of the classes that it ever votes for, counted from 0."""
        ...
    def to_numpy(self) -> npt.NDArray[np.int64]:
        """One row an item, one column a source: the number of a class counted from 0, or -1."""
        ...
    def distinct(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """The distinct rows as `to_numpy` gives rows, how many items each has, and the number of each item's row."""
        ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
