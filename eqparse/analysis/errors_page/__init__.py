"""From a run's predictions to one HTML page that a person reads through: what `eqparse errors` writes.

    diagnosis.py      gold and prediction -> the stage that first went wrong, the kinds of error
    explanation.py    a parser -> each stage's scores of gold and predicted, the features that decided
    feature_names.py  features by name
    spans.py, trees.py, article.py   a sentence as HTML
    page.py           a run's folder -> the page; page.html, page.css, page.js are its parts
"""

from eqparse.analysis.errors_page.diagnosis import KINDS, STAGES, Diagnosis, diagnose
from eqparse.analysis.errors_page.page import errors_page

__all__ = ["KINDS", "STAGES", "Diagnosis", "diagnose", "errors_page"]
