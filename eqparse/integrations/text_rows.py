"""Lines of a file, whatever the bytes are, and sentences one a line."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from eqparse.integrations.rows import Row
from eqparse.parser.reasons import Reason, reason

MAX_LINE = 1_000_000  # bytes of a line that are read; more would be refused in any case
ENCODINGS = {  # -> their byte order marks; that of UTF-32 begins like that of UTF-16
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


class WrongEncoding(Exception):
    """A file is in another encoding than UTF-8, which the message names."""


def text_lines(file: BinaryIO) -> Iterator[Row]:
    """A row for each line, blank ones included, whose id is its number; a carriage return by itself ends one too."""
    lines = split(file, at_returns=True)
    pieces = (p for line in lines for p in ([line] if isinstance(line, Reason) else line.splitlines()))
    for number, piece in enumerate(pieces, start=1):
        yield Row(str(number), piece if isinstance(piece, Reason) else decoded(piece))


def split(file: BinaryIO, *, at_returns: bool = False) -> Iterator[bytes | Reason]:
    """Lines with their ends, after a byte order mark; closes the file.

    A line that is too long is passed over in pieces and gives a reason. Raises WrongEncoding (see `check_encoding`).

    at_returns: carriage returns end lines too, and several such lines may come as one, since they are split later.
    """
    with file:
        first, rest = True, b""
        while line := rest if rest.endswith(b"\n") else rest + file.readline(MAX_LINE - len(rest)):
            rest = b""
            if first:
                check_encoding(line)
            if len(line) == MAX_LINE and not line.endswith(b"\n"):
                end = line.rfind(b"\r", 0, -1) + 1 if at_returns else 0  # not the last byte: a line feed may follow
                line, rest = line[:end], line[end:]
                if not line:
                    rest = _after_line(file, rest[-1:], at_returns=at_returns)
                    yield reason("too_long", f"a line of more than {MAX_LINE} bytes")
            if line := line.removeprefix(codecs.BOM_UTF8) if first else line:
                yield line
            first = False


def _after_line(file: BinaryIO, piece: bytes, *, at_returns: bool) -> bytes:
    """Pass over a line whose last piece was read -> what was read after its end."""
    def ended() -> bool:
        return piece.endswith(b"\n") or (at_returns and b"\r" in piece)

    while piece and not ended():
        piece = file.readline(MAX_LINE)
    if not at_returns or b"\r" not in piece:
        return b""
    if piece.endswith(b"\r"):
        piece += file.readline(1)  # perhaps the line feed of this end
    return piece[piece.index(b"\r") + 1 :].removeprefix(b"\n")


def is_written(line: bytes | Reason) -> bool:
    """Has a line anything in it? Where a row has a form, a blank line is none."""
    return isinstance(line, Reason) or bool(line.strip())


def check_encoding(beginning: bytes) -> None:
    """Raise WrongEncoding where a file begins with the byte order mark of another encoding than UTF-8."""
    for encoding, marks in ENCODINGS.items():
        if mark := next(filter(beginning.startswith, marks), b""):
            raise WrongEncoding(
                f"expected UTF-8, found {encoding} by its byte order mark {mark.hex(' ').upper()}; convert it, as by "
                f"`iconv -f {encoding} -t UTF-8 OLD > NEW`, or save it as UTF-8"
            )


def decoded(line: bytes) -> str | Reason:
    """A line as text."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        read = line.decode("utf-8", "backslashreplace")
        return reason("not_utf8", f"byte 0x{line[error.start]:02x} at {error.start}", read=read)
