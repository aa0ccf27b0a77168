"""Requests that nobody means well with, and good ones, as bytes for an application or for a socket."""

from __future__ import annotations

import json
import socket
from typing import NamedTuple

from eqparse.integrations.service.schema import TEXT

JSON = {"Content-Type": "application/json"}
LIMITS = {"max_characters": 100, "max_texts": 4, "max_body": 20_000, "max_alternatives": 3, "max_explained": 2}
GOOD = json.dumps({"text": TEXT}).encode()
HOSTILE = {
    b"": (422, "the body: Field required"),
    b"{": (422, "expected a body of JSON, found Expecting property name"),
    b'"a"': (422, "the body: expected a JSON object"),
    b"[" * 10_000: (422, "nested too deeply"),
    b'{"text":' + b'{"a":' * 2_000: (422, "nested too deeply"),
    b'{"texts":[' + b"[" * 500 + b"]" * 500 + b"]}": (422, "texts[0]: Input should be a valid string"),
    b"\xff\xfe\x00": (422, "expected a body of JSON"),
    b"\xe9": (422, "expected a body of JSON"),
    b"{}": (422, 'expected one of "text" and "texts"'),
    b'{"text":"a","texts":["b"]}': (422, 'expected one of "text" and "texts"'),
    b'{"text":"a","text":"b"}': (422, "expected each key once, found 'text' several times"),
    b'{"text":"a","alternatives":"1_0"}': (422, "alternatives: expected a whole number in the digits 0 to 9"),
    b'{"text":4}': (422, "text: Input should be a valid string"),
    b'{"texts":["a",null]}': (422, "texts[1]: Input should be a valid string"),
    b'{"text":"a","x":1}': (422, "the body: expected text, texts, alternatives, min_confidence, explain, found 'x'"),
    b'{"text":"a","' + b"k" * 999 + b'":1}': (422, "...k"),
    b'{"text":"a","\\ud800":1}': (422, "unicode"),
    b'{"text":"a","min_confidence":NaN}': (422, "min_confidence: Input should be a finite number"),
    b'{"text":"a","min_confidence":1e999}': (422, "min_confidence: Input should be a finite number"),
    b'{"text":"a","min_confidence":"0.5"}': (422, "min_confidence: Input should be a valid number"),
    b'{"text":"a","alternatives":' + b"9" * 5000 + b"}": (422, "Exceeds the limit"),
    b'{"text":"a","alternatives":-1}': (422, "alternatives: "),
    b'{"text":"a","alternatives":4}': (422, "alternatives: expected at most 3, found 4"),
    b'{"text":"a","explain":1}': (422, "explain: Input should be a valid boolean"),
    b'{"texts":["a","a","a"],"explain":true}': (413, 'texts: expected at most 2 with "explain", found 3; ask'),
    b'{"text":"%s"}' % (b"a" * 101): (413, "text: expected at most 100 characters, found 101"),
    b'{"texts":["a","%s"]}' % (b"a" * 101): (413, "texts[1]: expected at most 100 characters"),
    b'{"texts":["a","a","a","a","a"]}': (413, "texts: expected at most 4, found 5"),
    b"x" * 20_001: (413, "expected a body of at most 20000 bytes, found more"),
}


class Kind(NamedTuple):
    """What a client does. pieces: what it sends. statuses: of the answer; none if it leaves without reading one."""

    pieces: tuple[bytes, ...]
    statuses: tuple[int, ...] = ()


def post(body: bytes, *, path: bytes = b"/parse", length: bytes | None = None) -> bytes:
    """A whole request. length: what it says of its body's length."""
    head = b"POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %s"
    return head % (path, b"%d" % len(body) if length is None else length) + b"\r\n\r\n" + body


def chunked(*pieces: bytes, path: bytes = b"/parse", ended: bool = True) -> bytes:
    """A request whose body comes in chunks."""
    head = post(b"", path=path).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    return head + b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n" * ended


