"""The command: what it writes, its exit status, and that no sentence, file or flag ends in a traceback."""

from __future__ import annotations

import csv
import importlib
import io
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
import warnings
from types import SimpleNamespace

import pytest
from report_runs import corpus
from tiny import ROOT, random_parser, trained

import eqparse.__main__
from eqparse import __version__
from eqparse.commands import write_parses
from eqparse.commands.main import main
from eqparse.errors import CheckpointError, ConfigError
from eqparse.integrations import text_rows
from eqparse.parser.texts import MAX_BATCH_SIZE
from eqparse.systems import load as parsing
from eqparse.systems.checkpoint import save_checkpoint
from eqparse.systems.folder import DEFAULT, SHIPPED

GOOD = "The oak is 12 feet taller than the birch."
FILE = f"{GOOD}\r\n\nIt rained.\n".encode() + b"caf\xe9 has 3\n" + GOOD.encode()
CODES = ["", "empty", "no_number", "not_utf8", ""]
SAID = "eqparse: 5 texts: 2 parsed, 3 refused (1 empty, 1 no_number, 1 not_utf8)\n"

pipeline = pytest.mark.pipeline


@pytest.fixture
def model(monkeypatch):
    """Let the command find a parser that is in memory already; the options that it was asked with."""
    asked = []

    def load(path, *, device, precision, min_confidence, prevalence):
        asked.append((path, device, precision))
        return trained()

    monkeypatch.setattr(parsing, "load", load)
    monkeypatch.setattr("torch.set_num_threads", lambda count: None)
    return asked


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "sentences.txt"
    path.write_bytes(FILE)
    return str(path)


def run(*arguments, capfd):
    """Exit status, stdout and stderr of the command run in this process."""
    status = main([str(a) for a in arguments])
    out, err = capfd.readouterr()
    return status, out, err


def fails(*arguments, capfd, status=2):
    """The one line on stderr of a command that fails."""
    found, out, err = run(*arguments, capfd=capfd)
    assert (found, out) == (status, "")
    assert err.startswith("eqparse: ") and err.count("\n") == 1, err
    return err


@pipeline
def test_one_sentence_gives_one_line(model, capfd):
    status, out, err = run("parse", GOOD, capfd=capfd)
    assert (status, out, err) == (0, f"{trained()(GOOD)}\n", "")
    assert model == [(SHIPPED / DEFAULT, "cpu", "auto")]


@pipeline
def test_a_sentence_without_equation_is_no_failure(model, capfd):
    assert run("parse", "It rained.", capfd=capfd) == (0, "no equation: the text has no number\n", "")


@pipeline
def test_a_file_in_place_of_a_sentence_is_said(model, sentences, capfd):
    status, out, err = run("parse", sentences, "It rained.", capfd=capfd)
    said = f"eqparse: {sentences} was parsed as a sentence, but is the name of a file; --input reads it\n"
    assert (status, out.count("\n"), err) == (0, 4, said)


@pipeline
def test_several_sentences(model, sentences, tmp_path, capfd):
    status, out, _ = run("parse", GOOD, "It rained.", "--checkpoint", tmp_path, capfd=capfd)
    assert status == 0 and out.splitlines() == [
        f"1  {GOOD}", f"    {trained()(GOOD)}", "2  It rained.", "    no equation: the text has no number",
    ]
    assert model == [(tmp_path, "cpu", "auto")]


@pipeline
def test_a_sentence_may_begin_with_a_dash(model, capfd):
    assert run("parse", "--", "- It rained.", capfd=capfd) == (0, "no equation: the text has no number\n", "")


@pipeline
@pytest.mark.parametrize("size", ["1", "2", "128"])
def test_a_file_gives_a_json_line_for_each_line(model, sentences, tmp_path, capfd, size):
    output = tmp_path / "deep" / "parses.jsonl"
    output.parent.mkdir()
    assert run("parse", "--input", sentences, "--output", output, "--batch-size", size, capfd=capfd) == (0, "", SAID)
    found = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert [record["reason_code"] for record in found] == CODES
    assert [record.pop("id") for record in found] == ["1", "2", "3", "4", "5"]
    assert found[0] == found[4] == json.loads(json.dumps(trained()(GOOD).to_dict()))
    assert [path.name for path in output.parent.iterdir()] == ["parses.jsonl"]


@pipeline
def test_a_file_gives_a_table(model, sentences, capfd):
    status, out, _ = run("parse", "--input", sentences, "--format", "csv", capfd=capfd)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert status == 0 and [row["reason_code"] for row in rows] == CODES
    parse = trained()(GOOD)
    assert rows[0]["equation"] == str(parse.equation) and json.loads(rows[0]["phrases"])["V1"] == [*parse.phrases["V1"]]
    assert float(rows[0]["score"]) == parse.score and rows[2]["text"] == "It rained."


