"""The lexicon: each rule, their precedence, the vectorised form, a user's rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqparse.stages.lexicon import LABELS, Lexicon
from eqparse.stages.lexicon_rules import FIELDS, Rule, normalise

PAPER = Lexicon.load(rule_set="paper")
EXTENDED = Lexicon.load()
LEXICONS = {"paper": PAPER, "extended": EXTENDED}
COMPARATIVES = ("more than", "taller than", "greater than", "larger than", "faster than", "longer than")
MULTIPLIERS = ("thrice", "triple", "twice", "double", "half")


def ask(lexicon: Lexicon, left="", middle="", right="", t="x", u="y", *, leaves=(True, True)) -> str | None:
    return operation(lexicon, left, middle, right, t, u, *leaves)


def operation(lexicon: Lexicon, *node) -> str | None:
    """What `Lexicon.operations` says of one node (five texts as in FIELDS, two flags), rule by rule."""
    texts, flags = node[:5], dict(zip(("left_leaf", "right_leaf"), node[5:], strict=True))
    found = lexicon.match_texts(texts)
    occurs = {field: set(np.compress(row, lexicon.phrases)) for field, row in zip(FIELDS, found, strict=True)}
    same = all(flags.values()) and normalise(texts[3]) == normalise(texts[4])
    for rule in (*reversed(lexicon.guards), *reversed(lexicon.rules)):
        met = all(flags.get(field, True) and occurs[field] & set(phrases) for field, phrases in rule.conditions)
        if met and (same or not rule.same_phrase):
            return rule.operation
    return None


# Rule 1 to 11 of the appendix, one phrase at a time: (texts, operation).
ONE_RULE = [
    *[(dict(left="the sum of", middle=m), "+") for m in ("and", "")],
    *[(dict(middle=f"marbles {m} the"), "+") for m in ("added to", "plus", *COMPARATIVES, "increased")],
    *[(dict(middle=f"is {m}", right="by"), "-lr") for m in COMPARATIVES],
    *[(dict(left="difference of", middle=m), "-lr") for m in ("and", "")],
    *[(dict(middle=m), "-lr") for m in ("exceeds", "minus", "decreased by")],
    *[(dict(middle=f"litres {m}"), "-rl")
      for m in ("subtracted from", "shorter than", "less than", "slower than", "smaller than")],
    (dict(middle="multiplied by"), "*"),
    (dict(left="product of", middle="and"), "*"),
    (dict(left="the ratio of", middle="to"), "/lr"),
    *[(dict(t=t), "*") for t in MULTIPLIERS],
    (dict(middle="times the"), "*"),
    *[(dict(t=t, middle="as many", right="as"), "/rl") for t in MULTIPLIERS],
    (dict(middle="times as many", right="as"), "/rl"),
]  # fmt: skip


@pytest.mark.parametrize("texts, expected", ONE_RULE)
def test_each_rule_of_the_paper(texts: dict[str, str], expected: str) -> None:
    assert ask(PAPER, **texts) == expected
    # The extended set leaves an empty middle to two variables of one phrase.
    if texts.get("left") and texts.get("middle") == "":
        assert ask(EXTENDED, **texts) is None
        texts = texts | {"t": "both jars", "u": "both jars"}
    assert ask(EXTENDED, **texts) == expected


@pytest.mark.parametrize("name", LEXICONS)
@pytest.mark.parametrize(
    "texts",
    [
        dict(),
        dict(left="the sum of", middle="is"),
        dict(left="sum", middle="and"),
        dict(left="product of", middle="or"),
        dict(left="times as many", right="as"),
        dict(middle="more"),
        dict(middle="surplus"),
        dict(middle="sometimes"),
        dict(middle="as", right="as"),
        dict(left="exceeds"),
        dict(t="twice", leaves=(False, True)),
        dict(t="halfway"),
    ],
)
def test_near_misses_restrict_nothing(name: str, texts: dict) -> None:
    assert ask(LEXICONS[name], **texts) is None


@pytest.mark.parametrize("texts, operation", [
    (dict(middle="minutes faster than"), "-rl"), (dict(middle="seconds a lap faster than"), "-rl"),
    (dict(middle="minutes slower than"), "+"), (dict(t="half an hour", middle="faster than"), "-rl"),
    (dict(t="two hours", middle="slower than"), "+"),
    (dict(middle="miles an hour faster than"), "+"), (dict(middle="metres a second slower than"), "-rl"),
    (dict(middle="faster than"), "+"), (dict(middle="km per hour slower than"), "-rl"),
])
def test_what_is_faster_by_a_time_takes_less(texts: dict, operation: str) -> None:
    assert ask(EXTENDED, **texts) == operation


# Each pair of rules that can hold of one node: the texts make both hold, the later rule gives the operation.
PRECEDENCE = [
    ("1 < 2", dict(left="sum of", middle="plus 3 and"), "+"),
    ("1 < 3", dict(left="sum of", middle="and is taller than", right="by"), "-lr"),
    ("1 < 4", dict(left="sum of the difference of", middle="and"), "-lr"),
    ("1 < 5", dict(left="sum of", middle="and minus"), "-lr"),
    ("1 < 6", dict(left="sum of", middle="and less than"), "-rl"),
    ("1 < 7", dict(left="sum of", middle="and multiplied by"), "*"),
    ("1 < 8", dict(left="sum of the product of", middle="and"), "*"),
    ("1 < 9", dict(left="sum of the ratio of", middle="and"), "/lr"),
    ("1 < 10", dict(left="sum of", middle="and", t="twice"), "*"),
    ("1 < 11", dict(left="sum of", middle="times as many and", right="as"), "/rl"),
    ("2 < 3", dict(middle="is faster than", right="by"), "-lr"),
    ("2 < 4", dict(left="difference of", middle="plus and"), "-lr"),
    ("2 < 5", dict(middle="plus minus"), "-lr"),
    ("2 < 6", dict(middle="more than subtracted from"), "-rl"),
    ("2 < 7", dict(middle="plus multiplied by"), "*"),
    ("2 < 8", dict(left="product of", middle="plus and"), "*"),
    ("2 < 9", dict(left="ratio of", middle="plus to"), "/lr"),
    ("2 < 10", dict(middle="times more than"), "*"),
    ("2 < 11", dict(middle="times as many plus", right="as"), "/rl"),
    ("3 < 6", dict(middle="more than subtracted", right="by"), "-rl"),
    ("3 < 7", dict(middle="more than multiplied by", right="by"), "*"),
    ("3 < 10", dict(middle="times longer than", right="by"), "*"),
    ("4 < 6", dict(left="difference of", middle="and subtracted"), "-rl"),
    ("4 < 7", dict(left="difference of", middle="and multiplied by"), "*"),
    ("4 < 8", dict(left="difference of the product of", middle="and"), "*"),
    ("4 < 9", dict(left="difference of the ratio of", middle="and"), "/lr"),
    ("4 < 10", dict(left="difference of", middle="and", t="half"), "*"),
    ("5 < 6", dict(middle="minus less than"), "-rl"),
    ("5 < 7", dict(middle="minus multiplied by"), "*"),
    ("5 < 8", dict(left="product of", middle="minus and"), "*"),
    ("5 < 9", dict(left="ratio of", middle="minus to"), "/lr"),
    ("5 < 10", dict(middle="minus", t="double"), "*"),
    ("6 < 7", dict(middle="less than multiplied by"), "*"),
    ("6 < 8", dict(left="product of", middle="and less than"), "*"),
    ("6 < 9", dict(left="ratio of", middle="less than to"), "/lr"),
    ("6 < 10", dict(middle="smaller than 3 times"), "*"),
    ("6 < 11", dict(middle="times as many less than", right="as"), "/rl"),
    ("7 < 9", dict(left="ratio of", middle="multiplied by to"), "/lr"),
    ("7 < 11", dict(middle="multiplied by times as many", right="as"), "/rl"),
    ("8 < 9", dict(left="product of the ratio of", middle="and"), "/lr"),
    ("8 < 11", dict(left="product of", middle="and times as", right="as"), "/rl"),
    ("9 < 10", dict(left="ratio of", middle="to", t="triple"), "*"),
    ("9 < 11", dict(left="ratio of", middle="to times as many", right="as"), "/rl"),
    ("10 < 11", dict(t="thrice", middle="as many", right="as"), "/rl"),
    ("10 < guard", dict(t="twice", u="half"), None),
    ("11 < guard", dict(middle="times as", right="as", u="double"), None),
]


@pytest.mark.parametrize("name", LEXICONS)
@pytest.mark.parametrize("pair, texts, expected", PRECEDENCE, ids=[pair for pair, _, _ in PRECEDENCE])
def test_a_later_rule_overrides(name: str, pair: str, texts: dict[str, str], expected: str | None) -> None:
    assert ask(LEXICONS[name], **texts) == expected


@pytest.mark.parametrize("name", LEXICONS)
def test_a_multiplier_waits_for_its_operand(name: str) -> None:
    lexicon = LEXICONS[name]
    assert ask(lexicon, middle="crates less than", t="17", u="twice") is None
    assert ask(lexicon, middle="crates less than", t="17", u="twice", leaves=(True, False)) == "-rl"
    assert ask(lexicon, middle="plus", t="17", u="4", right="times the load") is None
    assert ask(lexicon, middle="plus", t="17", u="4", leaves=(True, False)) == "+"
    assert ask(lexicon, left="times", middle="minus", t="the load", u="6") is None
    # What is multiplied may be a whole node: "6 times the sum of the load and ...".
    assert ask(lexicon, left="times the sum of", middle="and", t="the load", u="the crew") == "+"


# What the extended set adds, each with a text of its own; the paper set knows none of them.
EXTENDED_ONLY = [
    (dict(middle="kilos heavier than"), "+"),
    (dict(middle="more stamps than"), "+"),
    (dict(middle="is older than", right="by"), "-lr"),
    (dict(middle="is more costly than", right="by about"), "-lr"),
    (dict(middle="years younger than"), "-rl"),
    (dict(middle="fewer stamps than"), "-rl"),
    (dict(middle="is deducted from"), "-rl"),
    (dict(middle="outnumber"), None),  # by a number, or by one to another
    (dict(middle="are surpassed by"), "-rl"),
    (dict(middle="more", right="than"), "-rl"),
    (dict(middle="fewer", right="than"), "+"),
    (dict(left="the difference in weight between", middle="and"), "-lr"),
    (dict(left="the difference between", t="both jars", u="both jars"), "-lr"),
    (dict(middle="and", right="differ by"), "-lr"),
    (dict(left="the total weight of", middle="and"), "+"),
    (dict(left="is sawn into", t="two logs", u="two logs"), "+"),
    (dict(right="whose product is", t="two logs", u="two logs"), "*"),
    (dict(right="stand in the ratio", t="two logs", u="two logs"), "/lr"),
    (dict(left="adding", middle="to"), "+"),
    (dict(left="subtracting", middle="from"), "-rl"),
    (dict(middle="divided by"), "/lr"),
    (dict(left="was raised to", middle="from"), "-lr"),
    (dict(left="fell to", middle="from"), "-rl"),
    (dict(left="climbed from", middle="to"), "-rl"),
    (dict(left="dropped from", middle="to"), "-lr"),
    (dict(middle="of the", t="30 %"), "*"),
    (dict(middle="per cent of"), "*"),
    (dict(middle="as many spoons", right="as"), "/rl"),
    (dict(middle="as much as"), "*"),
    (dict(t="quadruple"), "*"),
]


@pytest.mark.parametrize("texts, expected", EXTENDED_ONLY)
def test_what_the_extended_set_adds(texts: dict[str, str], expected: str) -> None:
    assert ask(EXTENDED, **texts) == expected
    assert ask(PAPER, **texts) is None


@pytest.mark.parametrize(
    "texts, paper, extended",
    [
        # A complete comparison in the middle; the "as" on the right is another one.
        (dict(middle="times as wide as", right=", as planned"), "/rl", "*"),
        (dict(t="twice", middle="as wide as", right=", as planned"), "/rl", "*"),
        # "By" says a difference only if it leads to the next trigger.
        (dict(middle="metres taller than", right="by the gate is"), "-lr", "+"),
        # A leaf that merely holds such a word multiplies nothing.
        (dict(t="the second half", middle="plus"), "*", "+"),
        (dict(t="the rent", middle="plus", u="a double room"), None, "+"),
        # A percentage belongs to the other operand first.
        (dict(t="the rent", middle="increased by", u="8 %"), "+", None),
        (dict(t="the rent", middle="decreased by", u="8", right="% is"), "-lr", None),
        (dict(t="8 %", middle="more than", u="the rent"), "+", None),
        (dict(left="ratio of", t="3", u="spoons"), "/lr", None),
    ],
)
def test_where_the_sets_part(texts: dict[str, str], paper: str | None, extended: str | None) -> None:
    assert ask(PAPER, **texts) == paper
    assert ask(EXTENDED, **texts) == extended


@pytest.mark.parametrize("texts, operation", [
    (dict(middle="- fold larger than"), None), (dict(middle="fold higher than"), None),
    (dict(t="threefold", middle="deeper than"), None), (dict(t="3x", middle="higher than in"), None),
    (dict(t="1.5x", middle="higher than"), None), (dict(t="seventeenfold", middle="higher than"), None),
    (dict(left="is a factor of", middle="higher than"), None), (dict(left="is", middle="larger than"), "+"),
    (dict(t="30 folds", middle="more than"), "+"), (dict(t="six", middle="higher than"), "+"),
])
def test_what_is_so_many_times_higher_is_no_sum(texts: dict, operation: str | None) -> None:
    assert ask(EXTENDED, **texts) == operation


@pytest.mark.parametrize("texts, operation", [
    (dict(middle="times smaller than"), None), (dict(middle="times less bright than"), None),
    (dict(middle="times larger than"), "*"), (dict(middle="times the smaller"), "*"),
    (dict(middle="% of hours, from"), None), (dict(middle="per cent of the seats, up from"), None),
    (dict(middle="% of the seats"), "*"), (dict(middle="has fallen by more than"), None),
    (dict(middle="has more than", u="trebled"), None), (dict(middle="has more than", u="four"), "+"),
    (dict(middle="did less than", u="tenfold"), None), (dict(middle="is 3 more than", u="the scaffold"), "+"),
    (dict(middle="not much more than", right="as many"), None),
    (dict(middle="is more than", right="as many"), None), (dict(middle="is 5 more than", right="of the fee"), "+"),
    (dict(t="half", middle="a point under"), None), (dict(t="half", middle="as"), "*"),
])
def test_what_a_word_beside_it_makes_another_operation(texts: dict, operation: str | None) -> None:
    assert ask(EXTENDED, **texts) == operation


def test_case_spacing_and_punctuation_do_not_matter() -> None:
    assert ask(PAPER, left="  The SUM\n of", middle=" and\t") == "+"
    assert ask(PAPER, middle="centimetres more  than,") == "+"
    assert ask(PAPER, middle="more, than") is None
    assert ask(PAPER, left="sum of", middle=" \t ") == "+"


WORDS = (
    "sum difference product ratio of and between by as times more less fewer than the minus plus exceeds "
    "many multiplied subtracted from added to taller smaller increased twice half double , % into total"
).split()
texts_of_words = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
nodes = st.tuples(*[texts_of_words] * 5, st.booleans(), st.booleans())


def has(text: str, *phrases: str) -> bool:
    """Whether one of the phrases stands in the text, by comparing windows of words."""
    words = text.split()
    windows = {tuple(words[i : j + 1]) for i in range(len(words)) for j in range(i, len(words))}
    return any(tuple(phrase.split()) in windows for phrase in phrases)


def paper_rules(l: str, m: str, r: str, t: str, u: str, t_leaf: bool, u_leaf: bool) -> str | None:  # noqa: E741
    """The appendix written out, highest precedence first, with nothing of the module."""
    multiplier = t_leaf and has(t, *MULTIPLIERS)
    if u_leaf and has(u, *MULTIPLIERS) or r.split()[:1] == ["times"] or l.split()[-1:] == ["times"]:
        return None
    words = m.split()
    times_as = "times" in words and "as" in words[words.index("times") :]
    if has(r, "as") and (times_as or multiplier and has(m, "as")):
        return "/rl"
    if multiplier or has(m, "times"):
        return "*"
    if has(l, "ratio of"):
        return "/lr"
    if has(m, "multiplied by") or has(l, "product of") and has(m, "and"):
        return "*"
    if has(m, "subtracted", "shorter than", "less than", "slower than", "smaller than"):
        return "-rl"
    joined = has(m, "and") or not words
    if has(m, "exceeds", "minus", "decreased") or has(l, "difference of") and joined:
        return "-lr"
    if has(m, *COMPARATIVES) and has(r, "by"):
        return "-lr"
    if has(m, "added to", "plus", "increased", *COMPARATIVES) or has(l, "sum of") and joined:
        return "+"
    return None


@settings(max_examples=500)
@given(nodes)
def test_the_paper_set_agrees_with_the_appendix(node) -> None:
    *texts, t_leaf, u_leaf = node
    assert operation(PAPER, *texts, t_leaf, u_leaf) == paper_rules(*texts, t_leaf, u_leaf)


@pytest.mark.parametrize("name", LEXICONS)
@settings(max_examples=100)
@given(st.lists(nodes, max_size=12))
def test_operations_agree_with_operation(name: str, batch) -> None:
    lexicon = LEXICONS[name]
    distinct = sorted({text for node in batch for text in node[:5]})
    index = np.array([[distinct.index(text) for text in node[:5]] for node in batch], dtype=np.int64)
    flags = np.array([node[5:] for node in batch], dtype=bool).reshape(-1, 2)
    found = lexicon.operations(distinct, *index.reshape(-1, 5).T, flags)
    assert found.dtype == np.int8 and found.shape == (len(batch),)
    expected = [operation(lexicon, *node) for node in batch]
    assert [None if label < 0 else LABELS[label] for label in found] == expected


def test_operations_keep_the_shape_of_a_chart() -> None:
    texts = ["", "plus", "minus"]
    none, middle = np.zeros((2, 3), dtype=np.int64), np.array([[0, 1, 2], [2, 1, 0]])
    found = PAPER.operations(texts, none, middle, none, none, none, np.ones((2, 3, 2), dtype=bool))
    assert found.tolist() == [[-1, LABELS.index("+"), LABELS.index("-lr")], [LABELS.index("-lr"), 0, -1]]


@given(st.lists(texts_of_words, max_size=6))
def test_match_texts_finds_plain_phrases(texts: list[str]) -> None:
    matches = PAPER.match_texts(texts)
    assert matches.shape == (len(texts), len(PAPER.phrases)) and matches.dtype == bool
    for row, text in zip(matches, texts, strict=True):
        for found, phrase in zip(row, PAPER.phrases, strict=True):
            if not set(phrase) & set("^$."):
                assert found == (has(text, phrase) if phrase else not text)


def lexicon_of(phrase: str) -> Lexicon:
    return Lexicon([Rule(name="only", operation="+", conditions=(("middle", (phrase,)),))])


@pytest.mark.parametrize(
    "phrase, hits, misses",
    [
        ("^times", ["times", "times the"], ["the times", ""]),
        ("times$", ["times", "the times"], ["times the", ""]),
        ("^and$", ["and"], ["and the", "the and"]),
        ("as ... as", ["as as", "as tall as", "so as many as the"], ["as", "as tall", "has as"]),
        ("^a ... b ... c$", ["a b c", "a x b y z c"], ["x a b c", "a c b", "a b c x"]),
        ("", ["", " "], ["and"]),
        ("by-product", ["a by-product of"], ["by product"]),
        ("100%", ["exactly 100 %"], ["100"]),
        ("*fold$", ["fold", "a tenfold", "ten-fold"], ["folds", "fold up", "tenfold more"]),
        ("^#x", ["3x", "12x as"], ["x", "about 3x", "3xl", "six"]),
        ("no more ... #th", ["no more than a 5th"], ["no more than fifth"]),
        ("# 4", ["no. # 4"], ["3 4"]), ("3 * 4", ["3 * 4 is"], ["3 x 4"]), ("**x", ["* * x"], ["box"]),
    ],
)
def test_phrase_syntax(phrase: str, hits: list[str], misses: list[str]) -> None:
    found = lexicon_of(phrase).match_texts(hits + misses)[:, 0]
    assert found.tolist() == [True] * len(hits) + [False] * len(misses)


def test_remembered_texts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eqparse.stages.lexicon.MAX_REMEMBERED_TEXTS", 3)
    lexicon = lexicon_of("plus")
    texts = [f"{n} plus" if n % 2 else str(n) for n in range(10)]
    assert lexicon.match_texts(texts)[:, 0].tolist() == [n % 2 == 1 for n in range(10)]
    assert len(lexicon._rows) <= 3


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_users_file_stands_above_the_rules_and_below_the_guards(tmp_path: Path) -> None:
    rule = '[[rule]]\nname = "onto"\noperation = "+"\nmiddle = ["stacked on", "times"]\n'
    extra = write(tmp_path / "mine.toml", rule)
    lexicon = Lexicon.load(extra=extra)
    assert ask(lexicon, middle="is stacked on") == "+"
    assert ask(EXTENDED, middle="is stacked on") is None
    assert ask(lexicon, middle="times as many", right="as") == "+"
    assert ask(lexicon, middle="stacked on", u="twice") is None
    assert ask(Lexicon.load(extra), middle="plus") is None
    assert ask(Lexicon.load(extra, rule_set="paper"), middle="is stacked on") == "+"


def test_a_users_guard_leaves_a_node_free(tmp_path: Path) -> None:
    guard = '[[guard]]\nname = "no plus"\nwhy = "sizes"\nmiddle = ["plus sizes"]\n'
    extra = write(tmp_path / "mine.toml", guard)
    lexicon = Lexicon.load(extra=extra, rule_set="paper")
    assert ask(lexicon, middle="plus sizes") is None
    assert ask(lexicon, middle="plus") == "+"
