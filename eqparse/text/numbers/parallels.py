"""A "%" said once for two numbers told alike: "12 % of boys and 19 of girls", "7.4 %, and ten years later 16"."""

from __future__ import annotations

from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.scaled_intervals import HEDGE
from eqparse.text.numbers.shares import OTHERS, PERCENT
from eqparse.text.numbers.tables import CLAUSE_END, SMALL, compiled, one_of

_JOIN = r"(?:,\s|,?\s(?:and|but|while|whereas|against|versus|compared\s(?:to|with))\s)"
_PAST = rf"(?:{CLAUSE_END}|\s(?:and|but|while)\s)"
_OF = compiled(rf"{PERCENT}\s(?P<of>of\s[^.;%]{{1,50}}?){_JOIN}{HEDGE}")
# "19 of girls" is a share, "19 of the girls" may be a count
_OF_ALL = compiled(rf"""\sof\s(?!(?:the|an?|his|hers?|its|theirs?|ours?|my|yours?|this|that|these|those|them|all|each
    |every|some|any|many|most|several|various|numerous|{one_of(SMALL)})\b)
    (?-i:(?:[a-z-]+\s)?(?:[a-z-]{{3,}}s|(?:wo)?men|children|people))\b(?!['’])""")
_OF_GROUP = compiled(r"""\s?of\sthe\s(?:(?:[a-z]+\s)?
    (?:(?:wo)?men|boys|girls|males|females|husbands|wives|mothers|fathers)
    |(?:young|old|rich|poor)(?:er|est)?(?:\s(?:ones|people|half))?|(?:over|under)-\d\ds)\b""")
# "48 % in the first round and 55 in the second": the same preposition, and nothing else
_THERE = compiled(rf"""{PERCENT}?(?:\sof\s[^.;,%]{{1,24}})?(?P<there>\s(?:in|on|at|for|among)\s)[^.;,%]{{1,24}}?
    {_JOIN}{HEDGE}""")
_PLACE = compiled(rf"""(?!(?:all|total|sum|once|least|most|last|average)\b)
    (?:(?:the|its|his|her|their|our)\s(?:[a-z]+\s)?[a-z]+|[^\W\d_]+
    |(?-i:[A-Z][a-z]+\s[A-Z][a-z]+)|(?:19|20)\d\d){_PAST}""")
_PERIOD = r"(?:years?|months?|weeks?|days?|decades?|quarters?|seasons?|generations?)"
_THEN = rf"""(?:[,;]?\s(?:and|but)\s|;\s|,\s(?!now\b|today\b))
    (?:now|today|(?:this|last)\s{_PERIOD}|(?:in|by)\s(?:19|20)\d\d
    |the\s{_PERIOD}\s(?:before|after)|the\s(?:next|following|previous)\s{_PERIOD}
    |(?:an?|\d+|{one_of(SMALL)})\s{_PERIOD}\s(?:later|on|earlier|before|ago|afterwards)),?\s"""
_BY_THEN = compiled(rf"{PERCENT}[^.;%]{{0,90}}?{_THEN}{HEDGE}")
_LEVEL_THEN = compiled(rf"""{PERCENT}[^.;%]{{0,90}}?{_THEN}
    (?:it|that|the\s(?:figure|share|rate|proportion|percentage))\s
    (?:is|was|st(?:ands|ood)\sat|(?:ha[sd]\s)?reached|ha[sd]\s(?:risen|fallen|grown|dropped|climbed)\sto)\s{HEDGE}""")
MOVED = compiled(rf"""\b(?:up|down|by|ris(?:es?|en|ing)|rose|f[ae]ll(?:s|en)?|gr[eo]w[ns]?|gain(?:s|ed)?|cuts?
    |jump(?:s|ed)|add(?:s|ed)|los[et]s?|climb(?:s|ed)|slip(?:s|ped)|drop(?:s|ped))\s{HEDGE}\Z""")