SEVERAL = json.dumps({"texts": [TEXT, "x"], "alternatives": 2}).encode()
BAD_LINES = (b"", b"{", b"\xff\xfe", b"[" * 3000, b'{"text":"\xe9"}', b'{"text":4}', b"[]", b'{"text":"\\ud800"}')
LINES = b"\n".join([GOOD, *BAD_LINES, b"x" * 30_000, GOOD])
KINDS = {
    "good": Kind((post(GOOD),), (200,)),
    "good, in pieces": Kind((post(GOOD)[:70], post(GOOD)[70:200], post(GOOD)[200:]), (200,)),
    "good, chunked": Kind((chunked(GOOD[:9], GOOD[9:]),), (200,)),
    "good, explained": Kind((post(GOOD[:-1] + b',"explain":true}'),), (200,)),
    "good, in UTF-16": Kind((post(GOOD.decode().encode("utf-16")),), (200,)),  # which JSON in bytes may be
    "good, several": Kind((post(SEVERAL),), (200,)),
    "good, lines": Kind((post(b"\n".join([GOOD] * 20), path=b"/parse/batch?alternatives=1"),), (200,)),
    "lines, good and bad": Kind((post(LINES, path=b"/parse/batch"),), (200,)),
    "leaves before the headers end": Kind((post(GOOD)[:40],)),
    "leaves before the body": Kind((post(GOOD)[: -len(GOOD)],)),
    "leaves within the body": Kind((post(GOOD)[:-9],)),
    "leaves before the answer": Kind((post(GOOD),)),
    "leaves within its lines": Kind((chunked(*[GOOD + b"\n"] * 30, path=b"/parse/batch", ended=False),)),
    "says it is longer": Kind((post(GOOD, length=b"19000"),)),
    "says it is much longer": Kind((post(GOOD, length=b"9" * 15),), (413,)),
    "says it is shorter": Kind((post(GOOD, length=b"9"),), (422,)),
    "says it is negative": Kind((post(GOOD, length=b"-5"),), (400,)),
    "says it is no number": Kind((post(GOOD, length=b"many"),), (400,)),
    "says two lengths": Kind((post(GOOD, length=b"5\r\nContent-Length: 6"),), (400,)),
    "says it is chunked": Kind((post(GOOD, length=b"0\r\nTransfer-Encoding: chunked"),), (408,)),
    "says it is longer, and waits": Kind((post(GOOD, length=b"19000"),), (408,)),
    "huge": Kind((chunked(*[b"x" * 9999] * 3),), (413,)),
    "huge, without an end": Kind((chunked(*[b"x" * 9999] * 3, ended=False),), (413,)),
    "huge headers": Kind((post(GOOD).replace(b"Host: x", b"Host: x\r\nX: " + b"x" * 200_000),), (400,)),
    "a huge line": Kind((post(b"x" * 90_000, path=b"/parse/batch"),), (200,)),
    "another query": Kind((post(GOOD, path=b"/parse?explian=1"),), (422,)),
    "another path": Kind((post(GOOD, path=b"/%00/../etc/passwd"),), (404,)),
    "another method": Kind((post(GOOD).replace(b"POST", b"DELETE"),), (405,)),
    "another protocol": Kind((b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",), (400,)),
} | {f"body {n}": Kind((post(body),), (status,)) for n, (body, (status, _)) in enumerate(HOSTILE.items())}


def exchange(port: int, kind: Kind) -> tuple[int, bytes]:
    """The status and the body of the answer; 0 without one."""
    found = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        try:
            for piece in kind.pieces:
                connection.sendall(piece)
            while kind.statuses and (data := connection.recv(65536)):
                found += data
        except (BrokenPipeError, ConnectionResetError):  # it did not want to read the rest
            pass
    head, _, body = found.partition(b"\r\n\r\n")
    return int(head.split()[1]) if head else 0, body
