"""One sentence of the page: its spans, equations, trees, scores and features, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from eqparse.analysis.errors_page.diagnosis import KINDS, STAGES, Diagnosis
from eqparse.analysis.errors_page.explanation import Explanation
from eqparse.analysis.errors_page.spans import label_spans, left_out, marked_text
from eqparse.analysis.errors_page.trees import tree_svg
from eqparse.corpus.example import Example
from eqparse.equation.comparison import TOLERANCE
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number
from eqparse.text.quantities import find_quantities
from eqparse.text.spans import Span
from eqparse.training.metrics import Prediction

JUDGED = {"equation": "equation", "grounded": "grounded", "grounded_strict": "grounded and coreferent",
          "equation_equivalent": "equivalent"}


@dataclass(frozen=True)
class Reading:
    """All that is said of one sentence. unreachable: why no parse gives the gold answer, or "". no_scores: why
    `explanation` is None, or "".
    """

    example: Example
    prediction: Prediction
    diagnosis: Diagnosis
    unreachable: str = ""
    explanation: Explanation | None = None
    no_scores: str = ""


def article(reading: Reading) -> str:
    """The sentence as an <article>, with what the filters look at in its data attributes."""
    example, prediction, diagnosis = reading.example, reading.prediction, reading.diagnosis
    kinds = " · ".join(KINDS[kind] for kind in diagnosis.kinds)
    naming = diagnosis.naming
    equation = None if prediction.equation is None else prediction.equation.renamed(naming)
    spans = {naming.get(name, name): found for name, found in prediction.variables.items()}
    searched = " ".join([example.id, example.text, str(example.equation or ""), str(equation or "")]).lower()
    renamed = any(ours != theirs for theirs, ours in naming.items())
    judged = {name: diagnosis.verdict[c] for c, name in JUDGED.items() if c in diagnosis.verdict}
    verdict = " · ".join(f"{name} {'right' if right else 'wrong'}" for name, right in judged.items())
    return "\n".join([
        f'<article data-stage="{diagnosis.stage}" data-kinds="{" ".join(diagnosis.kinds)}" '
        f'data-text="{escape(searched, quote=True)}">',
        f'<header><h2>{escape(example.id)}</h2><span class="stage">{STAGES[diagnosis.stage]}</span>'
        f'<span class="kinds">{kinds}</span></header>',
        '<div class="answers">',
        side("Gold", example.text, example.equation, example.variables, "states no equation", ""),
        side("Predicted", example.text, equation, spans, prediction.reason or "no equation",
             "variables named as in gold" if renamed else ""),
        "</div>",
        f'<p class="side">Judged: {verdict}</p>' if verdict else "",
        f'<p class="side">No parse reaches the gold answer: {escape(reading.unreachable)}.</p>'
        if reading.unreachable else "",
        details(reading),
        "</article>",
    ])


def side(
    title: str, text: str, equation: Equation | None, variables: dict[str, Sequence[Span]], without: str, note: str
) -> str:
    """One of the two answers: the text with its spans, the equation, the tree."""
    marked = label_spans(variables, numbers(text, equation))
    others = ", ".join(f"{name}: “{text[a:b]}”" for name, (a, b) in left_out(variables, marked))
    head = f'<p class="side">{title}{f" ({note})" if note else ""}</p>'
    lines = ["<section>", head, f'<p class="text">{marked_text(text, marked)}</p>']
    lines += [f'<p class="side">also: {escape(others)}</p>'] if others else []
    if equation is None:
        lines.append(f"<p>{escape(without)}</p>")
    else:
        lines.append(f'<p class="equation">{escape(str(equation))}</p>')
        lines.append(f'<div class="drawing">{tree_svg(equation)}</div>')
    return "\n".join([*lines, "</section>"])


def numbers(text: str, equation: Equation | None) -> list[tuple[Span, str]]:
    """The quantities of the text that the equation uses, with their values; of equal ones the earlier."""
    free = list(find_quantities(text))
    found = []
    for leaf in equation.leaves() if equation is not None else ():
        if isinstance(leaf, Number):
            quantity = next((q for q in free if abs(q.value - leaf.value) < TOLERANCE), None)
            if quantity is not None:
                free.remove(quantity)
                found.append(((quantity.start, quantity.end), str(leaf)))
    return found


def details(reading: Reading) -> str:
    """The scores of each stage and the features that decided, folded away."""
    explanation = reading.explanation
    if explanation is None:
        return f'<p class="side">No scores: {escape(reading.no_scores)}</p>' if reading.no_scores else ""
    rows = []
    for score in explanation.scores:
        note = "" if score.same else "after an earlier difference: another input"
        both = score.same and score.gold is not None and score.predicted is not None
        difference = f"{score.predicted - score.gold:+.3f}" if both else ""
        rows.append(
            f'<tr><th scope="row">{STAGES[score.stage]}</th><td class="figure">{figure(score.gold)}</td>'
            f'<td class="figure">{figure(score.predicted)}</td><td class="figure">{difference}</td><td>{note}</td></tr>'
        )
    scores = (
        '<div><table><caption>Scores</caption><tr><th scope="col">stage</th><th scope="col" class="figure">gold</th>'
        '<th scope="col" class="figure">predicted</th><th scope="col" class="figure">difference</th>'
        f'<th scope="col"></th></tr>{"".join(rows)}</table></div>'
    )
    features = ""
    if explanation.features:
        lines = "".join(
            f'<tr><td class="figure">{f.weight:+.3f}</td><td class="name">{escape(f.name)}</td></tr>'
            for f in explanation.features
        )
        features = (
            f"<div><table><caption>{STAGES[explanation.stage].capitalize()}: the features with most weight for the "
            'predicted (+) or the gold (−) choice</caption><tr><th scope="col" class="figure">weight</th>'
            '<th scope="col">feature</th></tr>'
            f"{lines}</table></div>"
        )
    return f'<details><summary>Scores and features</summary><div class="tables">{scores}{features}</div></details>'


def figure(value: float | None) -> str:
    """A score, or that there is none."""
    return "not available" if value is None else f"{value:.3f}"
