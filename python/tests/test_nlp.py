"""Labeling functions over spaCy documents, with a pipeline made here."""

from types import SimpleNamespace

import pandas as pd
import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")

from consilience.labeling import LFApplier, PandasLFApplier  # noqa: E402
from consilience.labeling.lf.nlp import NLPLabelingFunction, nlp_labeling_function  # noqa: E402
from consilience.labeling.lf.nlp_spark import SparkNLPLabelingFunction, spark_nlp_labeling_function  # noqa: E402
from consilience.preprocess import preprocessor  # noqa: E402
from consilience.preprocess.nlp import SpacyPreprocessor  # noqa: E402
from consilience.slicing import SlicingFunction  # noqa: E402
from consilience.slicing.sf.nlp import NLPSlicingFunction, nlp_slicing_function  # noqa: E402


@pytest.fixture(scope="module")
def language(tmp_path_factory):
    path = tmp_path_factory.mktemp("spacy") / "pipeline"
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PLACE", "pattern": "Bergen"}, {"label": "PLACE", "pattern": "Oslo"}])
    nlp.to_disk(path)
    return str(path)


@pytest.fixture(autouse=True)
def fresh():
    for kind in (NLPLabelingFunction, NLPSlicingFunction, SparkNLPLabelingFunction):
        if "_nlp_config" in vars(kind):
            del kind._nlp_config


@preprocessor()
def route(x):
    x.text = f"{x.start} to {x.end}, {x.remarks}"
    return x


def test_documents(language):
    x = SimpleNamespace(text="Trains to Bergen are late.")
    mapped = SpacyPreprocessor("text", "doc", language=language)(x)
    assert [token.text for token in mapped.doc] == ["Trains", "to", "Bergen", "are", "late", "."]
    assert mapped.doc.ents[0].label_ == "PLACE"
    assert not hasattr(x, "doc")
    quiet = SpacyPreprocessor("text", "doc", language=language, disable=["entity_ruler"])
    assert not quiet(x).doc.ents
    row = SpacyPreprocessor("text", "doc", language=language)(pd.Series({"text": "Oslo"}))
    assert row.doc.ents[0].text == "Oslo"


def two_places(x):
    return 0 if sum(entity.label_ == "PLACE" for entity in x.doc.ents) == 2 else -1


def test_functions_share_one_pipeline_and_its_documents(language):
    first = NLPLabelingFunction("two_places", two_places, pre=[route], language=language)
    runs = []
    shared = NLPLabelingFunction._nlp_config.nlp
    pipeline = shared.run
    shared.run = lambda text: runs.append(text) or pipeline(text)

    @nlp_labeling_function(pre=[route], language=language)
    def chatty(x):
        return 1 if len(x.doc) > 6 else -1

    rows = [
        {"start": "Oslo", "end": "Bergen", "remarks": "snow on the mountain"},
        {"start": "Oslo", "end": "Voss", "remarks": "closed"},
    ]
    expected = [[0, 1], [-1, -1]]
    items = [SimpleNamespace(**row) for row in rows]
    assert LFApplier([first, chatty]).apply(items, progress_bar=False).tolist() == expected
    assert runs == ["Oslo to Bergen, snow on the mountain", "Oslo to Voss, closed"]
    assert PandasLFApplier([first, chatty]).apply(pd.DataFrame(rows), progress_bar=False).tolist() == expected
    # The rows are equal to the items before them, whose documents are remembered.
    assert len(runs) == 2


def test_other_settings_are_refused(language):
    NLPLabelingFunction("a", two_places, language=language)
    with pytest.raises(ValueError, match="made with text_field='text', this one asks for text_field='remarks'"):
        nlp_labeling_function(language=language, text_field="remarks")(two_places)
    with pytest.raises(ValueError, match=r"write @nlp_labeling_function\(\)"):
        nlp_labeling_function(two_places)
    with pytest.raises(TypeError, match="txt_field"):
        nlp_labeling_function(txt_field="remarks")


def test_slices_and_subclasses_have_pipelines_of_their_own(language):
    class OverRemarks(NLPLabelingFunction):
        pass

    NLPLabelingFunction("a", two_places, language=language)

    @nlp_slicing_function(language=language, text_field="remarks", memoize=False)
    def with_place(x):
        return bool(x.doc.ents)

    assert isinstance(with_place, SlicingFunction)
    x = SimpleNamespace(remarks="Oslo and Bergen")
    assert with_place(x)
    assert OverRemarks("b", two_places, text_field="remarks", language=language)(x) == 0


def test_spark_rows(language):
    row = pytest.importorskip("pyspark.sql", reason="pyspark is not installed").Row
    function = spark_nlp_labeling_function(language=language)(two_places)
    assert isinstance(function, SparkNLPLabelingFunction)
    assert function(row(text="Oslo to Bergen")) == 0
    assert function(row(text="Oslo to Voss")) == -1
