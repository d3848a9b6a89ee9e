"""What the tests share."""

import os

import numpy as np
import pytest


def pytest_terminal_summary(terminalreporter):
    """Add what was skipped to the list that `make test` shows at its end."""
    if collected := os.environ.get("CONSILIENCE_SKIPPED"):
        with open(collected, "a", encoding="utf-8") as file:
            for report in terminalreporter.stats.get("skipped", []):
                path, _, reason = report.longrepr
                file.write(f"{os.path.basename(path)}: {reason.removeprefix('Skipped: ')}\n")


def draw(items, accuracies, links, seed, abstain=1.0):
    """Votes 1, 0 and -1 for two classes, from p ~ exp(sum a_j y v_j + sum w 1{v_j = v_l}), drawn exactly pair by pair."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1, 1], items)
    votes = np.zeros((items, len(accuracies)), dtype=int)
    values = np.array([-1, 0, 1])
    linked = {j for pair in links for j in pair}
    for (j, l), weight in links.items():
        a, b = np.meshgrid(values, values, indexing="ij")
        for label in (-1, 1):
            score = label * (accuracies[j] * a + accuracies[l] * b) + weight * (a == b)
            p = np.exp(score).ravel()
            drawn = rng.choice(9, items, p=p / p.sum())
            rows = y == label
            votes[rows, j] = a.ravel()[drawn[rows]]
            votes[rows, l] = b.ravel()[drawn[rows]]
    for j in set(range(len(accuracies))) - linked:
        for label in (-1, 1):
            p = np.exp(label * accuracies[j] * values) * np.where(values == 0, abstain, 1)
            rows = y == label
            votes[rows, j] = rng.choice(values, rows.sum(), p=p / p.sum())
    return y, votes


@pytest.fixture(scope="session")
def planted():
    """The function that draws votes."""
    return draw


@pytest.fixture(scope="session")
def two_pairs():
    """Ten sources, of which 0 and 1, and 2 and 3, are linked."""
    return draw(10_000, [1.0] * 10, {(0, 1): 0.5, (2, 3): 0.5}, seed=1)
