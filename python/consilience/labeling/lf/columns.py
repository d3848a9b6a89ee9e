"""Labeling functions that vote on a whole column at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from consilience.labeling.lf.core import LabelingFunction


class ColumnLabelingFunction(LabelingFunction):
    """A labeling function that reads one field, and can read it for all items at once.

    Appliers hand it the column; on a single item it is a labeling function like any other.
    """

    #: The field that it reads.
    field: str

    def prepare(self, column: Any, fault_tolerant: bool) -> Any:
        """Make of a column what `vote_column` reads fastest; once for all functions of this class over it."""
        return column

    def vote_column(self, column: Any, fault_tolerant: bool) -> tuple[npt.NDArray[np.int_], int]:
        """Return the votes on all values of `column`, and how many values were at fault."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it votes on a column")
