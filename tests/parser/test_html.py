"""What notebooks show of a parse."""

from __future__ import annotations

from parses import answered

from eqparse.equation.equation import Equation

TEXT = "The <b> shelf holds 8 jars more than half the <script>."


def test_a_parse_is_shown_with_its_marks_and_escaped():
    equation = Equation.parse("V1 = 8 + (0.5 * V2)")
    parse = answered(TEXT, equation, {"V1": ((0, 13),), "V2": ((42, 54),)}, confidence=0.875)
    page = parse._repr_html_()
    assert '<mark class="v1">The &lt;b&gt; shelf<b>V1</b></mark>' in page
    assert '<mark class="number">8</mark>' in page and '<mark class="number">half<b>0.5</b></mark>' in page
    assert '<p class="equation">V1 = 8 + (0.5 * V2)</p>' in page and "confidence 0.88" in page
    assert "<script" not in page and "http" not in page
    assert parse._repr_latex_() == r"$\displaystyle V_{1} = 8 + 0.5 V_{2}$"


def test_a_refusal_is_shown_with_its_reason():
    parse = answered("Nothing <here>.", reason="the text has no number")
    assert "<mark" not in parse._repr_html_() and "no equation: the text has no number" in parse._repr_html_()
    assert "Nothing &lt;here&gt;." in parse._repr_html_() and parse._repr_latex_() is None
