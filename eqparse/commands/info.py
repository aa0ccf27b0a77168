"""`eqparse info`: shows what a checkpoint contains."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from eqparse.commands import paths
from eqparse.plain import write_json


def info(
    checkpoint: Annotated[str | None, paths.argument("default: the model that ships with eqparse", "FOLDER")] = None,
) -> None:
    """Show what a checkpoint contains."""
    from eqparse.systems.ccg.parser import CcgParser
    from eqparse.systems.load import SHIPPED, read_checkpoint

    folder = Path(checkpoint) if checkpoint is not None else SHIPPED
    found = read_checkpoint(folder)
    parser = found.parser
    print(f"checkpoint  {folder} ({sum(f.stat().st_size for f in folder.iterdir()) / 1e6:.2f} MB)")
    print(f"written by  eqparse {found.versions['eqparse']}, format {found.versions['format_version']}")
    print(f"annotator   {found.annotator}")
    if isinstance(parser, CcgParser):
        print(f"CCG         {sum(map(len, parser.lexicon.entries.values()))} entries, {len(parser.weights)} weights")
    else:
        for name, stage in parser.stages.items():
            print(f"stage       {name}: {', '.join(stage.groups)}; {stage.scorer.size} weights")
        lexicon = parser.tree.lexicon
        print(f"lexicon     {0 if lexicon is None else len(lexicon.rules) + len(lexicon.guards)} rules")
    print(f"metrics     {write_json(found.metrics)}")
