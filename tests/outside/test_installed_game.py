"""A game that no file of this repository names is installed, checked, and used in every way in which ours are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import httpx
import pytest
from google.protobuf import any_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from foldtable.matches.v1 import match_pb2, match_service_pb2, match_service_pb2_grpc, play_pb2
from foldtable.rules.v1 import payload_pb2
from foldtable_client import Client
from tests.conformance.web.conftest import available
from tests.outside.conftest import GAME, Outside
from tests.support.chromium import chromium_environment
from tests.support.node import SCRIPTS, printed_by, why_not
from tests.support.running_system import System

pytestmark = pytest.mark.slow

TYPED = payload_pb2.PAYLOAD_FORM_TYPED
OURS = ("al_rashid", "river_dragons", "river_of_gold")
AEC = f"""
import json, engine
from pettingzoo.test import api_test, parallel_api_test
from engine.research.aec import MatchEnv
from engine.research.parallel import parallel_env
env = MatchEnv("{GAME}", seats=3)
api_test(env, num_cycles=200)
parallel_api_test(parallel_env("{GAME}", seats=3), num_cycles=200)
env.reset(seed=5)
chosen = 0
for agent in env.agent_iter():
    observation, _, ended, cut, _ = env.last()
    env.step(None if ended or cut else env.action_space(agent).sample(observation["action_mask"]))
    chosen += 1
