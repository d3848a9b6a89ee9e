"""The compiled part. Written by tools/stubs.py from the Rust files; do not change it by hand."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Optional, Union, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "AnswersError",
    "BugError",
    "ConsilienceError",
    "CountsError",
    "DuplicateNameError",
    "EndModel",
    "GoldLengthError",
    "Keywords",
    "Labels",
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
    "Sources",
    "SourcesError",
    "Structure",
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
    "Voter",
    "Votes",
    "__version__",
    "analyze",
    "certify",
    "curvature",
    "learn_exact",
    "learn_sgd",
    "majority_vote",
    "plan",
    "report",
    "sample",
    "simulate",
    "survey_columns",
    "where_models_differ",
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
    """A vote for a class that was not declared."""

class VoteNumberError(ConsilienceError):
    """A number that is not a class."""

class TooManyClassesError(ConsilienceError):
    """More different votes than classes are supported."""

class NoItemsError(ConsilienceError):
    """A table without rows."""

class RowError(ConsilienceError):
    """A row that does not match the sources."""

class NoSuchClassError(ConsilienceError):
    """A vote number without a class."""

class TwoVotesError(ConsilienceError):
    """One source voted twice on one item, differently."""

class OtherSourcesError(ConsilienceError):
    """Parts of one table have different sources."""

class GoldLengthError(ConsilienceError):
    """Gold and table have different lengths."""

class TooManyPatternsError(ConsilienceError):
    """More distinct rows than are supported."""

class CountsError(ConsilienceError):
    """The counts do not match the rows."""

class TooManyItemsError(ConsilienceError):
    """More items than memory has room for."""

class OptionError(ConsilienceError):
    """A setting outside its range."""

class TooFewSourcesError(ConsilienceError):
    """Fewer than two sources that vote and differ."""

class TooManySourcesError(ConsilienceError):
    """More links than fit into memory."""

class SelectRuleError(ConsilienceError):
    """An invalid selection rule."""

class UnknownTypeError(ConsilienceError):
    """An unknown type of dependency."""

class UnknownSourcesError(ConsilienceError):
    """Votes of sources that a model does not know."""

class UnknownClassesError(ConsilienceError):
    """Votes for classes that a model does not know."""

class TooWideError(ConsilienceError):
    """Exact inference would take too much memory."""

class AnswersError(ConsilienceError):
    """Answers that do not match the table."""

class PatternError(ConsilienceError):
    """A regular expression that cannot be used."""

class SourcesError(ConsilienceError):
    """Declared sources that cannot be used."""

def sample(items: int, count: int, seed: int) -> list[int]:
    """Draws `count` of the numbers from 0 to `items - 1` uniformly and without repetition."""
    ...

def where_models_differ(votes: Votes) -> list[int]:
    """The items that the default model and the one of independent sources label differently."""
    ...

def certify(
    classes: Sequence[str],
    labels: npt.NDArray[np.int64],
    answers: npt.NDArray[np.int64],
    probabilities: Optional[npt.NDArray[np.float64]],
    held_out: Optional[npt.NDArray[np.float64]],
    within: Optional[float],
) -> str:
    """The certificate of labels as JSON; labels and answers have the number of a class for each item, -1 if there is none,
    probabilities one number per item and class, and `held_out` the same for the answered items.
    """
    ...

_NGrams = tuple[int, int]

@final
class EndModel:
    """A classifier of texts, trained on probabilities."""
    @staticmethod
    def train(
        texts: Sequence[Sequence[str]],
        probabilities: npt.NDArray[np.float64],
        classes: Sequence[str],
        columns: Sequence[str],
        words: _NGrams,
        characters: _NGrams,
        bits: int,
        min_items: int,
        lower: bool,
        rarity: bool,
        penalty: float,
        steps: int,
        tell: Optional[Callable[[int, int], Any]] = None,
    ) -> EndModel:
        """Trains on items: their texts, one per column, and the probability of each class, row by row."""
        ...
    @staticmethod
    def from_json(text: str) -> EndModel:
        """The model of the text of its document."""
        ...
    @staticmethod
    def load(path: Union[str, PathLike[str]]) -> EndModel:
        """The model in a file."""
        ...
    def to_json(self) -> str:
        """The text of its document."""
        ...
    def save(self, path: Union[str, PathLike[str]]) -> None:
        """Writes its document, completely or not at all."""
        ...
    def predict(self, texts: Sequence[Sequence[str]]) -> npt.NDArray[np.float64]:
        """The probability of each class, one row per item."""
        ...
    @property
    def classes(self) -> list[str]:
        """The names of the classes."""
        ...
    @property
    def columns(self) -> list[str]:
        """The columns of text that it reads."""
        ...
    @property
    def features(self) -> int:
        """How many n-grams have a weight."""
        ...
    @property
    def training(self) -> str:
        """How it was trained, as JSON."""
        ...

@final
class Labels:
    """The probability of each class for each item."""
    @property
    def classes(self) -> list[str]:
        """The names of the classes."""
        ...
    @property
    def items(self) -> int:
        """The number of items."""
        ...
    def probabilities(self) -> npt.NDArray[np.float64]:
        """The probability of each class, one row per item."""
        ...
    def with_votes(self) -> npt.NDArray[np.bool_]:
        """Which items have votes."""
        ...
    def save(
        self,
        path: Union[str, PathLike[str]],
        items: Optional[Sequence[str]],
        decided: npt.NDArray[np.int64],
    ) -> None:
        """Writes `item, label, confidence, p_<class>...`; the format follows from the name of the file. `decided` has the number of
        each item's class, -1 if it has none; items without names are called by their row numbers.
        """
        ...
    def decide(self, ties: str, seed: int) -> npt.NDArray[np.int64]:
        """The number of each item's class, -1 if it has none; `ties` is abstain, first or random."""
        ...
    def decide_f1(self, number: int) -> npt.NDArray[np.int64]:
        """The number of each item's class, -1 if nobody votes, with the highest expected F1 of the class `number`."""
        ...
    def differ(self, other: Labels) -> int:
        """On how many items the two decide for different classes; items that either leaves open do not count."""
        ...
    def share_right(self, gold: npt.NDArray[np.int64]) -> Optional[float]:
        """The share of right labels among the items that have votes and gold; ties count by chance."""
        ...

