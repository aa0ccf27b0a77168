"""From a run's predictions to one HTML page that a person reads through: what `eqparse errors` writes.

    diagnosis.py      gold and prediction -> the stage that first went wrong, the kinds of error
    explanation.py    a parser -> each stage's scores of gold and predicted, the features that decided
    run.py            a run's folder -> its entries: sentences with their diagnosis and explanation
    entry.py          an entry as the template shows it, marked by eqparse.parser.html; trees.py: its drawn trees
    page.py           entries -> the page, by templates/
"""

from eqparse.analysis.errors_page.diagnosis import KINDS, STAGES, Diagnosis, diagnose
from eqparse.analysis.errors_page.page import errors_page
from eqparse.analysis.errors_page.run import files_read

__all__ = ["KINDS", "STAGES", "Diagnosis", "diagnose", "errors_page", "files_read"]
