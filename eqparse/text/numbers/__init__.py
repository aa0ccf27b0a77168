"""The grammar of numbers, in layers: text -> numerals (`scan`) -> amounts (`amounts`) -> `eqparse.text.quantities`.

A numeral is one written number, in digits (`digits`), in words (`words`) or as a fraction (`fractions`); `lookalikes`,
`labels` and `ones` recognise what only looks like one, `clocks` reads what has colons, and times of day. An amount is
one or more numerals with what belongs to them: a sign (`signs`), a unit (`units`), a fraction (`compound`) or a second
number (`two_units`). Repetitions of an amount are dropped (`restatements`).
"""
