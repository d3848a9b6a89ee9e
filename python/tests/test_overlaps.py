"""The matrices of the method of moments, a mu that a script puts in, and fits that fail."""

import numpy as np
import pytest

from consilience.labeling import LFAnalysis
from consilience.labeling.model import LabelModel
from consilience.labeling.model.label_model import TrainConfig
from consilience.synthetic.synthetic_data import generate_simple_label_matrix

pytest.importorskip("networkx")

K = 3
VOTES = np.array([[0, 2, -1, 1], [1, 1, 2, -1], [-1, -1, -1, -1], [2, 2, 2, 0], [0, 0, 1, 0]])


def prepared(votes=VOTES, k=K, balance=None, **settings):
    model = LabelModel(cardinality=k, verbose=False)
    model.train_config = TrainConfig(**settings)
    model._set_constants(votes + 1)
    model._set_class_balance(balance)
    model._create_tree()
    model._generate_O(votes + 1)
    np.random.seed(4)
    model._init_params()
    return model


def test_indicators_and_overlaps_count_votes():
    model = prepared()
    assert (model.n, model.m, model.d, model.t) == (5, 4, 12, 1)
    indicators = model._create_L_ind(VOTES + 1)
    for j in range(4):
        for c in range(K):
            assert indicators[:, j * K + c].tolist() == (VOTES[:, j] == c).astype(float).tolist()
            for l in range(4):
                for b in range(K):
                    together = ((VOTES[:, j] == c) & (VOTES[:, l] == b)).mean()
                    assert model.O.numpy()[j * K + c, l * K + b] == pytest.approx(together)
                    assert model.mask[j * K + c, l * K + b] == (j != l)
    np.testing.assert_array_equal(model._get_augmented_label_matrix(VOTES + 1, higher_order=True), indicators)
    assert [(c.start_index, c.end_index) for c in model.c_data.values()] == [(0, 3), (3, 6), (6, 9), (9, 12)]


def test_where_mu_starts():
    balance = [0.5, 0.3, 0.2]
    model = prepared(balance=balance, prec_init=[0.5, 0.6, 0.7, 0.8])
    for j, precision in enumerate([0.5, 0.6, 0.7, 0.8]):
        for c in range(K):
            row = np.zeros(K)
            row[c] = min((VOTES[:, j] == c).mean() * precision / balance[c], 1)
            np.testing.assert_allclose(model.mu_init[j * K + c], row)
    np.random.seed(4)
    np.testing.assert_allclose(model.mu.detach().numpy(), model.mu_init.numpy() * np.random.random())
    with pytest.raises(ValueError, match="prec_init must have shape 4"):
        prepared(prec_init=np.ones(3))
    with pytest.raises(TypeError, match="prec_init is of type"):
        prepared(prec_init=None)


def test_the_loss_is_0_where_mu_explains_the_votes():
    """Votes that never abstain and are always right: mu is one-hot, O is mu P muᵀ."""
    votes = np.repeat(np.arange(2), 10)[:, None].repeat(3, axis=1)
    model = prepared(votes, 2)
    model.mu = np.tile(np.eye(2), (3, 1))
    assert model._loss_mu().item() == pytest.approx(0)
    model.mu_init = model.mu + 0.5
    assert model._loss_l2(2.0).item() == pytest.approx(12 * (2.0 * 0.5) ** 2)
    assert model._loss_mu(l2=2.0) == pytest.approx(12.0)
    assert model._loss_l2(np.arange(6.0)) == pytest.approx(2 * 0.25 * (np.arange(6) ** 2).sum())
    model.mu = model.mu * 0
    # Between functions each pair of votes for one class is there on half of the items, and so is each vote.
    assert model._loss_mu() == pytest.approx(2 * 6 * 0.5**2 + 6 * 0.5**2)


def test_columns_are_exchanged_where_classes_are_alike():
    pytest.importorskip("scipy")
    right = np.tile([[0.7, 0.1, 0.2], [0.1, 0.6, 0.1], [0.1, 0.2, 0.5]], (4, 1))
    for balance, kept in ((None, False), ([0.4, 0.4, 0.2], False), ([0.5, 0.3, 0.2], True)):
        model = prepared(balance=balance)
        model.mu = right[:, [1, 0, 2]]
        model._break_col_permutation_symmetry()
        np.testing.assert_allclose(model.mu, right[:, [1, 0, 2]] if kept else right)
    model = prepared()
    model.mu = right[:, [2, 0, 1]]
    model._break_col_permutation_symmetry()
    np.testing.assert_allclose(model.mu, right)


def test_entries_are_held_away_from_0_and_1():
    for settings, n, eps in (({}, 5, 0.01), ({}, 5000, 0.0001), ({"mu_eps": 0.2}, 5, 0.2)):
        model = prepared(**settings)
        model.n = n
        model.mu = np.tile([0.0, 0.5, 1.0], (12, 1))
        model._clamp_params()
        np.testing.assert_allclose(model.mu, np.tile([eps, 0.5, 1 - eps], (12, 1)))


