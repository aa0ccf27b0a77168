"""A command that takes each option once: of two `--input`, one would be read and the other passed over in silence."""

from __future__ import annotations

from collections import Counter

import typer
from typer.core import TyperCommand, TyperOption


class Once(TyperCommand):
    """Refuses an option with a value that is given twice, unless it is one that may be repeated."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        """Raises typer.BadParameter, which names the option."""
        _, _, order = self.make_parser(ctx).parse_args(args=[*args])
        for param, count in Counter(order).items():
            if count > 1 and isinstance(param, TyperOption) and not (param.multiple or param.is_flag):
                raise typer.BadParameter(f"expected once, found {count} times", ctx, param)
        return super().parse_args(ctx, args)
