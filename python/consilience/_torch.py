"""What Snorkel has and this package leaves to torch: importing it says so, and what to use."""

from __future__ import annotations

PAGE = "docs/snorkel.md"


def needs_torch(name: str, instead: str) -> ImportError:
    """Return the error for a name of Snorkel's that is a network of torch's.

    Examples
    --------
    >>> str(needs_torch("Trainer", "train any classifier"))
    'Trainer needs torch and is not part of consilience; train any classifier (docs/snorkel.md)'
    """
    return ImportError(f"{name} needs torch and is not part of consilience; {instead} ({PAGE})", name=name)


CLASSIFIERS = (
    "train consilience.EndModel (texts) or any classifier on the probabilities of LabelModel.predict_proba, "
    "or keep snorkel.classification, which takes them as they are"
)
SLICES = (
    "score slices with consilience.analysis.Scorer.score_slices and inspect them with consilience.slicing.slice_dataframe, "
    "or keep snorkel.slicing for the network"
)
