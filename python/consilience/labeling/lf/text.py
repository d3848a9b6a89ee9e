"""Labeling functions over a column of texts that run in the core: keywords, regular expressions, dictionaries."""

from __future__ import annotations

import contextlib
import numbers
import re
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from consilience import _arrow, _core
from consilience._optional import is_instance_of
from consilience.labeling.lf.columns import ColumnLabelingFunction
from consilience.types import DataPoint

ABSTAIN = -1


def texts_of(column: Any, tolerant: bool = False) -> _core.Texts:
    """Take a column of texts: an Arrow column as it is, anything else by its list; None and NaN are missing."""
    if isinstance(column, _core.Texts):
        return column
    held: Any = column
    if is_instance_of(column, "pandas", "Series"):
        # pandas keeps texts in Arrow columns if pyarrow is installed.
        in_arrow = getattr(column.dtype, "storage", "") == "pyarrow" or hasattr(column.dtype, "pyarrow_dtype")
        held = column.array.__arrow_array__() if in_arrow else None
    if _arrow.is_arrow(held):
        columns = _arrow.read(held)
        if len(columns) != 1:
            raise TypeError(f"expected one column of texts, got a table of {len(columns)}")
        if columns[0].is_text:
            return columns[0].texts()
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    # One text is taken over faster than many. Not all may be texts, and a text may have the character that joins them.
    with contextlib.suppress(TypeError, UnicodeEncodeError):
        texts = _core.Texts.from_joined("\0".join(values), len(values))
        if texts is not None:
            return texts
    return _core.Texts.from_list([None if type(v).__name__ == "NAType" else v for v in values], tolerant)


class TextLabelingFunction(ColumnLabelingFunction):
    """A labeling function that reads one text field; appliers run it over the whole column without Python."""

    #: What makes the rule, with the keys that a file of sources has for it; `label` and `otherwise` are numbers of classes.
    rule: dict[str, Any]

    def __init__(self, name: str, field: str, votes: Any, vote: Any, rule: Mapping[str, Any]) -> None:
        super().__init__(name, vote)
        self.field = field
        self._votes = votes
        self.rule = dict(rule)

    def __call__(self, x: DataPoint) -> int:
        """Return the vote on `x`; a missing text abstains."""
        text = x[self.field] if isinstance(x, Mapping) else getattr(x, self.field)
        if text is None or (isinstance(text, float) and text != text) or type(text).__name__ == "NAType":
            return ABSTAIN
        if not isinstance(text, str):
            raise TypeError(f"labeling function {self.name}: expected a text, got {text!r} of {type(text).__name__}")
        return int(self._f(text))

    def prepare(self, column: Any, fault_tolerant: bool = False) -> _core.Texts:
        """Take the texts out of Python's hands."""
        return texts_of(column, fault_tolerant)

    def vote_column(self, column: Any, fault_tolerant: bool = False) -> tuple[npt.NDArray[np.int_], int]:
        """Return the votes on all texts of `column`, and how many entries were no texts."""
        texts = texts_of(column, fault_tolerant)
        votes: npt.NDArray[np.int_] = self._votes(texts)
        return votes, texts.faults


class _Match:
    """The vote of a finder, on one text or on many."""

    def __init__(self, finder: Any, arguments: tuple[Any, ...], label: int, otherwise: int) -> None:
        self.finder, self.arguments, self.label, self.otherwise = finder, arguments, label, otherwise
        self.core = finder(*arguments)

    def one(self, text: str) -> int:
        return self.label if self.core.is_in(text) else self.otherwise

    def all(self, texts: _core.Texts) -> Any:
        return self.core.vote(texts, self.label, self.otherwise)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Match, (self.finder, self.arguments, self.label, self.otherwise)


class _Table:
    """The vote of a dictionary, on one text or on many."""

    def __init__(self, arguments: tuple[Any, ...], otherwise: int) -> None:
        self.arguments, self.otherwise = arguments, otherwise
        self.core = _core.Lookup(*arguments)

    def one(self, text: str) -> int:
        found = self.core.find(text)
        return self.otherwise if found is None else found

    def all(self, texts: _core.Texts) -> Any:
        return self.core.vote(texts, self.otherwise)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Table, (self.arguments, self.otherwise)


def _vote(name: str, value: Any) -> int:
    if isinstance(value, numbers.Integral):
        return max(int(value), ABSTAIN)
    raise TypeError(f"{name} must be the number of a class, or -1 to abstain, but is {value!r}")


