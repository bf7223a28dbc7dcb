"""Packages with games that cannot be used: each is refused with a sentence that names it, and the others are served."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from engine.kernel.package import INTERFACE
from engine.registry import GAMES
from foldtable.rules.v1 import rules_service_pb2_grpc
from foldtable.rules.v1.rules_service_pb2 import ListGamesRequest
from tests.support.deployment import Deployment
from tests.support.outside_games import contract, game_files, install, install_game, package
from tests.support.processes import Process, refused

pytestmark = pytest.mark.slow

BROKEN = {
    "raises": "the game raises of raises 1.0 cannot be used: raises.package:PACKAGE cannot be loaded: RuntimeError: no licence",
    "nothing": "the game nothing of nothing 1.0 cannot be used: nothing.package:PACKAGE cannot be loaded: "
    "AttributeError: module 'nothing.package' has no attribute 'PACKAGE'",
    "number": "the game number of number 1.0 cannot be used: number.package:PACKAGE is an int, not a GamePackage",
    "renamed": "the game renamed of renamed 1.0 cannot be used: its entry point is called renamed, and its package says "
    "original; the two must be the same",
    "newer": "the game newer of newer 1.0 cannot be used: it was written for version 2.0 of the interface, and this server "
    f"has {INTERFACE}: install a newer Foldtable, or an older version of the game",
    "later": "the game later of later 1.0 cannot be used: it was written for version 1.9 of the interface, and this server "
    f"has {INTERFACE}: install a newer Foldtable, or an older version of the game",
    "older": "the game older of older 1.0 cannot be used: it was written for version 0.9 of the interface, and this server "
    f"has {INTERFACE}: install a newer version of the game",
    "malformed": "the game malformed of malformed 1.0 cannot be used: malformed.package:PACKAGE cannot be loaded: "
    "ValueError: `contract` must be such as ladders.v1; it is 'Malformed'",
    "twice": "the game twice of first 1.0 and second 1.0 cannot be used: both offer a game of this name, so one of them "
    "must be uninstalled",
    "no_rules": "the game no_rules of no_rules 1.0 cannot be used: no_rules.game:GAME cannot be loaded: ModuleNotFoundError: "
    "No module named 'no_rules.game'",
    "no_game": "the game no_game of no_game 1.0 cannot be used: no_game.game:GAME is a str, not a Game",
    "stranger": "the game stranger of stranger 1.0 cannot be used: its Game says that it is river_of_gold",
    "disagrees": "the game disagrees of disagrees 1.0 cannot be used: its types and its contract disagree, so that "
    "one of them must be changed: disagrees.v1.Options: only one side has surprise",
    "mimic": "the game mimic of mimic 1.0 cannot be used: another contract has a file of the same name with other contents, "
    "ladders/v1/components.proto: put the game's files into a folder of its name",
    "no_contract": "the game no_contract of no_contract 1.0 cannot be used: its descriptors cannot be read from "
    "no_contract:contract.binpb (FileNotFoundError); `foldtable check-game no_contract --build` writes them",
    "garbled": "the game garbled of garbled 1.0 cannot be used: its descriptors cannot be read from "
    "garbled:contract.binpb (DecodeError); `foldtable check-game garbled --build` writes them",
    "elsewhere": "the game elsewhere of elsewhere 1.0 cannot be used: its contract has no message other.v1.Events",
    "leaves": "the game leaves of leaves 1.0 cannot be used: leaves.package:PACKAGE cannot be loaded: SystemExit: 3",
    "al_rashid": "the game al_rashid of claims 1.0 cannot be used: foldtable itself brings a game of this name, which is used; "
    "the other one needs another name",
    "leaves_texts": "the game leaves_texts of leaves_texts 1.0 cannot be used: its texts cannot be read: SystemExit: 0",
    "no_texts": "the game no_texts of no_texts 1.0 cannot be used: its texts cannot be read: ValueError: en.json of no_texts cannot be read",
    "undescribed": "the game undescribed of undescribed 1.0 cannot be used: it cannot be described to clients: TypeError: Encoding objects of type object is unsupported",
}
"""What is said of each, or how it begins, if it goes on with a path."""
USABLE = ("ladders",)


def install_broken(folder: Path) -> None:
    """Install a package for each of BROKEN, the usable ones, and one that claims a game of ours."""
    install_game(folder, "raises", package="raise RuntimeError('no\\nlicence')")
    install_game(folder, "nothing", package="")
    install_game(folder, "leaves", package="raise SystemExit(3)")
    install_game(folder, "number", package="PACKAGE = 7")
    install_game(folder, "renamed", package=package("original"))
    for game, interface in (("newer", "2.0"), ("later", "1.9"), ("older", "0.9")):
        install_game(folder, game, package=package(game, interface=interface))
    install_game(folder, "malformed", package=package("malformed", contract="Malformed"))
    install(folder, "first", {"twice": "twice.package:PACKAGE"}, game_files("twice"))
    install(folder, "second", {"twice": "twice.package:PACKAGE"}, {})
    install_game(folder, "no_rules")
    (folder / "no_rules" / "game.py").unlink()
    install_game(folder, "no_game", game="GAME = 'ladders'")
    install_game(folder, "stranger", game="from engine.river_of_gold.game import GAME")
    install_game(folder, "disagrees", contract=contract("disagrees.v1", also="surprise").SerializeToString())
    mimicked = contract("mimic.v1", folder="ladders.v1")
    install_game(folder, "mimic", contract=mimicked.SerializeToString())
    install_game(folder, "no_contract")
    (folder / "no_contract" / "contract.binpb").unlink()
    install_game(folder, "garbled", contract=b"\xff\xff")
    install_game(folder, "elsewhere", package=package("elsewhere", contract="other.v1"))
    install_game(
        folder,
        "no_texts",
        game="""
            from dataclasses import replace
            from engine.river_of_gold.game import GAME as GOLD
            GAME = replace(GOLD, id="no_texts", texts=replace(GOLD.texts, package="no_texts"))
            """,
    )
    install_game(
        folder,
        "undescribed",
        game="""
            from dataclasses import replace
            from engine.river_of_gold.game import GAME as GOLD
            GAME = replace(GOLD, id="undescribed", components=object())
            """,
    )
    install_game(
        folder,
        "leaves_texts",
        game="""
            from dataclasses import replace
            from engine.river_of_gold.game import GAME as GOLD
            class Texts:
                @property
                def catalogues(self):
                    raise SystemExit(0)
            GAME = replace(GOLD, id="leaves_texts", texts=Texts())
            """,
    )
    install(
        folder,
        "claims",
        {"al_rashid": "claims:PACKAGE"},
        {"claims.py": package("al_rashid", game="claims:GAME")},
    )
    for game in USABLE:
        install_game(folder, game)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    install_broken(folder)
    return folder


@pytest.fixture
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, on the path of every process that the test starts."""
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    """What `foldtable games --json` says."""
    done = foldtable(folder, "games", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    found: dict[str, Any] = msgspec.json.decode(done.stdout)
    return found


def foldtable(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "services.cli.main", *words],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("game", BROKEN)
def test_what_cannot_be_used_is_told_in_one_sentence(told: dict[str, Any], game: str) -> None:
    (why,) = [one["why"] for one in told["refused"] if one["game"] == game]
    assert why == BROKEN[game] or (game == "no_texts" and why.startswith(BROKEN[game]))
    assert "\n" not in why


def test_the_others_can_be_used_and_nobody_takes_a_game_of_ours(told: dict[str, Any]) -> None:
    assert {one["game"] for one in told["refused"]} == BROKEN.keys()
    usable = {one["game"]: one["distribution"] for one in told["games"]}
    assert usable.keys() == {*GAMES, *USABLE}
    assert usable["al_rashid"].startswith("foldtable ")
    assert usable["ladders"] == "ladders 1.0"


@pytest.fixture
def server(tmp_path: Path, database_url: str, installed: Path) -> Iterator[Process]:
    settings = Deployment.new(tmp_path, database_url).rules()
    with Process("services.rules", tmp_path / "log", **settings) as process:
        yield process


def test_a_rules_server_logs_what_it_refuses_and_serves_the_others(
    server: Process, told: dict[str, Any]
) -> None:
    serving = server.start_and_wait_for("serving")
    assert set(serving["games"]) == {*GAMES, *USABLE}
    logged = {line["game"]: line["why"] for line in server.lines() if line["event"] == "game_refused"}
    assert logged == {one["game"]: one["why"] for one in told["refused"]}
    with grpc.insecure_channel(serving["address"]) as channel:
        games = (
            rules_service_pb2_grpc.RulesServiceStub(channel).ListGames(ListGamesRequest(), timeout=5).games
        )
    assert {one.game for one in games} == {*GAMES, *USABLE}


def test_reflection_describes_the_messages_of_a_game_from_outside(server: Process) -> None:
    server.set(games="ladders")
    with grpc.insecure_channel(server.start()) as channel:
        request = reflection_pb2.ServerReflectionRequest(file_containing_symbol="ladders.v1.View")
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        (answer,) = stub.ServerReflectionInfo(iter([request]), timeout=5)
    files = map(FileDescriptorProto.FromString, answer.file_descriptor_response.file_descriptor_proto)
    assert "View" in {
        message.name for file in files if file.package == "ladders.v1" for message in file.message_type
    }


@pytest.mark.parametrize(
    ("games", "why"),
    [
        ("raises", f"there is no game to serve: {BROKEN['raises']}"),
        ("number,raises", f"there is no game to serve: {BROKEN['number']}; {BROKEN['raises']}"),
    ],
)
def test_a_rules_server_without_a_usable_game_ends_with_a_sentence(
    server: Process, games: str, why: str
) -> None:
    server.set(games=games)
    refused(server)
    (line,) = [one for one in server.lines() if one["event"] == "cannot serve"]
    assert line["why"] == why


def test_a_game_that_is_not_installed_is_an_error_in_the_settings(server: Process) -> None:
    server.set(games="ladders,snakes")
    errors = refused(server)
    assert "FOLDTABLE_GAMES: Value error, unknown: snakes; there are: al_rashid, " in errors
    assert "Traceback" not in errors
