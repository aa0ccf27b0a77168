"""`eqparse serve`: the parser as an HTTP service."""

from __future__ import annotations

import errno
import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eqparse.commands.ending import INTERRUPTED, say
from eqparse.commands.parse import Checkpoint, MinConfidence, Precision, Prevalence
from eqparse.errors import ConfigError
from eqparse.integrations.service.options import ServiceOptions
from eqparse.scoring.devices import check_device_name
from eqparse.systems.folder import DEFAULT, check_folder, find_checkpoint

if TYPE_CHECKING:
    from eqparse.integrations.service.batcher import Batcher

Host = Annotated[str, typer.Option(metavar="NAME", help="the address to listen at; 0.0.0.0 for all of this machine")]
Port = Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 for any that is free")]
Origins = Annotated[
    list[str] | None,
    typer.Option(metavar="ORIGIN", show_default=False, help="whose pages may read answers; may be repeated; * for all"),
]


def number(help: str, metavar: str = "N"):
    """An option with a number as its value."""
    return typer.Option(metavar=metavar, help=help)


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    checkpoint: Checkpoint = DEFAULT,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:N, or auto for a GPU where there is one")] = "cpu",
    precision: Precision = "auto",
    max_characters: Annotated[int, number("of a text")] = ServiceOptions.max_characters,
    max_texts: Annotated[int, number("in a request to /parse")] = ServiceOptions.max_texts,
    max_body: Annotated[int, number("bytes of a request's body")] = ServiceOptions.max_body,
    max_requests: Annotated[int, number("answered at the same time")] = ServiceOptions.max_requests,
    max_alternatives: Annotated[int, number("that a request may ask for")] = ServiceOptions.max_alternatives,
    max_explained: Annotated[int, number("texts that a request to /parse may have explained")] = (
        ServiceOptions.max_explained
    ),
    queue: Annotated[int, number("texts that may wait to be parsed")] = ServiceOptions.queue,
    timeout: Annotated[
        float, number("seconds for a request to arrive, and for its answer", "SECONDS")
    ] = ServiceOptions.timeout,
    batch_size: Annotated[int, number("texts parsed at a time")] = ServiceOptions.batch_size,
    wait_ms: Annotated[
        float, number("milliseconds that a text waits for others to be parsed with", "MS")
    ] = ServiceOptions.wait_ms,
    alternatives: Annotated[int, number("relations to name of a text, if a request does not say")] = (
        ServiceOptions.alternatives
    ),
    min_confidence: MinConfidence = ServiceOptions.min_confidence,
    prevalence: Prevalence = None,
    cors_origin: Origins = None,
    log_texts: Annotated[bool, typer.Option("--log-texts", help="write texts into the log")] = ServiceOptions.log_texts,
) -> None:
    """Answer HTTP requests: POST /parse, POST /parse/batch, GET /health, /version and /openapi.json."""
    options = ServiceOptions(
        max_characters=max_characters, max_texts=max_texts, max_body=max_body, max_requests=max_requests,
        max_alternatives=max_alternatives, max_explained=max_explained, queue=queue, timeout=timeout,
        batch_size=batch_size, wait_ms=wait_ms, alternatives=alternatives, min_confidence=min_confidence,
        cors_origins=tuple(cors_origin or ()), log_texts=log_texts,
    )
    check_device_name(device)
    folder = find_checkpoint(checkpoint)
    check_folder(folder)
    check_installed()
    with bound(host, port, timeout=options.timeout) as listener:
        import torch  # takes seconds, so only once the port is known to be free
        import uvicorn

        from eqparse.integrations.service.app import create_app
        from eqparse.systems.load import load

        torch.set_num_threads(1)  # the tensors are so small that more threads are slower
        parser = load(folder, device=device, precision=precision, prevalence=prevalence)
        app = create_app(parser, options=options, model=checkpoint)
        log_to_standard_error()
        config = uvicorn.Config(
            app, http="h11", ws="none", log_config=None, access_log=False, server_header=False,
            timeout_graceful_shutdown=round(options.timeout) + 1,
        )
        listen(listener, host, port)
        if hasattr(signal, "SIGHUP") and callable(signal.getsignal(signal.SIGHUP)):  # uvicorn knows the others
            signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
        say(f"eqparse: serving {checkpoint} at http://{address(listener)}")
        with not_waiting(app.state.batcher):
            uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def not_waiting(batcher: Batcher[Any, Any]) -> Iterator[None]:
    """Let a signal that ends the block end the process although a batch is being parsed, for nobody any more."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as stop:
        if batcher.busy:  # Python would wait for its thread
            say("eqparse: ended while texts were being parsed")
            os._exit(INTERRUPTED if isinstance(stop, KeyboardInterrupt) else int(stop.code or 0))
        raise


def check_installed() -> None:
    """Raise ConfigError where what the service is made of is lacking."""
    missing = [name for name in ("fastapi", "uvicorn") if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"eqparse serve: expected {' and '.join(missing)}, which the extra `serve` brings; install it with "
            "`pip install -e '.[serve]'`"
        )


def bound(host: str, port: int, *, timeout: float) -> socket.socket:
    """A socket that has the port, at which nothing is answered before the parser is loaded. Raises OSError.

    timeout: seconds after which a client is dropped that reads nothing of its answer, where the system can.
    """
    with naming_address(host, port):
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, place = found[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(1000 * timeout))
        listener.bind(place)
    return listener


def listen(listener: socket.socket, host: str, port: int) -> None:
    """Let clients connect. Raises OSError where a service that was starting at the same time has the port by now."""
    with naming_address(host, port):
        listener.listen()


@contextmanager
def naming_address(host: str, port: int) -> Iterator[None]:
    """Let what the system says of an address name it; a host that no address could have is an OSError as well."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from error
    except UnicodeError as error:
        why = "no host has such a name; expected an address or the name of this machine"
        raise OSError(errno.EINVAL, why, f"{host}:{port}") from error


def address(listener: socket.socket) -> str:
    """Where a socket listens, as in a URL."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def log_to_standard_error() -> None:
    """Write what the service and its server log to standard error: a line each, and never a traceback."""

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            message = record.getMessage()
            if message.startswith("Traceback"):  # as text: of what the service does when it begins and when it ends
                message = message.split("\n")[-2 if message.endswith("\n") else -1]
            if not message.endswith("CancelledError"):  # a second interrupt ends it at once
                say(f"eqparse: {message}")

    for name, level in (("eqparse.service", logging.INFO), ("uvicorn", logging.WARNING), ("asyncio", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [Lines()], False
        logger.setLevel(level)