def keyword_lf(
    keywords: Iterable[str],
    label: int,
    *,
    name: Optional[str] = None,
    field: str = "text",
    lower: bool = True,
    words: bool = False,
    otherwise: int = ABSTAIN,
) -> TextLabelingFunction:
    """Make a labeling function that votes if a text contains one of the keywords.

    Parameters
    ----------
    keywords
        The keywords.
    label
        The vote if one is found.
    name
        The function's name. Default: derived from the first keyword.
    field
        The field with the text.
    lower
        Whether they are looked for in the lower-cased text.
    words
        Whether only whole words count.
    otherwise
        The vote if none is found.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> lf = keyword_lf(["subscribe", "check out"], label=1)
    >>> lf
    TextLabelingFunction keyword_subscribe, Preprocessors: []
    >>> lf(SimpleNamespace(text="Please SUBSCRIBE!")), lf(SimpleNamespace(text="Nice song"))
    (1, -1)
    """
    if isinstance(keywords, str):
        keywords = [keywords]
    wanted = list(keywords)
    for keyword in wanted:
        if not isinstance(keyword, str):
            raise TypeError(f"keywords must be texts, but one is {keyword!r}")
    match = _Match(_core.Keywords, (wanted, lower, words), _vote("label", label), _vote("otherwise", otherwise))
    rule = {"keywords": wanted, "lower": lower, "words": words, "label": match.label, "otherwise": match.otherwise}
    return TextLabelingFunction(name or f"keyword_{wanted[0]}", field, match.all, match.one, rule)


# Flags of Python's expressions that Rust's know by a letter.
INLINE_FLAGS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s", re.VERBOSE: "x"}


def _expression(pattern: Any) -> str:
    if isinstance(pattern, str):
        return pattern
    if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
        if pattern.flags & re.ASCII:
            raise ValueError("re.ASCII has no counterpart here; write [A-Za-z0-9_] for \\w and give the expression as a text")
        letters = "".join(letter for flag, letter in INLINE_FLAGS.items() if pattern.flags & flag)
        return f"(?{letters}){pattern.pattern}" if letters else pattern.pattern
    raise TypeError(f"pattern must be a regular expression as a text, or compiled from one, but is {pattern!r}")


def regex_lf(
    pattern: Union[str, re.Pattern[str]],
    label: int,
    *,
    name: Optional[str] = None,
    field: str = "text",
    lower: bool = False,
    ignore_case: bool = False,
    otherwise: int = ABSTAIN,
) -> TextLabelingFunction:
    """Make a labeling function that votes if a regular expression matches in a text.

    The expressions are those of Rust's regex crate, and a search takes time in proportion to the text. Expressions with
    look-around or back-references run on a slower engine with a limit of steps. `$` matches at the end of the text only.

    Parameters
    ----------
    pattern
        The expression, as a text or compiled by Python's re.
    label
        The vote if it is found.
    name
        The function's name. Default: derived from the expression.
    field
        The field with the text.
    lower
        Whether it is looked for in the lower-cased text.
    ignore_case
        Whether capitals and small letters are the same.
    otherwise
        The vote if it is not found.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> lf = regex_lf(r"check.*out", label=1, name="check_out", ignore_case=True)
    >>> lf(SimpleNamespace(text="Check this out"))
    1
    """
    expression = _expression(pattern)
    match = _Match(_core.Pattern, (expression, lower, ignore_case), _vote("label", label), _vote("otherwise", otherwise))
    rule = {
        "regex": expression,
        "lower": lower,
        "ignore_case": ignore_case,
        "label": match.label,
        "otherwise": match.otherwise,
    }
    return TextLabelingFunction(name or f"regex_{expression}", field, match.all, match.one, rule)


def lookup_lf(
    table: Mapping[str, int],
    *,
    name: str,
    field: str = "text",
    lower: bool = False,
    strip: bool = False,
    otherwise: int = ABSTAIN,
) -> TextLabelingFunction:
    """Make a labeling function that votes by a dictionary of whole texts.

    Parameters
    ----------
    table
        Texts and their votes.
    name
        The function's name.
    field
        The field with the text.
    lower
        Whether texts are compared lower-cased.
    strip
        Whether white space around is left aside.
    otherwise
        The vote if the dictionary has none.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> lf = lookup_lf({"acme": 1, "initech": 0}, name="company", field="sender", lower=True)
    >>> lf(SimpleNamespace(sender="ACME")), lf(SimpleNamespace(sender="Hooli"))
    (1, -1)
    """
    if not isinstance(table, Mapping):
        raise TypeError(f"table must be a dictionary of texts and their votes, but is of type {type(table).__name__}")
    votes = [(str(text), _vote(f"the vote of {text!r}", vote)) for text, vote in table.items()]
    match = _Table((votes, lower, strip), _vote("otherwise", otherwise))
    rule = {"table": votes, "lower": lower, "strip": strip, "otherwise": match.otherwise}
    return TextLabelingFunction(name, field, match.all, match.one, rule)
