"""`eqparse corpus check`: every problem is found and named, and the counts are right."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import SENTENCES, hand_made

from eqparse.analysis.corpus_statistics import corpus_statistics, gold_tree, lexicon_decides, near_pairs, shape
from eqparse.commands.main import main
from eqparse.corpus import Example, write_brat, write_jsonl
from eqparse.corpus.check import check_corpus, missing_numbers
from eqparse.equation.equation import Equation, same_form
from eqparse.errors import DataError
from eqparse.stages.lexicon import Lexicon
from eqparse.text.quantities import find_quantities

TEXT = "The loft holds 40 crates, 12 more than the shed on Pier 9."
GOOD = {
    "id": "loft", "text": TEXT, "kind": "counts", "equation": "V1 - 12 = V2",
    "variables": {"V1": [[0, 8]], "V2": [[39, 47], [43, 47]]},
}
NONE = {"id": "gate", "text": "Gate 7 is shut.", "equation": None, "variables": {}}


def put(path, *records):
    lines = [r if isinstance(r, bytes) else json.dumps(r).encode() for r in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def problems(tmp_path, *records):
    return check_corpus(put(tmp_path / "some.jsonl", *records))[1]


# --- problems


def test_a_sound_sentence_passes(tmp_path):
    path = put(tmp_path / "some.jsonl", GOOD, b"", {**NONE, "id": "b", "text": "No 7."})
    examples, found = check_corpus(path)
    assert found == [] and [e.id for e in examples] == ["loft", "b"]
    assert examples[0].variables["V2"] == ((39, 47), (43, 47))


@pytest.mark.parametrize(
    ("change", "expected", "found"),
    [
        ({"variables": {"V1": [[0, 8]], "V2": [[39, 99]]}}, "0 <= start < end <= 58", "V2 [39, 99]"),
        ({"variables": {"V1": [[8, 8]], "V2": [[39, 47]]}}, "0 <= start < end <= 58", "V1 [8, 8]"),
        ({"variables": {"V1": [["0", 8]], "V2": [[39, 47]]}}, "an integer as variables.V1.0.0", "'0'"),
        ({"variables": {"V1": [[0, 9]], "V2": [[39, 47]]}}, "white space", "'The loft '"),
        ({"variables": {"V1": [[3, 8]], "V2": [[39, 47]]}}, "white space", "' loft'"),
        ({"variables": {"V1": [[0, 7]], "V2": [[39, 47]]}}, "whole words", "'The lof'"),
        ({"variables": {"V1": [[1, 8]], "V2": [[39, 47]]}}, "whole words", "'he loft'"),
        ({"variables": {"V1": [[0, 8], [0, 8]], "V2": [[39, 47]]}}, "each span once", "V1 [0, 8]"),
        ({"variables": {"V1": [[0, 8]], "V2": []}}, "a list of at least 1 as variables.V2", "[]"),
        ({"variables": {"V1": [[0, 8]]}}, "a span for V2", "['V1']"),
        ({"variables": {"V1": [[0, 8]], "V2": [[39, 47]], "V3": [[0, 8]]}}, "labels of", "'V3'"),
        ({"variables": [1]}, "an object as variables", "[1]"),
        ({"equation": "V1 - 13 = V2"}, "13 of V1 - 13 = V2 among", "40, 12"),
        ({"equation": "V1 - 12 = 12 + V2"}, "12 of", "40, 12"),
        ({"equation": "V1 - 12 + V2"}, "a valid equation", "'='"),
        ({"equation": None}, "no spans where there is no equation", "'V1'"),
        ({"equation": "40 = 12", "variables": {}}, "an equation with a variable", "40 = 12"),
        ({"text": " "}, "a sentence", "' '"),
        ({"text": TEXT[:-1] + "\n"}, "one line", "\\n"),
        ({"text": 3}, "a string as text", "3"),
        ({"text": TEXT[:-1] + "\ud800"}, "a consistent sentence", "half of a surrogate pair at 57"),
        ({"id": 3}, "a string as id", "3"),
        ({"id": ""}, "an id", "empty"),
        *(({"id": name}, "a name without slashes", repr(name)) for name in (
            "../../x", "/etc/x", "a/b", "..\\x", "..", ".", ".hidden", "a\nb", "a\0", " a", "\u2028a", "a\x1b[2J",
        )),
        ({"kind": None}, "a string as kind", "None"),
        ({"colour": 1}, "no keys but id, text, equation, variables, kind", "'colour'"),
    ],
)
def test_each_problem_is_named(tmp_path, change, expected, found):
    lines = [str(p) for p in problems(tmp_path, {**GOOD, **change})]
    hits = [line for line in lines if expected in line.split(", found ")[0] and found in line.split(", found ", 1)[1]]
    assert hits, lines
    assert all(line.startswith(f"{tmp_path / 'some.jsonl'}, line 1") and "\n" not in line for line in lines)


def test_more_than_two_variables(tmp_path):
    change = {"equation": "V1 - V3 = V2 + (V1 + 12)", "variables": GOOD["variables"] | {"V3": [[0, 8]]}}
    assert [p.expected for p in problems(tmp_path, GOOD | change)] == ["at most 2 variables"]


def test_more_mentions_than_the_parser_can_hold_are_no_problem_of_the_sentence(tmp_path):
    assert problems(tmp_path, GOOD | {"equation": "V1 - 12 = V2 + (V1 + V1)"}) == []


def test_a_span_may_not_cut_a_decimal_or_an_accented_letter(tmp_path):
    record = {"id": "1", "text": "The 3.5 cafe\u0301s took 7.", "equation": "V1 = 7", "variables": {"V1": [[6, 14]]}}
    assert [p.found for p in problems(tmp_path, record)] == ["V1 [6, 14] '5 cafe\u0301s'"]
    record["variables"]["V1"] = [[8, 12]]
    assert [p.expected for p in problems(tmp_path, record)] == ["a span of whole words"]
    record["variables"]["V1"] = [[8, 14]]
    assert problems(tmp_path, record) == []


def test_all_problems_are_reported_with_their_lines(tmp_path):
    found = problems(
        tmp_path, GOOD, b"{", {**GOOD, "text": TEXT.replace(" ", "  ", 1), "equation": "V1 = 77"}, b"\xff",
        {**NONE, "text": "Gate 8.", "equation": "V1 + V2 = 9", "variables": {"V1": [[0, 60]], "V2": [[0, 2]]}},
    )
    assert [(p.line, p.id, " ".join(p.expected.split(" ")[:2])) for p in found] == [
        (2, "", "a readable"),
        *((3, "loft", word) for word in ("a span",) * 5 + ("labels of", "77 of", "a unique", "a unique")),
        (4, "", "a readable"),
        *((5, "gate", word) for word in ("a span", "a span", "9 of")),
    ]
    assert {p.found for p in found if p.line == 3} >= {
        f"the same id at {tmp_path / 'some.jsonl'}, line 1", f"the same text at {tmp_path / 'some.jsonl'}, line 1",
    }


def test_ids_and_texts_are_compared_across_files(tmp_path):
    put(tmp_path / "a.jsonl", GOOD)
    put(tmp_path / "b.jsonl", GOOD)
    found = check_corpus(tmp_path)[1]
    assert [(p.file, p.expected) for p in found] == [
        (str(tmp_path / "b.jsonl"), "a unique id"), (str(tmp_path / "b.jsonl"), "a unique text"),
    ]


def test_every_sentence_of_a_brat_folder_is_checked(tmp_path):
    good = Example("1", TEXT, Equation.parse("V1 - 12 = V2"), {"V1": ((0, 8),), "V2": ((39, 47),)})
    write_brat([good], tmp_path)
    (tmp_path / "2.txt").write_text("Alone.\n\nNONE\n")
    (tmp_path / "3.txt").write_text("Off.\n\nV1 = 5\n")
    (tmp_path / "3.ann").write_text("T1\tV1 0 9\tOff\n")
    examples, found = check_corpus(tmp_path)
    assert examples == [good] and [p.id for p in found] == ["2", "3"]
    assert "2.ann" in found[0].found and "(0, 9)" in found[1].found


@pytest.mark.parametrize("name", ["missing", "folder", "some.txt", "empty.jsonl"])
def test_nothing_to_read_is_refused(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "some.txt").write_text("x")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(DataError, match="expected .* found"):
        check_corpus(tmp_path / name)


CLOSE = st.sampled_from([1.0, 1.00004, 1.00008, 1.00012, 1.00016, 1.0002, 5.0])


@given(st.lists(CLOSE, min_size=1, max_size=4), st.lists(CLOSE, max_size=4))
def test_missing_numbers_are_as_few_as_any_assignment_leaves(numbers, written):
    text = "Tags: " + ", ".join(f"{value:.5f}" for value in written)
    values = [q.value for q in find_quantities(text)]
    assert values == written
    places = values + [None] * len(numbers)
    fewest = min(
        sum(v is None or abs(v - n) >= 1e-4 for n, v in zip(numbers, pick, strict=True))
        for pick in itertools.permutations(places, len(numbers))
    )
    equation = Equation.parse(" + ".join(f"{n:.5f}" for n in numbers) + " = V1")
    missing = missing_numbers(equation, text)
    assert len(missing) == fewest and set(missing) <= set(numbers)


# --- shapes

SIDES = st.recursive(
    st.sampled_from(["V1", "V2", "3", "4", "0.5"]),
    lambda side: st.tuples(side, st.sampled_from("+-*/"), side).map("({0[0]} {0[1]} {0[2]})".format),
    max_leaves=4,
)
EQUATIONS = st.tuples(SIDES, SIDES).map(" = ".join)


def test_shapes_by_hand():
    assert shape(Equation.parse("V2 = (7 * V1) + 3")) == "(N * V1) + N = V2"
    assert shape(Equation.parse("V2 = (7 * V1) + 3"), ordered=True) == "V1 = (N * V2) + N"
    assert shape(Equation.parse("5 - V2 = 8")) == "N - V1 = N"
    assert shape(Equation.parse("V1 - 5 = 8")) == "V1 - N = N"


@given(EQUATIONS, EQUATIONS)
def test_equations_of_one_shape_are_those_of_one_form_but_for_the_numbers(a, b):
    a, b = Equation.parse(a), Equation.parse(b)
    for number in ("3", "4", "0.5"):
        assert shape(a) == shape(Equation.parse(str(a).replace(number, "9")))
    ours, theirs = (Equation.parse(str(e).replace("0.5", "9").replace("3", "9").replace("4", "9")) for e in (a, b))
    assert (shape(a) == shape(b)) == same_form(ours, theirs, strict=True)


# --- counts


def annotated(index, equation, **variables):
    """A sentence of tiny.SENTENCES with phrases in place of spans."""
    mentions = hand_made(SENTENCES[index])[0]
    text = mentions.sentence.text
    spans = {v: tuple((text.index(p), text.index(p) + len(p)) for p in ps) for v, ps in variables.items()}
    return Example(str(index), text, equation and Equation.parse(equation), spans, f"kind {index % 2}"), mentions


CORPUS = [
    annotated(0, "V1 = 4 + V2", V1=["The mast"], V2=["the boat"]),
    annotated(1, "V1 / 3 = V2", V1=["tulips"], V2=["Jon"]),
    annotated(2, "V1 + V2 = 90", V1=["pumps", "Both pumps"], V2=["Both pumps"]),
    annotated(3, None),
]


def test_counts_of_a_small_corpus():
    examples, mentions = zip(*CORPUS, strict=True)
    found = corpus_statistics(examples, mentions)
    assert (found["sentences"], found["with_equation"], found["without_equation"]) == (4, 3, 1)
    assert found["kinds"] == {"kind 0": [2, 0], "kind 1": [1, 1]}
    assert found["frequent_shapes"] == {"N + V1 = V2": [1, 1], "V1 + V2 = N": [1, 1], "V1 / N = V2": [1, 1]}
    assert found["operators"] == {
        "+": 2, "*": 0, "-": 0, "/": 1, "-lr": 0, "-rl": 0, "/lr": 0, "/rl": 1,  # "3 times as many tulips"
    }
    assert found["leaves"] == {"3": 3}
    assert found["variables"] == {
        "one variable": 0, "one variable used twice": 0, "two variables": 3, "two variables in one phrase": 1,
        "variables on both sides": 2,
    }
    assert found["annotated_mentions"] == 7
    assert found["extra_quantities"] == [0, 3]
    assert found["near_duplicates"] == [0, 4] and found["largest_group"] == 0
    assert found["reachable"] == found["projective"] == found["spans_found"] == [3, 3]
    json.dumps(found)


def test_one_variable_used_twice_and_numbers_that_do_not_belong():
    pair = annotated(3, "V1 - (0.5 * V1) = 0.05", V1=["the salt"])
    found = corpus_statistics([pair[0]], [pair[1]])
    assert found["variables"]["one variable"] == found["variables"]["one variable used twice"] == 1
    assert found["variables"]["variables on both sides"] == 0
    assert found["extra_quantities"] == [1, 1]  # the 7 grams


def test_unreachable_sentences_are_named_with_the_reason():
    # the 5 stands between the half and the 7 of the equation's pairs, so no projective tree has both as it is written
    crossing = annotated(3, "(0.5 * 0.05) - 7 = V1", V1=["the salt"])
    absent = annotated(0, "V1 = 5 + V2", V1=["The mast"], V2=["the boat"])
    odd = annotated(0, "V1 = 4 + V2", V1=["mast is"], V2=["the boat"])
    found = corpus_statistics(*zip(crossing, absent, odd, strict=True))
    assert found["reachable"] == [2, 3] and found["projective"] == [1, 2]
    assert list(found["unreachable"].values()) == [["0"]]
    assert found["spans_found"] == [2, 3] and found["spans_not_found"] == ["0"]


def test_the_gold_tree_keeps_to_the_span_listed_first():
    for phrases in (["Half of the salt", "the salt"], ["the salt", "Half of the salt"]):
        example, mentions = annotated(3, "V1 = 7", V1=phrases)
        tree, reason = gold_tree(example, mentions)
        first = tree.problem.triggers[0]
        assert reason == "" and mentions.sentence.text[first.start : first.end] == phrases[0]


def test_a_rule_that_decides_about_an_inner_node_is_seen():
    lexicon = Lexicon.load(rule_set="paper")
    trees = [gold_tree(e, m)[0] for e, m in CORPUS if e.equation is not None]
    texts = [tree.problem.mentions.sentence.text for tree in trees]
    assert [" longer than " in t or " times as many " in t for t in texts] == lexicon_decides(lexicon, trees)
    assert lexicon_decides(lexicon, []) == []


def test_near_duplicates_of_another_set():
    def plain(name, text):
        return Example(name, text, None, {})

    ours = [plain("a", "The mill sold 30 sacks of rye on Monday."), plain("b", "Nobody came.")]
    theirs = [plain("x", "The mill sold twelve sacks of rye on Monday."), plain("y", "The lake froze.")]
    assert near_pairs(ours, theirs) == [("a", "x")]
    assert corpus_statistics(ours, hand_made(SENTENCES[0], SENTENCES[1]), against=theirs)["near_the_other_set"] == [
        ("a", "x")
    ]
    chain = [plain(str(n), " ".join("abcdefghij"[n:] + "klmno"[:n])) for n in range(5)]
    assert near_pairs(chain[:1], chain[1:]) == [("0", "1"), ("0", "2")]  # 3 and 4 hang on by the others alone


# --- the command


@pytest.mark.pipeline
def test_the_command_prints_tables_or_json(tmp_path, capfd):
    path = put(tmp_path / "some.jsonl", GOOD, {**NONE, "id": "[b]\u00e9"})
    assert main(["corpus", "check", str(path), "--against", str(path)]) == 0
    out, err = capfd.readouterr()
    assert err == "" and "1 of 2 (50.0 %)" in out and "[b]\u00e9" in out
    assert main(["corpus", "check", str(path), "--json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert data["problems"] == [] and data["statistics"]["with_equation"] == 1


@pytest.mark.pipeline
def test_several_files_are_one_corpus(tmp_path, capfd):
    first, second = put(tmp_path / "a.jsonl", GOOD), put(tmp_path / "b.jsonl", {**NONE, "text": "No 7."})
    (tmp_path / "folds.json").write_text('{"loft": 0, "gate": 1}')
    assert main(["corpus", "check", str(first), str(second), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["statistics"]["sentences"] == 2
    assert main(["corpus", "check", str(first), str(tmp_path), "--json"]) == 2
    out, err = capfd.readouterr()
    assert [(p["id"], p["found"]) for p in json.loads(out)["problems"]] == [
        ("loft", f"the same id at {first}, line 1"), ("loft", f"the same text at {first}, line 1"),
    ]
    assert f"{first}, {tmp_path}: expected no problem, found 2" in err


def test_the_command_fails_after_a_line_for_each_problem(tmp_path, capfd):
    path = put(tmp_path / "some.jsonl", {**GOOD, "equation": "V1 - 13 = V2 + 14"}, b"{", GOOD)
    assert main(["corpus", "check", str(path)]) == 2
    out, err = capfd.readouterr()
    assert sum(line.startswith(str(path)) for line in out.splitlines()) == 5
    assert "found 5" in err and err.count("\n") == 1
    assert main(["corpus", "check", str(path), "--json"]) == 2
    problem = json.loads(capfd.readouterr().out)["problems"][0]
    assert (problem["file"], problem["line"], problem["id"]) == (str(path), 1, "loft")


def test_the_command_refuses_what_is_not_there(tmp_path, capfd):
    assert main(["corpus", "check", str(tmp_path / "none")]) == 2
    assert main(["corpus"]) == 2
    path = tmp_path / "some.jsonl"
    write_jsonl([CORPUS[0][0]], path)
    capfd.readouterr()
    assert main(["corpus", "check", str(path), "--against", str(tmp_path / "none")]) == 2
    assert "none: expected a .jsonl file" in capfd.readouterr().err


@pytest.mark.pipeline
@pytest.mark.parametrize("change", [
    {"id": "a\x1b[31m"}, {"kind": "a\x1b[31m\u202e"}, {"text": "The loft\x1b[2J holds 40."}, {"x\x9b31m": 1},
    {"variables": {"V1": [[0, 8]], "V2\x1b[1m": [[39, 47]]}}, {"equation": "V1 = 3\x1b[1m"},
])
def test_what_a_file_holds_leaves_a_terminal_alone(tmp_path, change, capfd):
    path = put(tmp_path / "some.jsonl", {**GOOD, **change})
    main(["corpus", "check", str(path)])
    out, err = capfd.readouterr()
    assert all(line.isprintable() for line in (out + err).split("\n"))
    put(path, b'{"id": "\x1b[31m"', {**NONE, "id": "\x1b"}, {**NONE, "id": "\x1b"})
    main(["corpus", "agreement", str(path), str(path)])
    main(["corpus", "folds", str(path)])
    assert all(line.isprintable() for line in "".join(capfd.readouterr()).split("\n"))
