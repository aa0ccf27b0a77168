"""From a parser to its description in config.yaml (stages, decoder, limits, lexicon rules), and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eqparse import __version__
from eqparse.errors import CheckpointError, ConfigError, DataError
from eqparse.parser.beam import BeamDecoder
from eqparse.parser.calibration import LEAST_CONFIDENCE, Calibration
from eqparse.parser.decode import Greedy
from eqparse.parser.limits import Limits
from eqparse.parser.nbest import NBest
from eqparse.parser.pipeline import EquationParser
from eqparse.plain import shown
from eqparse.stages.base import Stage
from eqparse.stages.custom import class_path, find_class
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.lexicon_rules import read_rule, rule_table
from eqparse.stages.registry import STAGES, stage_class
from eqparse.systems.encoder.attach import describe_encoder
from eqparse.systems.signature import signature
from eqparse.systems.weights import damaged

MAX_BITS = 24


def describe(parser: EquationParser) -> dict[str, Any]:
    """Plain data from which `build` can make the parser again, without its weights."""
    data = {
        "stages": {name: describe_stage(name, stage) for name, stage in parser.stages.items()},
        "limits": asdict(parser.limits),
        "lexicon": rules_to_data(parser.tree.lexicon),
    }
    if isinstance(parser.decoder, BeamDecoder):
        data["joint_beam"] = parser.decoder.beam
    if isinstance(parser.decoder, NBest):
        data["calibration"] = asdict(parser.decoder.calibration)
    return data if parser.encoder is None else data | {"encoder": describe_encoder(parser)}


def describe_stage(name: str, stage: Stage) -> dict[str, Any]:
    """The description of one stage, with its class if that is user-defined."""
    usual = stage_class(name, projective=stage.options.get("projective", True))
    return {
        "groups": list(stage.groups), "bits": stage.bits, "signature": signature(stage),
        **({"options": stage.options} if stage.options else {}),
        **({} if type(stage) is usual else {"class": class_path(type(stage))}),
    }


def build(document: Mapping[str, Any], where: str) -> EquationParser:
    """The parser that config.yaml describes, with all weights 0 and without its encoder.

    Raises CheckpointError if the description is invalid, or if the features have changed since it was written.
    """
    stages = document["stages"]
    unknown = sorted(stages.keys() - STAGES.keys())
    required = [name for name, kind in STAGES.items() if kind.required]
    missing = sorted(set(required) - stages.keys())
    if unknown or missing:
        raise CheckpointError(
            f"{where}: expected the stages {', '.join(required)} and perhaps others of {', '.join(STAGES)}; "
            f"missing {missing}, unknown {unknown}"
        )
    parts: dict[str, Stage] = {}
    for name, options in stages.items():
        bits = options["bits"]
        if type(bits) is not int or not 1 <= bits <= MAX_BITS:
            raise damaged(f"{where}, stage {name}", f"bits from 1 to {MAX_BITS}", shown(bits))
        extra = dict(options.get("options", {}))
        make = stage_class(name, projective=extra.pop("projective", True))
        if "class" in options:
            try:
                make = find_class(options["class"], name, anywhere=False)
            except ConfigError as error:
                raise CheckpointError(f"{where}: {error}") from error
        if name == "tree":
            extra["lexicon"] = rules_from_data(document["lexicon"], where)
        parts[name] = make(groups=tuple(options["groups"]), bits=bits, **extra)
        found = signature(parts[name])
        if found != options["signature"]:
            raise CheckpointError(
                f"{where}, stage {name}: expected features with the signature {options['signature']}, with which it "
                f"was trained; this eqparse ({__version__}) has {found}; train it again, or use eqparse "
                f"{document['eqparse']}"
            )
    known = {f.name for f in fields(Limits)}
    try:
        limits = Limits(**{name: value for name, value in document["limits"].items() if name in known})
    except ConfigError as error:
        raise damaged(where, "limits", str(error)) from error
    beam, decoder = document.get("joint_beam"), Greedy()
    if beam is not None:
        if type(beam) is not int or beam < 1:
            raise damaged(where, "a joint_beam of at least 1", shown(beam))
        decoder = BeamDecoder(beam=beam)
    if "calibration" in document:
        decoder = NBest(read_calibration(document["calibration"], where))
    return EquationParser(**parts, decoder=decoder, limits=limits)


def read_calibration(data: Any, where: str) -> Calibration:
    """The calibration that `asdict` wrote. Raises CheckpointError for anything else."""
    try:
        return Calibration(**CalibrationRecord.model_validate(data).model_dump())
    except ValidationError as error:
        raise damaged(where, "a calibration", shown(data)) from error


Finite = Annotated[float, Field(allow_inf_nan=False)]


class CalibrationRecord(BaseModel):
    """A calibration in config.yaml."""

    model_config = ConfigDict(extra="forbid")

    temperatures: dict[Literal[tuple(STAGES)], Annotated[float, Field(gt=0, allow_inf_nan=False)]]
    slope: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    margin: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    intercept: Finite
    least: Annotated[float, Field(ge=0, lt=1)] = LEAST_CONFIDENCE
    sentences: Annotated[int, Field(ge=0)]
    none_stated: tuple[Finite, Finite, Finite] = Calibration.none_stated
    prevalence: Annotated[float, Field(gt=0, lt=1)] | None = None
    odds: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0


def rules_to_data(lexicon: Lexicon | None) -> dict[str, list[dict[str, Any]]] | None:
    """A lexicon's rules, in the same form as in its rule file."""
    if lexicon is None:
        return None
    return {"rule": [rule_table(r) for r in lexicon.rules], "guard": [rule_table(r) for r in lexicon.guards]}


def rules_from_data(data: Any, where: str) -> Lexicon | None:
    """The lexicon that `rules_to_data` wrote."""
    if data is None:
        return None
    try:
        return Lexicon([
            read_rule(table, kind=kind, where=f"{kind} {n}")
            for kind in ("rule", "guard")
            for n, table in enumerate(data[kind], start=1)
        ])
    except DataError as error:
        raise damaged(f"{where}, lexicon", "rules", str(error)) from error