@pipeline
def test_json_lines_keep_their_ids(model, tmp_path, capfd):
    lines = [
        {"id": "a-1", "text": GOOD, "more": 1}, {"text": "It rained."}, {"id": 7, "text": None}, {"id": "x"}, [1],
        "nonsense", {"id": "s", "text": "\ud800 3"},
    ]
    text = "\n".join(json.dumps(line) for line in lines) + "\n{broken\n" + "[" * 100_000 + "\n"
    (tmp_path / "in.jsonl").write_text(text)
    status, out, err = run("parse", "--input", tmp_path / "in.jsonl", "--format", "jsonl", capfd=capfd)
    found = [json.loads(line) for line in out.splitlines()]
    refused = "8 refused (4 not_json, 1 empty, 1 no_number, 1 no_text, 1 not_unicode)"
    assert (status, err) == (0, f"eqparse: 9 texts: 1 parsed, {refused}\n")
    assert [record["id"] for record in found] == ["a-1", "2", 7, "x", "5", "6", "s", "8", "9"]
    expected = ["", "no_number", "empty", "no_text", "not_json", "not_json", "not_unicode", "not_json", "not_json"]
    assert [record["reason_code"] for record in found] == expected
    assert [found[at]["text"] for at in (4, 5, 6, 7)] == ["[1]", '"nonsense"', "\ud800 3", "{broken"]


def test_standard_input_that_is_closed_is_named(monkeypatch, capfd):
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input: is closed; expected" in fails("parse", "--input", "-", capfd=capfd, status=1)


@pipeline
def test_standard_input_is_read(model, monkeypatch, capfd):
    for arguments in (["parse"], ["parse", "--input", "-"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FILE)))
        status, out, _ = run(*arguments, "--format", "jsonl", capfd=capfd)
        assert status == 0 and [json.loads(line)["reason_code"] for line in out.splitlines()] == CODES


@pipeline
def test_a_terminal_gets_no_control_characters(model, capfd):
    status, out, _ = run("parse", "The oak\x1b[31m is 12 feet taller\nthan \u202ethe birch.", GOOD, capfd=capfd)
    assert status == 0 and out.count("\n") == 4
    assert all(line.isprintable() for line in out.splitlines())


@pipeline
@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf"])
def test_an_empty_input_gives_nothing_and_says_so(model, tmp_path, monkeypatch, content, capfd):
    said = "eqparse: 0 texts: 0 parsed, 0 refused (no text was read)\n"
    (tmp_path / "empty.txt").write_bytes(content)
    assert run("parse", "--input", tmp_path / "empty.txt", capfd=capfd) == (0, "", said)
    for arguments in ([], ["--input", "-"], ["--input-format", "jsonl"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert run("parse", *arguments, capfd=capfd) == (0, "", said)


@pipeline
def test_an_id_out_of_a_file_leaves_a_terminal_alone(model, tmp_path, capfd):
    given = {"a\x1b[2J\nb\u202e": r"a\u001b[2J\u000ab\u202e", 5: "5"}
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"id": id_, "text": GOOD}) + "\n" for id_ in given))
    status, out, _ = run("parse", "--input", tmp_path / "in.jsonl", "--format", "text", capfd=capfd)
    assert status == 0 and [line.split("  ")[0] for line in out.splitlines()[::2]] == list(given.values())


def test_a_line_without_end_is_read_in_pieces(monkeypatch):
    monkeypatch.setattr(text_rows, "MAX_LINE", 10)
    data = b"\xef\xbb\xbfabc\n" + b"x" * 95 + b"\nlast is 9\n" + b"y" * 10
    found = list(text_rows.text_lines(io.BytesIO(data)))
    assert [row.id for row in found] == ["1", "2", "3", "4"]
    assert (found[0].text, found[2].text) == ("abc", "last is 9")
    assert found[1].text.code == found[3].text.code == "too_long"


@pipeline
def test_an_output_that_fails_half_way_leaves_the_old_one(model, sentences, tmp_path, monkeypatch, capfd):
    output = tmp_path / "parses.jsonl"
    output.write_text("old\n")
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(write_parses, "answer_line", lambda *_: (_ for _ in ()).throw(full))
    err = fails("parse", "--input", sentences, "--output", output, capfd=capfd, status=1)
    assert "No space left" in err and output.read_text() == "old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parses.jsonl", "sentences.txt"]


