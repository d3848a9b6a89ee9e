"""A panel of twelve LLM judges, five of which belong to two families. Which judges repeat each other, and does it matter?

    python docs/tutorials/judges.py [folder for the pictures]

Needs pandas, matplotlib and networkx.
"""

# %% [markdown]
# ## The verdicts
# Each judge says which of two answers to a question is better, A or B. Some verdicts are missing.

# %%
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from consilience import LabelModel, MajorityVote, StructureLearner, Votes

HERE = Path(__file__).resolve().parent
PICTURES = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "pictures"
PICTURES.mkdir(parents=True, exist_ok=True)
verdicts = pd.read_csv(HERE / "data" / "judgements.csv")
votes = Votes(verdicts)
print(votes)

# %% [markdown]
# ## Which judges depend on each other?
# Every pair gets a weight with a standard error, from the verdicts alone. Only strong and certain dependencies are selected.

# %%
learner = StructureLearner(select="fwer=0.01").fit(votes)
structure = learner.structure_
for dependency in sorted(structure.dependencies, key=lambda d: -d.weight):
    a, b = dependency.sources
    print(f"{a:>20} - {b:<20} weight {dependency.weight:.2f} ± {dependency.stderr:.2f}")

# %% [markdown]
# ## Labels
# There are four ways: count verdicts; weigh judges as if they were independent; count repeated verdicts once (the default);
# fit a separate weight for each dependency of the structure.
#
# Always compare with majority vote: if one family is large and its judges repeat each other more often than judges are
# right, its opinion looks like the truth, and no method without gold can tell the difference.

# %%
gold = pd.read_csv(HERE / "data" / "judgements-gold.csv").set_index("item").loc[votes.item_names or [], "better"].to_numpy()
ways = {
    "majority vote": MajorityVote(ties="first"),
    "independent judges": LabelModel(dependencies="independent", ties="first"),
    "repeats count once": LabelModel(ties="first"),
    "learned structure": LabelModel(dependencies=structure, ties="first"),
}
rows, probabilities = {}, {}
for name, way in ways.items():
    p = way.fit(votes).predict_proba(votes)
    probabilities[name] = p
    of_gold = np.where(gold == way.classes_[0], p[:, 0], p[:, 1])
    rows[name] = {"accuracy": (way.predict(votes) == gold).mean(), "log loss": -np.log(np.clip(of_gold, 1e-6, 1)).mean()}
print(pd.DataFrame(rows).T.round(3).to_string())

# %% [markdown]
# ## Pictures
# The panel as a graph, and a check of calibration: of the items labelled with a confidence of 0.8, are 80% right?

# %%
figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
structure.draw(ax=axes[0])
axes[0].set_title("Judges that err together")
edges = np.array([0.5, 0.65, 0.8, 0.9, 0.97, 1.0 + 1e-9])
for (name, p), colour, mark in zip(probabilities.items(), ("#9aa5b1", "#c98a3c", "#2f5d8a", "#5b8c5a"), "so^D"):
    confidence, right = p.max(axis=1), ways[name].classes_[p.argmax(axis=1)] == gold
    bins = np.digitize(confidence, edges) - 1
    filled = [b for b in range(len(edges) - 1) if (bins == b).sum() >= 30]
    mean, share = [confidence[bins == b].mean() for b in filled], [right[bins == b].mean() for b in filled]
    axes[1].plot(mean, share, marker=mark, color=colour, label=name)
axes[1].plot([0.5, 1], [0.5, 1], color="black", linewidth=0.8, linestyle=":", label="honest")
axes[1].set_xlabel("confidence")
axes[1].set_ylabel("share of right labels")
axes[1].set_title("Is the confidence honest?")
axes[1].legend(frameon=False)
figure.savefig(PICTURES / "judges.png", dpi=110)
