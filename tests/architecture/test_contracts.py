"""`buf` guards the gRPC contracts: everything has a comment, and what was released is not broken."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from engine.registry import GAMES
from services.kit.contracts.files import texts
from tests.support.documents import ROOT
from tests.support.our_games import OUR_GAMES

DESCRIPTORS = ROOT / "proto" / "gen" / "foldtable" / "descriptors.binpb"
CONFIG = ROOT / "proto" / "buf.yaml"
BUF = Path(sys.executable).parent / "buf"
PLAY = "foldtable/matches/v1/play.proto"
ACT_REQUEST = 0


def buf(*arguments: str | Path) -> str:
    """Return what buf complains of; nothing, if all is well."""
    done = subprocess.run(
        [BUF, *arguments, "--config", CONFIG], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode == 0) is (done.stdout == ""), done.stderr
    return done.stdout


def written(folder: Path, change: Callable[[FileDescriptorSet], None]) -> Path:
    """Write the contracts of today, changed."""
    contracts = FileDescriptorSet.FromString(DESCRIPTORS.read_bytes())
    change(contracts)
    changed = folder / "changed.binpb"
    changed.write_bytes(contracts.SerializeToString())
    return changed


def a_field_is_gone(contracts: FileDescriptorSet) -> None:
    (file,) = [file for file in contracts.file if file.name == PLAY]
    del file.message_type[ACT_REQUEST].field[2]


def a_field_has_another_type(contracts: FileDescriptorSet) -> None:
    (file,) = [file for file in contracts.file if file.name == PLAY]
    field = file.message_type[ACT_REQUEST].field[2]
    field.type = field.TYPE_BYTES


def a_method_is_gone(contracts: FileDescriptorSet) -> None:
    (service,) = [
        service for file in contracts.file for service in file.service if service.name == "MatchService"
    ]
    del service.method[0]


def a_comment_is_gone(contracts: FileDescriptorSet) -> None:
    (file,) = [file for file in contracts.file if file.name == PLAY]
    for place in file.source_code_info.location:
        if list(place.path) == [4, ACT_REQUEST]:  # message_type, its number
            place.ClearField("leading_comments")


@pytest.mark.parametrize("change", [a_field_is_gone, a_field_has_another_type, a_method_is_gone])
def test_a_broken_contract_is_refused(tmp_path: Path, change: Callable[[FileDescriptorSet], None]) -> None:
    assert buf("breaking", DESCRIPTORS, "--against", DESCRIPTORS) == ""
    assert buf("breaking", written(tmp_path, change), "--against", DESCRIPTORS) != ""


def test_everything_in_the_contracts_has_a_comment(tmp_path: Path) -> None:
    assert buf("lint", DESCRIPTORS) == ""
    assert "ActRequest" in buf("lint", written(tmp_path, a_comment_is_gone))


def in_proto(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BUF, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def test_buf_builds_the_files_themselves_without_a_registry(tmp_path: Path) -> None:
    built = tmp_path / "built.binpb"
    done = in_proto(ROOT / "proto", "build", "--output", str(built))
    assert (done.returncode, done.stderr) == (0, "")
    names = {file.name for file in FileDescriptorSet.FromString(built.read_bytes()).file}
    assert names >= {file.name for file in FileDescriptorSet.FromString(DESCRIPTORS.read_bytes()).file}
    done = in_proto(ROOT / "proto", "lint")
    assert (done.returncode, done.stdout) == (0, "")


def test_buf_says_what_to_do_first_in_a_fresh_checkout(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "proto", tmp_path / "proto", ignore=shutil.ignore_patterns("gen", "__pycache__"))
    done = in_proto(tmp_path / "proto", "build")
    assert done.returncode == 1
    assert 'Module "path: "gen/copied-by-make-prepare"" had no .proto files' in done.stderr


def test_beside_the_contracts_lies_only_what_writes_checks_and_builds_them() -> None:
    """How the package is built lies in .ci/."""
    names = {path.name for path in (ROOT / "proto").iterdir() if not path.name.startswith((".", "__"))}
    assert names - {"gen"} == {"foldtable", "buf.yaml", "write_contracts.py", "build_stubs.py"}


@pytest.mark.parametrize("name", OUR_GAMES)
def test_the_contract_of_a_game_says_what_its_types_say(name: str) -> None:
    """`make proto` writes it."""
    wanted = texts(GAMES[name], FileDescriptorSet.FromString(DESCRIPTORS.read_bytes()))
    folder = ROOT / "proto"
    assert len(wanted) == 6
    assert wanted == {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in (folder / "foldtable" / name).rglob("*.proto")
    }
