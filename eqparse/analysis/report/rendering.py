"""Tables as text: for the terminal (rich), Markdown, LaTeX (booktabs), and CSV with every number unrounded."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table as RichTable

from eqparse.analysis.report.tables import Curve, Line, Table

HEADER = ("row", "paper", "ours", "difference", "p (Holm)")
HOW = (
    "Ours: percent, mean ± standard deviation over seeds; a seed counts all its folds' sentences together. Difference: "
    "to the full system, in points. p: exact two-sided sign-flip test over sentences (McNemar's with one seed), "
    "corrected for the rows of the table after Holm; * below 0.05."
)
CSV_COLUMNS = (
    "data", "limit", "extra", "folds", "features", "table", "figure", "experiment", "row", "fraction",
    "train_sentences", "paper", "mean", "sd_over_seeds", "sd_over_folds", "low", "high", "seeds", "sentences",
    "difference", "p", "p_holm",
)
FORMULA = re.compile(r"^[=+\-@\t\r]")


def cells(line: Line, *, minus: str = "-", plus_minus: str = " ± ") -> tuple[str, ...]:
    """A line as text; "" where there is nothing to say."""
    score = line.score
    ours = "incomplete" if score is None else f"{score.mean:.1f}"
    if score is not None and score.spread is not None:
        ours += f"{plus_minus}{score.spread:.1f}"
    difference = "" if line.difference is None else f"{line.difference:+.1f}".replace("-", minus)
    return (line.label, "" if line.paper is None else f"{line.paper:.1f}", ours, difference, p_text(line.p_holm))


def p_text(p: float | None) -> str:
    """A p value to three places, with a star below 0.05."""
    if p is None:
        return ""
    return ("<0.001" if p < 0.001 else f"{p:.3f}") + ("*" if p < 0.05 else "")


def curve_rows(curve: Curve) -> list[tuple[str, str, str]]:
    """A learning curve as rows: part, sentences, figure."""
    rows = []
    for point in curve.points:
        spread = "" if point.score.spread is None else f" ± {point.score.spread:.1f}"
        rows.append((f"{point.fraction:g}", f"{point.train_sentences:.0f}", f"{point.score.mean:.1f}{spread}"))
    return rows


def curve_title(curve: Curve) -> str:
    """What a learning curve shows."""
    return f"Learning curve of {curve.experiment}, {curve.figure} ({curve.block})"


def terminal(tables: Sequence[Table], curves: Sequence[Curve], left_out: Sequence[str], console: Console) -> None:
    """Print to a console."""
    for table in tables:
        console.print(table.caption, style="bold")
        shown = RichTable()
        for at, name in enumerate(HEADER):
            shown.add_column(name, justify="right" if at else "left", overflow="fold")
        for line in table.lines:
            shown.add_row(*cells(line))
        console.print(shown)
        for note in table.notes:
            console.print(f"  {note}")
        console.print()
    for curve in curves:
        console.print(curve_title(curve), style="bold")
        shown = RichTable("part", "training sentences", curve.figure)
        for row in curve_rows(curve):
            shown.add_row(*row)
        console.print(shown)
    if tables:
        console.print(HOW)
    if left_out:
        console.print(f"\nLeft out ({len(left_out)}):")
        for reason in left_out:
            console.print(f"  {reason}")


def markdown(tables: Sequence[Table], curves: Sequence[Curve], left_out: Sequence[str]) -> str:
    """A Markdown document."""
    parts = []
    for table in tables:
        rows = [HEADER, ("---", *["---:"] * 4), *(tuple(map(in_markdown, cells(line))) for line in table.lines)]
        parts += [f"### {in_markdown(table.caption)}", markdown_rows(rows)]
        parts += ["\n".join(f"- {in_markdown(note)}" for note in table.notes)] if table.notes else []
    for curve in curves:
        rows = [("part", "training sentences", curve.figure), ("---:",) * 3, *curve_rows(curve)]
        parts += [f"### {in_markdown(curve_title(curve))}", markdown_rows(rows)]
    parts += [in_markdown(HOW)] if tables else []
    if left_out:
        parts += [f"Left out ({len(left_out)}):", "\n".join(f"- {in_markdown(reason)}" for reason in left_out)]
    return "\n\n".join(parts) + "\n"


def markdown_rows(rows: Sequence[Sequence[str]]) -> str:
    """Lines of a Markdown table, padded so that they read as text."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]

    def cell(text: str, at: int) -> str:
        if set(text) <= set("-:") and len(text) > 2:
            return "-" * (widths[at] - 1) + text[-1]
        return text.rjust(widths[at]) if at else text.ljust(widths[at])

    return "\n".join("| " + " | ".join(cell(text, at) for at, text in enumerate(row)) + " |" for row in rows)


