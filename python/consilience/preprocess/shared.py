"""One spaCy pipeline for many functions."""

from __future__ import annotations

from typing import Any, Optional

from consilience.preprocess.nlp import SpacyPreprocessor


class SharedDocuments:
    """Makes a preprocessor for the first function that asks, and gives it to all others.

    Running spaCy is slow, and a preprocessor with a memory runs it once an item for all functions that share it. A function
    that asks with other settings would read other documents than it expects, and is refused.

    Parameters
    ----------
    owner
        What the functions are called, for the message to who is refused.
    """

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.forget()

    def forget(self) -> None:
        """Let the next function that asks decide on the settings anew."""
        self.preprocessor: Optional[SpacyPreprocessor] = None
        self._settings: dict[str, Any] = {}

    def ask(self, settings: dict[str, Any]) -> SpacyPreprocessor:
        """Give the preprocessor; `settings` are the arguments of `SpacyPreprocessor`, all of them."""
        if self.preprocessor is None:
            self.preprocessor, self._settings = SpacyPreprocessor(**settings), settings
        changed = [name for name, value in settings.items() if value != self._settings[name]]
        if changed:
            here = ", ".join(f"{name}={settings[name]!r}" for name in changed)
            first = ", ".join(f"{name}={self._settings[name]!r}" for name in changed)
            raise ValueError(
                f"every {self.owner} reads the documents of one spaCy pipeline: the first was made with {first}, this one asks "
                f"for {here}; use the same settings, or a subclass of {self.owner}, which has a pipeline of its own"
            )
        return self.preprocessor
