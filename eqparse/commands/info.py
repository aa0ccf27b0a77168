"""`eqparse info`: shows what a checkpoint contains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from eqparse.commands import paths
from eqparse.plain import printable
from eqparse.systems.folder import DEFAULT, check_folder, find_checkpoint

if TYPE_CHECKING:
    from torch import nn

CONVERGED = (
    "gap = objective - dual, how far the weights of the features are at most from the best ones; converged True: gap <="
    " solver.tolerance * objective; False: the solver stopped at solver.max_epochs before that (docs/configuration.md)"
)

Checkpoint = Annotated[str, paths.argument(paths.CHECKPOINT, "FOLDER")]


def info(checkpoint: Checkpoint = DEFAULT) -> None:
    """Show what a checkpoint contains."""
    folder = find_checkpoint(checkpoint)
    check_folder(folder)
    from eqparse.systems.ccg.parser import CcgParser
    from eqparse.systems.encoder.attach import describe_encoder
    from eqparse.systems.load import read_checkpoint

    found = read_checkpoint(folder)
    parser = found.parser
    show(f"checkpoint  {folder} ({sum(f.stat().st_size for f in folder.iterdir()) / 1e6:.2f} MB)")
    show(f"written by  eqparse {found.versions['eqparse']}, format {found.versions['format_version']}")
    show(f"annotator   {found.annotator}")
    if isinstance(parser, CcgParser):
        show(f"CCG         {sum(map(len, parser.lexicon.entries.values()))} entries, {len(parser.weights)} weights")
    else:
        for name, stage in parser.stages.items():
            read = "" if stage.head is None else f", {parameters(stage.head)} in its head"
            show(f"stage       {name}: {', '.join(stage.groups)}; {stage.scorer.size} weights{read}")
        if parser.encoder is not None:
            described = describe_encoder(parser)
            named = ("tuned", "rank", "layers", "marked", "hashed_weight")
            options = (f"{option} {described[option]}" for option in named)
            show(f"encoder     {described['base']}: {parameters(parser.encoder)} weights; {', '.join(options)}")
        if fitted := parser.calibration:
            share = "" if fitted.prevalence is None else f"; of the texts {fitted.prevalence:.0%} state an equation"
            show(f"calibration fitted to {fitted.sentences} answers{share}")
        lexicon = parser.tree.lexicon
        show(f"lexicon     {0 if lexicon is None else len(lexicon.rules) + len(lexicon.guards)} rules")
    measured = [*tables(found.metrics)]
    for title, figures in measured:
        show(f"{title:<11} {', '.join(f'{name} {shown(figure)}' for name, figure in figures.items())}")
    if any("converged" in figures for _, figures in measured):
        show(f"{'':<11} {CONVERGED}")


def show(line: str) -> None:
    """Print a line in which there may be any text of the checkpoint's."""
    print(printable(line))


def tables(metrics: Mapping[str, Any], title: str = "metrics") -> Iterator[tuple[str, dict[str, Any]]]:
    """Nested figures that were measured as tables without nesting, each with its title."""
    plain = {name.replace("_", " "): one for name, one in metrics.items() if not isinstance(one, Mapping)}
    plain = {name: one for name, one in plain.items() if one is not None and (name, one) != ("sentences", 0)}
    if "gap" not in plain:  # of a solver that has no measure of it
        plain.pop("converged", None)
    if plain:
        yield title, plain
    for name, one in metrics.items():
        if isinstance(one, Mapping):
            above = "" if title == "metrics" else title.removesuffix(":") + " "
            yield from tables(one, f"{above}{name.replace('_', ' ')}:")


def shown(figure: Any) -> str:
    """A figure as a person reads it."""
    return f"{figure:.4g}" if isinstance(figure, float) else str(figure)


def parameters(module: nn.Module) -> int:
    """The number of a module's parameters."""
    return sum(p.numel() for p in module.parameters())
