"""The rules without storage: a platform that keeps its own log plays a whole match over the wire."""

from __future__ import annotations

import hashlib
from typing import Any

import grpc
import msgspec
import pytest
from rules_stack import FIVE_CARDS, Player, Refusal, program

from foldtable.rules.v1 import payload_pb2, table_pb2
from foldtable.rules.v1 import rules_service_pb2 as pb

SECRET = bytes(range(32))


def luck(move: int) -> pb.Luck:
    return pb.Luck(match_secret=SECRET, move=move)


def json(value: Any) -> payload_pb2.Payload:
    return payload_pb2.Payload(json=msgspec.json.encode(value))


async def started(tenant: Player, seats: int = 2) -> pb.StartGameResponse:
    return await tenant.rules.StartGame(pb.StartGameRequest(game="river_dragons", seats=seats, luck=luck(1)))


async def refused(call: Any) -> Refusal:
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await call
    return Refusal.of(failure.value)


async def test_the_catalogue_describes_every_game_with_its_schemas(tenant: Player) -> None:
    listed = await tenant.rules.ListGames(pb.ListGamesRequest())
    assert "river_dragons" in [game.game for game in listed.games]
    described = await tenant.rules.DescribeGame(pb.DescribeGameRequest(game="river_dragons"))
    assert list(described.summary.seat_counts) == [2, 3, 4, 5, 6]
    assert described.proto_package == "foldtable.river_dragons.v1"
    for schema in ("options", "action", "event", "template", "view"):
        assert msgspec.json.decode(getattr(described, f"{schema}_schema"))["$defs"]
    assert len(msgspec.json.decode(described.components)["islands"]) == 27


async def test_the_same_request_always_gets_the_same_answer(tenant: Player) -> None:
    assert await started(tenant) == await started(tenant)


async def test_a_platform_plays_and_folds_its_own_log(tenant: Player) -> None:
    start = await started(tenant)
    state, events = start.state, [*msgspec.json.decode(start.events.json)]
    pending = list(start.pending)
    for move in range(2, 30):
        seat = pending[0].seat
        legal = await tenant.rules.GetLegalActions(
            pb.GetLegalActionsRequest(game="river_dragons", state=state, seat=seat, samples=1)
        )
        (action,) = msgspec.json.decode(legal.samples.json)
        decided = await tenant.rules.DecideAction(
            pb.DecideActionRequest(
                game="river_dragons", state=state, seat=seat, action=json(action), luck=luck(move)
            )
        )
        state, pending = decided.state, list(decided.pending)
        events += msgspec.json.decode(decided.events.json)
    folded = await tenant.rules.FoldEvents(pb.FoldEventsRequest(game="river_dragons", events=json(events)))
    assert folded.state == state
    assert folded.state.state_hash == hashlib.sha256(state.state).digest()


async def test_luck_can_be_drawn_by_the_caller(tenant: Player) -> None:
    drawn = (await started(tenant, 3)).draws
    again = await tenant.rules.StartGame(
        pb.StartGameRequest(
            game="river_dragons",
            seats=3,
            luck=pb.Luck(drawn=pb.Luck.DrawnNumbers(values=[draw.value for draw in drawn]), move=1),
        )
    )
    assert again.events == (await started(tenant, 3)).events


async def test_a_view_hides_and_events_are_redacted(tenant: Player) -> None:
    start = await started(tenant)
    decided = await tenant.rules.DecideAction(
        pb.DecideActionRequest(
            game="river_dragons", state=start.state, seat=0, action=json(program(*FIVE_CARDS)), luck=luck(2)
        )
    )
    request = pb.GetViewRequest(game="river_dragons", state=decided.state, events=decided.events)
    public = await tenant.rules.GetView(request)
    assert msgspec.json.decode(public.view.json)["programs"] == []
    assert msgspec.json.decode(public.events.json)[0]["cards"] is None
    request.audience.CopyFrom(table_pb2.Audience(kind=table_pb2.Audience.KIND_SEAT, seat=0))
    assert msgspec.json.decode((await tenant.rules.GetView(request)).view.json)["programs"]


def state_of(value: Any) -> pb.GameState:
    data = msgspec.json.encode(value)
    return pb.GameState(rules_version="1.0.0", state=data, state_hash=hashlib.sha256(data).digest())


async def test_a_state_larger_than_the_box_is_refused_before_anybody_works_on_it(tenant: Player) -> None:
    state = msgspec.json.decode((await started(tenant)).state.state)
    state["table"]["stones"] = [["I01", 0, n] for n in range(28)]
    request = pb.GetLegalActionsRequest(game="river_dragons", state=state_of(state), seat=0)
    assert (await refused(tenant.rules.GetLegalActions(request))).reason == "MALFORMED_STATE"


async def test_a_state_no_match_can_be_in_is_the_callers_mistake(tenant: Player) -> None:
    state = msgspec.json.decode((await started(tenant)).state.state)
    state["pawns"] = []
    request = pb.GetViewRequest(game="river_dragons", state=state_of(state))
    assert (await refused(tenant.rules.GetView(request))).reason == "MALFORMED_STATE"


async def test_what_does_not_fit_is_refused_by_name(tenant: Player) -> None:
    state = (await started(tenant)).state
    rules = tenant.rules
    forged = pb.GameState(
        rules_version=state.rules_version, state=state.state + b" ", state_hash=state.state_hash
    )
    old = pb.GameState(rules_version="0.9.0", state=state.state, state_hash=state.state_hash)
    garbage = pb.GameState(rules_version="1.0.0", state=b"{}", state_hash=hashlib.sha256(b"{}").digest())
    legal, start = pb.GetLegalActionsRequest, pb.StartGameRequest
    for call, reason in (
        (rules.DescribeGame(pb.DescribeGameRequest(game="chess")), "GAME_NOT_FOUND"),
        (rules.StartGame(start(game="river_dragons", seats=9, luck=luck(1))), "SEAT_COUNT"),
        (rules.StartGame(start(game="river_dragons", seats=2)), "MALFORMED_REQUEST"),
        (rules.StartGame(start(game="river_dragons", seats=2, luck=pb.Luck(move=1))), "MALFORMED_REQUEST"),
        (
            rules.StartGame(
                start(
                    game="river_dragons",
                    seats=2,
                    luck=pb.Luck(move=1, drawn=pb.Luck.DrawnNumbers(values=[9])),
                )
            ),
            "MALFORMED_REQUEST",
        ),
        (rules.GetLegalActions(legal(game="river_dragons", state=forged, seat=0)), "STATE_MISMATCH"),
        (rules.GetLegalActions(legal(game="river_dragons", state=old, seat=0)), "RULES_VERSION_UNSUPPORTED"),
        (rules.GetLegalActions(legal(game="river_dragons", state=garbage, seat=0)), "MALFORMED_STATE"),
        (rules.FoldEvents(pb.FoldEventsRequest(game="river_dragons")), "MALFORMED_REQUEST"),
        (
            rules.FoldEvents(
                pb.FoldEventsRequest(
                    game="river_dragons",
                    events=json([{"type": "round_started", "round": 1, "first_player": 0}]),
                )
            ),
            "MALFORMED_REQUEST",
        ),
        (
            rules.DecideAction(
                pb.DecideActionRequest(
                    game="river_dragons", state=state, seat=5, action=json(program(*FIVE_CARDS)), luck=luck(2)
                )
            ),
            "SEAT_UNKNOWN",
        ),
    ):
        assert (await refused(call)).reason == reason
