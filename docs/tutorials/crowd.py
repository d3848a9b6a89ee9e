"""A crowd: volunteers name the bird in a photograph; some are careful, some mix up two kinds, some only click.

    python docs/tutorials/crowd.py [folder for the pictures]

Needs pandas and matplotlib.
"""

# %% [markdown]
# ## The answers
# One row per answer: task, worker, label. Six volunteers saw each photograph.

# %%
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from consilience import LabelModel, MajorityVote, Report, Votes
from consilience.crowd import DawidSkene

HERE = Path(__file__).resolve().parent
PICTURES = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "pictures"
PICTURES.mkdir(parents=True, exist_ok=True)
answers = pd.read_csv(HERE / "data" / "sightings.csv")
votes = Votes(answers)
print(votes)

# %% [markdown]
# ## Who answers what?
# Coverage and conflicts of the volunteers, before any model.

# %%
report = Report(votes)
print(report.to_pandas()[["coverage", "conflicts"]].describe().loc[["min", "mean", "max"]].round(3).to_string())

# %% [markdown]
# ## Labels
# `DawidSkene` accepts the table as it is and estimates one confusion matrix per volunteer; `LabelModel` estimates one number
# for each.

# %%
gold = pd.read_csv(HERE / "data" / "sightings-gold.csv").set_index("task")["bird"]
dawid_skene = DawidSkene(n_iter=100)
labels = {
    "majority vote": pd.Series(MajorityVote(ties="random").fit_predict(votes), index=votes.item_names),
    "label model": pd.Series(LabelModel(ties="first").fit_predict(votes), index=votes.item_names),
    "Dawid and Skene": dawid_skene.fit_predict(answers),
}
accuracy = {name: (found.loc[gold.index] == gold).mean() for name, found in labels.items()}
print(pd.Series(accuracy).round(3).to_string())

# %% [markdown]
# ## Who is careful?
# How often a volunteer agrees with the labels of Dawid and Skene's model, weighted by their confidence. No gold is needed to
# see who just clicks.

# %%
probabilities = dawid_skene.probas_
sure = np.array([probabilities.at[row.task, row.label] for row in answers.itertuples()])
skill = answers.assign(sure=sure).groupby("worker")["sure"].mean().sort_values()
truth = answers.assign(right=answers["label"] == answers["task"].map(gold)).groupby("worker")["right"].mean().loc[skill.index]
print("least trusted:", ", ".join(skill.index[:3]))

# %%
figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained", width_ratios=[1.5, 1])
places = np.arange(len(skill))
axes[0].bar(places, skill, color="#2f5d8a", label="estimated without gold")
axes[0].plot(places, truth, "o", color="#c65d4b", label="against gold")
axes[0].set_xticks(places, [name.removeprefix("volunteer-") for name in skill.index])
axes[0].set_xlabel("volunteer")
axes[0].set_ylabel("share of right answers")
axes[0].set_title("How far each volunteer can be trusted")
axes[0].legend(frameon=False, loc="upper left")
kinds = sorted(gold.unique())
found = labels["Dawid and Skene"].loc[gold.index]
confusion = np.array([[((gold == a) & (found == b)).sum() for b in kinds] for a in kinds])
axes[1].imshow(confusion, cmap="Blues")
for a in range(len(kinds)):
    for b in range(len(kinds)):
        colour = "white" if confusion[a, b] > confusion.max() / 2 else "black"
        axes[1].text(b, a, confusion[a, b], ha="center", va="center", color=colour)
axes[1].set_xticks(range(len(kinds)), kinds)
axes[1].set_yticks(range(len(kinds)), kinds)
axes[1].set_xlabel("label")
axes[1].set_ylabel("truth")
axes[1].set_title("Photographs by truth and label")
figure.savefig(PICTURES / "crowd.png", dpi=110)
