"""The tables that the corpus commands print: statistics of a corpus, and the agreement of two annotations."""

from __future__ import annotations

from typing import Any

from eqparse.plain import printable

Row = tuple[str, str]
OFTEN = 5  # in so many sentences both of two opposite verbs should occur


def share(pair: list[int]) -> str:
    """A share [part, of how many] as text."""
    part, whole = pair
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "0 of 0"


def show_tables(tables: list[tuple[str, list[Row]]]) -> None:
    """Print tables with two columns, each under its title."""
    from rich.console import Console
    from rich.table import Table

    console = Console(markup=False, highlight=False, emoji=False)
    for title, rows in tables:
        table = Table(show_header=False)
        table.add_column(overflow="fold")
        table.add_column(justify="right", overflow="fold")
        for row in rows:
            table.add_row(*map(printable, row))
        console.print(f"{title}:", table, sep="\n")


def statistics_tables(s: dict[str, Any]) -> list[tuple[str, list[Row]]]:
    """The result of `corpus_statistics` as titles and rows."""
    total = s["with_equation"]
    opposites = opposite_rows(s["language"]["opposites"])
    near = [("to another one", share(s["near_duplicates"])), ("largest group", str(s["largest_group"]))]
    if "near_the_other_set" in s:
        ids = {ours for ours, _ in s["near_the_other_set"]}
        near.append(("to one of the other set", share([len(ids), s["sentences"]])))
        near += [(f"  {ours}", theirs) for ours, theirs in s["near_the_other_set"]]
    unreachable = [(f"  {reason}", f"{len(ids)}: {' '.join(ids)}") for reason, ids in s["unreachable"].items()]
    return [
        ("sentences", [
            ("with an equation", share([total, s["sentences"]])),
            ("without", share([s["without_equation"], s["sentences"]])),
        ]),
        ("kinds (with an equation + without)", [(k or "(none)", f"{a} + {b}") for k, (a, b) in s["kinds"].items()]),
        ("shapes", [
            ("distinct", str(s["shapes"])),
            ("with the order of operands", str(s["shapes_in_order"])),
            *((form, f"{count}; kinds {kinds}") for form, (count, kinds) in s["frequent_shapes"].items()),
        ]),
        ("operators (lr: the first operand comes first in the text)", [
            (op, str(count)) for op, count in s["operators"].items()
        ]),
        ("leaves", [(n, share([count, total])) for n, count in s["leaves"].items()]),
        ("variables", [
            *((name, share([count, total])) for name, count in s["variables"].items()),
            ("annotated mentions per sentence", f"{s['annotated_mentions'] / total:.2f}" if total else "none"),
        ]),
        ("language", [
            ("quantities that do not belong", share(s["extra_quantities"])),
            ("no lexicon phrase", share(s["no_lexicon_phrase"])),
            ("against the syntactic parse", share(s["against_syntax"])),
            *language_rows(s["language"]),
        ]),
        ("opposite verbs of change, comparison and exchange (sentences with an equation)", opposites),
        ("near-duplicates", near),
        ("within the parser's reach", [
            ("projective", share(s["projective"])),
            ("a span of each variable is a candidate", share(s["spans_found"])),
            ("a gold tree", share(s["reachable"])),
            *unreachable,
        ]),
    ]


def language_rows(s: dict[str, Any]) -> list[Row]:
    """The result of `language_statistics` as rows, without the opposites."""
    return [
        ("words a sentence", f"{s['words']:.1f}"),
        ("fewer than 13 words", share(s["short"])),
        ("more than 30 words", share(s["long"])),
        ("with a number that no equation uses", share(s["unused_numbers"])),
        ("with a pronoun, \"the other\", \"the rest\" or the like", share(s["refer_back"])),
        ("verbs; those that occur ten times", "{}; {}".format(*s["verbs"])),
        ("minimal pairs", str(s["minimal_pairs"])),
    ]


def opposite_rows(opposites: dict[str, list[int]]) -> list[Row]:
    """How many of the verbs occur, how many pairs of opposites in both directions, which do not, how many never."""
    counts = {verb: n for pair, both in opposites.items() for verb, n in zip(pair.split(" / "), both, strict=True)}
    often = sum(min(both) >= OFTEN for both in opposites.values())
    rare = [f"{pair} {a} / {b}" for pair, (a, b) in opposites.items() if min(a, b) < OFTEN and max(a, b) > 0]
    return [
        ("verbs that occur", share([sum(n > 0 for n in counts.values()), len(counts)])),
        (f"pairs, both {OFTEN} times or more", share([often, len(opposites)])),
        ("the others", ", ".join(rare) or "none"),
        ("pairs of which neither occurs", str(sum(max(both) == 0 for both in opposites.values()))),
    ]


def agreement_tables(r: dict[str, Any]) -> list[tuple[str, list[Row]]]:
    """The result of `agreement` as titles and rows."""

    def corrected(value: float | None) -> str:
        return "undefined" if value is None else f"{value:.3f}"

    def line(entry: dict[str, Any]) -> str:
        return f"{share(entry['agreed'])}, kappa {corrected(entry['kappa'])}"

    none, equation, variables = r["no_equation"], r["equation"], r["variables"]
    return [
        ("kappa on the groundings", [("noun phrases annotated as variables", corrected(r["groundings"]["kappa"]))]),
        ("does the sentence state an equation?", [
            ("sentences", str(r["sentences"])),
            ("agreed", line(none)),
            ("none by both", str(none["both_none"])),
            ("none by the first alone, by the second alone", f"{none['first_alone']}, {none['second_alone']}"),
        ]),
        ("the equation, where both state one", [
            ("same form", share(equation["same_form"])),
            ("same form, variables used alike", share(equation["same_form_strict"])),
            ("same relation", share(equation["equivalent"])),
            ("same form, and a common phrase for every variable", share(equation["grounded"])),
        ]),
        ("groundings, where both state an equation", [
            ("phrases", line(r["groundings"])), ("head words of phrases", line(r["heads"])),
        ]),
        ("variables, where the equations have one form", [
            ("a phrase in common", line(variables["common"])),
            ("phrases that overlap by half", line(variables["overlap"])),
            ("each accepts the other's first phrase", line(variables["first"])),
        ]),
    ]
