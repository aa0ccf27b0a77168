"""Rules about answers that the sentence does not say hold: they are denied, doubted, called false or told of nobody."""

from __future__ import annotations

from eqparse.parser.rules.shape import Shape
from eqparse.text.numbers.tables import CURRENCIES, PARTS, SMALL, compiled, one_of

_SAY = r"(?:say|said|claim|think|thought|believ|tell|told|assum|suppos|maintain|insist|state|report)(?:e?s|e?d|ing|e)?"
_UNTRUE = r"""(?:false|wrong|untrue|incorrect|inaccurate|mistaken|unfounded|refuted|denied|nonsense|rubbish
    |doubtful|unlikely|impossible|out\sof\sthe\squestion
    |an?\s(?:myth|lie|fable|legend|mistake|fallacy|misconception|falsehood|fairy\s?tale))"""
_STATIVE = r"(?:being|having|weighing|costing|holding|measuring|earning|lasting|taking)"
_BEFORE_A_NUMBER = rf"(?:an?\s)?[{CURRENCIES}]?\Z"
_FALSELY = r"(?:wrong|false|mistaken|erroneous)ly"
_DENIED = compiled(rf"""(?:
    \b(?:(?:am|is|are|was|were|be|been|has|have|had|does|do|did|wo|would|will|could|ca|can|should|ai|['’](?:m|s|re|ve))
      (?:(?:\s(?:by\sfar|in\sfact|of\scourse|still|[a-z]+ly))?\s(?:not|never|no\slonger(?!\sthan\b))|n['’]?t)
      |cannot)(?:,[^,.;:]{{1,40}},)?
      \s(?:(?:exactly|even|really|in\sfact|actually|in\sany\sway|by\s(?:far|any\smeans|a\slong\sway)|in\sthe\sleast
      |(?:at\sall|(?:even|anywhere|anything)\s(?:close\sto|near(?:ly)?|like)|close\sto)(?:\s{_STATIVE})?
      |(?!only|just|yet|quite|exceed|surpass|top\b)[a-z]+)\s)?
    |\b(?:by\sno\smeans|in\sno\sway|(?:no|any)where\s(?:near|close\sto)|(?:no|any)thing\slike)\s(?:[a-z]+\s)?
    |\b(?:is|are|am|was|were|has|have|had|does|do|did|will|would|can)\sneither\s(?:[a-z]+\s)?
    |(?<!not\s)(?<!n['’]t\s)\b(?:far|a\slong\sway)\sfrom\s(?:{_STATIVE}\s)?
    |\banything\sbut\s(?:{_STATIVE}\s)? |\bwithout\s{_STATIVE}\s
    |\b(?:hardly|scarcely|never)\s(?:once\s)?(?:(?!above|over|under|below|more|less|beyond|any|only|exce|pass|before)[a-z]+\s)?
    |\bfail(?:s|ed|ing)?\sto\s[a-z]+\s
    |\bnot\sto\s(?:be|have|weigh|cost|hold|measure|earn|last|take|own|contain)\s
    |\bno\slonger\s(?!than\b)[a-z]+\s){_BEFORE_A_NUMBER}""")
# no number comes after it
_THE_LAST = rf"(?!.*(?:(?<!\d)\d{{1,3}}(?!\d)|\b(?:twice|thrice|double|triple|half|{one_of(SMALL)})\b))"
_HARDLY_A = compiled(rf"(?:hardly|scarcely)\s(?:an?|one)\s{one_of(PARTS)}\b")  # that is, just about
_DOUBTED = compiled(r"""(?:
    (?:\byou\s(?:can(?:\s?not|['’]?t)|(?:could|wo|do)(?:\snot|n['’]?t))|(?:\A|[.!?,;:—–]\s)(?:(?:please|oh|now)\s)?(?:do\snot|don['’]?t(?:\syou)?|never))
      \s(?:go\s)?tell\s(?:me|us)
    |\brefus(?:e[sd]?|ing)\sto\s(?:believe|think|agree)(?!\s(?:about|of|on|to|with)\b)
    |\b(?:disagree[sd]?|disbeliev(?:e[sd]?|ing))\sthat
    |\b(?:den(?:y|ies|ied|ying)|disput(?:e|es|ed|ing))\s(?:that|(?:ever\s)?[a-z]+ing)
    |\b(?<!in\s)doubt(?:s|ed|ing|ful)?
    |(?:\bnot|n['’]t|\bcannot)\s(?:think|(?<!\bcan['’]t\s)(?<!\bcouldn['’]t\s)(?<!\bcannot\s)believe|claim|mean|agree|accept|suppose|reckon|as\s(?:if|though)
      |(?:(?:quite|entirely|fully|really|so|at\sall|yet)\s)?(?:convinced|persuaded|sure|certain)(?!\s(?:of|about)\b)
      |(?:suggest|imply|prove)(?:ing)?(?=\sthat\b)))\s[^,.;:]*\Z""")