class Tensor:
    """What a tensor answers to, when it hangs on a graph."""

    def __init__(self, values, attached=True):
        self.values, self.attached = values, attached

    def detach(self):
        return Tensor(self.values, attached=False)

    def cpu(self):
        return self

    def numpy(self):
        assert not self.attached
        return self.values


@pytest.mark.parametrize("kind", [np.array, Tensor])
def test_a_mu_that_is_put_in_makes_the_labels(kind):
    mu = np.array([[0.8, 0.1], [0.1, 0.7], [0.6, 0.2], [0.2, 0.5], [0.3, 0.3], [0.0, 0.6]])
    votes = np.array([[0, 0, -1], [1, -1, 0], [-1, -1, -1], [-1, 1, 1]])
    balance = np.array([0.3, 0.7])
    products = np.array([[0.8 * 0.6, 0.1 * 0.2], [0.1 * 0.3, 0.7 * 0.3], [1, 1], [0.0, 0.5 * 0.6]]) * balance
    expected = products / products.sum(axis=1, keepdims=True)

    fitted = LabelModel(verbose=False)
    fitted.fit(votes, class_balance=balance)
    learned = fitted.predict_proba(votes)
    for model in (prepared(votes, 2, balance), fitted):
        model.mu = kind(mu)
        np.testing.assert_allclose(model.predict_proba(votes), expected, atol=1e-12)
        assert model.predict(votes).tolist() == [0, 1, 1, 1]
        np.testing.assert_allclose(model.get_conditional_probs()[:, 1:].reshape(6, 2), mu)
        model.coverage = np.array([0.9, 0.5, 0.0])
        right = [(0.8 * 0.3 + 0.7 * 0.7) / 0.9, 1.0]
        np.testing.assert_allclose(model.get_weights(), [*right, 1e-6])
    with pytest.raises(ValueError, match=r"mu has the shape \(4, 2\), but must have \(6, 2\)"):
        fitted.mu = np.zeros((4, 2))
        fitted.predict(votes)
    fitted.fit(votes, class_balance=balance)
    np.testing.assert_array_equal(fitted.predict_proba(votes), learned)


def test_a_changed_entry_of_mu_counts():
    _, _, votes = generate_simple_label_matrix(200, 4, 2)
    model = LabelModel(verbose=False)
    model.fit(votes)
    before = model.predict_proba(votes)
    model.mu[0] = [1e-9, 1.0]
    assert (model.predict(votes)[votes[:, 0] == 0] == 1).all()
    assert not np.array_equal(model.predict_proba(votes), before)


def test_a_fit_that_fails_leaves_the_model_as_it_was():
    _, _, votes = generate_simple_label_matrix(200, 4, 2)
    model = LabelModel(verbose=False)
    model.fit(votes, class_balance=[0.4, 0.6], log_freq=7, n_epochs=10, lr_scheduler_config={"warmup_percentage": 0.5})
    assert (model.logger.log_freq, model.warmup_steps) == (7, 5)
    before = model.predict_proba(votes)
    for bad, settings in (
        (votes[:, :2], {}),
        (votes + 1, {}),
        (votes, {"class_balance": [1.0, 0.0]}),
        (votes[:, :3], {"prec_init": [0.7]}),
        (votes[:, :3], {"log_freq": 0}),
    ):
        with pytest.raises(ValueError):
            model.fit(bad, **settings)
        assert (model.m, model.train_config.log_freq) == (4, 7)
        np.testing.assert_array_equal(model.predict_proba(votes), before)
    with pytest.raises(ValueError):
        LabelModel().fit(votes[:, :2])
    fresh = LabelModel()
    with pytest.raises(ValueError):
        fresh.fit(votes[:, :2])
    assert sorted(vars(fresh)) == sorted(vars(LabelModel()))


def test_drawn_votes_have_the_probabilities_they_come_from():
    np.random.seed(11)
    P, Y, L = generate_simple_label_matrix(60_000, 3, K, abstain_multiplier=2.0)
    np.testing.assert_allclose(LFAnalysis(L).lf_empirical_probs(Y, K), P, atol=0.015)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    # The right vote is the most frequent one.
    assert (P[:, 1:].argmax(axis=1) == np.arange(K)).all()


def test_votes_of_a_seed():
    """The first numbers after a seed are those that scripts have always got."""
    np.random.seed(0)
    weights = np.random.rand(2, 3, 2)
    np.random.seed(0)
    P, _, _ = generate_simple_label_matrix(4, 2, 2, abstain_multiplier=3.0)
    weights[:, 0] *= 3.0
    weights[:, 1, 0] += 1
    weights[:, 2, 1] += 1
    np.testing.assert_allclose(P, weights / weights.sum(axis=1, keepdims=True))