_STANDS = compiled(rf"(?:\s(?:did|do|does))?{CLAUSE_END}")
# "54 % voted yes, 31 no and 15 did not know"
_ANSWER = r"""\s(?:(?:said|say|voted?|were|are)\s)?(?:yes|no|(?:for|against)(?:\sit)?|undecided|unsure|in\sfavour
    |neither|(?:dis)?(?:approved?|agreed?)|opposed?(?:\sit)?|(?:do|did)(?:n['’]t|\snot)(?:\sknow)?)"""
_ASKED = r"""(?:said|say|yes|no|for|against|back(?:ed)?|support(?:ed)?|(?:dis)?(?:approved?|agreed?)|favour(?:ed)?
    |opposed?|undecided|unsure|want(?:ed)?|think|thought|trust(?:ed)?)"""
_ANSWERED = compiled(_ANSWER + _PAST)
_NEXT_ANSWER = compiled(rf"(?:{PERCENT}(?=[^.;,%]{{0,40}}\s{_ASKED}\b)\s[^.;,%]{{1,40}}?|{_ANSWER}){_JOIN}{HEDGE}")
# "He took 40 % of the vote, she took 35": the same verb, none of those for levels of anything ("reached")
_SAME = r"\b(rose|fell|grew|gained|dropped|took|got|won|polled|scored|(?:earn|yield|promis|pay|offer|charg)[a-z]{1,3})"
_VERB = compiled(rf"{_SAME}\s{HEDGE}\Z")
_VERB_AGAIN = compiled(rf"""{PERCENT}(?:\sof\sthe\svotes?)?{_JOIN}(?!the\s(?:Dow|FTSE|Nikkei|DAX|Nasdaq)\b)
    (?:[^\W\d_]+\s){{1,3}}?{_SAME}\s{HEDGE}""")


def is_told_alike(text: str, first: Amount, second: Amount, *, stops: bool) -> bool:
    """Whether the second number is a percentage like the first: of another group, in another place, at another time.

    stops: whether the number has no noun.
    """
    gap = first.end, second.start
    if OTHERS.search(text, max(0, first.start - 99), second.end + 99):
        return False
    of = _OF.fullmatch(text, *gap) if is_near(first, second) else None
    if of and (_OF_ALL.match(text, second.end) or (_OF_GROUP.match(of["of"]) and _OF_GROUP.match(text, second.end))):
        return True
    return is_listed_alike(text, first, second) or is_told_later(text, first, second, stops=stops) or (
        stops and _is_of_one_verb(text, first, second)
    )


def is_listed_alike(text: str, first: Amount, second: Amount) -> bool:
    """Whether the two are told of two places, or are answers to one question: "54 % voted yes, 31 no"."""
    gap = first.end, second.start
    there = _THERE.fullmatch(text, *gap) if is_near(first, second) else None
    if there and text.startswith(there["there"], second.end) and second.value < 100:
        return bool(_PLACE.match(text, second.end + len(there["there"])))
    answers = _ANSWERED.match(text, second.end) and _NEXT_ANSWER.fullmatch(text, *gap)
    return bool(answers) and first.value + second.value / 100 <= 1


def is_told_later(text: str, first: Amount, second: Amount, *, stops: bool) -> bool:
    """Whether the two are levels at two times: "7.4 %, and ten years later 16", "... later it was 16"."""
    gap = first.end, second.start
    if MOVED.search(text[max(0, first.start - 24) : first.start]):
        return False
    if OTHERS.search(text, max(0, first.start - 99), second.end + 99):
        return False
    return bool((_STANDS.match(text, second.end) and _BY_THEN.fullmatch(text, *gap)) or (
        stops and _LEVEL_THEN.fullmatch(text, *gap)
    ))


def _is_of_one_verb(text: str, first: Amount, second: Amount) -> bool:
    verb = _VERB.search(text[max(0, first.start - 40) : first.start])
    again = _VERB_AGAIN.fullmatch(text, first.end, second.start)
    return bool(verb and again) and verb[1].lower() == again[1].lower() and is_near(first, second)


def is_near(first: Amount, second: Amount) -> bool:
    """Whether neither percentage would be three times the other, as in "10 percent in spring and 50 in autumn"."""
    return 3 * first.value > second.value / 100 > first.value / 3
