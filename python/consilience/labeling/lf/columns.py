"""Labeling functions that vote on a whole column at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from consilience.labeling.lf.core import LabelingFunction


class ColumnLabelingFunction(LabelingFunction):
    """A labeling function that reads one field, and can read it for all items at once.

    Appliers pass it the column; on a single item it works like any other labeling function.
    """

    #: The field that it reads.
    field: str

    def prepare(self, column: Any, fault_tolerant: bool) -> Any:
        """Prepare a column for `vote_column`, once for all functions of this class."""
        return column

    def vote_column(self, column: Any, fault_tolerant: bool) -> tuple[npt.NDArray[np.int_], int]:
        """Return the votes on all values of `column`, and the number of errors."""
        raise NotImplementedError(f"{type(self).__name__} does not implement vote_column")
