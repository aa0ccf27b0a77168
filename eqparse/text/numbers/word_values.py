"""The value of number words in a row: "two thousand three hundred and five"."""

from __future__ import annotations

import math

from eqparse.text.numbers.tables import SCALE, SMALL

_SMALLS = SMALL | {"oh": 0}
_SCALES = SCALE | {f"{word}s": value for word, value in SCALE.items()}
_SCORES = frozenset(("threescore", "fourscore"))  # "threescore and ten"
_BEFORE_AND = _SCORES | _SCALES.keys()


def value_of(words: list[str], first: int) -> tuple[int, int]:
    """The longest number that starts at words[first]: its value and the index after it.

    total holds the closed groups ("two thousand"), group the open one; the next word must be below `room` to
    be added, its scale below `ceiling` to multiply. "and" joins what is below a hundred to a hundred or more.
    """
    total, group, room, ceiling = 0, 0, math.inf, math.inf
    index = first
    while index < len(words):
        joined = words[index] == "and"
        word = words[index + joined]
        if joined and (index == first or words[index - 1] not in _BEFORE_AND or word in _SCALES):
            break
        if word in _SMALLS:
            value = _SMALLS[word]
            if value >= room or (value == 0 and index > first):
                break
            own = _scale_after(words, index + joined) if index > first and words[index - 1] in _SCALES else 0
            # In "one hundred and two hundred", "two" belongs to the next number.
            if own >= ceiling or own == 12 or (own == 100 and (joined or group)):
                break
            group += value
            room = 20 if word in _SCORES else 10 if value >= 20 and value % 10 == 0 else 0
        elif word in ("dozen", "dozens"):  # "two dozen", "a hundred dozen", "a dozen dozen", "a dozen million"
            total, group, index = (total + group or 1) * 12, 0, index + 1
            while index < len(words) and _SCALES.get(words[index], 100) != 100:
                total, index = total * _SCALES[words[index]], index + 1
            break
        else:
            scale = _SCALES[word]
            if total and not group and scale >= ceiling and not joined:  # "two thousand million", "a million million"
                total, ceiling, index = total * scale, scale, index + 1
                continue
            if index > first and not group or scale >= ceiling:
                break
            if scale == 100 and group >= 100:
                break
            group = (group or 1) * scale
            room = 100
            if scale > 100:
                total, group, room, ceiling = total + group, 0, 1000, scale
        index += 1 + joined
    return total + group, index


def _scale_after(words: list[str], at: int) -> int:
    """The scale that multiplies the number below a hundred at words[at]; 0 if there is none."""
    after = at + 1
    if _SMALLS[words[at]] >= 20 and after < len(words) and 0 < _SMALLS.get(words[after], 0) < 10:
        after += 1
    return _SCALES.get(words[after], 0) if after < len(words) else 0