def majority_vote(votes: Votes) -> Labels:
    """The share of votes for each class; equal shares if nobody votes."""
    ...

_Weight = tuple[str, list[str], Optional[str], float]

@final
class Model:
    """A model fitted to votes: all that is needed to label others."""
    @staticmethod
    def fit(
        votes: Votes,
        independent: bool,
        structure: Optional[Structure],
        link_weights: bool,
        balance: Optional[Sequence[float]],
        seed: int,
        tell: Optional[Callable[[int, int], Any]] = None,
    ) -> Model:
        """Fits a model: to independent sources, to a structure, or (if neither is asked for) to the structure that the votes show;
        with `link_weights` each link has its own weight.
        """
        ...
    @staticmethod
    def dawid_skene(
        votes: Votes,
        iterations: Optional[int] = None,
        tolerance: Optional[float] = None,
        answers: Optional[npt.NDArray[np.int64]] = None,
    ) -> Model:
        """Fits the class-conditional model of independent sources by expectation maximisation; answers are held fixed."""
        ...
    @staticmethod
    def from_json(text: str) -> Model:
        """The model of the text of a model.json."""
        ...
    @staticmethod
    def load(path: Union[str, PathLike[str]]) -> Model:
        """The model in a file."""
        ...
    def to_json(self) -> str:
        """The text of a model.json."""
        ...
    def save(self, path: Union[str, PathLike[str]]) -> None:
        """Writes a model.json, completely or not at all."""
        ...
    def explain_item(self, votes: Votes, row: int) -> str:
        """Why an item has its label, as JSON."""
        ...
    def explain_source(self, votes: Votes, source: str) -> str:
        """How much a source contributes, as JSON."""
        ...
    def explain_panel(self, votes: Votes) -> str:
        """How much the panel and each source contribute, as JSON."""
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
        """From how many items."""
        ...
    @property
    def shares(self) -> list[float]:
        """For each source the share of its votes that counts."""
        ...
    @property
    def weights(self) -> list[_Weight]:
        """Every dependency with its weight: type, sources, class, weight."""
        ...
    @property
    def answers(self) -> int:
        """How many answers have corrected it."""
        ...
    def corrected(self, votes: Votes, answers: npt.NDArray[np.int64]) -> tuple[Model, list[str]]:
        """The model corrected by answers, and notes; `answers` has the number of a class for each item, -1 without an answer."""
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
        """Which source repeats which, and the share of its votes."""
        ...
    def infer(self, votes: Votes) -> Labels:
        """The labels of `votes`."""
        ...

def plan(
    sources: int,
    strength: float,
    failure: float,
    degree: int,
    types: Sequence[str],
    curvature: Optional[float],
    rows: Optional[int],
) -> str:
    """The rows needed, and what given rows can reveal, as JSON."""
    ...

def curvature(votes: Votes, types: Sequence[str]) -> Optional[float]:
    """The constant c of condition (7), estimated from votes."""
    ...

