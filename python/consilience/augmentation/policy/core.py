"""Policies that always return the same sequences."""

from __future__ import annotations

from consilience._settings import switch, whole


class Policy:
    """Chooses the sequences of transformation functions for an item. Subclass it and implement `generate`.

    Parameters
    ----------
    n_tfs
        The number of transformation functions.
    n_per_original
        How many new items to create from each item.
    keep_original
        Whether to keep the unchanged item, before those created from it.

    Examples
    --------
    >>> class Reversed(Policy):
    ...     def generate(self):
    ...         return list(reversed(range(self.n)))
    >>> Reversed(3).generate()
    [2, 1, 0]
    """

    def __init__(self, n_tfs: int, n_per_original: int = 1, keep_original: bool = True) -> None:
        self.n = whole("n_tfs", n_tfs, 1)
        self.n_per_original = whole("n_per_original", n_per_original, 0)
        self.keep_original = switch("keep_original", keep_original)

    def generate(self) -> list[int]:
        """Return one sequence: the numbers of the functions, in the order in which they run.

        Examples
        --------
        >>> class Reversed(Policy):
        ...     def generate(self):
        ...         return list(reversed(range(self.n)))
        >>> Reversed(2).generate()
        [1, 0]
        """
        raise NotImplementedError(f"{type(self).__name__} does not have a method generate")

    def generate_for_example(self) -> list[list[int]]:
        """Return all sequences for one item; an empty one keeps the item itself.

        Examples
        --------
        >>> class Reversed(Policy):
        ...     def generate(self):
        ...         return list(reversed(range(self.n)))
        >>> Reversed(2).generate_for_example()
        [[], [1, 0]]
        """
        return [[]] * self.keep_original + [self.generate() for _ in range(self.n_per_original)]


class ApplyAllPolicy(Policy):
    """Runs all transformation functions on an item, in their order.

    Parameters
    ----------
    n_tfs
        The number of transformation functions.
    n_per_original
        How many new items to create from each item.
    keep_original
        Whether to keep the unchanged item, before those created from it.

    Examples
    --------
    >>> ApplyAllPolicy(2, n_per_original=2).generate_for_example()
    [[], [0, 1], [0, 1]]
    """

    def generate(self) -> list[int]:
        """Return the numbers of all functions.

        Examples
        --------
        >>> ApplyAllPolicy(3).generate()
        [0, 1, 2]
        """
        return list(range(self.n))


class ApplyOnePolicy(ApplyAllPolicy):
    """Runs a single transformation function on an item.

    Parameters
    ----------
    n_per_original
        How many new items to create from each item.
    keep_original
        Whether to keep the unchanged item, before those created from it.

    Examples
    --------
    >>> ApplyOnePolicy(keep_original=False).generate_for_example()
    [[0]]
    """

    def __init__(self, n_per_original: int = 1, keep_original: bool = True) -> None:
        super().__init__(1, n_per_original, keep_original)


class ApplyEachPolicy(Policy):
    """Creates one item with each transformation function alone.

    Parameters
    ----------
    n_tfs
        The number of transformation functions.
    keep_original
        Whether to keep the unchanged item, before those created from it.

    Examples
    --------
    >>> ApplyEachPolicy(2).generate_for_example()
    [[], [0], [1]]
    """

    def __init__(self, n_tfs: int, keep_original: bool = True) -> None:
        super().__init__(n_tfs, n_per_original=n_tfs, keep_original=keep_original)

    def generate_for_example(self) -> list[list[int]]:
        """Return one sequence per function; an empty one keeps the item itself.

        Examples
        --------
        >>> ApplyEachPolicy(2, keep_original=False).generate_for_example()
        [[0], [1]]
        """
        return [[]] * self.keep_original + [[number] for number in range(self.n)]
