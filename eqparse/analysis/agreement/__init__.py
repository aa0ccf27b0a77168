"""How far two annotations of the same sentences agree, and where they do not: `eqparse corpus agreement`.

    measures.py        categories or lists of spans -> agreement beyond chance
    pairs.py           two annotations of a sentence -> both under the same names
    summary.py         all pairs -> shares and kappas
    disagreements.py   all pairs -> the sentences to settle
"""

from eqparse.analysis.agreement.disagreements import disagreements
from eqparse.analysis.agreement.pairs import match_annotations
from eqparse.analysis.agreement.summary import agreement

__all__ = ["agreement", "disagreements", "match_annotations"]