def in_markdown(text: str) -> str:
    """Text with what Markdown would read as markup escaped."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", text)


def latex(tables: Sequence[Table], curves: Sequence[Curve], left_out: Sequence[str]) -> str:
    """Tables for LaTeX; needs the package booktabs."""
    parts = [r"% \usepackage{booktabs}"]
    for table in tables:
        rows = []
        for line in table.lines:
            label, *figures = cells(line, minus="$-$", plus_minus=r" $\pm$ ")
            rows.append([in_latex(label), *(f.replace("<", "$<$").replace("*", "$^{*}$") for f in figures)])
        header = ["", "paper", "ours", "difference", "$p$ (Holm)"]
        parts.append(latex_table(table.caption, "lrrrr", header, rows, table.notes))
    for curve in curves:
        rows = [[text.replace("±", r"$\pm$") for text in row] for row in curve_rows(curve)]
        parts.append(latex_table(curve_title(curve), "rrr", ["part", "sentences", in_latex(curve.figure)], rows, ()))
    parts += ["% left out: " + " ".join(reason.split()) for reason in left_out]
    return "\n".join(parts) + "\n"


def latex_table(caption: str, columns: str, header: list[str], rows: list[list[str]], notes: Sequence[str]) -> str:
    """One table environment, its notes in small print below."""
    body = [" & ".join(row) + r" \\" for row in rows]
    small = [r"\par\smallskip\footnotesize " + in_latex(" ".join(notes))] if notes else []
    return "\n".join([
        "", r"\begin{table}", r"\centering", rf"\caption{{{in_latex(caption)}}}", rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule", " & ".join(header) + r" \\", r"\midrule", *body, r"\bottomrule", r"\end{tabular}", *small,
        r"\end{table}",
    ])


def in_latex(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$",
               "<": "$<$", ">": "$>$", "[": "{[}", "]": "{]}"}
    return re.sub(r"[\\~^±<>\[\]&%$#_{}]", lambda m: special.get(m.group(), f"\\{m.group()}"), text)


def as_csv(tables: Sequence[Table], curves: Sequence[Curve]) -> str:
    """One line for each row of each table and each point of each curve, numbers unrounded."""
    file = io.StringIO()
    writer = csv.DictWriter(file, CSV_COLUMNS, lineterminator="\n", restval="")
    writer.writeheader()
    for table in tables:
        for line in table.lines:
            writer.writerow({
                **common(table), "table": table.name, "experiment": line.experiment, "row": plain(line.label),
                "paper": blank(line.paper), **score_cells(line.score), "difference": blank(line.difference),
                "p": blank(line.p), "p_holm": blank(line.p_holm),
                **dict(zip(("low", "high"), line.interval or ("", ""), strict=True)),
            })
    for curve in curves:
        for point in curve.points:
            writer.writerow({
                **common(curve), "table": "learning curve", "experiment": curve.experiment, "row": curve.experiment,
                "fraction": point.fraction, "train_sentences": point.train_sentences, **score_cells(point.score),
            })
    return file.getvalue()


def common(item: Table | Curve) -> dict[str, object]:
    """The columns that say what the figure is of."""
    block = item.block
    return {"data": plain(block.name), "limit": blank(block.limit), "extra": blank(block.extra), "folds": block.folds,
            "features": plain(block.features), "figure": item.figure}


def score_cells(score) -> dict[str, object]:
    """The columns of a figure; all blank where no seed is complete."""
    if score is None:
        return {}
    return {"mean": score.mean, "sd_over_seeds": blank(score.spread), "sd_over_folds": score.fold_spread,
            "seeds": " ".join(map(str, score.seeds)), "sentences": score.sentences}


def blank(value: object) -> object:
    """A value, "" for None."""
    return "" if value is None else value


def plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if FORMULA.match(text) else text
