"""Mappers and preprocessors."""

import pickle
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from consilience.map import BaseMapper, LambdaMapper, Mapper, lambda_mapper
from consilience.map.core import get_hashable
from consilience.preprocess import BasePreprocessor, LambdaPreprocessor, Preprocessor, preprocessor


class UpperAndLength(Mapper):
    def __init__(self, city, upper, length, **kwargs):
        super().__init__("upper", {"city": city}, {"upper": upper, "length": length}, **kwargs)

    def run(self, city):
        return {"upper": city.upper(), "length": len(city)}


class UpperAndLengthDefaults(Mapper):
    def __init__(self):
        super().__init__("upper")

    def run(self, city):
        return {"upper": city.upper(), "length": len(city)}


def item(height=14, city="Oslo"):
    return SimpleNamespace(height=height, city=city)


def test_fields_get_new_names():
    x = item()
    mapped = UpperAndLength("city", "sign", "letters")(x)
    assert mapped == SimpleNamespace(height=14, city="Oslo", sign="OSLO", letters=4)
    assert x == item()


def test_a_field_may_be_replaced():
    mapped = UpperAndLength("city", "city", "letters")(item())
    assert mapped.city == "OSLO"


def test_default_fields():
    mapper = UpperAndLengthDefaults()
    assert mapper.field_names == {"city": "city"}
    mapped = mapper(item())
    assert (mapped.upper, mapped.length) == ("OSLO", 4)


def test_run_without_fields_and_without_result():
    class Nothing(Mapper):
        def run(self, city):
            return None

    class Empty(Mapper):
        def run(self, city):
            return {}

    class NotWritten(Mapper):
        pass

    assert Nothing("nothing")(item()) is None
    assert Empty("empty")(item()) == item()
    with pytest.raises(NotImplementedError):
        NotWritten("not_written", {"a": "height"})(item())
    with pytest.raises(NotImplementedError):
        BaseMapper("base", [], False)(item())


def test_args_and_kwargs_are_refused():
    class WithArgs(Mapper):
        def run(self, *args):
            return {}

    class WithKwargs(Mapper):
        def run(self, **kwargs):
            return {}

    for kind, written in ((WithArgs, r" \*args"), (WithKwargs, r" \*\*kwargs")):
        with pytest.raises(ValueError, match="Function run should not have" + written):
            kind("bad")


def test_missing_fields_are_attribute_errors():
    with pytest.raises(AttributeError):
        UpperAndLength("country", "sign", "letters")(item())


def test_in_place_changes_stay_inside():
    @lambda_mapper()
    def change(x):
        x.lines.append("airport")
        x.height = 0
        return x

    x = SimpleNamespace(height=14, lines=["metro"])
    assert change(x) == SimpleNamespace(height=0, lines=["metro", "airport"])
    assert x == SimpleNamespace(height=14, lines=["metro"])
    series = pd.Series({"height": 14, "lines": ["metro"]})
    assert change(series).lines == ["metro", "airport"]
    assert series.lines == ["metro"]
    assert series.height == 14


def test_lambda_mappers():
    def feet(x):
        x.feet = round(x.height / 0.3048)
        return x

    mapper = LambdaMapper("feet", feet)
    assert mapper(item()).feet == 46
    assert repr(mapper) == "LambdaMapper feet, Pre: []"
    assert lambda_mapper()(feet).name == "feet"
    assert lambda_mapper(name="other")(feet).name == "other"
    assert lambda_mapper("third")(feet).name == "third"
    with pytest.raises(ValueError, match=r"write @lambda_mapper\(\)"):

        @lambda_mapper
        def bare(x):
            return x


def test_pre_mappers_run_first_and_in_order():
    @lambda_mapper()
    def suburb(x):
        x.city += " East"
        return x

    @lambda_mapper(pre=[suburb])
    def initials(x):
        x.city = "".join(word[0] for word in x.city.split())
        return x

    assert initials(item()).city == "OE"
    assert UpperAndLength("city", "sign", "letters", pre=[suburb])(item()).sign == "OSLO EAST"
    assert repr(initials) == "LambdaMapper initials, Pre: [LambdaMapper suburb, Pre: []]"

    @lambda_mapper()
    def gone(x):
        return None

    @lambda_mapper(pre=[gone])
    def after(x):
        raise AssertionError("never called")

    assert after(item()) is None


@pytest.mark.parametrize(
    "make", [item, lambda height=14: pd.Series({"height": height, "lines": ["T"]}), lambda height=14: Stop(height, [1])]
)
def test_memory(make):
    seen = []

    @lambda_mapper(memoize=True)
    def look(x):
        seen.append(x.height)
        return x

    first = look(make())
    assert look(make()) is first
    assert seen == [14]
    look(make(height=3))
    assert seen == [14, 3]
    look.reset_cache()
    look(make())
    assert seen == [14, 3, 14]


@dataclass
class Stop:
    height: int
    lines: list


def test_memory_of_none_and_by_key():
    seen = []

    @lambda_mapper(memoize=True)
    def gone(x):
        seen.append(x.height)

    assert gone(item()) is None
    assert gone(item()) is None
    assert seen == [14]

    @lambda_mapper(memoize=True, memoize_key=lambda x: x.city)
    def by_city(x):
        seen.append(x.height)
        return x

    assert by_city(item(20)).height == 20
    assert by_city(item(30)).height == 20
    assert seen == [14, 20]
    with pytest.raises(ValueError, match="bytearray is not hashable"):
        lambda_mapper(memoize=True)(lambda x: x)(SimpleNamespace(a=bytearray(b"x")))


