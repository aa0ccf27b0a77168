"""Files of rules: the one that ships, and what is wrong in a user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from eqparse.errors import ConfigError, DataError
from eqparse.stages.lexicon import LABELS, RULE_FILE, Lexicon
from eqparse.stages.lexicon_rules import read_rules


def test_both_shipped_sets_have_rules_of_their_own_for_every_operation() -> None:
    paper, extended = (read_rules(RULE_FILE, rule_set=name) for name in ("paper", "extended"))
    assert {rule.name for rule in paper} - {rule.name for rule in extended}
    assert {rule.name for rule in extended} - {rule.name for rule in paper}
    assert {rule.operation for rule in paper} == {rule.operation for rule in extended} == {*LABELS, None}


GOOD = 'name = "mine"\noperation = "+"\nmiddle = ["onto"]\n'


@pytest.mark.parametrize(
    "text, expected",
    [
        ("[[rule]\n", "readable TOML"),
        ("", "an empty file"),
        ("[[rules]]\n" + GOOD, "found: rules"),
        ("[rule]\n" + GOOD, "double brackets"),
        ("rule = [3]\n", "rule 1: expected a table"),
        ('[[rule]]\noperation = "+"\nmiddle = ["onto"]\n', "rule 1: expected a name"),
        ("[[rule]]\n" + GOOD + "[[rule]]\n" + GOOD, "rule 2: the name 'mine' is taken"),
        ("[[rule]]\n" + GOOD.replace('"+"', '"-"'), r"rule 1 \(mine\): expected an operation, one of \+"),
        ("[[rule]]\n" + GOOD.replace('operation = "+"\n', ""), r"\(mine\): expected an operation.*None"),
        ("[[guard]]\n" + GOOD, r"guard 1 \(mine\): expected only the keys.*found operation"),
        ("[[rule]]\n" + GOOD.replace("middle", "mid"), r"\(mine\): expected only the keys.*found mid"),
        ("[[rule]]\n" + GOOD + 'set = "mine"\n', r"\(mine\): expected as set one of"),
        ("[[rule]]\n" + GOOD + 'same_phrase = "yes"\n', r"\(mine\): expected same_phrase to be"),
        ("[[rule]]\n" + GOOD.replace('["onto"]', '"onto"'), r"\(mine\): expected middle to be"),
        ("[[rule]]\n" + GOOD.replace('["onto"]', "[]"), r"\(mine\): expected middle to be"),
        ("[[rule]]\n" + GOOD.replace('["onto"]', "[3]"), r"\(mine\): expected middle to be"),
        ("[[rule]]\n" + GOOD.replace('"onto"', '"as ..."'), r"\(mine\): expected words in each phrase"),
        ("[[rule]]\n" + GOOD.replace('"onto"', '"^$"'), r"\(mine\): expected words in each phrase"),
        ("[[rule]]\n" + GOOD.replace('"onto"', '" "'), r"\(mine\): expected words in each phrase"),
        ('[[rule]]\nname = "mine"\noperation = "+"\n', r"\(mine\): expected a condition on"),
    ],
)
def test_a_malformed_file_is_named_with_what_was_expected(tmp_path: Path, text: str, expected: str) -> None:
    extra = tmp_path / "mine.toml"
    extra.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=expected) as error:
        Lexicon.load(extra=extra)
    assert str(extra) in str(error.value)


def test_a_missing_file_and_an_unknown_set_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nowhere.toml"):
        Lexicon.load(tmp_path / "nowhere.toml")
    with pytest.raises(ConfigError, match="paper, extended; found 'papper'"):
        Lexicon.load(rule_set="papper")
