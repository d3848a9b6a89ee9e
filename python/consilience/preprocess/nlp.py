"""spaCy as a preprocessor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from consilience._optional import require
from consilience.preprocess.core import BasePreprocessor, Preprocessor
from consilience.types import FieldMap, HashingFunction

EN_CORE_WEB_SM = "en_core_web_sm"


class SpacyPreprocessor(Preprocessor):
    """Runs a spaCy pipeline on a text and stores the document in another field.

    Parameters
    ----------
    text_field
        The field with the text.
    doc_field
        The field for the document.
    language
        The pipeline, as for `spacy.load`.
    disable
        Parts of the pipeline to disable. Default: as in spaCy.
    pre, memoize, memoize_key
        As for all mappers.
    gpu
        Whether spaCy should use a GPU if there is one.

    Examples
    --------
    >>> spacy = SpacyPreprocessor("text", "doc")  # doctest: +SKIP
    >>> [entity.text for entity in spacy(SimpleNamespace(text="Ada lives in London")).doc.ents]  # doctest: +SKIP
    ['Ada', 'London']
    """

    def __init__(
        self,
        text_field: str,
        doc_field: str,
        language: str = EN_CORE_WEB_SM,
        disable: Optional[Sequence[str]] = None,
        pre: Optional[Sequence[BasePreprocessor]] = None,
        memoize: bool = False,
        memoize_key: Optional[HashingFunction] = None,
        gpu: bool = False,
    ) -> None:
        name = type(self).__name__
        super().__init__(name, {"text": text_field}, {"doc": doc_field}, pre, memoize, memoize_key)
        spacy = require("spacy", "SpacyPreprocessor")
        self.gpu = gpu
        if gpu:
            spacy.prefer_gpu()
        self._nlp = spacy.load(language, disable=list(disable or ()))

    def run(self, text: str) -> Optional[FieldMap]:
        """Return the document of `text`.

        Parameters
        ----------
        text
            The text.

        Examples
        --------
        >>> SpacyPreprocessor("text", "doc").run("Ada lives in London")["doc"]  # doctest: +SKIP
        Ada lives in London
        """
        document: Any = self._nlp(text)
        return {"doc": document}
