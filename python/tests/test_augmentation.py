"""Items made from items."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from consilience.augmentation import (
    ApplyAllPolicy,
    ApplyEachPolicy,
    ApplyOnePolicy,
    MeanFieldPolicy,
    PandasTFApplier,
    RandomPolicy,
    TFApplier,
    TransformationFunction,
    transformation_function,
)
from consilience.augmentation.policy import Policy
from consilience.errors import OptionError


@transformation_function()
def doubled(x):
    x.num = 2 * x.num
    return x


@transformation_function()
def even_plus_one(x):
    if x.num % 2:
        return None
    x.num = x.num + 1
    return x


@transformation_function()
def tagged(x):
    x.tags.append("new")
    return x


class Negative(TransformationFunction):
    def run(self, num):
        return {"num": -num}


def items(*numbers):
    return [SimpleNamespace(num=number) for number in numbers]


def test_policies():
    assert ApplyOnePolicy(n_per_original=2).generate_for_example() == [[], [0], [0]]
    assert ApplyAllPolicy(3, keep_original=False).generate_for_example() == [[0, 1, 2]]
    assert ApplyEachPolicy(2).generate_for_example() == [[], [0], [1]]
    assert ApplyEachPolicy(2).n_per_original == 2
    assert MeanFieldPolicy(3, sequence_length=2, p=[0, 0, 1]).generate_for_example() == [[], [2, 2]]
    with pytest.raises(NotImplementedError, match="Policy does not have a method generate"):
        Policy(1).generate()


def test_draws_have_the_given_probabilities_and_the_seed():
    np.random.seed(3)
    drawn = Counter(number for _ in range(4000) for number in MeanFieldPolicy(3, 1, p=[0.5, 0.3, 0.2]).generate())
    assert [drawn[i] / 4000 for i in range(3)] == pytest.approx([0.5, 0.3, 0.2], abs=0.03)
    policy = RandomPolicy(5, sequence_length=4, n_per_original=3, keep_original=False)
    np.random.seed(7)
    first = policy.generate_for_example()
    np.random.seed(7)
    assert policy.generate_for_example() == first
    # Scripts that were seeded draw the same functions as before.
    np.random.seed(7)
    assert first == [np.random.choice(5, size=4).tolist() for _ in range(3)]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ApplyAllPolicy(0), "n_tfs must be at least 1, but is 0"),
        (lambda: ApplyOnePolicy(n_per_original=-1), "n_per_original must be at least 0"),
        (lambda: RandomPolicy(2, sequence_length=0), "sequence_length must be at least 1"),
        (lambda: MeanFieldPolicy(2, p=[1.0]), "p must have one probability per function, 2 of them"),
        (lambda: MeanFieldPolicy(2, p=[0.5, 0.6]), "p must have probabilities that add up to 1"),
        (lambda: MeanFieldPolicy(2, p=[-0.5, 1.5]), "p must have probabilities that add up to 1"),
        (lambda: ApplyOnePolicy(keep_original="no"), "keep_original must be True or False"),
    ],
)
def test_settings_are_checked(make, said):
    with pytest.raises(OptionError, match=said):
        make()


def test_sequences():
    data = items(1, 2)
    applier = TFApplier([doubled, Negative("negative")], ApplyEachPolicy(2))
    assert applier.apply(data, progress_bar=False) == items(1, 2, -1, 2, 4, -2)
    assert data == items(1, 2)
    both = TFApplier([doubled, Negative("negative")], ApplyAllPolicy(2, keep_original=False))
    assert both.apply(iter(data), progress_bar=True) == items(-2, -4)
    assert repr(both) == "TFApplier, Policy: ApplyAllPolicy, TFs: ['doubled', 'negative']"


def test_none_leaves_the_item_alone():
    assert TFApplier([even_plus_one], ApplyOnePolicy()).apply(items(1, 2), False) == items(1, 2, 3)
    # One function of the sequence changes it: the item is made.
    both = TFApplier([even_plus_one, doubled], ApplyAllPolicy(2, keep_original=False))
    assert both.apply(items(1), False) == items(2)


def test_originals_keep_what_functions_change_in_place():
    data = [SimpleNamespace(tags=["old"])]
    made = TFApplier([tagged], ApplyOnePolicy(2)).apply(data, False)
    assert [x.tags for x in made] == [["old"], ["old", "new"], ["old", "new"]]
    frame = pd.DataFrame({"tags": [["old"]]})
    made = PandasTFApplier([tagged], ApplyOnePolicy(2)).apply(frame, False)
    assert made.tags.tolist() == [["old"], ["old", "new"], ["old", "new"]]
    assert frame.tags.tolist() == [["old"]]


def test_frames():
    frame = pd.DataFrame({"num": [1, 2], "text": ["a", "b"], "share": [0.5, None]}, index=pd.Index([10, 20], name="row"))
    before = frame.copy()
    made = PandasTFApplier([doubled], ApplyOnePolicy()).apply(frame, progress_bar=False)
    expected = frame.loc[[10, 10, 20, 20]].assign(num=[1, 2, 2, 4])
    pd.testing.assert_frame_equal(made, expected)
    pd.testing.assert_frame_equal(frame, before)
    nothing = PandasTFApplier([even_plus_one], ApplyOnePolicy(keep_original=False))
    pd.testing.assert_frame_equal(nothing.apply(frame.iloc[:1], False), frame.iloc[:0])
    pd.testing.assert_frame_equal(nothing.apply(frame.iloc[:0], False), frame.iloc[:0])
    indexed = frame.set_index("text", append=True)
    assert PandasTFApplier([doubled], ApplyOnePolicy()).apply(indexed, False).index.names == ["row", "text"]


def test_new_fields_are_new_columns():
    class Length(TransformationFunction):
        def run(self, text):
            return {"length": len(text)} if text != "b" else None

    made = PandasTFApplier([Length("length")], ApplyOnePolicy()).apply(pd.DataFrame({"text": ["a", "b"]}), False)
    pd.testing.assert_frame_equal(
        made, pd.DataFrame({"text": ["a", "a", "b"], "length": [None, 1, None]}, index=[0, 0, 1]).astype({"length": float})
    )


def test_batches():
    applier = TFApplier([doubled], ApplyOnePolicy())
    assert list(applier.apply_generator(items(1, 2, 3), 2)) == [items(1, 2, 2, 4), items(3, 6)]
    # No empty batch at the end.
    assert list(applier.apply_generator(items(1, 2), 2)) == [items(1, 2, 2, 4)]
    frame = pd.DataFrame({"num": [1, 2, 3, 4]})
    batches = list(PandasTFApplier([doubled], ApplyOnePolicy()).apply_generator(frame, batch_size=2))
    assert [batch.num.tolist() for batch in batches] == [[1, 2, 2, 4], [3, 6, 4, 8]]
    for bad in (applier, PandasTFApplier([doubled], ApplyOnePolicy())):
        with pytest.raises(OptionError, match="batch_size must be at least 1"):
            bad.apply_generator(frame, 0)


def test_what_is_refused():
    with pytest.raises(ValueError, match="Operator names not unique"):
        TFApplier([doubled, doubled], ApplyAllPolicy(2))
    with pytest.raises(TypeError, match=r"put @transformation_function\(\) above it"):
        TFApplier([lambda x: x], ApplyOnePolicy())
    with pytest.raises(ValueError, match="the policy is for 3 transformation functions .* but there are 1"):
        TFApplier([doubled], RandomPolicy(3))
    with pytest.raises(ValueError, match=r"write @transformation_function\(\)"):
        transformation_function(lambda x: x)
    with pytest.raises(TypeError, match="use PandasTFApplier"):
        TFApplier([doubled], ApplyOnePolicy()).apply(pd.DataFrame({"num": [1]}))
    with pytest.raises(TypeError, match="not a Series; .* to TFApplier"):
        PandasTFApplier([doubled], ApplyOnePolicy()).apply(pd.Series([1]))
    with pytest.raises(ValueError, match="duplicate column names: num"):
        PandasTFApplier([doubled], ApplyOnePolicy()).apply(pd.DataFrame([[1, 2]], columns=["num", "num"]))
