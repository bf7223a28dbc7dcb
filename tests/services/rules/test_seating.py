"""Create, join, start: who gets a seat, and when a match begins."""

from __future__ import annotations

import asyncio

import grpc
import msgspec
import pytest
from rules_stack import Player, Refusal, Stack

from foldtable.matches.v1 import match_pb2, match_service_pb2
from foldtable.rules.v1 import payload_pb2


def joining(match_id: str, **more: object) -> match_service_pb2.JoinMatchRequest:
    return match_service_pb2.JoinMatchRequest(match_id=match_id, **more)


def creating(**more: object) -> match_service_pb2.CreateMatchRequest:
    return match_service_pb2.CreateMatchRequest(**{"game": "river_dragons", "seats": 2, **more})


async def test_a_match_with_all_seats_handed_out_starts_at_once(tenant: Player) -> None:
    created = await tenant.create(4, players=["Ruth", "Omar"])
    match = created.match
    assert match.status == match_pb2.MATCH_STATUS_RUNNING
    assert match.version == 1
    assert list(match.to_act) == [0, 1, 2, 3]
    assert [seat.player for seat in match.seats] == ["Ruth", "Omar", "", ""]
    assert [token.seat for token in created.tokens] == [0, 1, 2, 3]
    assert len(match.commitment) == 32
    assert match.secret == b""


async def test_a_match_with_open_seats_starts_when_the_last_is_taken(tenant: Player) -> None:
    match = (await tenant.create(2, open_seats=True)).match
    assert match.status == match_pb2.MATCH_STATUS_WAITING
    first = await tenant.call("JoinMatch", joining(match.match_id, player="Ruth"))
    assert (first.token.seat, first.match.version) == (0, 0)
    last = await tenant.call("JoinMatch", joining(match.match_id, player="Omar"))
    assert (last.token.seat, last.match.version) == (1, 1)
    assert last.match.status == match_pb2.MATCH_STATUS_RUNNING


async def test_of_many_who_want_the_last_seats_each_seat_goes_to_one(stack: Stack, tenant: Player) -> None:
    match = (await tenant.create(3, open_seats=True)).match
    other = stack.player(address=await stack.serve())
    results = await asyncio.gather(
        *(
            (tenant, other)[n % 2].call("JoinMatch", joining(match.match_id, player=f"p{n}"))
            for n in range(12)
        ),
        return_exceptions=True,
    )
    seated = sorted(one.token.seat for one in results if not isinstance(one, Exception))
    assert seated == [0, 1, 2]
    assert {Refusal.of(one).reason for one in results if isinstance(one, Exception)} == {"NO_FREE_SEAT"}
    assert (await other.get(match.match_id)).version == 1


async def test_a_taken_seat_is_refused(tenant: Player) -> None:
    match = (await tenant.create(2, open_seats=True)).match
    await tenant.call("JoinMatch", joining(match.match_id, seat=1, player="Ruth"))
    refusal = await tenant.refused("JoinMatch", joining(match.match_id, seat=1, player="Omar"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN")


async def test_a_player_who_joined_through_another_replica_is_let_in(stack: Stack, tenant: Player) -> None:
    match = (await tenant.create(2, open_seats=True)).match
    other = stack.player(address=await stack.serve())
    await other.refused("GetView", match_service_pb2.GetViewRequest(match_id=match.match_id))
    token = (await tenant.call("JoinMatch", joining(match.match_id))).token.token
    await tenant.call("JoinMatch", joining(match.match_id))
    seen = await stack.player(token, address=stack.addresses[-1]).view(match.match_id)
    assert seen.audience.seat == 0


@pytest.mark.parametrize(
    ("request_", "code", "reason", "field"),
    [
        pytest.param(creating(game="chess"), "INVALID_ARGUMENT", "GAME_UNKNOWN", "$.game", id="unknown game"),
        pytest.param(creating(seats=7), "FAILED_PRECONDITION", "SEAT_COUNT", None, id="seven players"),
        pytest.param(creating(seats=-1), "FAILED_PRECONDITION", "SEAT_COUNT", None, id="negative players"),
        pytest.param(
            creating(options=payload_pb2.Payload(json=b'{"variant":"lake"}')),
            "INVALID_ARGUMENT",
            "MALFORMED_OPTIONS",
            "$.options.variant",
            id="unknown variant",
        ),
        pytest.param(
            creating(options=payload_pb2.Payload(json=b'{"boats":2}')),
            "INVALID_ARGUMENT",
            "MALFORMED_OPTIONS",
            "$.options.boats",
            id="unknown option",
        ),
        pytest.param(
            creating(players=["a", "b", "c"]),
            "INVALID_ARGUMENT",
            "MALFORMED_REQUEST",
            "$.players",
            id="more names than seats",
        ),
        pytest.param(
            creating(players=["x" * 101]),
            "INVALID_ARGUMENT",
            "MALFORMED_REQUEST",
            "$.players[0]",
            id="a name too long",
        ),
        pytest.param(
            creating(players=["a\nb"]),
            "INVALID_ARGUMENT",
            "MALFORMED_REQUEST",
            "$.players[0]",
            id="a name of two lines",
        ),
        pytest.param(
            creating(request_id="x" * 65),
            "INVALID_ARGUMENT",
            "MALFORMED_REQUEST",
            "$.request_id",
            id="a request id too long",
        ),
        pytest.param(
            creating(open_seats=True, players=["a"]),
            "INVALID_ARGUMENT",
            "MALFORMED_REQUEST",
            "$.players",
            id="names for open seats",
        ),
    ],
)
async def test_a_match_that_cannot_be_is_refused(
    tenant: Player, request_: match_service_pb2.CreateMatchRequest, code: str, reason: str, field: str | None
) -> None:
    refusal = await tenant.refused("CreateMatch", request_)
    assert (refusal.code.name, refusal.reason) == (code, reason)
    assert refusal.fields == ([] if field is None else [field])


async def test_nothing_can_be_played_before_the_start(tenant: Player) -> None:
    match = (await tenant.create(2, open_seats=True)).match
    refusal = await tenant.refused("GetView", match_service_pb2.GetViewRequest(match_id=match.match_id))
    assert refusal.reason == "MATCH_NOT_STARTED"


async def test_the_expert_side_is_an_option(tenant: Player) -> None:
    match = (await tenant.create(2, options=payload_pb2.Payload(json=b'{ "variant" : "expert" }'))).match
    assert match.options == b'{"variant":"expert"}'
    view = msgspec.json.decode((await tenant.view(match.match_id)).view.json)
    assert view["variant"] == "expert"
