"""Snorkel's folder for contributions, which is empty in 0.10; importing this raises an error."""

from consilience._torch import PAGE

raise ImportError(
    f"consilience.contrib does not exist: snorkel.contrib of 0.10 is empty; import a contribution from its own folder ({PAGE})",
    name="consilience.contrib",
)
