"""The grammar of numbers, in layers: text -> numerals (`scan`) -> amounts (`amounts`) -> `eqparse.text.quantities`.

A numeral is the characters that write one number, in digits (`digits`), words (`words`) or as a fraction (`fractions`);
`lookalikes` and `labels` tell what only looks like one. An amount is a numeral, or several, with what belongs to them:
a sign (`signs`), a unit (`units`), a second number (`joins`); what says an amount again is left out (`restatements`).
"""
