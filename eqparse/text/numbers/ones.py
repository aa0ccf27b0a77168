"""The word "one" where it is no number: "the blue one", "no one", "one another", "one is longer than the other"."""

from __future__ import annotations

from eqparse.text.numbers.context import CLOSED, COMPARED, LABELS
from eqparse.text.numbers.tables import CLAUSE_END, SMALL, compiled, one_of

_BEFORE = compiled(r"""\b(?:old|new|which|this|that|the|other|another|each|every|any|last|next|some|larger
    |smaller|bigger|older|younger|longer|shorter|taller|cheaper|faster|slower|first|second)\s\Z""")
# what has a number, or stands before an amount or a time: "the number one", "a mere one", "this summer one in four"
_VALUES = frozenset(
    """number answer letter paper digit figure integer value power score ratio sum result count total odds mere further
    extra additional average maximum minimum day week month year time point men women people others""".split()
)
_ADJECTIVES = frozenset(
    """only good heavier high higher larger last later left long longer lower near next old outside inside short shorter
    smaller strong tall taller thick wide""".split()
)
_VERBS = frozenset(
    """won lost got made took gave ate bought sold kept let found held hit met ran saw sent shot spent threw drew caught
    drank drove flew broke stole wrote chose lent need want take get see give buy sell win lose eat keep find add come
    came go went grew""".split()
)
_WORD = rf"(?!{one_of((CLOSED - _ADJECTIVES) | LABELS | _VALUES | _VERBS)}\s)(?:[^\s.,;:!?()]|[.,](?=\d))++"
# one or two words before it, the second no verb, as in "the boys needed one"
_NAMED = compiled(rf"""(?<!\w)(?:the|an?|his|her|its|my|our|your|their|[^\W\d_]++['’]s
      |th(?:is|at)(?!\s(?:summer|winter|spring|autumn|fall|quarter|semester|season|morning|evening|night)\b))\s
    (?:{_WORD}(?<!s)\s(?![^\s]++(?<=ed)\s))?(?!\d{{1,3}}\s){_WORD}(?<![^s]s)\s\Z""")
_SIZED = compiled(r"\d-[a-z]{1,20}\s\Z")  # "the 5-litre one holds more"
_VERB = rf"(?:{one_of(_VERBS)}|[a-z]++(?:(?<=s)(?<![sui]s)|(?<=ed)(?<!hundred)(?<!\sbed)(?<!\sred)))(?!\w)"
_RATIO = rf"(?:out\sof|per|of|in\s(?:every\s)?(?:\d|{one_of(SMALL)}\b)|to\s(?:\d|{one_of(SMALL)}\b)|times|plus|minus)\b"
_AFTER = compiled(rf"{CLAUSE_END}|\s?[—–]|\s(?!{_RATIO})(?:(?:{one_of(CLOSED)}|i|he|she|they|we|you|hand)\b|{_VERB})")
_OF = compiled(r"\sof\b")
_ONE_ANOTHER = compiled(r"""\sanother\b|\s?['’]s\b|\s(?:should|ought|must|might|may)\b|\sof\sthese\sdays\b
    |\sby\sone\b|\s(?:at\sa\stime|after\s(?:an|the\s)other)\b|\sand\sall\b|\sand\sthe\ssame\b|\sor\s(?:the\s)?other\b
    |-(?:way|off|sided|to-one|on-one)(?!\w)""")
_AT_ONE_TIME = compiled(r"\bat\sone\s(?:time|stage)\b")
_AND_A_PART = compiled(r"\sand\s(?:an?|two|three)[\s-](?:half|quarters?|thirds?)(?!\w|\sof\b)")
_NO_ONE = compiled(r"\b(?:(?:no|any|every|(?:last|next|first|second|third)[\s-]but)[\s-]|one\sby\s|one-(?:to|on)-)\Z")
_OPENS = compiled(r"(?:\A|[.,;:–—]\s|\b(?:and|but|that|if|where)\s)\Z")
_THE_OTHER = compiled(rf"""\s(?:is|was|has|had|{_VERB})[^.;:]{{0,99}}
    \b(?:the\sother|another|the\ssecond)(?:\sone)?{CLAUSE_END}""")


def is_pronoun(text: str, start: int, end: int) -> bool:
    """Whether "one" is a pronoun: "which one", "no one", "one another"."""
    before = text[max(0, start - 60) : start]
    if _AND_A_PART.match(text, end):
        return False
    if _NO_ONE.search(before) or _ONE_ANOTHER.match(text, end) or _SIZED.search(before):
        return True
    if _AT_ONE_TIME.match(text, max(0, start - 3)):
        return True
    if _OPENS.search(before) and _THE_OTHER.match(text, end):
        return True
    if _BEFORE.search(before) and _OF.match(text, end):
        return True
    pronoun = _BEFORE.search(before) or _NAMED.search(before)
    return bool(pronoun and _AFTER.match(text, end)) and not COMPARED.match(text, end)
