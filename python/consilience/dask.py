"""Votes in Dask data frames: each partition counts its equal rows, the core learns from them, partitions label their rows.

    votes = consilience.dask.count_votes(frame)
    model = consilience.LabelModel().fit(votes)
    labelled = consilience.dask.label(frame, model)

Only distinct rows and their counts leave a partition, and every row gets the label that it gets on one machine, to the
last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Optional, Union

from consilience._cluster import LabelColumns, Labeler, source_columns, votes_of_counts
from consilience._optional import require
from consilience.votes import Votes

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["count_votes", "label"]

_COUNT = "number of rows"


def _count_part(part: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    rows: Any = part[names]
    counted: pd.DataFrame = rows.groupby(names, dropna=False, observed=True, sort=False).size().rename(_COUNT).reset_index()
    return counted


def count_votes(
    df: Any,
    sources: Optional[Sequence[str]] = None,
    *,
    classes: Union[Sequence[Any], int, None] = None,
    abstain: Optional[int] = None,
    ignore: Sequence[str] = (),
    scheduler: Any = None,
) -> Votes:
    """Return a table of votes, grouped and counted by Dask in each partition.

    Parameters
    ----------
    df
        A Dask data frame with one row per item, one column per source.
    sources
        The columns with votes. Default: all but the ignored ones.
    classes, abstain
        As for `Votes`.
    ignore
        Columns that are not sources.
    scheduler
        As for `dask.compute`.

    Returns
    -------
    The votes. Items are in the order of their patterns, not in that of `df`.

    Examples
    --------
    >>> import dask.dataframe as dd  # doctest: +SKIP
    >>> frame = dd.read_parquet("votes.parquet")  # doctest: +SKIP
    >>> model = consilience.LabelModel().fit(consilience.dask.count_votes(frame, ignore=["id"]))  # doctest: +SKIP
    """
    dask = require("dask", "consilience.dask")
    names = source_columns(list(df.columns), sources, ignore)
    parts = dask.compute(*map(dask.delayed(partial(_count_part, names=names)), df.to_delayed()), scheduler=scheduler)
    rows = require("pandas", "consilience.dask").concat([part for part in parts if len(part)] or list(parts))
    return votes_of_counts(rows[names], rows[_COUNT].to_numpy(), classes, abstain)


def _label_part(part: pd.DataFrame, labels: LabelColumns) -> pd.DataFrame:
    columns: dict[str, Any] = dict(labels.of(part[labels.sources], len(part)))
    if labels.are_texts:
        import pandas

        columns["label"] = pandas.array(columns["label"], dtype=pandas.StringDtype())
    return part.assign(**columns)


def label(df: Any, model: Labeler, sources: Optional[Sequence[str]] = None) -> Any:
    """Add labels to the rows of a Dask data frame: label, confidence, and p_<class> for each class.

    Parameters
    ----------
    df
        A Dask data frame with one row per item, one column per source.
    model
        A fitted `LabelModel` or `MajorityVote`; its `ties` must not be "random".
    sources
        The columns with votes. Default: those that the model was fitted to.

    Returns
    -------
    A Dask data frame; nothing is computed until its rows are requested.

    Examples
    --------
    >>> consilience.dask.label(frame, model).to_parquet("labels")  # doctest: +SKIP
    """
    require("dask", "consilience.dask")
    labels = LabelColumns(model, list(df.columns), sources)
    return df.map_partitions(_label_part, labels, meta=_label_part(df._meta, labels))
