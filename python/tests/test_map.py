"""Mappers and preprocessors."""

from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from consilience.map import BaseMapper, LambdaMapper, Mapper, lambda_mapper
from consilience.map.core import get_hashable
from consilience.preprocess import BasePreprocessor, LambdaPreprocessor, Preprocessor, preprocessor


class SplitWords(Mapper):
    def __init__(self, text_field, lower_field, words_field, **kwargs):
        super().__init__("split_words", {"text": text_field}, {"lower": lower_field, "words": words_field}, **kwargs)

    def run(self, text):
        return {"lower": text.lower(), "words": text.split()}


class SplitWordsDefaults(Mapper):
    def __init__(self):
        super().__init__("split_words")

    def run(self, text):
        return {"lower": text.lower(), "words": text.split()}


class Counter:
    def __init__(self):
        self.calls = 0

    def square(self, n):
        self.calls += 1
        return n * n


def item(num=8, text="Henry has fun"):
    return SimpleNamespace(num=num, text=text)


def test_fields_get_new_names():
    x = item()
    mapped = SplitWords("text", "low", "parts")(x)
    assert mapped == SimpleNamespace(num=8, text="Henry has fun", low="henry has fun", parts=["Henry", "has", "fun"])
    assert x == item()


def test_a_field_may_be_replaced():
    mapped = SplitWords("text", "text", "words")(item())
    assert mapped.text == "henry has fun"


def test_default_fields():
    mapper = SplitWordsDefaults()
    assert mapper.field_names == {"text": "text"}
    mapped = mapper(item())
    assert (mapped.lower, mapped.words) == ("henry has fun", ["Henry", "has", "fun"])


def test_run_without_fields_and_without_result():
    class Nothing(Mapper):
        def run(self, text):
            return None

    class Empty(Mapper):
        def run(self, text):
            return {}

    class NotWritten(Mapper):
        pass

    assert Nothing("nothing")(item()) is None
    assert Empty("empty")(item()) == item()
    with pytest.raises(NotImplementedError):
        NotWritten("not_written", {"a": "num"})(item())
    with pytest.raises(NotImplementedError):
        BaseMapper("base", [], False)(item())


def test_args_and_kwargs_are_refused():
    class WithArgs(Mapper):
        def run(self, *args):
            return {}

    class WithKwargs(Mapper):
        def run(self, **kwargs):
            return {}

    for kind in (WithArgs, WithKwargs):
        with pytest.raises(ValueError, match=r"\*args or \*\*kwargs"):
            kind("bad")


def test_missing_fields_are_attribute_errors():
    with pytest.raises(AttributeError):
        SplitWords("title", "low", "parts")(item())


def test_in_place_changes_stay_inside():
    @lambda_mapper()
    def change(x):
        x.d["my_key"] = "changed"
        x.num = 9
        return x

    x = SimpleNamespace(num=8, d={"my_key": "kept"})
    assert change(x) == SimpleNamespace(num=9, d={"my_key": "changed"})
    assert x == SimpleNamespace(num=8, d={"my_key": "kept"})
    series = pd.Series({"num": 8, "d": {"my_key": "kept"}})
    assert change(series).d == {"my_key": "changed"}
    assert series.d == {"my_key": "kept"}
    assert series.num == 8


def test_lambda_mappers():
    def square(x):
        x.num_squared = x.num**2
        return x

    mapper = LambdaMapper("square", square)
    assert mapper(item()).num_squared == 64
    assert repr(mapper) == "LambdaMapper square, Pre: []"
    assert lambda_mapper()(square).name == "square"
    assert lambda_mapper(name="other")(square).name == "other"
    assert lambda_mapper("third")(square).name == "third"
    with pytest.raises(ValueError, match="missing parentheses"):

        @lambda_mapper
        def bad(x):
            return x


def test_pre_mappers_run_first_and_in_order():
    @lambda_mapper()
    def add(x):
        x.num += 1
        return x

    @lambda_mapper(pre=[add])
    def square(x):
        x.num = x.num**2
        return x

    assert square(item(2)).num == 9
    assert SplitWords("text", "low", "parts", pre=[lambda_mapper()(lambda x: x)])(item()).low == "henry has fun"
    assert repr(square) == "LambdaMapper square, Pre: [LambdaMapper add, Pre: []]"

    @lambda_mapper()
    def gone(x):
        return None

    @lambda_mapper(pre=[gone])
    def after(x):
        raise AssertionError("never called")

    assert after(item()) is None


