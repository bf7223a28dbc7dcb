"""Another player for a seat of a running match: the hand stays, the tokens go, and the history says who played until when."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID, uuid4

import grpc
import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import FIVE_CARDS, Player, Stack, act, program
from subscription_streams import Subscriber

from foldtable.matches.v1 import (
    abort_pb2,
    bots_pb2,
    clock_pb2,
    lobby_pb2,
    match_pb2,
    player_session_pb2,
    replacing_pb2,
)
from foldtable.matches.v1 import match_service_pb2 as pb
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from services.movelog.players import MAX_REPLACED

PER_MOVE = clock_pb2.Clock(kind=clock_pb2.CLOCK_KIND_PER_MOVE, time=Duration(seconds=3600), away_after=1)
RUNNING = match_pb2.MATCH_STATUS_RUNNING


@pytest.fixture
def remembers() -> bool:
    """What is revoked here is revoked at once."""
    return False


def asked(
    match_id: str, seat: int = 1, player: str = "cleo", **more: Any
) -> replacing_pb2.ReplacePlayerRequest:
    return replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=seat, player=player, **more)


async def replaced(
    tenant: Player, match_id: str, seat: int = 1, player: str = "cleo", **more: Any
) -> replacing_pb2.ReplacePlayerResponse:
    return await tenant.call("ReplacePlayer", asked(match_id, seat, player, **more))


async def session_of(stack: Stack, tenant: Player, player: str) -> Player:
    request = player_session_pb2.CreatePlayerSessionRequest(player=player)
    return stack.player((await tenant.call("CreatePlayerSession", request)).token)


async def exported(player: Player, match_id: str) -> bytes:
    return (await player.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))).document


async def clock_of(tenant: Player, match_id: str, seat: int) -> clock_pb2.SeatClock:
    (one,) = [clock for clock in (await tenant.get(match_id)).clocks.seats if clock.seat == seat]
    return one


async def goes_away(stack: Stack, match_id: str, seat: int) -> None:
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "UPDATE clocks SET time_outs = 1 WHERE match_id = $1 AND seat = $2", (UUID(match_id), seat)
        )


# ── the seat ───────────────────────────────────────────────────────────────────────────────────────


async def test_the_new_player_goes_on_with_the_hand_of_the_old_one(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, players=["ada", "bob"])
    match_id, old = created.match.match_id, stack.player(created.tokens[1].token)
    hand = (await old.view(match_id)).view.json
    version = (await tenant.any_move(match_id, 0)).version
    answer = await replaced(tenant, match_id, name="Cleo", data=b'{"colour": "teal"}')
    seat = answer.match.seats[1]
    assert (seat.player, seat.name, seat.data) == ("cleo", "Cleo", b'{"colour":"teal"}')
    (earlier,) = seat.replaced
    assert (earlier.player, earlier.name, earlier.until_version) == ("bob", "", version)
    assert earlier.replace_time.seconds > created.match.create_time.seconds - 1
    assert not answer.match.seats[0].replaced
    assert answer.match.version == version, "it is no move"
    new = stack.player(answer.token.token)
    seen = msgspec.json.decode((await new.view(match_id)).view.json)
    assert seen["seats"][1] == msgspec.json.decode(hand)["seats"][1]
    assert (await new.call("Act", act(match_id, program(*FIVE_CARDS), version))).version > version
    assert (await tenant.get(match_id)).seats[1] == seat


async def test_the_old_player_is_out_at_every_replica(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, players=["ada", "bob"])
    match_id, there = created.match.match_id, await stack.serve()
    token = stack.player(created.tokens[1].token)
    elsewhere = stack.player(created.tokens[1].token, address=there)
    session = await session_of(stack, tenant, "bob")
    for one in (token, elsewhere, session):
        await one.legal(match_id, seat=1)
    await replaced(tenant, match_id)
    move = act(match_id, program(*FIVE_CARDS), 1, seat=1)
    for one in (token, elsewhere):
        assert (await one.refused("Act", move)).reason == "SEAT_FORBIDDEN"
    refusal = await session.refused("Act", move)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND")
    assert (await tenant.get(match_id)).version == 1
    new = await session_of(stack, tenant, "cleo")
    assert (await new.call("Act", move)).version == 2
    other = stack.player(created.tokens[0].token)
    assert (await other.view(match_id)).audience.seat == 0, "nobody else is concerned"


async def test_streams_of_the_old_player_end_and_others_go_on(
    stack: Stack, tenant: Player, subscriber: Subscriber
) -> None:
    created = await tenant.create(3, players=["ada", "bob", "carl"])
    match_id = created.match.match_id
    request = player_session_pb2.CreatePlayerSessionRequest(player="bob")
    session = (await tenant.call("CreatePlayerSession", request)).token
    tokens = [created.tokens[0].token, created.tokens[1].token, session]
    for number, token in enumerate(tokens, 1):
        await subscriber.subscribe(number, match_id, token)
    await replaced(tenant, match_id)
    assert (await subscriber.refusal(2)).reason == "SEAT_FORBIDDEN"
    assert (await subscriber.refusal(3)).reason in {"SEAT_FORBIDDEN", "MATCH_NOT_FOUND"}
    await tenant.any_move(match_id, 0)
    assert await subscriber.versions(1, 1) == [2]


async def test_a_table_that_is_followed_shows_the_new_player(tenant: Player, subscriber: Subscriber) -> None:
    created = await tenant.create(2, players=["ada", "bob"])
    match_id = created.match.match_id
    await subscriber.subscribe(1, match_id, created.tokens[0].token, include_table=True)
    first = (await subscriber.of(1, 2))[1]
    assert first.table.match.seats[1].player == "bob"
    await replaced(tenant, match_id)
    last = (await subscriber.of(1, 3))[2]
    assert last.table.match.seats[1].player == "cleo"
    assert last.table.match.seats[1].replaced[0].player == "bob"


async def test_a_seat_that_a_bot_plays_gets_a_player(tenant: Player) -> None:
    bot = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_BOT, level="random")
    created = await tenant.create(2, seating=[lobby_pb2.SeatPlan(player="ada"), bot])
    match_id = created.match.match_id
    await tenant.call("SeatBot", bots_pb2.SeatBotRequest(match_id=match_id, seat=0, level="greedy"))
    for seat, player, before in ((1, "cleo", ""), (0, "dora", "ada")):
        match = (await replaced(tenant, match_id, seat, player)).match
        assert (match.seats[seat].player, match.seats[seat].level) == (player, "")
        assert match.seats[seat].replaced[0].player == before
    assert (await tenant.any_move(match_id, 1)).version == 2


async def test_players_of_a_fork_and_in_a_rematch_are_the_new_ones(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    await replaced(tenant, match_id)
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    following = (await tenant.call("Rematch", lobby_pb2.RematchRequest(match_id=match_id))).match
    assert [seat.player for seat in following.seats] == ["cleo", "ada"]
    assert not any(seat.replaced for seat in following.seats)


# ── the clock ──────────────────────────────────────────────────────────────────────────────────────


async def test_a_player_who_was_away_is_back_in_the_new_one(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"], clock=PER_MOVE)).match.match_id
    await goes_away(stack, match_id, 1)
    assert (await clock_of(tenant, match_id, 1)).away
    answer = await replaced(tenant, match_id, request_id="r")
    assert not (await clock_of(tenant, match_id, 1)).away
    assert answer.match.version == 2
    assert answer.match.seats[1].replaced[0].until_version == 1
    (move,) = (await tenant.moves(match_id, after_version=1)).moves
    assert (move.seat, msgspec.json.decode(move.events.json)) == (1, [{"type": "seat_returned", "seat": 1}])
    again = await replaced(tenant, match_id, request_id="r")
    assert again.match.version == 2, "nobody is away any more"
    assert [todo.kind for todo in again.match.todos] == []


async def test_the_clock_of_a_player_who_was_there_goes_on(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"], clock=PER_MOVE)).match.match_id
    before = await clock_of(tenant, match_id, 1)
    answer = await replaced(tenant, match_id)
    after = await clock_of(tenant, match_id, 1)
    assert answer.match.version == 1
    assert after.deadline == before.deadline


async def test_a_repeat_ends_the_absence_that_the_first_request_could_not_end(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"], clock=PER_MOVE)).match.match_id
    await goes_away(stack, match_id, 1)

    async def dies(*_: Any, **__: Any) -> None:
        raise RuntimeError("the process dies here")

    with monkeypatch.context() as broken:
        broken.setattr("services.rules.seats.replacing.run_command", dies)
        with pytest.raises(grpc.aio.AioRpcError):
            await replaced(tenant, match_id, request_id="r")
    match = await tenant.get(match_id)
    assert (match.seats[1].player, match.version) == ("cleo", 1)
    answer = await replaced(tenant, match_id, request_id="r")
    assert answer.match.version == 2
    assert not (await clock_of(tenant, match_id, 1)).away
    assert (await stack.player(answer.token.token).legal(match_id)).seat == 1


# ── repeats ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_repeat_gets_a_token_of_the_same_seat_and_replaces_nobody(
    stack: Stack, tenant: Player
) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    first, second = [await replaced(tenant, match_id, request_id="r") for _ in range(2)]
    assert len(second.match.seats[1].replaced) == 1
    for answer in (first, second):
        assert (await stack.player(answer.token.token).legal(match_id)).seat == 1


async def test_simultaneous_repeats_replace_once(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    there = stack.player(address=await stack.serve())
    request_id = str(uuid4())
    answers = await asyncio.gather(
        *(replaced(one, match_id, request_id=request_id) for one in (tenant, there) for _ in range(6))
    )
    assert {len(answer.match.seats[1].replaced) for answer in answers} == {1}
    for answer in answers[::5]:
        assert (await stack.player(answer.token.token).legal(match_id)).seat == 1


@pytest.mark.parametrize("other", [{"player": "dora"}, {"seat": 0}, {"name": "C"}, {"data": b"1"}])
async def test_the_same_id_for_something_else_is_refused(tenant: Player, other: dict[str, Any]) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    await replaced(tenant, match_id, request_id="r")
    refusal = await tenant.refused("ReplacePlayer", asked(match_id, request_id="r", **other))
    assert refusal.reason == "REQUEST_ID_REUSED"
    assert (await tenant.get(match_id)).seats[0].player == "ada"


async def test_a_repeat_after_another_replacement_gets_nothing(tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    await replaced(tenant, match_id, request_id="r")
    await replaced(tenant, match_id, player="dora")
    refusal = await tenant.refused("ReplacePlayer", asked(match_id, request_id="r"))
    assert refusal.reason == "SEAT_GIVEN_UP"
    assert (await tenant.get(match_id)).seats[1].player == "dora"


async def test_a_repeated_creation_is_the_same_match_although_a_player_was_replaced(tenant: Player) -> None:
    created = await tenant.create(2, players=["ada", "bob"], request_id="made once")
    await replaced(tenant, created.match.match_id)
    again = await tenant.create(2, players=["ada", "bob"], request_id="made once")
    assert again.match.match_id == created.match.match_id


# ── refusals ───────────────────────────────────────────────────────────────────────────────────────


async def test_before_the_start_players_leave_and_join_instead(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    assert (await tenant.refused("ReplacePlayer", asked(match_id))).reason == "MATCH_NOT_STARTED"


async def test_nobody_is_replaced_once_it_is_over(tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    refusal = await tenant.refused("ReplacePlayer", asked(match_id))
    assert (refusal.reason, refusal.code) == ("MATCH_OVER", grpc.StatusCode.FAILED_PRECONDITION)


async def test_a_seat_that_was_resigned_stays_empty(tenant: Player) -> None:
    match_id = (await tenant.create(3, players=["ada", "bob", "carl"])).match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    assert (await tenant.get(match_id)).status == RUNNING
    refusal = await tenant.refused("ReplacePlayer", asked(match_id))
    assert (refusal.reason, refusal.info.metadata["seat"]) == ("NOT_JOINABLE", "1")
    assert (await replaced(tenant, match_id, 2)).match.seats[2].player == "cleo"


@pytest.mark.parametrize(("player", "own"), [("ada", "0"), ("bob", "1")])
async def test_nobody_gets_a_second_seat_or_replaces_themselves(
    tenant: Player, player: str, own: str
) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    refusal = await tenant.refused("ReplacePlayer", asked(match_id, player=player))
    assert (refusal.reason, refusal.info.metadata["seat"]) == ("NOT_JOINABLE", own)
    assert not (await tenant.get(match_id)).seats[1].replaced


async def test_a_seat_has_so_many_players_and_no_more(tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    for number in range(MAX_REPLACED):
        await replaced(tenant, match_id, player=f"p{number}")
    refusal = await tenant.refused("ReplacePlayer", asked(match_id))
    assert refusal.reason == "NOT_JOINABLE"
    assert str(MAX_REPLACED) in refusal.message


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"player": ""}, "$.player"),
        ({"player": "a" * 65}, "$.player"),
        ({"player": " ada"}, "$.player"),
        ({"name": "a" * 101}, "$.name"),
        ({"name": "a\u202eb"}, "$.name"),
        ({"data": b"{"}, "$.data"),
        ({"data": b'"' + b"a" * 1_100 + b'"'}, "$.data"),
        ({"seat": 2}, "$.seat"),
        ({"seat": -1}, "$.seat"),
        ({"request_id": "é"}, "$.request_id"),
    ],
)
async def test_what_cannot_be_is_refused_by_its_field(
    tenant: Player, wrong: dict[str, Any], field: str
) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    refusal = await tenant.refused("ReplacePlayer", asked(match_id, **wrong))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])
    assert (await tenant.get(match_id)).seats[1].player == "bob"


async def test_only_the_match_s_own_tenant_replaces(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, players=["ada", "bob"])
    match_id = created.match.match_id
    callers = {
        "TENANT_ONLY": [created.tokens[1].token, created.tokens[0].token],
        "MATCH_NOT_FOUND": ["ft_test_two"],
        "SCOPE_MISSING": ["ft_test_one_looks"],
    }
    for reason, credentials in callers.items():
        for credential in credentials:
            refusal = await stack.player(credential).refused("ReplacePlayer", asked(match_id))
            assert refusal.reason == reason
    session = await session_of(stack, tenant, "bob")
    assert (await session.refused("ReplacePlayer", asked(match_id))).reason == "TENANT_ONLY"
    assert (await tenant.get(match_id)).seats[1].player == "bob"


# ── the history ────────────────────────────────────────────────────────────────────────────────────


async def test_an_export_says_who_played_until_when_and_verifies(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    version = (await tenant.any_move(match_id, 1)).version
    await replaced(tenant, match_id, name="Cleo")
    await tenant.any_move(match_id, 0)
    assert b"cleo" not in await exported(tenant, match_id), "a running match is exported without players"
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    document = await exported(tenant, match_id)
    told = msgspec.json.decode(document)["players"]
    assert len(told[0].pop("salt")) == 32
    assert told[0] == {"seat": 0, "player": "ada", "name": ""}
    assert (told[1]["player"], told[1]["name"]) == ("cleo", "Cleo")
    (earlier,) = told[1]["replaced"]
    assert (earlier["player"], earlier["name"], earlier["until_version"]) == ("bob", "", version)
    assert verify_document(read_document(document)).ok

    other = stack.player("ft_test_two")
    imported = await other.import_document(document)
    assert imported.match.seats[1].replaced[0].player == "bob"
    assert await exported(other, match_id) == document


@pytest.mark.parametrize("change", ["player", "until_version", "gone"])
async def test_who_played_cannot_be_rewritten(stack: Stack, tenant: Player, change: str) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    await replaced(tenant, match_id)
    await tenant.any_move(match_id, 1)
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    told = msgspec.json.decode(await exported(tenant, match_id))
    if change == "gone":
        del told["players"][1]["replaced"]
    else:
        told["players"][1]["replaced"][0][change] = {"player": "eve", "until_version": 2}[change]
    document = msgspec.json.encode(told)
    assert "hash" in verify_document(read_document(document)).difference
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stack.player("ft_test_two").import_document(document)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"until_version": 3}, "$.players[1].replaced[0].until_version"),
        ({"until_version": 0}, "$.players[1].replaced[0].until_version"),
        ({"name": "a\u202eb"}, "$.players[1].replaced[0].name"),
        ({"replaced_at": "1969-12-31T00:00:00Z"}, "$.players[1].replaced[0].replaced_at"),
        ({"replaced_at": "2999-12-31T00:00:00Z"}, "$.players[1].replaced[0].replaced_at"),
    ],
)
async def test_an_import_with_an_impossible_replacement_names_the_place(
    stack: Stack, tenant: Player, wrong: dict[str, Any], field: str
) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    await replaced(tenant, match_id)
    await tenant.any_move(match_id, 1)
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    told = msgspec.json.decode(await exported(tenant, match_id))
    told["players"][1]["replaced"][0] |= wrong
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await stack.player("ft_test_two").import_document(msgspec.json.encode(told))
    assert field in (failure.value.details() or "")
