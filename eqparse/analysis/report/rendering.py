"""A report as text: for the terminal (rich), Markdown, and LaTeX (booktabs)."""

from __future__ import annotations

import re

from rich.console import Console
from rich.table import Table as RichTable

from eqparse.analysis.report.make_report import Report
from eqparse.analysis.report.text_tables import HOW, TextTable, text_tables


def terminal(report: Report, console: Console) -> None:
    """Print to a console."""
    for table in text_tables(report):
        console.print(table.caption, style="bold")
        shown = RichTable()
        for at, name in enumerate(table.header):
            shown.add_column(name, justify="left" if table.labelled and at == 0 else "right", overflow="fold")
        for row in table.rows:
            shown.add_row(*row)
        console.print(shown)
        for note in table.notes:
            console.print(f"  {note}")
        console.print()
    if report.tables:
        console.print(HOW)
    if report.left_out:
        console.print(f"\nLeft out ({len(report.left_out)}):")
        for reason in report.left_out:
            console.print(f"  {reason}")


def markdown(report: Report) -> str:
    """A Markdown document."""
    parts = []
    for table in text_tables(report):
        parts += [f"### {in_markdown(table.caption)}", markdown_rows(table)]
        parts += ["\n".join(f"- {in_markdown(note)}" for note in table.notes)] if table.notes else []
    parts += [in_markdown(HOW)] if report.tables else []
    if report.left_out:
        reasons = "\n".join(f"- {in_markdown(reason)}" for reason in report.left_out)
        parts += [f"Left out ({len(report.left_out)}):", reasons]
    return "\n\n".join(parts) + "\n"


def markdown_rows(table: TextTable) -> str:
    """The lines of a Markdown table, padded so that they read as text."""
    rows = [table.header, *(tuple(map(in_markdown, row)) for row in table.rows)]
    first, *others = widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * (width - 1) + ("-" if table.labelled and at == 0 else ":") for at, width in enumerate(widths)]
    padded = [[row[0].ljust(first), *map(str.rjust, row[1:], others)] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [padded[0], rule, *padded[1:]])


def in_markdown(text: str) -> str:
    """Text with what Markdown would read as markup escaped."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", text)


def latex(report: Report) -> str:
    """Tables for LaTeX; needs the package booktabs."""
    parts = [r"% \usepackage{booktabs}", *map(latex_table, text_tables(report))]
    parts += ["% left out: " + " ".join(reason.split()) for reason in report.left_out]
    return "\n".join(parts) + "\n"


def latex_table(table: TextTable) -> str:
    """One table environment, its notes in small print below."""
    columns = ("l" if table.labelled else "r").ljust(len(table.header), "r")
    header = [in_latex(name).replace("p (Holm)", "$p$ (Holm)") for name in table.header]
    rows = [[in_latex(row[0]), *map(figure_in_latex, row[1:])] for row in table.rows]
    return "\n".join([
        "", r"\begin{table}", r"\centering", rf"\caption{{{in_latex(table.caption)}}}",
        rf"\begin{{tabular}}{{{columns}}}", r"\toprule", " & ".join(header) + r" \\", r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows), r"\bottomrule", r"\end{tabular}",
        *([r"\par\smallskip\footnotesize " + in_latex(" ".join(table.notes))] if table.notes else []), r"\end{table}",
    ])


def figure_in_latex(text: str) -> str:
    """A cell with a figure: a minus sign for a leading hyphen, the star raised."""
    return re.sub(r"^-", "$-$", in_latex(text)).replace("*", "$^{*}$")


def in_latex(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$",
               "<": "$<$", ">": "$>$", "[": "{[}", "]": "{]}"}
    return re.sub(r"[\\~^±<>\[\]&%$#_{}]", lambda m: special.get(m.group(), f"\\{m.group()}"), text)
