"""What scripts written for Snorkel 0.10 rely on: where names are, how they are called, what they say and keep."""

import contextlib
import importlib
import inspect
import logging
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from consilience.analysis import Scorer, get_label_buckets, get_label_instances, metric_score
from consilience.labeling import LabelingFunction, LFAnalysis, LFApplier, PandasLFApplier, labeling_function
from consilience.labeling.apply.core import ApplierMetadata, BaseLFApplier, VoteTaker, apply_lfs_to_data_point
from consilience.labeling.apply.dask import DaskLFApplier, PandasParallelLFApplier
from consilience.labeling.apply.pandas import apply_lfs_to_data_point as on_row
from consilience.labeling.apply.pandas import rows_to_triplets
from consilience.labeling.lf.nlp import BaseNLPLabelingFunction, NLPLabelingFunction, base_nlp_labeling_function
from consilience.labeling.lf.nlp_spark import SparkNLPLabelingFunction
from consilience.labeling.model import LabelModel, MajorityLabelVoter
from consilience.labeling.model.graph_utils import get_clique_tree
from consilience.labeling.model.logger import Logger
from consilience.map import BaseMapper, LambdaMapper, Mapper, lambda_mapper
from consilience.map.core import get_hashable, get_parameters, is_hashable
from consilience.preprocess import preprocessor
from consilience.synthetic.synthetic_data import generate_simple_label_matrix
from consilience.types import Config
from consilience.utils import filter_labels, preds_to_probs, probs_to_preds, to_int_label_array
from consilience.utils.config_utils import merge_config
from consilience.utils.data_operators import check_unique_names

NO = inspect.Parameter.empty
SPACY = {"text_field": "text", "doc_field": "doc", "language": "en_core_web_sm", "disable": None}
LF = {"resources": None, "pre": None}
MAPPER = {"pre": None, "memoize": False, "memoize_key": None}
NLP = {**LF, **SPACY, "memoize": True, "memoize_key": None, "gpu": False}
APPLY = {"progress_bar": True, "fault_tolerant": False, "return_meta": False}

