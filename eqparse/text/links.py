"""Links, addresses and templates in a text: "[barn](...)", "https://...", "@ann", "{{citation needed}}"."""

from __future__ import annotations

from eqparse.text.numbers.tables import compiled

OPENING = r"(?-i:The|An?|It|He|She|They|We|I|You|In|On|At|If|There|Th[ei]se?|That|His|Her|Their|What|How|Find)\b"
"""The words that begin a sentence more often than a name."""

_ADDRESS = compiled(r"\s?(?:<(?:https?://|mailto:)[^<>\s]*>|\(https?://[^()\s]*\))")
_BARE_ADDRESS = compiled(r"(?:(?::(?=\s\S+\s*\Z))?\s|^)(?:https?://|www\.)\S*[\w/]")
_ADDRESSED = compiled(rf"^\s*(?:RT\s)?(?:@\w+:?\s+)+(?={OPENING})")
_TEMPLATE = compiled(
    r"""\s?\{\{\s?(?:cn|fact|cite|sfn|efn|ref|note|citation|clarify|clarification|source|when|who|which|by\swhom|dubious
    |sic|update)\b[^{}]*\}\}"""
)
_WIKI_LINK = compiled(r"\[\[(?:[^\[\]|]*\|)?(?P<keep>[^\[\]|]+)\]\]")
_LINK = compiled(r"""!?\[(?P<keep>[^\[\]]+)\]\(\s*(?:[^()\s]|\([^()\s]*\))*(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)""")

LINKS = (_TEMPLATE, _WIKI_LINK, _LINK, _ADDRESS, _BARE_ADDRESS, _ADDRESSED)
"""In the order in which they are taken out, save what a pattern keeps."""