_AS_IF = compiled(r"""(?:\A|[.!?]\s)["“]?as\s(?:if|though)\s(?!(?:by|for|from|in|on|out|to|under|with)\b)[^,.;:]*\Z""")
_UNKNOWN = compiled(r"""\b(?:(?:clear|unclear|question(?:able)?|unknown|argued?|disputed?|debat(?:ed?|able)
      |undecided|open|moot)\swhether
    |(?:(?:un)?(?:sure|certain)|known|(?:wonder|know)(?:s|ed|ing)?)\s(?:whether|if))\s(?!.*\bor\snot\b)[^,.;:]*\Z""")
_AGREED = compiled(r"""(?:\b(?:not?|never|cannot|nobody|none|hardly|few|little|without|beyond)|n['’]t)
    \s(?:[a-z]+\s){0,2}\Z""")
_FALSE = compiled(rf"""(?:(?:\bnot|n['’]t|\bhardly|\bfar\sfrom|\bby\sno\smeans|\bcannot)\s
      (?:be\s)?(?:true|the\scase|correct)
    |(?:\b(?:would\sbe|is|was)|['’]s)\s(?:simply\s|just\s|quite\s|utter\s|complete\s)?{_UNTRUE})\s(?:that|to\s{_SAY})\b
    |\Awhether\b[^.;]*\b(?:is|was|remains|stays)\s(?:still\s)?
      (?:un(?:known|clear|certain|decided)|open|moot|doubtful|disputed|not\s(?:known|clear|certain))\b{_THE_LAST}
    |\b(?:no\struth\sin|under\sno\scircumstances|contrary\sto\swhat)\b
    |\b(?:nobody|no[\s-]one)\s(?:(?:can|could|will)\s{_SAY}\s(?:me\s|us\s)?|(?!told|tells){_SAY}\s)(?:that|the|it)\b
    |\bnothing\s(?:[a-z]+\s)?(?:suggest|indicat|show|prov|impl)[a-z]*\s(?:that|the|it)\b
    |(?:,?\swhich|,?\s(?:and|but|yet)\s(?:th(?:at|is)|it)|[,;.!—–]\s(?:(?:and|but|yet)\s)?th(?:at|is))(?:\s(?:is|was)|['’]s)\s
      (?:simply\s|just\s|quite\s|all\s)?(?:{_UNTRUE}|not\s(?:true|so))\s?[.!]?\s*\Z
    |\?\s(?:no(?:pe)?|wrong|nonsense|rubbish|hardly|never|far\sfrom\sit|of\scourse\snot|not\s(?:at\sall|true|so|really))
      \s?[.!]*\s*\Z
    |,\s(?:he|she|they|\w+)\s(?:lied|fibbed|joked)\s?[.!]?\s*\Z
    |[.!,]\s(?:(?:i['’]m\s)?(?:just|only)\s)?(?:kidding|joking)\s?[.!]?\s*\Z
    |\b{_FALSELY}\s{_SAY}(?:\s(?:that|to|the|its?|he|she|they|his|her|their|an?)\b|\s?[.!]?\s*\Z)
    |\b{_SAY},?\s{_FALSELY},?\s(?:that|to)\b
    |(?:\A|\b(?:claim|rumou?r|story|report|idea|notion|belief|view|saying)\s)that\b[^.;]*
      (?:\b(?:is|was|(?:turn|prov)(?:e?s|e?d)(?:\sout)?(?:\sto\sbe)?)
        \s(?:simply\s|just\s|quite\s|utter\s|complete\s)?(?:{_UNTRUE}|not\s(?:true|the\scase))
      |\b(?:has|have|had|was|were)\s(?:been\s)?(?:withdrawn|retracted|disproved|disproven|debunked|refuted))\b{_THE_LAST}
    |\b(?:who(?:so)?(?:ever)?|if\syou)\s{_SAY}\s[^.;]*\b(?:is|are|was|were|['’]re)\s(?:[a-z]+\s)?
      (?:lying|mistaken|wrong|an?\sliar|liars|misinformed|fibbing|dreaming|joking|kidding|exaggerating
      |making\s(?:it|that|this|things)\sup|talking\s(?:nonsense|rubbish)|pulling\syour\sleg)\b
    |\b(?:but|yet)\s(?:it|he|she|they|that|this)\s(?:is|was|are|were|does|do|did|has|have|had|wo|would)
      (?:n['’]?t|\snot)(?:\s(?:so|true|the\scase))?\s?[.!]?\s*\Z""")
