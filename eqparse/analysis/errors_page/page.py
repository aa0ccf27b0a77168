"""From a run's folder to one self-contained HTML page that shows what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, PackageLoader

from eqparse.analysis.errors_page.diagnosis import KINDS, STAGES
from eqparse.analysis.errors_page.entry import Entry
from eqparse.analysis.errors_page.run import finished_config, read_entries
from eqparse.analysis.report.run_files import read_metrics
from eqparse.parser.html.render import TEMPLATES as MARKED
from eqparse.stages.registry import FIGURES

TEMPLATES = MARKED.overlay(loader=ChoiceLoader([PackageLoader("eqparse.analysis.errors_page"), MARKED.loader]))
TEMPLATES.globals["filters"] = {"stage": {"wrong": "any of them", **STAGES}, "kind": KINDS}


def errors_page(run: str | Path, *, data: str | Path | None = None) -> str:
    """The page of one run.

    data: the file or folder with the run's sentences, by default what its config names. Scores and features need the
    run's checkpoint; without one the page says why it has none.

    Raises DataError where the folder is not that of a finished run that was tested, where its sentences are missing or
    changed, and where predictions are missing.
    """
    run = Path(run)
    config, metrics = finished_config(run), read_metrics(run)
    entries, notices = read_entries(run, config, tested=metrics["sentences"], data=data)
    return render(title_of(run, config), entries, notices=notices, metrics=metrics)


def render(
    title: str, entries: Sequence[Entry], *, notices: Sequence[str] = (), metrics: Mapping[str, Any] | None = None
) -> str:
    """The page of some entries: wrong ones first, by stage, then the right ones."""
    order = list(STAGES)
    stages = Counter(entry.diagnosis.stage for entry in entries)
    stages["wrong"] = len(entries) - stages["right"]
    figures = [
        f"{name.replace('_', ' ')} {metrics[name]:.1f} %"
        for name in (*FIGURES, "equation", "grounded") if metrics is not None and metrics.get(name) is not None
    ]
    summary = f"{len(entries)} sentences, {stages['wrong']} wrong in equation, grounding or coreference."
    return TEMPLATES.get_template("page.html").render(
        title=title,
        summary=" ".join([summary, ", ".join(figures)]),
        notices=notices,
        counts={"stage": stages, "kind": Counter(kind for entry in entries for kind in entry.diagnosis.kinds)},
        entries=sorted(entries, key=lambda entry: order.index(entry.diagnosis.stage)),
    )


def title_of(run: Path, config: Mapping[str, Any]) -> str:
    """A title that identifies the run: experiment, data, features, its name if it has one, seed and fold."""
    experiment = config.get("experiment") or config.get("run") or run.name
    data, features = config["data"], (config.get("features") or {}).get("name")
    name = config.get("name")
    details = {
        "data": data.get("name"),
        "folds": data.get("folds"),
        "features": features,
        "name": None if name == f"{data.get('name')}-{features}/{experiment}" else name,
        "seed": config.get("seed"),
        "fold": config.get("fold"),
    }
    return ", ".join([f"Errors of {experiment}", *(f"{what} {v}" for what, v in details.items() if v is not None)])
