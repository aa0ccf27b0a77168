"""The grammar of numbers, in layers: text -> numerals (`scan`) -> amounts (`amounts`) -> `eqparse.text.quantities`.

A numeral is one written number, in digits (`digits`), in words (`words`) or as a fraction (`fractions`); `lookalikes`
and `labels` recognise what only looks like one. An amount is one or more numerals with what belongs to them: a sign
(`signs`), a unit (`units`), a second number (`compound`). Repetitions of an amount are dropped (`restatements`).
"""
