"""Arrays with the tensor methods that scripts call."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def plain(array: Any) -> npt.NDArray[np.float64]:
    """Convert an array of ours, or a tensor that a script put in its place, to a plain array."""
    if hasattr(array, "detach"):
        array = array.detach().cpu().numpy()
    return np.array(array, dtype=np.float64)


class Parameters(np.ndarray[Any, np.dtype[np.float64]]):
    """An array of a fitted model; `model.mu.cpu().detach().numpy()` of a script keeps working.

    Examples
    --------
    >>> Parameters.of(np.eye(2)).cpu().detach().clone().numpy()
    array([[1., 0.],
           [0., 1.]])
    """

    @classmethod
    def of(cls, array: npt.ArrayLike) -> Parameters:
        """Make a copy of `array` with these methods."""
        return np.array(array, dtype=np.float64).view(cls)

    def numpy(self) -> npt.NDArray[np.float64]:
        """Return the plain array."""
        return self.view(np.ndarray)

    def detach(self) -> Parameters:
        """Return the array itself; there are no gradients."""
        return self

    def cpu(self) -> Parameters:
        """Return the array itself; it is in main memory."""
        return self

    def clone(self) -> Parameters:
        """Return a copy."""
        return self.copy().view(Parameters)