def test_without_memory_every_call_counts():
    seen = []
    mapper = LambdaMapper("look", lambda x: seen.append(x.height))
    mapper(item())
    mapper(item())
    assert seen == [14, 14]


def test_named_tuples_grow_and_change():
    Place = namedtuple("Place", ["height", "city"])
    mapped = UpperAndLength("city", "sign", "letters")(Place(14, "Oslo"))
    assert (mapped.height, mapped.sign, mapped.letters) == (14, "OSLO", 4)
    replaced = UpperAndLength("city", "city", "height")(Place(14, "Oslo"))
    assert isinstance(replaced, Place)
    assert replaced == Place(4, "OSLO")


def test_series_grow_and_keep_what_functions_added():
    series = pd.Series({"height": 14, "city": "Oslo"}, name="row")
    mapped = UpperAndLength("city", "sign", "letters")(series)
    assert (mapped.sign, mapped["letters"], mapped.name) == ("OSLO", 4, "row")
    assert list(series.index) == ["height", "city"]

    @lambda_mapper()
    def add(x):
        x.extra = [1]
        return x

    @lambda_mapper(pre=[add])
    def use(x):
        x.twice = x.extra * 2
        return x

    assert use(series).twice == [1, 1]
    assert UpperAndLength("city", "sign", "letters", pre=[add])(series).extra == [1]
    numbers = pd.Series({"a": 1, "b": 2})
    assert UpperAndLength("a", "c", "d", pre=[lambda_mapper()(lambda x: x.replace(1, "One"))])(numbers).c == "ONE"


@pytest.mark.parametrize(
    "make",
    [
        lambda: 2.5,
        lambda: "stop",
        lambda: {"lines": ["T", {"to": 3}], "open": True},
        lambda: [["T"], {"to": [3]}],
        lambda: ("T", ["M"]),
        lambda: np.array([[1, 2], [3, 4]]),
        lambda: np.array([1, "a", [2]], dtype=object),
        lambda: pd.Series({"a": 1, "b": [2]}),
        lambda: pd.Series([1, 2]),
        lambda: SimpleNamespace(a=1, b={"c": np.array([1])}),
        lambda: Stop(1, [2]),
    ],
)
def test_hashable_proxies(make):
    hash(get_hashable(make()))
    assert get_hashable(make()) == get_hashable(make())


def test_different_things_have_different_proxies():
    different = [
        {"lines": {"T": 1}},
        {"lines": {"T": 1, "M": 2}},
        ["T", ["M"]],
        ["T", ["M", "B"]],
        np.array([1, 2]),
        np.array([[1], [2]]),
        np.array([1.0, 2.0]),
        pd.Series({"a": 1}),
        pd.Series({"b": 1}),
        SimpleNamespace(a=1, b=[2]),
        SimpleNamespace(a=1, b=[3]),
        Stop(1, [2]),
    ]
    proxies = [get_hashable(thing) for thing in different]
    assert len(set(proxies)) == len(different)
    with pytest.raises(ValueError, match="as memoize_key"):
        get_hashable(bytearray(b"x"))


def test_preprocessors_are_mappers():
    assert issubclass(LambdaPreprocessor, BasePreprocessor)
    assert issubclass(Preprocessor, BasePreprocessor)

    @preprocessor(memoize=True)
    def flat(x):
        x.height = 0
        return x

    assert flat(item()).height == 0
    assert isinstance(flat, LambdaMapper)
    assert repr(LambdaPreprocessor("as_it_is", lambda x: x)) == "LambdaPreprocessor as_it_is, Pre: []"
    with pytest.raises(ValueError, match="missing parentheses"):
        preprocessor(lambda x: x)


def add_height(x):
    x.height = 7
    return x


def test_kept_results_do_not_travel():
    mapper = LambdaMapper("height", add_height, memoize=True)
    row = pd.Series({"city": "Oslo"})
    assert mapper(row).height == 7
    sent = pickle.loads(pickle.dumps(mapper))
    assert (len(mapper._cache), len(sent._cache)) == (1, 0)
    assert sent(row).height == 7


def test_kept_results_are_told_apart_by_every_field():
    calls = []

    @lambda_mapper(memoize=True)
    def seen(x):
        calls.append(x.text)
        x.length = len(x.text)
        return x

    frame = pd.DataFrame({"text": ["a", "b", "a"], "number": [1, 2, 1], "tags": [("x",), ("y",), ("x",)]})
    frame.apply(seen, axis=1)
    assert calls == ["a", "b"]
    # The same values under other names, with another attribute, or as a list, which cannot be hashed.
    seen(frame.iloc[0].rename({"number": "count"}))
    other = frame.iloc[0].copy()
    object.__setattr__(other, "extra", 1)
    seen(other)
    for _ in range(2):
        seen(pd.Series({"text": "a", "tags": ["x"]}))
    assert calls == ["a", "b", "a", "a", "a"]


def test_copies_share_nothing_that_can_change():
    @lambda_mapper()
    def grown(x):
        x.tags.append("new")
        return x

    row = pd.Series({"text": "a", "tags": ["old"]})
    assert grown(row).tags == ["old", "new"]
    assert row.tags == ["old"]
