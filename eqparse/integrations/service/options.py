"""What a service is told when it starts. Imports neither torch nor FastAPI, so that a mistake is said at once."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from eqparse.errors import ConfigError

ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?")


@dataclass(frozen=True, kw_only=True)
class ServiceOptions:
    """Limits and defaults of a service.

    max_characters: of a text. max_texts: in a request to /parse.
    max_body: bytes of a request to /parse; of one to /parse/batch, bytes that wait to be parsed.
    max_requests: that are answered at the same time. max_alternatives: that a request may ask for.
    max_explained: texts of a request to /parse that are explained.
    queue: texts that may wait to be parsed.
    timeout: seconds for a request to arrive, and again for its answer; in /parse/batch for each piece and each answer.
    batch_size: texts that are parsed at once, at most. wait_ms: how long a text waits for company, in milliseconds.
    min_confidence, alternatives: of requests that do not say; as in `Parser.parse_batch`.
    cors_origins: origins whose pages may read answers, such as "https://farm.example"; "*" for all.
    log_texts: write texts into the log, which otherwise holds none.

    Raises ConfigError for a value out of range.
    """

    max_characters: int = 4000
    max_texts: int = 64
    max_body: int = 4_000_000
    max_requests: int = 256
    max_alternatives: int = 20
    max_explained: int = 8
    queue: int = 1024
    timeout: float = 30.0
    batch_size: int = 32
    wait_ms: float = 2.0
    min_confidence: float | None = None
    alternatives: int = 0
    cors_origins: tuple[str, ...] = ()
    log_texts: bool = False

    def __post_init__(self) -> None:
        for name in ("max_characters", "max_texts", "max_body", "max_requests"):
            self._check(name, 1)
        self._check("batch_size", 1, 1_000_000)  # more is refused by the parser, at each request
        for name in ("max_alternatives", "max_explained"):
            self._check(name, 0)
        self._check("alternatives", 0, self.max_alternatives)
        self._check("queue", self.max_texts)  # else the time would never come when such a request is taken
        self._check("timeout", 0.001, 86_400)
        self._check("wait_ms", 0, 10_000)
        if self.min_confidence is not None:
            self._check("min_confidence", 0, 1)
        for origin in self.cors_origins:
            if origin != "*" and not ORIGIN.fullmatch(origin):
                raise ConfigError(
                    "--cors-origin: expected * or an origin as browsers send it, such as https://farm.example or "
                    f"http://localhost:3000 (small letters, no path and no / at its end), found {origin!r}"
                )

    def _check(self, name: str, least: float, most: float = math.inf) -> None:
        value = getattr(self, name)
        if not least <= value <= most:
            bounds = f"of at least {least:g}" if most == math.inf else f"from {least:g} to {most:.15g}"
            raise ConfigError(f"--{name.replace('_', '-')}: expected a value {bounds}, found {value!r}")
