"""What a type checker says of a program that uses the package: `eqparse/py.typed` promises the annotations."""

from __future__ import annotations

import pytest

PROGRAM = """
import eqparse
from eqparse import Parse, Parser

parser: Parser = eqparse.load(min_confidence=0.5)
parse: Parse = parser("The barn is 10 metres longer than the shed.", alternatives=2)
if parse.equation is not None:
    print(parse.equation.to_latex(), parse.confidence, [quantity.value for quantity in parse.quantities])
for one in parser.stream(["a"]):
    print(one.variables["V1"][0][0] + 1)
cells: list[str | None] = ["a", None]
print(parser.parse_batch(cells)[1].reason_code)
pairs: list[tuple[str, int]] = [("a", 1)]
for one, row in parser.stream(pairs, as_tuples=True):
    print(one.reason.upper(), row + 1)
"""
WRONG = 'parser.stream([("a", 1)], as_tuples=True).__next__()[1].upper()\n'
SETTINGS = """
[mypy]
follow_imports = silent
ignore_missing_imports = true
[mypy-torch.*,spacy.*,sympy.*,numpy.*,transformers.*]
follow_imports = skip
"""


@pytest.mark.slow
def test_a_type_checker_knows_the_public_names(tmp_path):
    api = pytest.importorskip("mypy.api")
    (tmp_path / "mypy.ini").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM + WRONG, encoding="utf-8")
    settings, cache, program = (str(tmp_path / name) for name in ("mypy.ini", "cache", "program.py"))
    out, err, _ = api.run(["--config-file", settings, "--cache-dir", cache, program])
    errors = [line for line in out.splitlines() if ": error:" in line]
    assert len(errors) == 1 and f":{len(PROGRAM.splitlines()) + 1}:" in errors[0] and '"int"' in errors[0], out + err