def analyze(votes: Votes, gold: Optional[npt.NDArray[np.int64]], pairs: int) -> str:
    """The analysis of a table as JSON; `gold` has the number of a class for each item, -1 if it is not known."""
    ...

def report(
    votes: Votes,
    title: str,
    items: Optional[Sequence[str]],
    structure: Optional[Structure],
    gold: Optional[npt.NDArray[np.int64]],
    answers: Optional[npt.NDArray[np.int64]],
    tell: Optional[Callable[[int, int], Any]] = None,
) -> tuple[str, str, str]:
    """The report on a table: as JSON, as one page and as Markdown. `gold` and `answers` have the number of a class for each item, -1
    if it is not known.
    """
    ...

_Between = tuple[float, float]

def simulate(
    sources: int,
    items: int,
    classes: Sequence[str],
    balance: Optional[Sequence[float]],
    accuracy: _Between,
    correct: Optional[_Between],
    abstain: Optional[_Between],
    pairs: Optional[int],
    density: Optional[float],
    clique: Optional[int],
    cliques: int,
    kind: str,
    strength: float,
    seed: int,
    tell: Optional[Callable[[int, int], Any]] = None,
) -> tuple[Votes, npt.NDArray[np.int64], str]:
    """Votes drawn from a planted model, the number of each item's class, and the truth as JSON."""
    ...

_Dictionaries = list[tuple[str, list[tuple[str, str]]]]

_Fault = tuple[str, int, int, str]

@final
class Sources:
    """Declared sources."""
    @staticmethod
    def from_toml(text: str, name: str, folder: Union[str, PathLike[str]]) -> Sources:
        """The sources of the text of a sources.toml, which errors call `name`; their files are in `folder`."""
        ...
    @staticmethod
    def load(path: Union[str, PathLike[str]]) -> Sources:
        """The sources of a file."""
        ...
    def to_toml(self) -> str:
        """The text of a sources.toml."""
        ...
    def to_json(self) -> str:
        """The same as JSON."""
        ...
    def save(
        self,
        path: Union[str, PathLike[str]],
        others: Sequence[tuple[Union[str, PathLike[str]], str]],
    ) -> None:
        """Writes a sources.toml, and before it other files with their texts; each of them completely or not at all."""
        ...
    @property
    def folder(self) -> str:
        """The folder of the file."""
        ...
    @property
    def classes(self) -> list[str]:
        """The names of the classes."""
        ...
    @property
    def text(self) -> Optional[str]:
        """The column that text rules read, if the file names one."""
        ...
    @property
    def names(self) -> list[str]:
        """The names of the sources."""
        ...
    @property
    def compositions(self) -> list[tuple[str, str, list[str]]]:
        """The compositions of other sources: their names, all, any or not, and their parts."""
        ...
    def voter(self, tables: _Dictionaries) -> Voter:
        """The sources, ready to vote: lists and dictionaries are read, unless `tables` has them."""
        ...

@final
class Voter:
    """Sources that are ready to vote."""
    @property
    def columns(self) -> list[tuple[str, bool]]:
        """The columns that are read, and whether numbers may come as numbers; all others come as texts."""
        ...
    def vote(
        self,
        columns: Sequence[Union[Texts, npt.NDArray[np.float64]]],
        items: int,
    ) -> tuple[Votes, list[_Fault]]:
        """The votes on `items` items of these columns, and the sources that failed."""
        ...

_Candidate = tuple[str, list[str], float, Optional[float], Optional[float], Optional[float], Optional[float], bool]

_Pair = tuple[str, str, float, Optional[float]]

_Made = tuple[str, str, list[str]]

