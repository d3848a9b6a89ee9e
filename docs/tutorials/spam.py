"""Spam comments with rules: from a handful of labeling functions to labels, without labelling a single comment.

    python docs/tutorials/spam.py [folder for the pictures]

Needs pandas and matplotlib. The cells (# %%) can be run one by one in an editor that knows them.
"""

# %% [markdown]
# ## The comments
# 400 comments under a music video. The column `spam` is the truth; we use it only at the very end.

# %%
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import consilience
from consilience.labeling import LFAnalysis, PandasLFApplier, keyword_lf, labeling_function, lookup_lf, regex_lf
from consilience.labeling.model import LabelModel, MajorityLabelVoter
from consilience.types import DataPoint

HERE = Path(__file__).resolve().parent
PICTURES = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "pictures"
PICTURES.mkdir(parents=True, exist_ok=True)
comments = pd.read_csv(HERE / "data" / "comments.csv")
print(comments[["author", "text"]].head(5).to_string(index=False))

# %% [markdown]
# ## The rules
# A rule votes for a class or abstains (-1). Text rules (keywords, expressions, dictionaries) run in the core over the
# whole column; anything else is a Python function.

# %%
HAM, SPAM, ABSTAIN = 0, 1, -1

FEELINGS = ["love", "cried", "chills", "wonderful", "voice", "danced", "wedding", "summer", "drummer", "verse", "chorus"]
SELLERS = {name: SPAM for name in ("DailyDeals", "BeatMaker99", "FreeCoins4U", "CoverKing", "LuckyDrop", "MixtapeNow")}


@labeling_function()
def shouts(x: DataPoint) -> int:
    """Capitals and exclamation marks."""
    return SPAM if x.text.isupper() or x.text.endswith("!!!") else ABSTAIN


@labeling_function()
def question_about_music(x: DataPoint) -> int:
    """Somebody wants to know something."""
    return HAM if x.text.endswith("?") and "free" not in x.text else ABSTAIN


rules = [
    keyword_lf(["subscribe"], SPAM, name="subscribe"),
    keyword_lf(["subscribe", "my channel", "follow me"], SPAM, name="channel"),
    keyword_lf(["check out", "check them out"], SPAM, name="check_out"),
    keyword_lf(["free", "win", "earn", "money"], SPAM, name="money", words=True),
    regex_lf(r"https?://|www\.", SPAM, name="link"),
    lookup_lf(SELLERS, name="known_seller", field="author"),
    shouts,
    keyword_lf(FEELINGS, HAM, name="feelings", words=True),
    regex_lf(r"(?i)\b(guitar|trumpet|bass|choir|radio|song|sound)\b", HAM, name="about_music"),
    question_about_music,
]
L = PandasLFApplier(rules).apply(comments, progress_bar=False)
print(LFAnalysis(L, rules).lf_summary().round(3).to_string())

# %% [markdown]
# ## Who repeats whom?
# `subscribe` is part of `channel`: whenever it votes, the other one does, too. Counting both would count one word twice. The
# model discovers this from the votes.

# %%
votes = consilience.Votes(L, sources=[rule.name for rule in rules], classes=["ham", "spam"])
model = consilience.LabelModel().fit(votes)
for source, of, share in sorted(model.repeats_, key=lambda repeat: -repeat[2])[:4]:
    print(f"{source} repeats {of}: {share:.0%} of its votes beyond what being right explains")

# %% [markdown]
# ## Labels
# The same model is available as `LabelModel` under Snorkel's names, so existing scripts keep running.

# %%
label_model = LabelModel(cardinality=2, verbose=False)
label_model.fit(L_train=L, seed=123)
probabilities = label_model.predict_proba(L)
covered = (L != ABSTAIN).any(axis=1)
print(f"{covered.mean():.0%} of the comments have a vote")
unsure = comments.assign(p_spam=probabilities[:, SPAM])[covered]
unsure = unsure.iloc[np.argsort(np.abs(unsure["p_spam"].to_numpy() - 0.5))[:5]]
print(unsure[["p_spam", "text"]].round(2).to_string(index=False))

# %% [markdown]
# ## How good is it?
# Now we compare with the truth, and with majority vote.

# %%
gold = comments["spam"].to_numpy()
ours = label_model.score(L, gold, metrics=["accuracy", "f1", "coverage"], tie_break_policy="random")
majority = MajorityLabelVoter(cardinality=2).score(L, gold, metrics=["accuracy", "f1", "coverage"], tie_break_policy="random")
print(pd.DataFrame({"label model": ours, "majority vote": majority}).round(3).to_string())

# %% [markdown]
# ## How reliable is each rule?
# The model's estimate, made without gold, next to the accuracy against gold.

# %%
summary = LFAnalysis(L, rules).lf_summary(Y=gold, est_weights=label_model.get_weights()).sort_values("Emp. Acc.")
figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
places = np.arange(len(summary))
axes[0].barh(places - 0.2, summary["Emp. Acc."], height=0.38, color="#b8c4d6", label="against gold")
axes[0].barh(places + 0.2, summary["Learned Weight"], height=0.38, color="#2f5d8a", label="estimated without gold")
axes[0].set_yticks(places, summary.index)
axes[0].set_xlim(0.4, 1.02)
axes[0].set_xlabel("share of right votes")
axes[0].set_title("How reliable the rules are")
axes[0].legend(loc="lower left", frameon=False, bbox_to_anchor=(0, 1.07), ncols=2)
bins = np.linspace(0, 1, 21)
axes[1].hist(
    [probabilities[covered & (gold == c), SPAM] for c in (HAM, SPAM)],
    bins=bins,
    stacked=True,
    color=["#7fa86b", "#c65d4b"],
    label=["no spam", "spam"],
)
axes[1].set_xlabel("probability of spam")
axes[1].set_ylabel("comments")
axes[1].set_title("Labels of the comments with a vote")
axes[1].legend(frameon=False)
figure.savefig(PICTURES / "spam.png", dpi=110)
