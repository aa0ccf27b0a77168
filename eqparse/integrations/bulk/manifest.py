"""A folder of shards, and the manifest in it: what was read and how, and which shards are done."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eqparse import files
from eqparse.errors import ConfigError, DataError
from eqparse.files import LOCK, check_folder_can_be, is_temporary, open_aside
from eqparse.integrations.bulk.identity import hash_of_file
from eqparse.integrations.bulk.workers import Made
from eqparse.plain import read_json, shown

NAME = "_manifest.json"  # readers of a folder of tables pass over names that begin so
FORMAT, FORMAT_VERSION = "eqparse shards", 1
SHARD = {"file": str, "rows": int, "bytes": int, "sha256": str, "reasons": dict}
SHARD_NAME = re.compile(r"part-\d{6,}\.\w+")


class Manifest:
    """What is known of a folder's shards.

    folder: where they are. suffix: of their names. origin: what decides what is in them: the input, the options, the
    model, the versions. shards: number -> a finished one's file, rows, bytes, SHA-256 and reasons. complete: are these
    all?
    """

    def __init__(self, folder: Path, *, suffix: str, origin: Mapping[str, Mapping[str, Any]]) -> None:
        self.folder, self.suffix, self.origin = folder, suffix, origin
        self.shards: dict[int, dict[str, Any]] = {}
        self.complete = False

    def shard_path(self, number: int) -> Path:
        return self.folder / f"part-{number:06}.{self.suffix}"

    @property
    def reasons(self) -> Counter[str]:
        """How many rows have each reason's code."""
        total: Counter[str] = Counter()
        for shard in self.shards.values():
            total.update(shard["reasons"])
        return total

    def add(self, made: Made) -> None:
        """Take down a shard that was made."""
        self.shards[made.number] = {
            "file": self.shard_path(made.number).name, "rows": made.rows, "bytes": made.bytes, "sha256": made.sha256,
            "reasons": made.reasons,
        }
        self.write()

    def write(self) -> None:
        """Write the manifest, the same whatever the order of the work was."""
        document = {
            "format": FORMAT, "format_version": FORMAT_VERSION, **self.origin, "complete": self.complete,
            "rows": sum(shard["rows"] for shard in self.shards.values()), "reasons": dict(sorted(self.reasons.items())),
            "shards": [self.shards[number] for number in sorted(self.shards)],
        }
        with open_aside(self.folder / NAME) as file:
            file.write((json.dumps(document, indent=1) + "\n").encode())

    def take_over(self) -> None:
        """Go on where an earlier run stopped: its shards count that are there as they were written, and no others stay.

        Raises ConfigError if these are of another input, of other options, of another model or of other versions, which
        it names; DataError for a damaged manifest.
        """
        before = self._read() if (self.folder / NAME).exists() else {"shards": []}
        # where no shard was done, it stopped over its input, say, which may have been mended
        if before["shards"] and (changed := self._changed(before)):
            raise ConfigError(
                f"{self.folder}: expected the input and the options of the run that began there; changed: {changed}; "
                "give the earlier ones, or another --output, or delete the folder to begin again there"
            )
        for shard in before["shards"]:
            if self._is_there(shard) and hash_of_file(self.folder / shard["file"]) == shard["sha256"]:
                self.shards[int(Path(shard["file"]).stem.removeprefix("part-"))] = shard
        self.complete = bool(before.get("complete")) and len(self.shards) == len(before["shards"])
        done = {shard["file"] for shard in self.shards.values()}
        for path in self.folder.iterdir():  # of a killed worker, or of an input that has been changed since
            ours = is_temporary(path.name) or (SHARD_NAME.fullmatch(path.name) and path.name not in done)
            if ours and path.is_file():
                path.unlink()

    def check_shards(self) -> None:
        """Raise DataError if shards that were made are there no longer, or not whole."""
        if lost := [shard["file"] for _, shard in sorted(self.shards.items()) if not self._is_there(shard)]:
            more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
            raise DataError(
                f"{self.folder}: expected the shards that were made, found {', '.join(lost[:3])}{more} gone or cut "
                "short; the same command makes them again"
            )

    def _is_there(self, shard: Mapping[str, Any]) -> bool:
        path = self.folder / shard["file"]
        return path.is_file() and path.stat().st_size == shard["bytes"]

    def _read(self) -> dict[str, Any]:
        path = self.folder / NAME
        try:
            document = read_json(path.read_bytes())
            if document["format"] != FORMAT or document["format_version"] != FORMAT_VERSION:
                raise ValueError(f"{shown(document['format'])}, version {shown(document['format_version'])}")
            for shard in document["shards"]:
                whole = all(isinstance(shard[name], kind) for name, kind in SHARD.items())
                if not whole or not SHARD_NAME.fullmatch(shard["file"]):
                    raise ValueError(f"the shard {shown(shard)}")
        except (ValueError, TypeError, KeyError) as error:
            raise DataError(
                f"{path}: expected the manifest of a run, {FORMAT} {FORMAT_VERSION}; found {type(error).__name__}: "
                f"{error}; nothing else says what the shards beside it are: delete the folder {self.folder} to begin "
                "again there, or choose another --output"
            ) from error
        return document

    def _changed(self, before: Mapping[str, Any]) -> str:
        """What differs from the origin of an earlier run, in words."""
        return ", ".join(
            f"{called(part, name)} from {shown(there.get(name))} to {shown(here.get(name))}"
            for part, here in self.origin.items()
            for there in [before.get(part) if isinstance(before.get(part), dict) else {}]
            for name in dict.fromkeys([*here, *there])
            if here.get(name) != there.get(name)
        )


def called(part: str, name: str) -> str:
    """What the command calls a part of the origin."""
    return f"--{name.replace('_', '-')}" if part == "options" else f"{part}.{name}"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder, which is created if necessary.

    Raises ConfigError if one is at work there, or if the folder holds something else than shards and their manifest;
    OSError if there can be none.
    """
    check_folder_can_be(folder)
    names = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    ours = [name for name in names if name in (NAME, LOCK) or (NAME in names and SHARD_NAME.fullmatch(name))]
    if others := [name for name in names if not (name in ours or is_temporary(name))]:
        raise ConfigError(
            f"{folder}: expected an empty folder, or one with shards of eqparse alone; found "
            f"{', '.join(others[:3])}; choose another one"
        )
    with files.locked(folder, instead="choose another output folder"):
        yield
