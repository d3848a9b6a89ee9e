"""Saved models, and files that look like them."""

from __future__ import annotations

import pickle
from typing import Any

from consilience.errors import SavedModelError

FIT_AGAIN = "fit a LabelModel to the votes and save that"


class _OwnUnpickler(pickle.Unpickler):
    """Reads pickles, and stops before anything of torch or Snorkel is imported."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] in ("torch", "snorkel"):
            raise SavedModelError(f"contains a Snorkel model, which is a torch network ({module}.{name}); {FIT_AGAIN}")
        return super().find_class(module, name)


def read_saved(source: str, kind: str, fields: tuple[str, ...]) -> dict[str, Any]:
    """Read what `save` of the class `kind` wrote, or raise an error that says what the file is."""
    with open(source, "rb") as file:
        head = file.read(4)
        file.seek(0)
        if head.startswith(b"PK"):
            raise SavedModelError(f"{source} is a zip archive, as torch.save writes them, not a saved {kind}; {FIT_AGAIN}")
        if head.lstrip().startswith(b"{"):
            raise SavedModelError(
                f"{source} looks like JSON, not a saved {kind}; to read a model.json, use consilience.LabelModel.load"
            )
        try:
            saved = _OwnUnpickler(file).load()
        except SavedModelError as error:
            raise SavedModelError(f"{source} {error}") from None
        except (pickle.UnpicklingError, EOFError, ValueError, IndexError, KeyError) as error:
            raise SavedModelError(f"{source} is not a saved {kind}: {error}") from error
    missing = [field for field in fields if not isinstance(saved, dict) or field not in saved]
    if missing:
        raise SavedModelError(f"{source} is not a saved {kind}: it has no {', '.join(missing)}")
    assert isinstance(saved, dict)
    return saved