# Module, name, and the arguments in order with their defaults; ours may have more behind them.
NAMES = [
    ("labeling", "LabelingFunction", {"name": NO, "f": NO, **LF}),
    ("labeling", "labeling_function", {"name": None, **LF}),
    ("labeling", "LFApplier", {"lfs": NO}),
    ("labeling", "LFApplier.apply", {"data_points": NO, **APPLY}),
    ("labeling", "PandasLFApplier.apply", {"df": NO, **APPLY}),
    ("labeling", "LFAnalysis", {"L": NO, "lfs": None}),
    ("labeling", "LFAnalysis.lf_overlaps", {"normalize_by_coverage": False}),
    ("labeling", "LFAnalysis.lf_conflicts", {"normalize_by_overlaps": False}),
    ("labeling", "LFAnalysis.lf_empirical_probs", {"Y": NO, "k": NO}),
    ("labeling", "LFAnalysis.lf_summary", {"Y": None, "est_weights": None}),
    ("labeling", "filter_unlabeled_dataframe", {"X": NO, "y": NO, "L": NO}),
    ("labeling.utils", "filter_unlabeled_dataframe", {"X": NO, "y": NO, "L": NO}),
    ("labeling.analysis", "LFAnalysis", {"L": NO, "lfs": None}),
    ("labeling.apply.core", "BaseLFApplier", {"lfs": NO}),
    ("labeling.apply.core", "apply_lfs_to_data_point", {"x": NO, "index": NO, "lfs": NO}),
    ("labeling.apply.core", "ApplierMetadata", {"faults": NO}),
    ("labeling.apply.dask", "DaskLFApplier.apply", {"df": NO, "scheduler": "processes", "fault_tolerant": False}),
    (
        "labeling.apply.dask",
        "PandasParallelLFApplier.apply",
        {"df": NO, "n_parallel": 2, "scheduler": "processes", "fault_tolerant": False},
    ),
    ("labeling.apply.spark", "SparkLFApplier.apply", {"data_points": NO, "fault_tolerant": False}),
    ("labeling.lf.core", "LabelingFunction", {"name": NO, "f": NO, **LF}),
    ("labeling.lf", "labeling_function", {"name": None, **LF}),
    ("labeling.lf.nlp", "NLPLabelingFunction", {"name": NO, "f": NO, **NLP}),
    ("labeling.lf.nlp", "nlp_labeling_function", {"name": None, **NLP}),
    ("labeling.lf.nlp_spark", "SparkNLPLabelingFunction", {"name": NO, "f": NO, **NLP}),
    ("labeling.lf.nlp_spark", "spark_nlp_labeling_function", {"name": None, **NLP}),
    ("labeling.model", "LabelModel", {"cardinality": 2}),
    ("labeling.model", "LabelModel.fit", {"L_train": NO, "Y_dev": None, "class_balance": None, "progress_bar": True}),
    ("labeling.model", "LabelModel.predict", {"L": NO, "return_probs": False, "tie_break_policy": "abstain"}),
    ("labeling.model", "LabelModel.predict_proba", {"L": NO}),
    ("labeling.model", "LabelModel.save", {"destination": NO}),
    ("labeling.model", "LabelModel.load", {"source": NO}),
    ("labeling.model.label_model", "LabelModel._set_class_balance", {"class_balance": NO, "Y_dev": None}),
    ("labeling.model", "MajorityLabelVoter", {"cardinality": 2}),
    ("labeling.model", "MajorityClassVoter.fit", {"balance": NO}),
    ("labeling.model", "RandomVoter.predict_proba", {"L": NO}),
    ("labeling.model.base_labeler", "BaseLabeler", {"cardinality": 2}),
    ("labeling.model.baselines", "MajorityLabelVoter", {"cardinality": 2}),
    ("labeling.model.graph_utils", "get_clique_tree", {"nodes": NO, "edges": NO}),
    ("labeling.model.logger", "Logger", {"log_freq": NO}),
    ("analysis", "Scorer", {"metrics": None, "custom_metric_funcs": None, "abstain_label": -1}),
    ("analysis.scorer", "Scorer.score", {"golds": NO, "preds": None, "probs": None}),
    ("analysis", "Scorer.score_slices", {"S": NO, "golds": NO, "preds": NO, "probs": NO, "as_dataframe": False}),
    (
        "analysis.metrics",
        "metric_score",
        {"golds": None, "preds": None, "probs": None, "metric": "accuracy", "filter_dict": None},
    ),
    ("analysis.error_analysis", "get_label_instances", {"bucket": NO, "x": NO}),
    ("map", "Mapper", {"name": NO, "field_names": None, "mapped_field_names": None, **MAPPER}),
    ("map", "LambdaMapper", {"name": NO, "f": NO, **MAPPER}),
    ("map", "lambda_mapper", {"name": None, **MAPPER}),
    ("map.spark", "make_spark_mapper", {"mapper": NO}),
    ("preprocess", "Preprocessor", {"name": NO, "field_names": None, "mapped_field_names": None, **MAPPER}),
    ("preprocess", "LambdaPreprocessor", {"name": NO, "f": NO, **MAPPER}),
    ("preprocess", "preprocessor", {"name": None, **MAPPER}),
    ("preprocess.core", "BasePreprocessor", {"name": NO}),
    (
        "preprocess.nlp",
        "SpacyPreprocessor",
        {"text_field": NO, "doc_field": NO, "language": "en_core_web_sm", "disable": None, **MAPPER, "gpu": False},
    ),
    ("preprocess.spark", "make_spark_preprocessor", {"mapper": NO}),
    ("utils", "probs_to_preds", {"probs": NO, "tie_break_policy": "random", "tol": 1e-5}),
    ("utils", "preds_to_probs", {"preds": NO, "num_classes": NO}),
    ("utils", "to_int_label_array", {"X": NO, "flatten_vector": True}),
    ("utils", "filter_labels", {"label_dict": NO, "filter_dict": NO}),
    ("utils.data_operators", "check_unique_names", {"names": NO}),
    ("utils.config_utils", "merge_config", {"config": NO, "config_updates": NO}),
    ("utils.optimizers", "SGDOptimizerConfig", {"momentum": 0.9}),
    ("utils.lr_schedulers", "StepLRSchedulerConfig", {"gamma": 0.9, "step_size": 5}),
    (
        "labeling.model.label_model",
        "TrainConfig",
        {"n_epochs": 100, "lr": 0.01, "l2": 0.0, "optimizer": "sgd"},
    ),
    (
        "synthetic.synthetic_data",
        "generate_simple_label_matrix",
        {"n": NO, "m": NO, "cardinality": NO, "abstain_multiplier": 1.0},
    ),
    ("slicing", "SFApplier", {"lfs": NO}),
    ("slicing", "PandasSFApplier", {"lfs": NO}),
    ("slicing", "slicing_function", {"name": None, **LF}),
    ("slicing", "slice_dataframe", {"df": NO, "slicing_function": NO}),
]