@pipeline
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of POSIX")
def test_a_device_is_written_to_and_stays(model, sentences, capfd):
    assert run("parse", "--input", sentences, "--output", "/dev/null", capfd=capfd) == (0, "", SAID)
    assert not os.path.isfile("/dev/null")


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (["parse", "--input", "no/such/file.txt"], "no/such/file.txt: No such file", 1),
        (["parse", "a", "--output", "."], "is a directory", 1),
        (["parse", "a", "--output", "README.md/x"], "README.md", 1),
        (["parse", "a", "--output", "nowhere/o.txt"], "nowhere/o.txt: no folder ", 1),
        (["parse", "a", "--output", f"/dev/fd/{'9' * 20}"], f"/dev/fd/{'9' * 20}: Bad file descriptor", 1),
        (["parse", "a", "--input", "b"], "found both", 2),
        (["parse", "a", "--checkpoint", "no/such/folder"], "checkpoint no/such/folder: expected a folder", 2),
        (["parse", "a", "--checkpoint", "tests"], "missing", 2),
        (["parse", "a", "--checkpoint", "Accurate"], "the models that ship are named fast, accurate, best", 2),
        (["info", "accurate/"], "the models that ship are named fast, accurate, best", 2),
        (["parse", "a", "--device", "abacus"], "device: expected cpu, cuda, cuda:N or auto; found 'abacus'", 2),
        (["parse", "a", "--device", "meta"], "device: expected cpu, cuda, cuda:N or auto; found 'meta'", 2),
        (["info", "no/such/folder"], "checkpoint no/such/folder: expected a folder", 2),
    ],
)
def test_what_cannot_be_used_is_one_line(arguments, message, status, monkeypatch, capfd):
    monkeypatch.chdir(ROOT)
    assert message in fails(*arguments, capfd=capfd, status=status)


@pytest.mark.parametrize(
    "arguments",
    [[], ["nonsense"], ["parse", "--bogus"], ["parse", "a", "--batch-size", "0"], ["parse", "a", "--batch-size", "²"],
     ["parse", "a", "--batch-size", str(MAX_BATCH_SIZE + 1)],
     ["parse", "a", "--format", "xml"], ["parse", "--inp", "a"]],
    ids=str,
)
def test_wrong_options_are_refused_with_the_way_to_the_right_ones(arguments, capfd):
    err = fails(*arguments, capfd=capfd)
    command = "eqparse parse" if arguments[:1] == ["parse"] else "eqparse"
    assert err.endswith(f"; `{command} --help` lists the options\n") and "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [["corpus", "check", ""], ["corpus", "check", "data", "--against", ""], ["corpus", "agreement", "data", ""],
     ["corpus", "folds", ""], ["report", ""], ["report", "data", ""], ["errors", ""], ["errors", "data", "--data", ""],
     ["info", ""], ["parse", "a", "--checkpoint", ""], ["parse", "a", "--output", ""], ["parse", "--input", ""],
     ["corpus", "folds", "data", "--output", ""], ["corpus", "agreement", "data", "data", "--disagreements", ""],
     ["report", "data", "--output", ""], ["errors", "data", "--output", ""]],
    ids=str,
)
def test_an_empty_path_is_not_the_current_folder(arguments, monkeypatch, capfd):
    monkeypatch.chdir(ROOT)
    assert "expected a path, found an empty one" in fails(*arguments, capfd=capfd)
    blank = [word or "\n" for word in arguments]
    assert r"expected a path, found '\n'" in fails(*blank, capfd=capfd)


def test_equally_frequent_reasons_are_in_one_order():
    codes = {"": 1, "not_utf8": 1, "empty": 1, "no_number": 2}
    assert write_parses.summary(codes) == write_parses.summary(dict(reversed(codes.items())))
    assert write_parses.summary(codes).endswith("4 refused (2 no_number, 1 empty, 1 not_utf8)")