_IF = compiled(r"\b(?:if|unless|until|whether)\s[^.,;:]*\Z")
_NOBODY = compiled(r"(?:neither|nobody|no[\s-]one|none|nothing)\b(?!\s(?:(?:would|will|can)\s)?(?:den|doubt|disput))")
_NO = r"""(?:neither\s|(?:nobody|no[\s-]one|nothing)\s(?:I|we|you|he|she|they|that|who|else|here|there)\s
    |no\s(?!one\s(?:den|doubt|disput)|doubt|matter|wonder|surprise|question|secret|denying
      |coincidence|accident|exaggeration|news\b|joke|mistake|sooner|longer|more|by|votes?\b|side|camp|leads?\b|ahead\b|behind\b
      |is\b|was\b|has\b|and\b|or\b|beat|[a-z]+\sthan\b)
    |(?:very\s)?few\s(?!would|will|could|know|doubt|deny|reali[sz]e|notice|people\s(?:know|doubt|deny))
    |not\s(?:many|all|every|one|an?\ssingle)\s|(?:hardly|scarcely)\sany\s)"""
_NONE_HAS = compiled(rf"""(?:(?:\A|[,;:—–]\s|(?:\b(?:that|(?<!yes\s)and|but|is|was|are|were)|['’]s)\s){_NO}
    |\b(?:in|at|on|under)\sno\s(?:[a-z]+\s){{1,2}}(?:is|was|are|were|did|does|do|has|had|have|will|can)\s)
    (?=[^\W\d_])(?![^,.;:]*\b(?:exceed|shall|may|must|should|can|to|over|above|below|under|than)\b)[^,.;:]*\Z""")


def is_denied(of: Shape) -> bool:
    """The text denies a number that the answer uses: "is not twice the fee", "hardly weighs 4 kilos more"; or what it
    says of that number is denied or doubted: "denies having twice as many", "I doubt that it is 3 metres longer".
    """
    denials = (_DENIED.search(of.text, max(0, at - 40), at) for at, _ in of.numbers)
    if any(
        match and not _IF.search(of.text, 0, match.start()) and not _HARDLY_A.match(of.text, match.start())
        for match in denials
    ):
        return True
    before = [(of.text, max(0, at - 120), at) for at, _ in of.numbers]
    doubts = [match for where in before if (match := _DOUBTED.search(*where))]
    agreed = (_AGREED.search(of.text, 0, match.start()) for match in doubts)
    return not all(agreed) or any(_UNKNOWN.search(*where) or _AS_IF.search(*where) for where in before)


def is_called_false(of: Shape) -> bool:
    """The text says that the statement is false: "it is not true that the fee is twice the fine"."""
    return bool(_FALSE.search(of.text))


def is_told_of_nobody(of: Shape) -> bool:
    """An unknown of the answer is nobody's: "Neither has 3 more than Ann", "no house is 3 metres taller"."""
    return any(_NOBODY.match(of.text, at) for at in of.phrases) or any(
        _NONE_HAS.search(of.text, max(0, at - 120), at) for at, _ in of.numbers
    )


DENIED = {
    is_denied: "a relation that is denied",
    is_called_false: "a relation that is denied",
    is_told_of_nobody: "an amount of nobody or nothing",
}
"""Rule -> what is wrong with an answer that it finds; no other reading is right."""