@pytest.mark.parametrize(("module", "name", "expected"), NAMES, ids=[f"{module}.{name}" for module, name, _ in NAMES])
def test_names_and_arguments(module, name, expected):
    found = importlib.import_module(f"consilience.{module}")
    for part in name.split("."):
        found = getattr(found, part)
    parameters = {p.name: p.default for p in inspect.signature(found).parameters.values() if p.name != "self"}
    assert list(parameters.items())[: len(expected)] == list(expected.items())
    # What is more must be optional.
    variable = [p for p in inspect.signature(found).parameters.values() if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    more = [value for key, value in list(parameters.items())[len(expected) :] if key not in {p.name for p in variable}]
    assert name == "preprocess.core.BasePreprocessor" or all(value is not NO for value in more)


@labeling_function()
def long_text(x):
    return 1 if len(x.text) > 5 else -1


@preprocessor()
def lower(x):
    x.text = x.text.lower()
    return x


def test_what_functions_and_appliers_say_of_themselves():
    assert repr(lower) == "LambdaMapper lower, Pre: []"
    assert repr(LambdaMapper("m", lambda x: x, pre=[lower])) == "LambdaMapper m, Pre: [LambdaMapper lower, Pre: []]"
    lf = LabelingFunction("lf", len, pre=[lower])
    assert repr(lf) == "LabelingFunction lf, Preprocessors: [LambdaMapper lower, Pre: []]"
    assert repr(LFApplier([long_text, lf])) == "LFApplier, LFs: ['long_text', 'lf']"
    assert repr(PandasLFApplier([long_text])) == "PandasLFApplier, LFs: ['long_text']"
    assert issubclass(PandasParallelLFApplier, DaskLFApplier)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: labeling_function(len), "missing parentheses"),
        (lambda: preprocessor(len), "missing parentheses"),
        (lambda: lambda_mapper(len), "missing parentheses"),
        (lambda: check_unique_names(["a", "b", "a"]), "names not unique"),
        (lambda: LFApplier([long_text, long_text]), "names not unique"),
        (lambda: PandasParallelLFApplier([long_text]).apply(pd.DataFrame(), n_parallel=1), "n_parallel should be >= 2"),
        (lambda: LFAnalysis(np.zeros((2, 3), dtype=int), [long_text]), "Number of LFs"),
        (lambda: probs_to_preds(np.ones((2, 1))), "at least 2 classes"),
        (lambda: probs_to_preds(np.full((2, 2), 0.5), "coin"), "policy not recognized"),
        (lambda: preds_to_probs(np.array([0, -1]), 2), "abstained vote"),
        (lambda: to_int_label_array([0.5, 1]), "non-integer value"),
        (lambda: to_int_label_array([[1, 0], [0, 1]]), "could not be converted to 1d"),
        (lambda: metric_score([0, 1], [0, 1], metric="best"), "not currently implemented"),
        (lambda: metric_score([0, 1], None, metric="f1"), "requires access to preds"),
        (lambda: metric_score([0, 2], [0, 1], metric="f1"), "f1 not supported for multiclass"),
        (lambda: metric_score([0, 2], [0, 2], metric="f1"), "f1 not supported for multiclass"),
        (lambda: metric_score([0, 1], probs=np.full((2, 3), 1 / 3), metric="roc_auc"), "only defined for binary"),
        (lambda: metric_score([0, 1], [0, 1], filter_dict={"gold": [0]}), "filter_dict must only include keys in"),
        (lambda: Scorer(metrics=["best"]), "Unrecognized metric: best"),
        (lambda: Scorer(metrics=["accuracy"]).score([], []), "Cannot score empty labels"),
        (lambda: get_label_buckets([0, 1], [0]), "must all have the same number of elements"),
        (lambda: get_label_instances((0,), np.arange(2), [0, 1], [0, 1]), "must match the amount of labels in bucket"),
        (lambda: get_label_instances((0,), np.arange(3), [0, 1]), "does not match"),
        (lambda: get_label_buckets(), "must all have the same number of elements"),
        (lambda: get_parameters(lambda *args: None), r"should not have \*args"),
        (lambda: LabelModel().fit(np.zeros((4, 2), dtype=int)), "at least 3 labeling functions"),
        (lambda: LabelModel().fit(np.full((4, 3), 2)), "cardinality=2"),
        (lambda: LabelModel().fit(np.zeros((4, 3), dtype=int), optimizer="newton"), "Unrecognized optimizer option 'newton'"),
        (lambda: LabelModel().fit(np.zeros((4, 3), dtype=int), lr_scheduler="odd"), "Unrecognized lr scheduler option 'odd'"),
        (lambda: LabelModel().fit(np.zeros((4, 3), dtype=int), prec_init=[0.5, 0.6]), "prec_init must have shape 3"),
        (
            lambda: LabelModel().fit(
                np.zeros((4, 3), dtype=int), lr_scheduler_config={"warmup_steps": 1, "warmup_unit": "batches"}
            ),
            "LabelModel does not support",
        ),
    ],
)
def test_what_errors_say(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_the_class_balance():
    model = LabelModel(cardinality=3)
    model._set_class_balance(class_balance=None)
    np.testing.assert_allclose(model.p, [1 / 3] * 3)
    model._set_class_balance([0.5, 0.3, 0.2], Y_dev=np.array([0, 0, 1, 2]))
    np.testing.assert_allclose(model.p, [0.5, 0.3, 0.2])
    model._set_class_balance(None, np.array([2, 0, 1, 0]))
    np.testing.assert_allclose(model.p, [0.5, 0.25, 0.25])
    np.testing.assert_allclose(model.P.numpy(), np.diag(model.p))
    for wrong, said in (([0.5, 0.5], "class_balance has 2 entries"), ([0.5, 0.5, 0.0], "prior is 0 for class")):
        with pytest.raises(ValueError, match=said):
            model._set_class_balance(wrong)
    with pytest.raises(ValueError, match=r"Y_dev has 1 class\(es\)"):
        model._set_class_balance(None, np.array([1, 1]))


def test_what_a_fitted_model_keeps(tmp_path):
    L = np.array([[0, 0, -1], [1, 1, 0], [1, -1, 1], [0, 0, 1], [-1, -1, -1]] * 4)
    model = LabelModel(cardinality=2, verbose=False)
    assert model.fit(L, n_epochs=500, log_freq=100, seed=123) is None
    assert (model.n, model.m, model.cardinality) == (20, 3, 2)
    assert model.mu.cpu().detach().numpy().shape == (6, 2)
    assert type(model.mu.detach().clone().numpy()) is np.ndarray
    assert isinstance(model.coverage, np.ndarray)
    assert (model.train_config.n_epochs, model.train_config.seed, model.train_config.lr) == (500, 123, 0.01)
    probabilities = model.get_conditional_probs()
    np.testing.assert_allclose(probabilities[:, 1:, :].reshape(6, 2), model.mu)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(model._get_conditional_probs(model.mu), probabilities)
    path = str(tmp_path / "model.pkl")
    model.save(path)
    other = LabelModel(cardinality=3)
    assert other.load(path) is None
    np.testing.assert_array_equal(other.mu.numpy(), model.mu.numpy())
    np.testing.assert_array_equal(other.predict_proba(L), model.predict_proba(L))
    assert other.cardinality == 2


@pytest.mark.parametrize("k", [2, 3, 5])
def test_conditional_probabilities_are_near_those_that_drew_the_votes(k):
    np.random.seed(1)
    P, Y, L = generate_simple_label_matrix(10_000, 10, k)
    model = LabelModel(cardinality=k, verbose=False)
    model.fit(L, n_epochs=100, seed=123)
    # Counting the votes by their true labels is off by 0.005.
    assert np.abs(model.get_conditional_probs() - P).mean() < 0.0075
    assert np.abs(model.get_weights() - (P[:, 1:] * np.eye(k)).sum((1, 2)) / P[:, 1:].sum((1, 2))).max() < 0.03
    majority = probs_to_preds(MajorityLabelVoter(k).predict_proba(L), "random")
    assert model.score(L, Y)["accuracy"] > (majority == Y).mean()


def test_seldom_votes():
    np.random.seed(2)
    P, Y, L = generate_simple_label_matrix(10_000, 10, 2, abstain_multiplier=30.0)
    model = LabelModel(verbose=False)
    model.fit(L, seed=123)
    assert np.abs(model.get_conditional_probs() - P).mean() < 0.025
    assert model.score(L, Y, metrics=["accuracy"])["accuracy"] > 0.7


def test_faults_are_counted():
    @labeling_function()
    def broken(x):
        return x.missing

    items = [SimpleNamespace(text="a"), SimpleNamespace(text="long text")]
    votes, meta = LFApplier([broken, long_text]).apply(items, progress_bar=False, fault_tolerant=True, return_meta=True)
    assert meta == ApplierMetadata({"broken": 2})
    assert votes.tolist() == [[-1, -1], [-1, 1]]
    votes, meta = LFApplier([long_text]).apply(items, progress_bar=False, return_meta=True)
    assert meta == ApplierMetadata({})

    assert meta.faults["long_text"] == 0


def test_appliers_of_ones_own():
    @labeling_function()
    def broken(x):
        return x.missing

    class Backwards(BaseLFApplier):
        def apply(self, items, taker):
            rows = [apply_lfs_to_data_point(x, i, self._lfs, taker) for i, x in reversed(list(enumerate(items)))]
            return self._numpy_from_row_data(rows)

    items = [SimpleNamespace(text="long text"), SimpleNamespace(text="a"), SimpleNamespace(text="a longer text")]
    taker = VoteTaker(fault_tolerant=True)
    assert Backwards([broken, long_text]).apply(items, taker).tolist() == [[-1, 1], [-1, -1], [-1, 1]]
    assert taker.metadata().faults == {"broken": 3}
    assert apply_lfs_to_data_point(items[0], 5, [long_text]) == [(5, 0, 1)]
    with pytest.raises(AttributeError):
        apply_lfs_to_data_point(items[0], 0, [broken])

    class OverColumn(BaseLFApplier):
        def apply(self, texts):
            votes = texts.map(lambda text: on_row(SimpleNamespace(text=text), self._lfs))
            return self._numpy_from_row_data(rows_to_triplets(votes))

    texts = pd.Series([x.text for x in items], index=[4, 4, 2])
    assert OverColumn([long_text]).apply(texts).tolist() == [[1], [-1], [1]]


def test_settings_of_ones_own():
    class Inner(Config):
        rate: float = 0.5
        name: str = "a"

    class Outer(Config):
        inner: Inner = Inner()
        steps: int = 3

    assert merge_config(Outer(), {"steps": 4, "inner": {"rate": 0.1}}) == Outer(Inner(0.1, "a"), 4)


def test_several_scores_of_one_function():
    def counted(golds, preds, probs):
        return {"items": len(golds), "ones": int(preds.sum())}

    scorer = Scorer(metrics=["accuracy"], custom_metric_funcs={"counted": counted, "sum": lambda golds, *_: golds.sum()})
    assert scorer.score(np.array([0, 1, 1]), np.array([1, 1, 1])) == {"accuracy": 2 / 3, "items": 3, "ones": 3, "sum": 2}


def test_settings_that_only_scikit_learn_knows():
    metrics = pytest.importorskip("sklearn.metrics")
    golds, preds = np.array([0, 1, 2, 2, -1]), np.array([0, 2, 2, 1, 0])
    known, found = golds[:4], preds[:4]
    drop = {"golds": [-1]}
    assert metric_score(golds, preds, filter_dict=drop, sample_weight=[1, 2, 3, 4]) == pytest.approx(0.4)
    by_class = metric_score(golds, preds, metric="precision", filter_dict=drop, average=None)
    np.testing.assert_allclose(by_class, metrics.precision_score(known, found, average=None))
    assert metric_score([1, 1], [0, 0], metric="precision", zero_division=1) == 1
    with pytest.raises(TypeError, match="weights"):
        metric_score(golds, preds, filter_dict=drop, weights=[1])


def test_which_items_are_covered():
    analysis = LFAnalysis(np.array([[0, 1, -1], [-1, -1, -1], [1, 1, -1], [-1, -1, 0]]))
    assert analysis._covered_data_points().tolist() == [1, 0, 1, 1]
    assert analysis._overlapped_data_points().tolist() == [1, 0, 1, 0]
    assert analysis._conflicted_data_points().tolist() == [1, 0, 0, 0]
    assert type(analysis.lf_summary().index) is pd.Index


def test_labels_in_a_column_are_filtered():
    golds, preds = np.array([[0], [-1], [1]]), np.array([[1], [0], [0]])
    kept = filter_labels({"golds": golds, "preds": preds}, {"golds": [-1], "probs": [0]})
    assert (kept["golds"].tolist(), kept["preds"].tolist()) == ([[0], [1]], [[1], [0]])


def test_documents_are_made_by_subclasses():
    with pytest.raises(NotImplementedError):
        BaseNLPLabelingFunction("base", len)
    with pytest.raises(NotImplementedError, match="does not define _lf_cls"):
        base_nlp_labeling_function()(len)
    for kind in (NLPLabelingFunction, SparkNLPLabelingFunction):
        assert issubclass(kind, BaseNLPLabelingFunction)


def test_items_that_are_arrays():
    @labeling_function()
    def first_is_large(x):
        return 1 if x[0] > 5 else 0

    assert LFApplier([first_is_large]).apply(np.array([[1, 2], [7, 0]]), progress_bar=False).tolist() == [[0], [1]]


def test_proxies_of_items():
    assert get_hashable({"a": 1, "b": [1, 2]}) == frozenset({("a", 1), ("b", (1, 2))})
    assert get_hashable(SimpleNamespace(a=1)) == frozenset({("a", 1)})
    assert get_hashable(pd.Series({"a": 1, "b": "x"}, name=7)) == frozenset({("a", 1), ("b", "x")})
    array = np.array([[1, 2], [3, 4]])
    assert get_hashable(array) == array.tobytes()
    assert get_hashable(array) == get_hashable(array.copy())
    assert get_hashable(array) != get_hashable(array.reshape(-1))
    assert get_hashable(array) != get_hashable(array.astype(float))
    for unhashable in ({1, 2}, pd.DataFrame({"a": [1]}), bytearray(b"x")):
        assert not is_hashable(unhashable)
        with pytest.raises(ValueError, match="not hashable"):
            get_hashable(unhashable)


def test_mappers_of_given_fields_may_take_anything():
    class Any(Mapper):
        def run(self, **kwargs):
            return {"sum": sum(kwargs.values())}

    with pytest.raises(ValueError, match=r"\*\*kwargs"):
        Any("any")
    assert Any("any", {"a": "left", "b": "right"})(SimpleNamespace(left=1, right=2)).sum == 3
    for mapper in (Mapper("none", {}, {}), BaseMapper("base", [], False)):
        with pytest.raises(NotImplementedError):
            mapper(SimpleNamespace(a=1))


def test_a_memory_is_kept_and_forgotten():
    seen = []

    @lambda_mapper(memoize=True)
    def note(x):
        seen.append(x.a)
        return x

    for _ in range(2):
        note(SimpleNamespace(a=1))
    assert (seen, len(note._cache)) == ([1], 1)
    note.reset_cache()
    note(SimpleNamespace(a=1))
    assert seen == [1, 1]


def test_a_bucket_without_items_is_told(caplog):
    with caplog.at_level(logging.WARNING):
        found = get_label_instances((1, 1), np.array([["a", "b"]]), np.array([0]), np.array([1]))
    assert (found.shape, "Bucket (1, 1) does not exist" in caplog.text) == ((0,), True)


def test_the_lines_of_a_logger(caplog):
    logger = Logger(log_freq=3)
    assert [logger.check() for _ in range(4)] == [True, False, False, True]
    with caplog.at_level(logging.INFO):
        logger.log({"train/loss": 0.12345, "spam/valid/f1": 0.5, "valid/items": 7})
    assert caplog.messages == ["[3 epochs]: TRAIN:[loss=0.123] VALID:[spam/f1=0.500, items=7]"]
    for wrong in ("loss", "a/b/c/d", "/"):
        with pytest.raises(Exception, match="form"):
            logger.log({wrong: 1.0})


def test_clique_trees():
    pytest.importorskip("networkx")
    chain = get_clique_tree(range(4), [(0, 1), (1, 2), (2, 3)])
    assert [sorted(members) for _, members in chain.nodes(data="members")] == [[0, 1], [1, 2], [2, 3]]
    assert sorted(sorted(data["members"]) for _, _, data in chain.edges(data=True)) == [[1], [2]]
    apart = get_clique_tree(range(3), [])
    assert (len(apart.nodes), len(apart.edges)) == (3, 0)
    with pytest.raises(NotImplementedError, match="not implemented"):
        get_clique_tree(range(4), [(0, 1), (1, 2), (2, 3), (3, 0)])


def test_progress_bars_are_optional(capfd):
    with contextlib.suppress(ImportError):
        import tqdm  # noqa: F401
    LFApplier([long_text]).apply([SimpleNamespace(text="a")], progress_bar=False)
    LabelModel(verbose=False).fit(np.zeros((4, 3), dtype=int), progress_bar=True)
    assert capfd.readouterr().err == ""