def test_no_sentence_at_a_terminal(monkeypatch, capfd):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    assert "expected a sentence in quotes" in fails("parse", capfd=capfd)


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (ConfigError("min_confidence: expected more"), 2, "eqparse: error: --min-confidence: expected more\n"),
        (ConfigError("prevalence: expected more"), 2, "eqparse: error: --prevalence: expected more\n"),
        (ConfigError("alternatives: expected more"), 2, "eqparse: error: --alternatives: expected more\n"),
        (ConfigError("a_file: expected batch_size: c"), 2, "eqparse: error: a_file: expected batch_size: c\n"),
        (CheckpointError("two\nlines"), 2, "eqparse: error: two lines\n"),
        (CheckpointError("\x1b[31mred\x07 \u202e"), 2, "eqparse: error: \\u001b[31mred\\u0007 \\u202e\n"),
        (FileNotFoundError(2, "No such file", "a\udcffb"), 1, "eqparse: error: a\\udcffb: No such file\n"),
        (OSError("odd"), 1, "eqparse: error: odd\n"),
        (KeyboardInterrupt(), 130, "eqparse: interrupted\n"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
        (RuntimeError("a fault"), 1, "eqparse: error: RuntimeError: a fault (a bug in eqparse; EQPARSE_TRACEBACK=1"
                                     " shows where it happened)\n"),
    ],
)
def test_errors_and_their_exit_status(error, status, line, monkeypatch, capfd):
    def fail(folder):
        raise error

    monkeypatch.setattr(parsing, "read_checkpoint", fail)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    assert run("info", capfd=capfd) == (status, "", line)
    if isinstance(error, RuntimeError):
        monkeypatch.setenv("EQPARSE_TRACEBACK", "1")
        with pytest.raises(RuntimeError):
            main(["info"])


def test_a_warning_is_one_line(monkeypatch, capfd):
    read = parsing.read_checkpoint

    def warn(folder):
        warnings.warn("so\nso", stacklevel=1)
        return read(folder)

    monkeypatch.setattr(parsing, "read_checkpoint", warn)
    status, _, err = run("info", capfd=capfd)
    assert (status, err) == (0, "eqparse: warning: so so\n")


def test_info_says_what_a_checkpoint_holds(tmp_path, capfd):
    metrics = {"equation": 71.25, "solver": {"tree": {"gap": 0.123456, "epochs": 4}}}
    known = {"config": {}, "metrics": metrics, "annotator_version": "some_pipeline-1.0"}
    save_checkpoint(tmp_path / "model", random_parser(), **known)
    status, out, err = run("info", tmp_path / "model", capfd=capfd)
    assert (status, err) == (0, "")
    assert out.endswith("metrics     equation 71.25\nsolver tree: gap 0.1235, epochs 4\n")
    assert all(word in out for word in ("some_pipeline-1.0", "coreference: rich", __version__, "MB"))
    assert "converged" not in out


def test_info_leaves_a_terminal_alone(tmp_path, capfd):
    bad = "\x1b]0;title\x07\x9b31m\r\u202e"
    metrics = {f"name{bad}": f"text{bad}", "list": [bad], f"part{bad}": {f"inner{bad}": 1.5}}
    save_checkpoint(tmp_path / "model", random_parser(), config={}, metrics=metrics, annotator_version=f"some{bad}")
    status, out, _ = run("info", tmp_path / "model", capfd=capfd)
    assert status == 0 and all(line.isprintable() for line in out.split("\n"))
    shown = r"\u001b]0;title\u0007\u009b31m\u000d\u202e"
    assert all(f"{before}{shown}" in out for before in ("name", "text", "part", "inner", "annotator   some"))


def test_info_explains_what_has_not_converged(tmp_path, capfd):
    metrics = {"solver": {"tree": {"gap": 0.5, "converged": False}}}
    save_checkpoint(tmp_path / "model", random_parser(), config={}, metrics=metrics, annotator_version="some-1.0")
    _, out, _ = run("info", tmp_path / "model", capfd=capfd)
    *_, figures, meaning = out.splitlines()
    assert figures == "solver tree: gap 0.5, converged False"
    assert "stopped at solver.max_epochs" in meaning and "gap = objective - dual" in meaning


def test_info_leaves_out_what_was_not_measured(tmp_path, capfd):
    of_gradients = {"objective": 0.5, "dual": None, "gap": None, "converged": False, "epochs": 3}
    metrics = {"sentences": 0, "fold": "all", "solver": {"tree": of_gradients}}
    save_checkpoint(tmp_path / "model", random_parser(), config={}, metrics=metrics, annotator_version="some-1.0")
    _, out, _ = run("info", tmp_path / "model", capfd=capfd)
    assert out.endswith("metrics     fold all\nsolver tree: objective 0.5, epochs 3\n")


def test_the_command_that_is_installed_is_this_one():
    [(name, place)] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"].items()
    module, function = place.split(":")
    assert name == "eqparse" and getattr(importlib.import_module(module), function) is eqparse.__main__.main