@pytest.mark.parametrize("make", [item, lambda num=8: pd.Series({"num": num, "words": ["a"]}), lambda num=8: Point(num, [1])])
def test_memory(make):
    counter = Counter()

    @lambda_mapper(memoize=True)
    def square(x):
        counter.square(x.num)
        return x

    first = square(make())
    assert square(make()) is first
    assert counter.calls == 1
    square(make(num=9))
    assert counter.calls == 2
    square.reset_cache()
    square(make())
    assert counter.calls == 3


@dataclass
class Point:
    num: int
    words: list


def test_memory_of_none_and_by_key():
    counter = Counter()

    @lambda_mapper(memoize=True)
    def gone(x):
        counter.square(x.num)

    assert gone(item()) is None
    assert gone(item()) is None
    assert counter.calls == 1

    @lambda_mapper(memoize=True, memoize_key=lambda x: x.num % 2)
    def by_key(x):
        counter.square(x.num)
        return x

    assert by_key(item(2)).num == 2
    assert by_key(item(4)).num == 2
    assert counter.calls == 2
    with pytest.raises(ValueError, match="no hashing proxy"):
        lambda_mapper(memoize=True)(lambda x: x)(SimpleNamespace(a=bytearray(b"x")))


def test_without_memory_every_call_counts():
    counter = Counter()
    mapper = LambdaMapper("square", lambda x: counter.square(x.num) and x)
    mapper(item())
    mapper(item())
    assert counter.calls == 2


def test_named_tuples_grow_and_change():
    Item = namedtuple("Item", ["num", "text"])
    mapped = SplitWords("text", "low", "parts")(Item(8, "Henry has fun"))
    assert (mapped.num, mapped.low, mapped.parts) == (8, "henry has fun", ["Henry", "has", "fun"])
    replaced = SplitWords("text", "text", "num")(Item(8, "Henry"))
    assert isinstance(replaced, Item)
    assert replaced == Item(["Henry"], "henry")


def test_series_grow_and_keep_what_functions_added():
    series = pd.Series({"num": 8, "text": "Henry has fun"}, name="row")
    mapped = SplitWords("text", "low", "parts")(series)
    assert (mapped.low, mapped["parts"], mapped.name) == ("henry has fun", ["Henry", "has", "fun"], "row")
    assert list(series.index) == ["num", "text"]

    @lambda_mapper()
    def add(x):
        x.extra = [1]
        return x

    @lambda_mapper(pre=[add])
    def use(x):
        x.twice = x.extra * 2
        return x

    assert use(series).twice == [1, 1]
    assert SplitWords("text", "low", "parts", pre=[add])(series).extra == [1]
    numbers = pd.Series({"a": 1, "b": 2})
    assert SplitWords("a", "c", "d", pre=[lambda_mapper()(lambda x: x.replace(1, "One"))])(numbers).c == "one"


@pytest.mark.parametrize(
    "make",
    [
        lambda: 8,
        lambda: "a",
        lambda: {"a": 8, "b": {"c": [9, "d"]}},
        lambda: [8, [9, {"a": 1}]],
        lambda: (8, [9]),
        lambda: {1, 2},
        lambda: np.array([[1, 2], [3, 4]]),
        lambda: np.array([1, "a", [2]], dtype=object),
        lambda: pd.Series({"a": 1, "b": [2]}),
        lambda: pd.Series([1, 2]),
        lambda: pd.DataFrame({"a": [1, 2]}),
        lambda: SimpleNamespace(a=1, b={"c": np.array([1])}),
        lambda: Point(1, [2]),
    ],
)
def test_hashable_proxies(make):
    hash(get_hashable(make()))
    assert get_hashable(make()) == get_hashable(make())


def test_different_things_have_different_proxies():
    different = [
        {"a": 8, "b": {"c": 9}},
        {"a": 8, "b": {"c": 9, "d": 1}},
        [8, [9]],
        [8, [9, 10]],
        np.array([1, 2]),
        np.array([[1], [2]]),
        np.array([1.0, 2.0]),
        pd.Series({"a": 1}),
        pd.Series({"b": 1}),
        SimpleNamespace(a=1, b=[2]),
        SimpleNamespace(a=1, b=[3]),
        Point(1, [2]),
    ]
    proxies = [get_hashable(thing) for thing in different]
    assert len(set(proxies)) == len(different)
    with pytest.raises(ValueError, match="no hashing proxy"):
        get_hashable(bytearray(b"x"))


def test_preprocessors_are_mappers():
    assert issubclass(LambdaPreprocessor, BasePreprocessor)
    assert issubclass(Preprocessor, BasePreprocessor)

    @preprocessor(memoize=True)
    def square(x):
        x.num = x.num**2
        return x

    assert square(item(3)).num == 9
    assert isinstance(square, LambdaPreprocessor)
    with pytest.raises(ValueError, match="missing parentheses"):
        preprocessor(lambda x: x)
