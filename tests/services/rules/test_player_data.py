"""What a player says at a seat: who may change it, what it may be, and how long it lasts; and how long bots wait."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import Player, Stack

from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.matches.v1.fork_pb2 import ForkMatchRequest

TEAL = b'{"colour":"teal"}'


def saying(match_id: str, seat: int | None = None, **more: Any) -> lobby.UpdateSeatRequest:
    return lobby.UpdateSeatRequest(match_id=match_id, seat=seat, **more)


def said(match: match_pb2.Match) -> list[tuple[str, bytes]]:
    return [(seat.name, seat.data) for seat in match.seats]


@pytest.fixture
async def created(tenant: Player) -> pb.CreateMatchResponse:
    """A running match of Ruth and Ann."""
    seating = [lobby.SeatPlan(player=name.lower(), name=name) for name in ("Ruth", "Ann")]
    return await tenant.create(2, seating=seating)


async def test_a_player_says_something_else_at_the_own_seat(
    stack: Stack, created: pb.CreateMatchResponse
) -> None:
    match_id = created.match.match_id
    ruth, ann = (stack.player(token.token) for token in created.tokens)
    answer = await ruth.call("UpdateSeat", saying(match_id, name="Captain Ruth"))
    assert said(answer.match) == [("Captain Ruth", b""), ("Ann", b"")]
    await ruth.call("UpdateSeat", saying(match_id, 0, data=b' {"colour" : "teal"} '))
    assert said(await ann.get(match_id)) == [("Captain Ruth", TEAL), ("Ann", b"")]
    assert (await ruth.refused("UpdateSeat", saying(match_id, 1, name="Eve"))).reason == "SEAT_FORBIDDEN"


@pytest.mark.parametrize("nothing", [b"", b"null"])
async def test_what_was_said_is_taken_back(
    tenant: Player, created: pb.CreateMatchResponse, nothing: bytes
) -> None:
    match_id = created.match.match_id
    await tenant.call("UpdateSeat", saying(match_id, 0, data=TEAL))
    answer = await tenant.call("UpdateSeat", saying(match_id, 0, name="", data=nothing))
    assert said(answer.match)[0] == ("", b"")


async def test_a_player_is_renamed_before_the_start_and_after_the_end(tenant: Player) -> None:
    waiting = await tenant.create(2, seating=[lobby.SeatPlan(name="Ruth"), lobby.SeatPlan(name="Ann")])
    match_id = waiting.match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    over = (await tenant.call("UpdateSeat", saying(match_id, 0, name="Late Ruth"))).match
    assert (over.status, said(over)[0][0]) == (match_pb2.MATCH_STATUS_ENDED, "Late Ruth")

    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, seat=1, name="Ann", data=TEAL))
    before = (await tenant.call("UpdateSeat", saying(match_id, 1, name="Early Ann"))).match
    assert (before.status, said(before)[1]) == (match_pb2.MATCH_STATUS_WAITING, ("Early Ann", TEAL))
    refusal = await tenant.refused("UpdateSeat", saying(match_id, 0, name="Nobody"))
    assert (refusal.code, refusal.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ["$.seat"])


@pytest.mark.parametrize(
    ("more", "field"),
    [
        pytest.param({"seat": 0}, "$", id="nothing at all"),
        pytest.param({"name": "Ann"}, "$.seat", id="a tenant who names no seat"),
        pytest.param({"seat": 2, "name": "Ann"}, "$.seat", id="a seat there is not"),
        pytest.param({"seat": 0, "name": "x" * 101}, "$.name", id="a name too long"),
        pytest.param({"seat": 0, "name": "two\nlines"}, "$.name", id="a name of two lines"),
        pytest.param({"seat": 0, "data": b"{teal}"}, "$.data", id="no JSON"),
        pytest.param({"seat": 0, "data": b'"\xff"'}, "$.data", id="no UTF-8"),
        pytest.param({"seat": 0, "data": b'"\\ud800"'}, "$.data", id="half a character"),
        pytest.param({"seat": 0, "data": b"1e999"}, "$.data", id="a number nobody holds"),
        pytest.param(
            {"seat": 0, "data": b'{"n":[9007199254740992]}'}, "$.data.n[0]", id="an integer too large"
        ),
        pytest.param({"seat": 0, "data": b'{"a":1,"b":{"c":1,"c":2}}'}, "$.data.b.c", id="a name twice"),
        pytest.param({"seat": 0, "data": '["\ufdd0"]'.encode()}, "$.data[0]", id="a noncharacter"),
        pytest.param({"seat": 0, "data": b"[" * 33 + b"]" * 33}, "$.data", id="nested too deeply"),
        pytest.param({"seat": 0, "data": b'"%b"' % (b"x" * 1023)}, "$.data", id="a byte too much"),
        pytest.param({"seat": 0, "data": b"1" + b" " * 5000}, "$.data", id="too much blank"),
        pytest.param({"seat": 0, "data": b"[" * 2000 + b"]" * 2000}, "$.data", id="nested without end"),
    ],
)
async def test_what_cannot_be_said_is_refused(
    tenant: Player, created: pb.CreateMatchResponse, more: dict[str, Any], field: str
) -> None:
    refusal = await tenant.refused("UpdateSeat", saying(created.match.match_id, **more))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])
    if field.startswith("$.data"):
        match_id = (await tenant.create(2, open_seats=True)).match.match_id
        joining = pb.JoinMatchRequest(match_id=match_id, data=more["data"])
        assert (await tenant.refused("JoinMatch", joining)).fields == [field]


async def test_the_most_that_is_kept_is_kept(tenant: Player, created: pb.CreateMatchResponse) -> None:
    most = b'"%b"' % (b"x" * 1022)
    answer = await tenant.call("UpdateSeat", saying(created.match.match_id, 0, data=most))
    assert answer.match.seats[0].data == most


async def test_another_name_does_not_make_a_repeated_request_another(tenant: Player) -> None:
    asked: dict[str, Any] = {
        "request_id": "friday",
        "seating": [lobby.SeatPlan(name="Ruth"), lobby.SeatPlan(name="Ann")],
    }
    first = await tenant.create(2, **asked)
    await tenant.call("UpdateSeat", saying(first.match.match_id, 0, name="Captain Ruth"))
    again = await tenant.create(2, **asked)
    assert again.match.match_id == first.match.match_id
    asked["seating"] = [lobby.SeatPlan(name="Ruth"), lobby.SeatPlan(name="Eve")]
    other = pb.CreateMatchRequest(game="river_dragons", seats=2, **asked)
    assert (await tenant.refused("CreateMatch", other)).reason == "REQUEST_ID_REUSED"


async def test_a_join_with_other_data_is_another_request(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    joining: dict[str, Any] = {"match_id": match_id, "request_id": "ann-1", "player": "ann"}
    first = await tenant.call("JoinMatch", pb.JoinMatchRequest(**joining, data=TEAL))
    again = await tenant.call("JoinMatch", pb.JoinMatchRequest(**joining, data=b'{"colour": "teal"}'))
    assert first.token.seat == again.token.seat
    other = pb.JoinMatchRequest(**joining, data=b"{}")
    assert (await tenant.refused("JoinMatch", other)).reason == "REQUEST_ID_REUSED"


async def test_it_lasts_into_the_rematch(tenant: Player, created: pb.CreateMatchResponse) -> None:
    match_id = created.match.match_id
    await tenant.call("UpdateSeat", saying(match_id, 0, name="Captain Ruth", data=TEAL))
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    following = (await tenant.call("Rematch", lobby.RematchRequest(match_id=match_id))).match
    assert said(following) == [("Ann", b""), ("Captain Ruth", TEAL)]


async def test_every_replica_shows_the_new_name_at_once(
    stack: Stack, tenant: Player, created: pb.CreateMatchResponse
) -> None:
    match_id = created.match.match_id
    other = stack.player(address=await stack.serve())
    await other.get(match_id)
    await tenant.call("UpdateSeat", saying(match_id, 1, name="Captain Ann"))
    assert said(await other.get(match_id))[1] == ("Captain Ann", b"")


async def test_a_new_match_says_what_its_players_say(tenant: Player) -> None:
    seating = [
        lobby.SeatPlan(name="Ruth", data=b' {"colour" : "teal"} '),
        lobby.SeatPlan(kind=lobby.SEATING_KIND_BOT, level="random", data=b"7"),
        lobby.SeatPlan(kind=lobby.SEATING_KIND_INVITED, name="Ann", data=b"null"),
    ]
    match = (await tenant.create(3, seating=seating)).match
    assert [seat.data for seat in match.seats] == [TEAL, b"7", b""]


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        pytest.param({"data": b"{teal}"}, "$.seating[1].data", id="no JSON"),
        pytest.param({"data": b'"%b"' % (b"x" * 1023)}, "$.seating[1].data", id="a byte too much"),
        pytest.param({"kind": lobby.SEATING_KIND_OPEN, "data": TEAL}, "$.seating[1]", id="nobody to say it"),
    ],
)
async def test_a_new_match_does_not_say_what_cannot_be_said(
    tenant: Player, plan: dict[str, Any], field: str
) -> None:
    seating = [lobby.SeatPlan(), lobby.SeatPlan(**plan)]
    request = pb.CreateMatchRequest(game="river_dragons", seats=2, seating=seating)
    assert (await tenant.refused("CreateMatch", request)).fields == [field]


async def test_data_is_part_of_the_request_until_the_player_changes_it(tenant: Player) -> None:
    asked: dict[str, Any] = {"request_id": "saturday", "game": "river_dragons", "seats": 2}
    teal = pb.CreateMatchRequest(**asked, seating=[lobby.SeatPlan(data=TEAL), lobby.SeatPlan()])
    silent = pb.CreateMatchRequest(**asked, seating=[lobby.SeatPlan(), lobby.SeatPlan()])
    first = await tenant.call("CreateMatch", teal)
    assert (await tenant.refused("CreateMatch", silent)).reason == "REQUEST_ID_REUSED"
    await tenant.call("UpdateSeat", saying(first.match.match_id, 0, data=b'"red"'))
    assert (await tenant.call("CreateMatch", teal)).match.match_id == first.match.match_id


async def test_a_player_is_ready_before_the_start_and_nobody_waits_for_it(
    stack: Stack, tenant: Player
) -> None:
    waiting = await tenant.create(2, open_seats=True, start=match_pb2.START_RULE_ON_DEMAND)
    match_id = waiting.match.match_id
    joined = [await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id)) for _ in range(2)]
    ruth = stack.player(joined[0].token.token)
    answer = await ruth.call("UpdateSeat", saying(match_id, ready=True))
    assert [seat.ready for seat in answer.match.seats] == [True, False]
    assert (await ruth.refused("UpdateSeat", saying(match_id, 1, ready=True))).reason == "SEAT_FORBIDDEN"
    await ruth.call("LeaveMatch", lobby.LeaveMatchRequest(match_id=match_id))
    again = await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
    assert [seat.ready for seat in again.match.seats] == [False, False]
    started = (await tenant.call("StartMatch", lobby.StartMatchRequest(match_id=match_id))).match
    assert started.status == match_pb2.MATCH_STATUS_RUNNING
    late = await tenant.refused("UpdateSeat", saying(match_id, 0, name="Late", ready=True))
    assert late.reason == "MATCH_STARTED"
    assert said(await tenant.get(match_id))[0][0] == "", "nothing of a refused request is done"


@pytest.mark.parametrize(
    ("seconds", "nanos"),
    [(-1, 0), (0, -1_000_000), (30, 1_000_000), (31, 0), (0, 500_000), (2**62, 0)],
)
async def test_the_pace_of_bots_has_bounds(tenant: Player, seconds: int, nanos: int) -> None:
    pace = Duration(seconds=seconds, nanos=nanos)
    request = pb.CreateMatchRequest(game="river_dragons", seats=2, bot_pace=pace)
    assert (await tenant.refused("CreateMatch", request)).fields == ["$.bot_pace"]


async def test_a_match_keeps_its_pace_into_the_rematch_and_a_fork_has_its_own(tenant: Player) -> None:
    pace = Duration(seconds=1, nanos=250_000_000)
    match = (await tenant.create(2, bot_pace=pace)).match
    assert match.bot_pace == pace
    fork = await tenant.call(
        "ForkMatch", ForkMatchRequest(match_id=match.match_id, bot_pace=Duration(seconds=30))
    )
    assert fork.match.bot_pace.seconds == 30
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match.match_id, seat=0))
    following = await tenant.call("Rematch", lobby.RematchRequest(match_id=match.match_id))
    assert following.match.bot_pace == pace
