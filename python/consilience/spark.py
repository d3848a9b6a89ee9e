"""Votes in Spark data frames: Spark groups and counts equal rows, the core learns from them, Spark labels the rows.

    votes = consilience.spark.count_votes(frame)
    model = consilience.LabelModel().fit(votes)
    labelled = consilience.spark.label(frame, model)

Only distinct rows and their counts leave the cluster, and every row gets the label that it gets on one machine, to the
last bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Optional, Union

import numpy as np

from consilience._cluster import LabelColumns, Labeler, source_columns, votes_of_counts
from consilience._optional import require
from consilience.errors import TwoVotesError
from consilience.votes import Votes

__all__ = ["count_votes", "label", "wide"]


def _quoted(name: str) -> str:
    # A dot in a name is not a field of a structure.
    return "`" + name.replace("`", "``") + "`"


def _spare(names: Sequence[str]) -> str:
    return "_" * (1 + max((len(name) for name in names), default=0))


def count_votes(
    df: Any,
    sources: Optional[Sequence[str]] = None,
    *,
    classes: Union[Sequence[Any], int, None] = None,
    abstain: Optional[int] = None,
    ignore: Sequence[str] = (),
) -> Votes:
    """Return a table of votes, grouped and counted by Spark.

    Parameters
    ----------
    df
        A Spark data frame with one row per item, one column per source.
    sources
        The columns with votes. Default: all but the ignored ones.
    classes, abstain
        As for `Votes`.
    ignore
        Columns that are not sources.

    Returns
    -------
    The votes. Items are in the order of their patterns; a Spark data frame has no order of its own.

    Examples
    --------
    >>> votes = consilience.spark.count_votes(frame, ignore=["id"])  # doctest: +SKIP
    >>> model = consilience.LabelModel().fit(votes)  # doctest: +SKIP
    """
    functions = require("pyspark.sql.functions", "consilience.spark")
    names = source_columns(df.columns, sources, ignore)
    counted = _spare(names)
    grouped = df.groupBy(*[functions.col(_quoted(name)) for name in names]).agg(
        functions.count(functions.lit(1)).alias(counted)
    )
    if hasattr(grouped, "toArrow"):
        table = grouped.toArrow()
        rows: Any = table.select(names)
        counts = table.column(counted).to_numpy()
    else:
        collected = grouped.collect()
        rows = {name: np.array([row[j] for row in collected], dtype=object) for j, name in enumerate(names)}
        counts = np.array([row[len(names)] for row in collected], dtype=np.int64)
    return votes_of_counts(rows, counts, classes, abstain)


def label(df: Any, model: Labeler, sources: Optional[Sequence[str]] = None) -> Any:
    """Add labels to the rows of a Spark data frame: label, confidence, and p_<class> for each class.

    Parameters
    ----------
    df
        A Spark data frame with one row per item, one column per source.
    model
        A fitted `LabelModel` or `MajorityVote`; its `ties` must not be "random".
    sources
        The columns with votes. Default: those that the model was fitted to.

    Returns
    -------
    A Spark data frame; nothing is computed until its rows are requested.

    Examples
    --------
    >>> consilience.spark.label(frame, model).select("id", "label", "confidence").show()  # doctest: +SKIP
    """
    types = require("pyspark.sql.types", "consilience.spark")
    labels = LabelColumns(model, df.columns, sources)
    schema = types.StructType(list(df.schema.fields))
    schema.add("label", types.StringType() if labels.are_texts else types.LongType(), True)
    for name in labels.names[1:]:
        schema.add(name, types.DoubleType(), False)

    names = list(df.columns)
    places = [names.index(name) for name in labels.sources]

    def labelled(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            votes = pyarrow.RecordBatch.from_arrays([batch.column(j) for j in places], labels.sources)
            columns = labels.of(votes, batch.num_rows)
            arrays = [pyarrow.array(columns["label"], pyarrow.string() if labels.are_texts else pyarrow.int64())]
            arrays += [pyarrow.array(columns[name], pyarrow.float64()) for name in labels.names[1:]]
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, *arrays], [*names, *labels.names])

    # Spark looks columns up by names, in which a dot would be a field of a structure.
    return df.toDF(*(f"column{j}" for j in range(len(names)))).mapInArrow(labelled, schema)


def wide(df: Any, item: str = "item", source: str = "source", vote: str = "vote") -> Any:
    """Turn a Spark data frame with one row per vote into one with one row per item and one column per source.

    If a source casts two different votes on an item, this raises an error immediately.

    Parameters
    ----------
    df
        A Spark data frame with one row per vote.
    item, source, vote
        The columns with the item, the source and the vote.

    Examples
    --------
    >>> votes = consilience.spark.count_votes(consilience.spark.wide(long_frame), ignore=["item"])  # doctest: +SKIP
    """
    functions = require("pyspark.sql.functions", "consilience.spark")
    item_column, source_column, vote_column = (functions.col(_quoted(name)) for name in (item, source, vote))
    different = functions.count_distinct(vote_column)
    for row in df.groupBy(item_column, source_column).agg(different.alias("votes")).where("votes > 1").take(1):
        raise TwoVotesError(f'item "{row[0]}": source "{row[1]}" has two different votes; keep one of them')
    return df.groupBy(item_column).pivot(source).agg(functions.max(vote_column))
