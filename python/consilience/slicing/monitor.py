"""The items of a slice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from consilience.slicing.apply.core import PandasSFApplier
from consilience.slicing.sf.core import SlicingFunction

if TYPE_CHECKING:
    import pandas as pd


def slice_dataframe(df: pd.DataFrame, slicing_function: SlicingFunction) -> pd.DataFrame:
    """Return the rows of `df` that are in the slice.

    Parameters
    ----------
    df
        The items.
    slicing_function
        The function that says whether an item is in the slice.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience.slicing import slicing_function
    >>> @slicing_function()
    ... def question(x):
    ...     return x.text.endswith("?")
    >>> list(slice_dataframe(pd.DataFrame({"text": ["Who is it?", "Me.", "Why?"]}), question).text)
    ['Who is it?', 'Why?']
    """
    inside = PandasSFApplier([slicing_function]).apply(df, progress_bar=False)
    chosen: pd.DataFrame = df[inside[slicing_function.name].astype(bool)]
    return chosen
