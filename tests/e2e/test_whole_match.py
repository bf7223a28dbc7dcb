"""Whole matches from the first move to the last: over REST by the demo, over gRPC with typed messages by hand."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from importlib import import_module
from typing import Any
from uuid import uuid4

import grpc
import pytest
from google.protobuf import any_pb2

from engine.registry import GAMES
from foldtable.matches.v1 import match_pb2, match_service_pb2, match_service_pb2_grpc, play_pb2
from foldtable.rules.v1 import payload_pb2, table_pb2
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from tests.support.running_system import FOLDTABLE, System, environment

pytestmark = pytest.mark.slow

TYPED = payload_pb2.PAYLOAD_FORM_TYPED
REFEREE = table_pb2.Audience(kind=table_pb2.Audience.KIND_REFEREE)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "words",
    [("--seats", "4"), ("--seats", "2", "--option", "variant=expert", "--option", "patrons=draft")],
    ids=" ".join,
)
def test_the_demo_plays_follows_replays_and_verifies_over_rest(
    system: System, game: str, words: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [FOLDTABLE, "demo", "--url", system.address, "--key", system.key, "--games", game, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
        env=environment(),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "DIFFERS" not in done.stdout


class Matches:
    """MatchService with the tenant's key."""

    def __init__(self, channel: grpc.Channel, key: str) -> None:
        self._stub = match_service_pb2_grpc.MatchServiceStub(channel)
        self._metadata = [("authorization", f"Bearer {key}")]

    def __getattr__(self, method: str) -> Any:
        call = getattr(self._stub, method)
        return lambda request: call(request, metadata=self._metadata, timeout=40)


@pytest.fixture(scope="module")
def matches(system: System) -> Iterator[Matches]:
    with grpc.insecure_channel(system.part("rules")["address"]) as channel:
        yield Matches(channel, system.key)


def unpacked(payload: payload_pb2.Payload, message: Any) -> Any:
    assert payload.typed.Unpack(message), payload.typed.type_url
    return message


def typed(message: Any) -> payload_pb2.Payload:
    packed = any_pb2.Any()
    packed.Pack(message)
    return payload_pb2.Payload(typed=packed)


def contract(game: str, file: str) -> Any:
    """Return a file of a game's own messages, such as `actions`."""
    return import_module(f"foldtable.{game}.v1.{file}_pb2")


def sampled(matches: Matches, match_id: str, seat: int, actions: Any) -> tuple[Any, int]:
    """Return a legal action of a seat, drawn at random, and the version it is legal at."""
    legal = matches.GetLegalActions(
        match_service_pb2.GetLegalActionsRequest(match_id=match_id, seat=seat, samples=1, form=TYPED)
    )
    return unpacked(legal.samples, actions.Actions()).actions[0], legal.version


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_over_grpc_with_typed_messages(matches: Matches, game: str) -> None:
    actions, events = contract(game, "actions"), contract(game, "events")
    created = matches.CreateMatch(
        match_service_pb2.CreateMatchRequest(game=game, seats=2, request_id=str(uuid4()))
    ).match
    to_act, status, version = list(created.to_act), created.status, created.version
    happened: list[Any] = []
    while status == match_pb2.MATCH_STATUS_RUNNING:
        action, at = sampled(matches, created.match_id, to_act[0], actions)
        answer = matches.Act(
            play_pb2.ActRequest(
                match_id=created.match_id,
                seat=to_act[0],
                expected_version=at,
                request_id=str(uuid4()),
                action=typed(action),
                form=TYPED,
            )
        )
        assert answer.version == version + 1
        happened += unpacked(answer.events, events.Events()).events
        to_act, status, version = list(answer.to_act), answer.status, answer.version
    assert status == match_pb2.MATCH_STATUS_ENDED
    assert happened[-1].WhichOneof("event") == "match_ended"
    assert_it_stands_as_played(matches, created.match_id, version, answer.outcome)


def assert_it_stands_as_played(matches: Matches, match_id: str, version: int, outcome: Any) -> None:
    """Match, view, export and verification agree on the end."""
    match = matches.GetMatch(match_service_pb2.GetMatchRequest(match_id=match_id)).match
    assert (match.version, match.outcome, len(match.secret)) == (version, outcome, 32)
    seen = matches.GetView(match_service_pb2.GetViewRequest(match_id=match_id, audience=REFEREE, form=TYPED))
    assert unpacked(seen.view, contract(match.game, "view").View()).HasField("outcome")
    exported = matches.ExportMatch(match_service_pb2.ExportMatchRequest(match_id=match_id)).document
    offline = verify_document(read_document(exported))
    assert offline.ok
    assert offline.decided_again
    online = matches.VerifyMatch(match_service_pb2.VerifyMatchRequest(match_id=match_id))
    assert (online.ok, online.moves, online.draws) == (True, version, len(offline.draws))