def test_version_and_help(capfd):
    assert run("--version", capfd=capfd) == (0, f"eqparse {__version__}\n", "")
    status, out, _ = run("--help", capfd=capfd)
    commands = {"parse": "sentences into equations", "info": "a checkpoint contains", "corpus": "annotated sentences",
                "report": "finished runs", "errors": "a run's errors"}
    assert status == 0 and all(f"  {name}" in out and what in out for name, what in commands.items())
    for name in commands:
        status, out, err = run(name, "--help", capfd=capfd)
        assert (status, err) == (0, "") and out.startswith(f"Usage: eqparse {name}") and commands[name] in out


@pytest.mark.slow
@pipeline
def test_the_command_in_a_process_of_its_own(tmp_path):
    """The pipe's reader goes away after the first line, which is no error to report."""
    source = tmp_path / "many.txt"
    source.write_text(f"{GOOD}\n" * 1500)
    version = trained().annotator.version
    save_checkpoint(tmp_path / "model", trained().equation_parser, config={}, metrics={}, annotator_version=version)
    command = [sys.executable, "-m", "eqparse", "parse", "--input", str(source), "--checkpoint", "model"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path
    ) as process:
        first = process.stdout.readline().decode()
        process.stdout.close()
        err = process.stderr.read().decode()
    assert first == f"1  {GOOD}\n" and err == "" and process.returncode == 141


@pytest.mark.slow
@pipeline
@pytest.mark.skipif(os.name != "posix", reason="how a shell closes a command's output")
def test_an_output_that_nobody_reads_is_no_fault(tmp_path):
    save_checkpoint(tmp_path / "model", random_parser(), config={}, metrics={}, annotator_version="x")
    model = ["--checkpoint", str(tmp_path / "model")]
    for arguments in (["parse", "It rained.", *model], ["info", model[1]], ["corpus", "check", str(corpus(tmp_path))]):
        command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-W", "ignore", "-m", "eqparse", *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0 and "fault" not in done.stderr and "Traceback" not in done.stderr, done.stderr
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing) as pipe:  # a table, which rich writes
        for to in ("", " 2>&-"):
            command = ["sh", "-c", f'exec "$@"{to}', "sh", sys.executable, "-m", "eqparse", *arguments]
            done = subprocess.run(command, cwd=ROOT, stdout=pipe, stderr=-1)
            assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_sigterm_leaves_no_temporary_file(tmp_path):
    (tmp_path / "out.txt").write_text("old\n")
    command = [sys.executable, "-m", "eqparse", "parse", "--output", str(tmp_path / "out.txt")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        while len(list(tmp_path.iterdir())) < 2:  # until it writes
            assert process.poll() is None
            time.sleep(0.02)
        process.terminate()
        assert (process.wait(), process.stderr.read()) == (143, b"eqparse: stopped by SIGTERM\n")
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"] and (tmp_path / "out.txt").read_text() == "old\n"


PARSE = ["-m", "eqparse", "parse", "It rained.", "--output", "out.txt"]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("library", "words", "name"), [
    ("typer", PARSE, "SIGINT"), ("eqparse.commands.parse", PARSE, "SIGTERM"), ("torch", PARSE, "SIGINT"),
    ("spacy", PARSE, "SIGTERM"), ("hydra", [ROOT / "train.py"], "SIGTERM"), ("torch", [ROOT / "train.py"], "SIGINT"),
    ("torch", [ROOT / "evaluate.py"], "SIGINT"),
], ids=str)
def test_a_signal_while_libraries_are_imported_is_one_line(tmp_path, library, words, name):
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {library!r}:\n"
        f"            os.kill(os.getpid(), signal.{name})\n"
        "sys.meta_path.insert(0, Interrupt())\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run([sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True)
    number, program = getattr(signal, name), "eqparse" if words is PARSE else words[0].name
    # Python ends by the signal itself where it saw the interrupt pass through an import; a shell says 130 of both
    said = "interrupted" if name == "SIGINT" else f"stopped by {name}"
    assert done.returncode in (128 + number, -number) and done.stderr == f"{program}: {said}\n"
    assert {path.name for path in tmp_path.iterdir()} <= {"sitecustomize.py", "__pycache__"}


@pytest.mark.parametrize(
    "arguments", [["--help"], ["parse", "--help"], ["parse", "--bogus"], ["parse", "--format", "xml"],
                  ["parse", "--input", "no/such/file"], ["parse", "--output", ".", "a"]], ids=" ".join,
)
def test_what_needs_no_model_imports_no_heavy_library(arguments):
    code = ("import sys; from eqparse.commands.main import main; main(sys.argv[1:]); "
            "sys.exit(bool(sys.modules.keys() & {'torch', 'spacy', 'rich', 'hydra', 'sympy'}))")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and done.stderr.count("\n") == (arguments[-1] != "--help"), done.stderr
