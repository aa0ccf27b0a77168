"""From the folders of finished runs to tables and plots: what `eqparse report` prints.

    run_files.py      the files of a run, checked
    finished_runs.py  folders -> runs
    verdicts.py       a run -> which sentences it got right
    grid.py           runs -> rows of one experiment, all folds and seeds, on one set of sentences
    significance.py   the paired test, its correction, intervals
    layout.py         tables.toml: which tables there are, their rows, the paper's figures
    tables.py         rows -> tables
    curves.py         rows -> learning curves
    make_report.py    runs -> tables, curves, and what is in neither
    text_tables.py    tables and curves -> their figures as text
    rendering.py      text -> terminal, Markdown, LaTeX
    csv_file.py       tables and curves -> CSV
    plots.py          tables and curves -> PNG and PDF
"""

from eqparse.analysis.report.finished_runs import LeftOut, Run, find_runs
from eqparse.analysis.report.make_report import Report, make_report
from eqparse.analysis.report.verdicts import agreeing

__all__ = ["LeftOut", "Report", "Run", "agreeing", "find_runs", "make_report"]
