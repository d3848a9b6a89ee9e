"""Labeling functions over spaCy documents, with a pipeline made here."""

from types import SimpleNamespace

import pandas as pd
import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")

from consilience.labeling import LFApplier, PandasLFApplier  # noqa: E402
from consilience.labeling.lf.nlp import NLPLabelingFunction, nlp_labeling_function  # noqa: E402
from consilience.preprocess import preprocessor  # noqa: E402
from consilience.preprocess.nlp import SpacyPreprocessor  # noqa: E402
from consilience.slicing.sf.nlp import NLPSlicingFunction, nlp_slicing_function  # noqa: E402


@pytest.fixture(scope="module")
def language(tmp_path_factory):
    path = tmp_path_factory.mktemp("spacy") / "pipeline"
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": "Jane"}])
    nlp.to_disk(path)
    return str(path)


@pytest.fixture(autouse=True)
def fresh():
    for kind in (NLPLabelingFunction, NLPSlicingFunction):
        if "_nlp_config" in vars(kind):
            del kind._nlp_config


@preprocessor()
def combine(x):
    x.text = f"{x.title} {x.article}"
    return x


def test_documents(language):
    x = SimpleNamespace(text="Jane likes dogs.")
    mapped = SpacyPreprocessor("text", "doc", language=language)(x)
    assert [token.text for token in mapped.doc] == ["Jane", "likes", "dogs", "."]
    assert mapped.doc.ents[0].label_ == "PERSON"
    assert not hasattr(x, "doc")
    quiet = SpacyPreprocessor("text", "doc", language=language, disable=["entity_ruler"])
    assert not quiet(x).doc.ents
    row = SpacyPreprocessor("text", "doc", language=language)(pd.Series({"text": "Jane"}))
    assert row.doc.ents[0].text == "Jane"


def has_person(x):
    return 0 if any(ent.label_ == "PERSON" for ent in x.doc.ents) else -1


def test_functions_share_one_pipeline_and_its_documents(language):
    first = NLPLabelingFunction("has_person", has_person, pre=[combine], language=language)

    @nlp_labeling_function(pre=[combine], language=language)
    def long(x):
        return 1 if len(x.doc) > 5 else -1

    assert first._nlp_config.nlp is long._nlp_config.nlp
    x = SimpleNamespace(title="Great film!", article="Jane plays the part well.")
    assert (first(x), long(x)) == (0, 1)
    assert len(NLPLabelingFunction._nlp_config.nlp._cache) == 1
    frame = pd.DataFrame({"title": ["Great film!", "Bad"], "article": ["Jane plays the part well.", "film"]})
    expected = [[0, 1], [-1, -1]]
    assert PandasLFApplier([first, long]).apply(frame, progress_bar=False).tolist() == expected
    points = [SimpleNamespace(**row) for row in frame.to_dict("records")]
    assert LFApplier([first, long]).apply(points, progress_bar=False).tolist() == expected


def test_other_settings_are_refused(language):
    NLPLabelingFunction("a", has_person, language=language)
    with pytest.raises(ValueError, match="already configured with different parameters"):
        nlp_labeling_function(language=language, text_field="title")(has_person)
    with pytest.raises(ValueError, match="missing parentheses"):
        nlp_labeling_function(has_person)


def test_slices_have_a_pipeline_of_their_own(language):
    NLPLabelingFunction("a", has_person, language=language)

    @nlp_slicing_function(language=language, text_field="title", memoize=False)
    def person(x):
        return bool(x.doc.ents)

    assert person(SimpleNamespace(title="Jane"))
    assert not NLPSlicingFunction._nlp_config.nlp._cache
