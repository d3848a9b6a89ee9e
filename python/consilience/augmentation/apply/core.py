"""Appliers of transformation functions for sequences of items, and their base class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice

from consilience._optional import is_instance_of
from consilience._progress import progress
from consilience._settings import whole
from consilience.augmentation.policy.core import Policy
from consilience.augmentation.tf import BaseTransformationFunction
from consilience.types import DataPoint
from consilience.utils.data_operators import check_unique_names


class BaseTFApplier:
    """The base class of all appliers of transformation functions.

    Parameters
    ----------
    tfs
        The transformation functions; their names must be unique.
    policy
        Which of them to apply to an item.
    """

    def __init__(self, tfs: Sequence[BaseTransformationFunction], policy: Policy) -> None:
        self._tfs = list(tfs)
        for tf in self._tfs:
            if not hasattr(tf, "name"):
                raise TypeError(f"{tf!r} is not a transformation function; put @transformation_function() above it")
        self._tf_names = [tf.name for tf in self._tfs]
        check_unique_names(self._tf_names)
        if policy.n > len(self._tfs):
            raise ValueError(f"the policy is for {policy.n} transformation functions (n_tfs), but there are {len(self._tfs)}")
        self._policy = policy

    def _apply_policy_to_data_point(self, x: DataPoint) -> list[DataPoint]:
        """Return the items created from `x`, without those that no function of their sequence changed."""
        made = []
        for sequence in self._policy.generate_for_example():
            item, changed = x, not sequence
            for number in sequence:
                transformed = self._tfs[number](item)
                if transformed is not None:
                    item, changed = transformed, True
            if changed:
                made.append(item)
        return made

    def __repr__(self) -> str:
        return f"{type(self).__name__}, Policy: {type(self._policy).__name__}, TFs: {self._tf_names}"


class TFApplier(BaseTFApplier):
    """Applies transformation functions to a sequence of items.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from consilience.augmentation import ApplyOnePolicy, transformation_function
    >>> @transformation_function()
    ... def shout(x):
    ...     x.text = x.text.upper()
    ...     return x
    >>> TFApplier([shout], ApplyOnePolicy()).apply([SimpleNamespace(text="buy now")], progress_bar=False)
    [namespace(text='buy now'), namespace(text='BUY NOW')]
    """

    def apply_generator(self, data_points: Iterable[DataPoint], batch_size: int) -> Iterator[list[DataPoint]]:
        """Return the items in batches, for training loops that cannot hold all of them.

        Parameters
        ----------
        data_points
            The items.
        batch_size
            How many items of `data_points` go into a batch; the batch contains what they are transformed into.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from consilience.augmentation import ApplyOnePolicy, transformation_function
        >>> @transformation_function()
        ... def shout(x):
        ...     x.text = x.text.upper()
        ...     return x
        >>> applier = TFApplier([shout], ApplyOnePolicy(keep_original=False))
        >>> items = [SimpleNamespace(text="buy now"), SimpleNamespace(text="see you")]
        >>> list(applier.apply_generator(items, batch_size=1))
        [[namespace(text='BUY NOW')], [namespace(text='SEE YOU')]]
        """
        size = whole("batch_size", batch_size, 1)
        points = iter(data_points)
        return (self._made(batch) for batch in iter(lambda: list(islice(points, size)), []))

    def apply(self, data_points: Iterable[DataPoint], progress_bar: bool = True) -> list[DataPoint]:
        """Return the items that the policy creates from each item, in the order of the items.

        Parameters
        ----------
        data_points
            The items; they are not modified.
        progress_bar
            Whether to show a progress bar (requires tqdm).

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from consilience.augmentation import ApplyOnePolicy, transformation_function
        >>> @transformation_function()
        ... def shout(x):
        ...     x.text = x.text.upper()
        ...     return x
        >>> applier = TFApplier([shout], ApplyOnePolicy(keep_original=False))
        >>> items = [SimpleNamespace(text="buy now"), SimpleNamespace(text="see you")]
        >>> applier.apply(items, progress_bar=False)
        [namespace(text='BUY NOW'), namespace(text='SEE YOU')]
        """
        if is_instance_of(data_points, "pandas", "DataFrame"):
            raise TypeError("TFApplier expects a sequence of items, not a data frame; use PandasTFApplier")
        total = len(data_points) if isinstance(data_points, Sized) else None
        return self._made(progress(data_points, progress_bar, total))

    def _made(self, data_points: Iterable[DataPoint]) -> list[DataPoint]:
        return [made for x in data_points for made in self._apply_policy_to_data_point(x)]
