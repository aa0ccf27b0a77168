"""`eqparse serve` as a process: how it starts, how it ends, and what it says when it cannot start."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from tiny import ROOT

from eqparse.commands import serve as command
from eqparse.commands.main import main
from eqparse.integrations.service.schema import TEXT

HEAD = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers")])}


SLOW = """
import sys, time
from service import Canned
from eqparse.commands.main import main
from eqparse.systems import load

parser = Canned()
parser.parse = lambda text, alternatives: time.sleep(60) if text == "slow" else Canned.parse(parser, text, alternatives)
load.load = lambda *_, **__: parser
sys.exit(main(sys.argv[1:]))
"""


class Server:
    """A service in a process of its own. program: with another model than the one that ships."""

    def __init__(self, *options: str, program: str = "") -> None:
        words = [sys.executable, *(["-c", program] if program else ["-m", "eqparse"]), "serve", "--port", "0", *options]
        heard = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)}  # also under nohup
        self.process = subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, **heard)
        self.said = [self.process.stderr.readline()]
        self.port = int(self.said[0].rsplit(":", 1)[1])
        self.reader = threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True)
        self.reader.start()

    def connect(self) -> socket.socket:
        for _ in range(100):
            try:
                return socket.create_connection(("127.0.0.1", self.port), timeout=60)
            except ConnectionRefusedError:  # it is about to listen
                time.sleep(0.1)
        raise AssertionError(self.said)

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        status = self.process.wait(60)
        self.reader.join(10)
        return status


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def answer(connection: socket.socket) -> bytes:
    """All that comes until the server closes the connection, or has sent the last chunk."""
    found = b""
    while (data := connection.recv(65536)) and not (found := found + data).endswith(b"0\r\n\r\n"):
        pass
    return found


@pytest.mark.slow
@pytest.mark.pipeline
def test_a_service_ends_on_sigterm_with_requests_in_flight_answered():
    server = Server("--timeout", "20")
    try:
        whole, stream, gone = server.connect(), server.connect(), server.connect()
        body = json.dumps({"texts": [TEXT] * 64}).encode()
        whole.sendall(HEAD % b"/parse" + chunk(body[:100]))
        stream.sendall(HEAD % b"/parse/batch" + chunk(json.dumps({"text": TEXT}).encode() + b"\n"))
        assert b"200 OK" in stream.recv(200)
        gone.sendall(HEAD % b"/parse/batch" + chunk(b"{}\n" * 500))
        gone.close()
        again = subprocess.run(
            [sys.executable, "-m", "eqparse", "serve", "--port", str(server.port)], env=ENVIRONMENT,
            capture_output=True, text=True,
        )
        assert (again.returncode, again.stderr) == (
            1, f"eqparse: error: 127.0.0.1:{server.port}: Address already in use\n"
        )
        threading.Timer(1, lambda: whole.sendall(chunk(body[100:]) + b"0\r\n\r\n")).start()
        threading.Timer(1, lambda: stream.sendall(chunk(json.dumps({"text": TEXT}).encode()) + b"0\r\n\r\n")).start()
        assert server.end(signal.SIGTERM) == 143
        found = answer(whole)
        assert found.startswith(b"HTTP/1.1 200 OK") and found.count(b'"equation": "V1 = 30 + (2 * V2)"') == 64
        assert b'{"id": "2"' in answer(stream)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port))
    finally:
        server.process.kill()
    assert not any("Traceback" in line or "Error" in line for line in server.said), server.said
    assert any("/parse/batch 499" in line for line in server.said), server.said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 143)], ids=str
)
def test_a_service_ends_in_time_although_a_batch_does_not(number, status):
    server = Server("--timeout", "2", program=SLOW)
    try:
        with server.connect() as connection:
            connection.sendall(HEAD % b"/parse" + chunk(b'{"text": "slow"}') + b"0\r\n\r\n")
            time.sleep(0.5)
            begun = time.monotonic()
            assert server.end(number) == status and time.monotonic() - begun < 30
            assert answer(connection).startswith(b"HTTP/1.1 503")
    finally:
        server.process.kill()
    assert server.said[-1] == "eqparse: ended while texts were being parsed\n", server.said


@pytest.mark.slow
def test_a_second_interrupt_ends_a_service_at_once_without_a_traceback():
    server = Server("--timeout", "30", program=SLOW)
    try:
        with server.connect() as connection:
            connection.sendall(HEAD % b"/parse" + chunk(b'{"text": "slow"}') + b"0\r\n\r\n")
            time.sleep(0.5)
            server.process.send_signal(signal.SIGINT)
            time.sleep(0.5)
            begun = time.monotonic()
            assert server.end(signal.SIGINT) == 130 and time.monotonic() - begun < 15
    finally:
        server.process.kill()
    assert server.said[-1] == "eqparse: ended while texts were being parsed\n", server.said
    assert not any("Traceback" in line or "Cancelled" in line for line in server.said), server.said


@pytest.mark.slow
@pytest.mark.pipeline
def test_a_service_ends_on_interrupt_and_whatever_is_sent():
    server = Server()
    try:
        with server.connect() as connection:
            connection.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
            assert answer(connection).startswith(b"HTTP/1.1 400")
        assert server.end(signal.SIGINT) == 130
    finally:
        server.process.kill()
    assert server.said[-2:] == ["eqparse: Invalid HTTP request received.\n", "eqparse: interrupted\n"]


def test_what_is_missing_is_named_with_the_extra_that_brings_it(monkeypatch, capfd):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert main(["serve"]) == 2
    assert capfd.readouterr().err == (
        "eqparse: error: eqparse serve: expected fastapi and uvicorn, which the extra `serve` brings; install it with "
        "`pip install -e '.[serve]'`\n"
    )


@pytest.mark.parametrize(("host", "why"), [
    ("192.0.2.1", "Cannot assign requested address"), ("a..b", "no host has such a name; "),
    ("a" * 64, "no host has such a name; "), ("\udcff", "no host has such a name; "),
])
def test_an_address_that_cannot_be_used_is_named(host, why, capfd):
    assert main(["serve", "--host", host]) == 1
    shown = host.encode("ascii", "backslashreplace").decode()
    assert capfd.readouterr().err.startswith(f"eqparse: error: {shown}:8000: {why}")


def test_of_two_services_that_start_at_once_one_has_the_port():
    """Linux lets both have it until one of them listens."""
    with command.bound("127.0.0.1", 0, timeout=1) as first:
        port = first.getsockname()[1]
        with command.bound("127.0.0.1", port, timeout=1) as second:
            command.listen(first, "127.0.0.1", port)
            with pytest.raises(OSError, match=f"Address already in use: '127.0.0.1:{port}'"):
                command.listen(second, "127.0.0.1", port)