@final
class Structure:
    """Which sources depend on each other."""
    @staticmethod
    def of(
        sources: Sequence[str],
        classes: Sequence[str],
        candidates: Sequence[_Candidate],
        copies: Sequence[Sequence[str]],
        method: str,
        select: str,
        items: int,
        mirrors: Sequence[tuple[str, str]],
        tests: int,
        untested: int,
        repetitions: Sequence[_Pair],
        once: Optional[Sequence[Sequence[str]]],
    ) -> Structure:
        """A structure from its parts."""
        ...
    @staticmethod
    def from_json(text: str) -> Structure:
        """The structure of the text of a structure.json."""
        ...
    @staticmethod
    def load(path: Union[str, PathLike[str]]) -> Structure:
        """The structure in a file."""
        ...
    def to_json(self, every: bool) -> str:
        """The text of a structure.json; of the selected dependencies, or of every candidate."""
        ...
    def to_dot(self, every: bool) -> str:
        """The graph in Graphviz' language."""
        ...
    def to_graphml(self, every: bool) -> str:
        """The graph as GraphML."""
        ...
    def save(self, path: Union[str, PathLike[str]], every: bool) -> None:
        """Writes a structure.json, completely or not at all."""
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
    def candidates(self) -> list[_Candidate]:
        """All candidates, the most certain first."""
        ...
    @property
    def copies(self) -> list[list[str]]:
        """Groups of sources that are exact copies."""
        ...
    @property
    def mirrors(self) -> list[list[str]]:
        """Pairs of a source and its mirror image."""
        ...
    @property
    def repetitions(self) -> list[_Pair]:
        """Pairs of sources that repeat each other."""
        ...
    @property
    def once(self) -> Optional[list[list[str]]]:
        """Groups of sources that count as one; `None` if repetition was not searched for."""
        ...
    @property
    def method(self) -> str:
        """How it was learned."""
        ...
    @property
    def select(self) -> str:
        """The rule that selected the dependencies."""
        ...
    @property
    def items(self) -> int:
        """From how many items."""
        ...
    @property
    def tests(self) -> int:
        """How many dependencies were possible."""
        ...
    @property
    def untested(self) -> int:
        """How many pairs meet on too few items to be tested."""
        ...
    def declared(self, compositions: Sequence[_Made]) -> Structure:
        """The same, with the sources that are declared as combinations of others: each with all, any or not, and its parts."""
        ...
    def explanation(self, a: str, b: str) -> Optional[str]:
        """Why two sources move together, if their declarations say so."""
        ...
    @property
    def unsettled(self) -> list[str]:
        """The sources whose problem was not solved to its optimum."""
        ...
    def to_svg(self, width: float) -> str:
        """The picture of the report, as SVG of this width."""
        ...
    @property
    def groups(self) -> list[list[str]]:
        """Sources that depend on each other or repeat each other, the largest group first."""
        ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]

def learn_exact(
    votes: Votes,
    types: Sequence[str],
    select: str,
    tolerance: float,
    ridge: float,
    tell: Optional[Callable[[int, int], Any]] = None,
) -> Structure:
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
) -> Structure:
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
    """Finds out what the columns of a frame are for: each has a name, a type if that holds no votes, and the numbers of its first
    cells among its texts, -1 if a cell is missing. Where the names were texts, they may be a row of votes.
    """
    ...

@final
class Texts:
    """A column of texts, some of which may be missing."""
    @staticmethod
    def from_list(values: list[Any], tolerant: bool) -> Texts:
        """The texts of a list; None and NaN are missing, anything else is a fault: counted if they are tolerated, else a TypeError."""
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
        """The number of each text among the distinct ones, in the order of their appearance, -1 if it is missing; and these."""
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
        """The vote on each text: `label` if it has a keyword, `otherwise` if it has none, -1 if it is missing."""
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
        """The vote on each text: `label` if it matches, `otherwise` if it does not, -1 if it is missing."""
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
        """The vote on each text: that of the dictionary, `otherwise` if it has none, -1 if the text is missing."""
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
        """The table of columns: each an array of whole numbers, with its texts if the numbers are of texts, and with a mask of
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
        keep: Optional[Sequence[str]],
    ) -> tuple[Votes, list[str], int, Optional[list[int]]]:
        """The table of single votes: for each its item, source and vote as a number of a list of texts, -1 if it is missing."""
        ...
    def gold_numbers(self, texts: Sequence[str], abstain: Optional[Sequence[str]]) -> list[int]:
        """What texts mean as true classes: the number of a class counted from 0, -1 if unknown, -2 if no source votes for it."""
        ...
    def repeated(self, times: npt.NDArray[np.uint64]) -> Votes:
        """The table in which each item occurs as often as `times` says."""
        ...
    def lonely_source(self) -> Optional[tuple[str, int]]:
        """A source that alone votes for very many classes, and how many these are."""
        ...
    def strangers(self) -> tuple[list[str], list[str]]:
        """Sources with several classes that no other source votes for, and the others with several classes."""
        ...
    def classes_of_one(self) -> int:
        """How many classes only one source votes for."""
        ...
    @property
    def notes(self) -> list[str]:
        """What was decided about the classes, one sentence each."""
        ...
    def hints(self, kept: Sequence[str]) -> list[str]:
        """What may be other than it was read, one sentence each, except about sources that the user keeps."""
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
        """One row per item, one column per source: the number of a class counted from 0, or -1."""
        ...
    def distinct(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """The distinct rows as `to_numpy` gives rows, how many items each has, and the number of each item's row."""
        ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