print(json.dumps([chosen, engine.__file__]))
"""


@pytest.fixture
def client(outside_system: System) -> Iterator[Client]:
    with Client(outside_system.address, outside_system.key) as client:
        yield client


def test_what_runs_is_the_wheel_and_not_this_repository(outside: Outside) -> None:
    program = "import engine, services, gateway, migrations, foldtable_client as c; print(*(m.__file__ for m in (engine, services, gateway, migrations, c)))"
    files = outside.environment.printed("python", "-c", program).split()
    assert len(files) == 5
    assert all(Path(file).is_relative_to(outside.environment.folder) for file in files)


def test_the_game_is_listed_beside_ours(outside: Outside) -> None:
    games = json.loads(outside.environment.printed("foldtable", "games", "--json"))["games"]
    assert {game["game"]: game["distribution"].split()[0] for game in games} == {
        GAME: GAME,
        **dict.fromkeys(OURS, "foldtable"),
    }


def test_the_kit_finds_nothing(outside: Outside) -> None:
    printed = outside.environment.printed("foldtable", "check-game", GAME, "--matches", "6", "--json")
    checks = json.loads(printed)["games"][GAME]
    assert [check for check in checks if check["faults"]] == []
    assert {"listed-actions", "non-interference", "texts", "golden", "speed"} <= {
        check["name"] for check in checks
    }


def test_its_own_tests_are_green(outside: Outside) -> None:
    words = ("python", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert " passed" in outside.environment.printed(*words, cwd=outside.package)


def test_it_is_an_environment_of_pettingzoo(outside: Outside) -> None:
    lines = outside.environment.printed("python", "-c", AEC).splitlines()
    chosen, engine = json.loads(lines[-1])
    assert chosen > 6
    assert Path(engine).is_relative_to(outside.environment.folder)


def test_the_demo_plays_it_over_rest_streams_replays_and_verifies_it(
    outside: Outside, outside_system: System
) -> None:
    words = ("--url", outside_system.address, "--key", outside_system.key, "--games", GAME, "--seats", "3")
    printed = outside.environment.printed("foldtable", "demo", *words)
    assert "agrees" in printed
    assert "DIFFERS" not in printed


def test_it_is_played_taken_back_forked_replayed_and_verified_over_rest(
    client: Client, outside: Outside
) -> None:
    match = client.create_match(game=GAME, seats=2)["match"]["match_id"]
    seat = a_move(client, match)
    assert client.undo_state(match, seat=seat)["free_to"] == 1
    assert client.undo(match, 1, version=2, seat=seat)["version"] == 3
    fork = client.fork(match, version=1)["match"]
    while client.match(match)["status"] == "running":
        a_move(client, match)
    ended = client.match(match)
    assert ended["outcome"]["results"]
    assert len(list(client.moves(match, audience="referee"))) == ended["version"]
    assert client.view(match, at=1, audience="public")["version"] == 1
    assert client.verify(match)["ok"]
    assert client.match(fork["match_id"])["status"] == "running"
    a_move(client, fork["match_id"])
    document = outside.environment.work / "export.json"
    document.write_text(json.dumps(client.export(match)))
    assert "decided again" in outside.environment.printed("foldtable", "verify", document)


def a_move(client: Client, match: str) -> int:
    """Make a random legal move of a seat that must act; return the seat."""
    now = client.match(match)
    seat: int = now["to_act"][0]
    legal = client.legal_actions(match, seat=seat, samples=1)
    client.move(match, legal["samples"][0], version=now["version"], seat=seat)
    return seat


def test_bots_of_every_level_play_it(client: Client) -> None:
    levels = client.game(GAME)["bot_levels"]
    seating: list[Any] = [{"kind": "bot", "level": level} for level in levels]
    match = client.create_match(game=GAME, seats=len(levels), seating=seating)["match"]["match_id"]
    version = 1
    while client.poll(match, after=version, seconds=20) == "running":
        version = client.match(match)["version"]
    assert client.match(match)["status"] == "ended"


def test_it_speaks_four_languages_and_shows_its_rules(client: Client) -> None:
    match = client.create_match(game=GAME, seats=2)["match"]["match_id"]
    seen = {
        language: client.get(f"/v1/matches/{match}/table", seat=0, lang=language)["pending"]
        for language in ("en", "it", "fr", "pl")
    }
    assert len({json.dumps(each) for each in seen.values()}) == 4
    assert {one["id"] for one in client.get(f"/v1/games/{GAME}/rules")["paragraphs"]} >= {"1", "2", "3"}


def test_it_is_played_over_grpc_with_typed_messages(outside_system: System) -> None:
    """The messages are those of `/descriptors.binpb`, as a client without the package gets them."""
    message = messages_of(outside_system)
    metadata = [("authorization", f"Bearer {outside_system.key}")]
    with grpc.insecure_channel(outside_system.part("rules")["address"]) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)

        def ask(method: str, request: Any) -> Any:
            return getattr(stub, method)(request, metadata=metadata, timeout=40)

        plan = match_service_pb2.CreateMatchRequest(game=GAME, seats=2, request_id=str(uuid4()))
        match = ask("CreateMatch", plan).match
        to_act, status, happened = list(match.to_act), match.status, []
        while status == match_pb2.MATCH_STATUS_RUNNING:
            asked = match_service_pb2.GetLegalActionsRequest(
                match_id=match.match_id, seat=to_act[0], samples=1, form=TYPED
            )
            legal = ask("GetLegalActions", asked)
            sampled = message("Actions").FromString(legal.samples.typed.value).actions[0]
            answer = ask("Act", act(match.match_id, to_act[0], legal.version, sampled))
            happened += message("Events").FromString(answer.events.typed.value).events
            to_act, status = list(answer.to_act), answer.status
        assert happened[-1].WhichOneof("event") == "match_ended"
        view = ask("GetView", match_service_pb2.GetViewRequest(match_id=match.match_id, form=TYPED)).view
        assert message("View").FromString(view.typed.value).HasField("outcome")


def act(match_id: str, seat: int, version: int, action: Any) -> play_pb2.ActRequest:
    packed = any_pb2.Any()
    packed.Pack(action)
    return play_pb2.ActRequest(
        match_id=match_id,
        seat=seat,
        expected_version=version,
        request_id=str(uuid4()),
        action=payload_pb2.Payload(typed=packed),
        form=TYPED,
    )


def messages_of(system: System) -> Any:
    """Return the classes of the game's messages by their names."""
    answer = httpx.get(f"{system.address}/descriptors.binpb", trust_env=False).raise_for_status()
    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString(answer.content).file:
        pool.Add(file)
    return lambda name: GetMessageClass(pool.FindMessageTypeByName(f"{GAME}.v1.{name}"))


@pytest.mark.skipif(bool(why_not()), reason=why_not())
@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_it_is_played_on_the_page_from_the_lobby_to_the_scores(outside_system: System, by: str) -> None:
    """A page that has no skin for it draws its layout; a second browser sees the same."""
    wanted = [{"game": GAME, "seats": 3, "by": by, "lang": "it"}]
    where = {"GATEWAY": outside_system.address, "KEY": outside_system.key, "GAMES": json.dumps(wanted)}
    with chromium_environment() as browser:
        told = printed_by(str(SCRIPTS / "web" / "play.mjs"), seconds=200, **where, **browser)
    (played,) = available(told)["told"]
    assert (played["faults"], played["different"], played["status"]) == ([], [], "ended")
    assert len(played["rows"]) >= 3
    assert played["rows"] == played["watched"]
