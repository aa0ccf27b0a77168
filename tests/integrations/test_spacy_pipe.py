"""The component `eqparse` in spaCy pipelines."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest
import spacy
import srsly
from spacy.tokens import Doc, DocBin

import eqparse
from eqparse.errors import CheckpointError, ConfigError
from eqparse.text.annotate import find_pipeline

pytestmark = pytest.mark.pipeline
TEXT = (
    "We saw the farm. The barn is 10 metres longer than the shed.\n\n"
    "“Twice the height of the **mill** is 40 metres”[2], he said. The ship is half as old as the tug."
)


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.load(find_pipeline(), exclude=["ner"])
    nlp.add_pipe("eqparse")
    return nlp


@pytest.fixture(scope="module")
def doc(nlp):
    return nlp(TEXT)


def shown(doc):
    """Everything that a Doc says of its equations, as plain data."""
    return [
        (
            str(one.equation), one.confidence, one.sentence.text.strip(),
            {label: [(span.text, span.label_) for span in spans] for label, spans in one.variables.items()},
            [(number.span.text, number.value, number.unit, number.kind) for number in one.quantities],
        )
        for one in doc._.equations
    ]


def test_each_sentence_is_parsed_with_offsets_into_the_doc(doc):
    assert [str(s._.equation) for s in doc.sents] == ["None", "V1 = 10 + V2", "2 * V1 = 40", "V1 = 0.5 * V2"]
    assert [s._.equation_reason for s in doc.sents] == ["the text has no number", "", "", ""]
    assert doc[2:4]._.equation is doc[2:4]._.equation_reason is None
    assert [(span.text, span.label_) for span in doc.spans["eqparse"]] == [
        ("The barn", "V1"), ("10", "NUMBER"), ("the shed", "V2"), ("Twice", "NUMBER"), ("the height", "V1"),
        ("40", "NUMBER"), ("The ship", "V1"), ("half", "NUMBER"), ("the tug", "V2"),
    ]
    assert shown(doc)[0][3:] == (
        {"V1": [("The barn", "V1")], "V2": [("the shed", "V2")]}, [("10", 10.0, "", "digits")],
    )


def test_a_doc_of_one_sentence_is_parsed_as_the_parser_does(nlp):
    text = "The “old **barn**” is 10 metres longer than the [shed](https://farm.example)."
    doc, parse = nlp("The pump is 7 cm wider than the pipe."), eqparse.load()("The pump is 7 cm wider than the pipe.")
    [one] = doc._.equations
    assert (one.equation, one.confidence) == (parse.equation, parse.confidence)
    assert {k: tuple((s.start_char, s.end_char) for s in v) for k, v in one.variables.items()} == parse.variables
    assert [str(one.equation) for one in nlp(text)._.equations] == ["V1 = 10 + V2"]


def test_what_else_is_in_the_user_data_is_no_matter(nlp, doc):
    other = nlp.make_doc(TEXT)
    other.user_data = {7: "mine", "mine": 7, ("._.",): 7}
    for _, pipe in nlp.pipeline:
        other = pipe(other)
    assert shown(other) == shown(doc)


def test_the_results_travel_with_the_doc(nlp, doc):
    copies = [
        Doc(nlp.vocab).from_bytes(doc.to_bytes()), pickle.loads(pickle.dumps(doc)),
        *DocBin().from_bytes(DocBin(docs=[doc], store_user_data=True).to_bytes()).get_docs(nlp.vocab),
        *DocBin(attrs=["ORTH"], docs=[doc], store_user_data=True).get_docs(nlp.vocab),  # which has no sentences
    ]
    assert len(copies) == 4 and all(shown(copy) == shown(doc) for copy in copies)
    assert shown(Doc.from_docs([doc, doc])) == 2 * shown(doc)
    assert shown(list(doc.sents)[2].as_doc(copy_user_data=True)) == shown(doc)[1:2]


def test_docs_of_two_processes_are_those_of_one(nlp, doc):
    pairs = [(TEXT, 1), ("", 2), (" \n", 3), (TEXT, 4)]
    found = list(nlp.pipe(pairs, as_tuples=True, n_process=2, batch_size=2))
    assert [number for _, number in found] == [1, 2, 3, 4]
    assert [shown(one) for one, _ in found] == [shown(doc), [], [], shown(doc)]


def test_a_pipeline_keeps_the_options(nlp, doc, tmp_path):
    nlp.to_disk(tmp_path)
    assert shown(spacy.load(tmp_path)(TEXT)) == shown(doc)
    careful = spacy.load(find_pipeline(), exclude=["ner"])
    careful.add_pipe("eqparse", config={"min_confidence": 1.0, "batch_size": 1})
    refused = careful(TEXT)
    assert shown(refused) == [] and "not confident" in list(refused.sents)[1]._.equation_reason
    assert len(refused.spans["eqparse"]) == 0
    other = spacy.load(find_pipeline(), exclude=["ner"])
    other.add_pipe("eqparse")
    assert shown(other.from_bytes(careful.to_bytes())(TEXT)) == []


def test_the_pipeline_is_analysed(nlp):
    analysis = nlp.analyze_pipes()
    assert analysis["problems"]["eqparse"] == [] and "doc._.equations" in analysis["summary"]["eqparse"]["assigns"]
    bare = spacy.blank("en")
    bare.add_pipe("sentencizer")
    bare.add_pipe("eqparse")
    assert set(bare.analyze_pipes()["problems"]["eqparse"]) == {"token.tag", "token.dep", "token.head", "token.lemma"}
    with pytest.raises(ConfigError, match="lacks tags .a tagger., a parse .a parser., lemmas .a lemmatizer."):
        bare(TEXT)


def test_a_pipe_that_is_lacking_is_named(nlp):
    with nlp.select_pipes(disable="lemmatizer"), pytest.raises(ConfigError, match="lacks lemmas .a lemmatizer.;"):
        nlp(TEXT)
    with pytest.raises(ConfigError, match="expected an English pipeline, found one for 'de'"):
        spacy.blank("de").add_pipe("eqparse")


def test_a_doc_that_fails_keeps_no_other_back(nlp):
    docs = [nlp.make_doc("a b"), nlp("The pump is 7 cm wider than the pipe."), nlp.make_doc("c")]
    pipe, failed = nlp.get_pipe("eqparse"), []
    found = []
    with pytest.raises(ConfigError, match="lacks tags"):
        found.extend(pipe.pipe(docs[1:]))
    pipe.set_error_handler(lambda name, pipe, docs, error: failed.extend(docs))
    try:
        assert [*pipe.pipe(docs)] == found == docs[1:2] and failed == [docs[0], docs[2]]
    finally:
        del pipe.error_handler


@pytest.mark.parametrize("data", [b"junk", b"\xff", b"[1]", b"{}"])
def test_what_is_no_configuration_is_refused(nlp, data):
    with pytest.raises(ConfigError, match="component eqparse: expected JSON with its options model, min_confidence"):
        nlp.get_pipe("eqparse").from_bytes(data)


def test_a_configuration_saved_before_there_was_a_prevalence_is_taken(nlp):
    pipe = nlp.get_pipe("eqparse")
    before = {name: value for name, value in pipe.config.items() if name != "prevalence"}
    assert pipe.from_bytes(srsly.json_dumps(before).encode()).config == {**before, "prevalence": None}


@pytest.mark.parametrize("config, error", [
    ({"model": "no/such/folder"}, CheckpointError), ({"batch_size": 0}, ConfigError),
    ({"min_confidence": 2.0}, ConfigError), ({"prevalence": 2.0}, ConfigError),
])
def test_an_option_that_cannot_be_is_refused_when_the_component_is_made(config, error):
    with pytest.raises(error, match=next(iter(config.values())) if "model" in config else next(iter(config))):
        spacy.blank("en").add_pipe("eqparse", config=config)


@pytest.mark.slow
def test_nothing_of_eqparse_need_be_imported_and_other_pipelines_import_little_of_it():
    program = (
        "import sys, spacy\n"
        f"nlp = spacy.load({find_pipeline()!r})\n"
        "costly = ('eqparse.parser', 'eqparse.systems.load', 'sympy')\n"
        "assert not [name for name in sys.modules if name.startswith(costly)]\n"
        "assert not spacy.tokens.Span.has_extension('equation')\n"
        "nlp.add_pipe('eqparse')\n"
        "print(nlp('Tom is twice as old as Ann.')._.equations[0].equation)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.strip() == "V1 = 2 * V2", result.stderr
