"""The names of Snorkel 0.7."""

import numpy as np
import pytest
import scipy.sparse

from consilience.learning import DEP_FIXING, DEP_REINFORCING, DEP_SIMILAR, DependencySelector


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
