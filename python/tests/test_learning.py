"""The names of Snorkel 0.7."""

import numpy as np
import pytest
import scipy.sparse

from consilience.learning import DEP_FIXING, DEP_REINFORCING, DEP_SIMILAR, DependencySelector, GenerativeModel


@pytest.mark.parametrize("seed", range(5))
def test_the_tutorial(seed, planted):
    _, L = planted(10_000, [1.0] * 10, {(0, 1): 0.5, (2, 3): 0.5}, seed)
    assert DependencySelector().select(L, threshold=0.05) == {(0, 1, DEP_SIMILAR), (2, 3, DEP_SIMILAR)}


def test_sparse_votes_are_the_same_votes(two_pairs):
    _, L = two_pairs
    dense = DependencySelector().select(L)
    assert DependencySelector().select(scipy.sparse.csr_matrix(L)) == dense
    assert DependencySelector().select(scipy.sparse.coo_matrix(L)) == dense


def test_propensity_and_higher_order_are_triples_of_numbers(two_pairs):
    _, L = two_pairs
    found = DependencySelector().select(L, higher_order=True, propensity=True, threshold=0.05)
    assert (0, 1, DEP_SIMILAR) in found
    for i, j, kind in found:
        assert i != j
        assert kind in (DEP_SIMILAR, DEP_FIXING, DEP_REINFORCING)
        if kind == DEP_SIMILAR:
            assert i < j


def test_independent_functions_have_no_dependencies(planted):
    _, L = planted(10_000, [1.0] * 10, {}, seed=3)
    assert DependencySelector().select(L, threshold=0.05) == set()


def test_bad_votes_are_refused():
    with pytest.raises(ValueError, match="-2"):
        DependencySelector().select(np.array([[1, -2], [0, 1]]))
    with pytest.raises(ValueError, match="epsilon"):
        DependencySelector().select(np.array([[1, -1], [0, 1]]), threshold=-1)


def test_the_generative_model(two_pairs):
    y, L = two_pairs
    deps = DependencySelector().select(L)
    model = GenerativeModel(lf_propensity=True, seed=1)
    with pytest.raises(ValueError, match="not trained"):
        model.marginals(L)
    assert model.train(L, deps=deps, epochs=20, step_size=0.1) is None
    marginals = model.marginals(scipy.sparse.csr_matrix(L))
    assert marginals.shape == (10_000,)
    assert ((marginals > 0.5) == (y > 0)).mean() > 0.95
    np.testing.assert_allclose(model.weights.lf_accuracy, 1.0, atol=0.15)
    stats = model.learned_lf_stats()
    truly = [(L[L[:, j] != 0, j] == y[L[:, j] != 0]).mean() for j in range(10)]
    np.testing.assert_allclose(stats["Accuracy"], truly, atol=0.1)
    np.testing.assert_allclose(stats["Coverage"], (L != 0).mean(axis=0))
    with pytest.raises(ValueError, match="not a dependency"):
        model.train(L, deps=[(0, 99, 0)])


def test_more_than_two_classes():
    rng = np.random.default_rng(0)
    y = rng.integers(1, 4, 2000)
    L = np.where(rng.random((2000, 6)) < 0.7, y[:, None], rng.integers(0, 4, (2000, 6)))
    model = GenerativeModel()
    model.train(L, cardinality=3)
    marginals = model.marginals(L)
    assert marginals.shape == (2000, 3)
    assert (marginals.argmax(axis=1) + 1 == y).mean() > 0.9
