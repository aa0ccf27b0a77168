"""Of the rules about answers, only those are asked whose words a text has; those that find something are among them."""

from __future__ import annotations

import pytest
from answers import answered

from eqparse.parser.rules.unsaid import MISREAD, rules_for

FOUND = [
    ("adds_a_distance", "Ann and Ben were born 5 years apart.", "V1 + V2 = 5", "Ann", "Ben"),
    ("adds_a_multiplier", "The barn is 3 times the height of the shed.", "V1 = 3 + V2", "The barn", "the shed"),
    ("adds_a_multiplier", "The fare is twofold the toll.", "V1 = 2 + V2", "The fare", "the toll"),
    ("adds_a_multiplier", "The oak is a factor of six taller than the fern.", "V1 = 6 + V2", "The oak", "the fern"),
    ("changes_the_other_way", "The toll rose by 3 to 12 euros.", "V1 - 3 = 12", "The toll"),
    ("changes_by_no_factor", "The yield fell threefold to 15.", "V1 * 3 = 15", "The yield"),
    ("adds_what_is_taken_off", "With my 10-dollar coupon the bill was 38 dollars.", "10 + V1 = 38", "the bill"),
    ("turns_a_factor_round", "The cot is smaller than the bed by a factor of 4.", "V1 = V2 * 4", "The cot", "the bed"),
    ("leaves_out_what_is_known", "Tom, 12, is 3 years older than Ann.", "V1 = 3 + V2", "Tom", "Ann"),
    ("adds_what_is_less", "The bag is less heavy than the crate by 4 kilos.", "V1 = V2 + 4", "The bag", "the crate"),
    ("multiplies_what_is_less", "The cot is 4 times smaller than the bed.", "V1 = 4 * V2", "The cot", "the bed"),
    ("turns_the_elder_round", "Kim is 3 years Lee's senior.", "V1 = V2 - 3", "Kim", "Lee's senior"),
    ("is_no_ratio", "The hens outnumber the ducks by 3 to 2.", "V1 = V2 + (3 * 2)", "The hens", "the ducks"),
]


@pytest.mark.parametrize("name, text, equation, phrases", [(n, t, e, p) for n, t, e, *p in FOUND])
def test_a_rule_that_finds_something_is_asked(name, text, equation, phrases):
    of = answered(text, equation, *phrases)
    (rule,) = (rule for rule in MISREAD if rule.__name__ == name)
    assert rule(of) and rule in rules_for(text)
    assert [r for r in MISREAD if r(of)] == [r for r in rules_for(text) if r(of)]


def test_rules_whose_words_a_text_lacks_are_not_asked():
    asked = {rule.__name__ for rule in rules_for("The fee is 3 euros more than the fine.")}
    assert asked.isdisjoint(name for name, *_ in FOUND)
