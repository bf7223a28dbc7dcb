"""A player is erased: nothing in the database says who it was, nobody else's match is harmed, and every match still verifies."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import grpc
import msgspec
import psycopg
import pytest
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program
from subscription_streams import Subscriber

from foldtable.matches.v1 import (
    bots_pb2,
    forgetting_pb2,
    fork_pb2,
    lobby_pb2,
    login_code_pb2,
    match_pb2,
    player_session_pb2,
    replacing_pb2,
    table_pb2,
)
from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.callers import PlayerCaller
from services.identity.player_sessions import player_account
from services.identity.session_ring import forget_erased
from services.movelog.events import EventType
from services.movelog.export.format import MatchDocument, read_document
from services.movelog.export.verification import verify_document
from services.rules.forgetting import api
from services.rules.match.loaded_match import SEATING_SECONDS
from services.rules.seats.own_seats import own_request_id
from tests.support.independent_verifier import NODE, found_in
from tests.support.traces import traces

EVE, NAME, COLOUR = "eve-7f3a91c2", "Eve Nightingale-4410", "aquamarine-88d1"
"""An id, a name and data that stand nowhere else."""
MARKS = (EVE, NAME, COLOUR)
ADA = lobby_pb2.SeatPlan(player="ada", name="Ada")
EVES = lobby_pb2.SeatPlan(player=EVE, name=NAME, data=msgspec.json.encode({"colour": COLOUR}))
OPEN = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_OPEN)


@pytest.fixture
def remembers() -> bool:
    """What is revoked here is revoked at once."""
    return False


async def erased(tenant: Player, player: str = EVE) -> forgetting_pb2.ErasePlayerResponse:
    return await tenant.call("ErasePlayer", forgetting_pb2.ErasePlayerRequest(player=player))


async def document(tenant: Player, match_id: str) -> MatchDocument:
    exported = await tenant.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))
    return read_document(exported.document)


async def verified(tenant: Player, match_id: str) -> bool:
    found = await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=match_id))
    return bool(found.ok)


async def session(stack: Stack, tenant: Player, player: str = EVE) -> Player:
    request = player_session_pb2.CreatePlayerSessionRequest(player=player)
    return stack.player((await tenant.call("CreatePlayerSession", request)).token)


async def ended(tenant: Player, *seating: lobby_pb2.SeatPlan) -> str:
    """Play a match to its end: the second player resigns after a move."""
    created = await tenant.create(2, seating=list(seating or (ADA, EVES)))
    match_id: str = created.match.match_id
    await tenant.any_move(match_id, 0)
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    return match_id


def asked_of(database_url: str, query: str, *values: object) -> list[tuple[object, ...]]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        cursor = connection.execute(query, values)
        return cursor.fetchall() if cursor.description else []


# ── matches that are over ──────────────────────────────────────────────────────────────────────────


async def test_an_ended_match_is_nobodys_and_no_hash_has_changed(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    match_id = await ended(tenant)
    before = await document(tenant, match_id)
    done = await erased(tenant)
    assert (done.player, done.seats, done.done) == (EVE, 1, True)

    after = await document(tenant, match_id)
    assert (after.players_hash, after.moves) == (before.players_hash, before.moves)
    assert [one.player for one in after.players] == ["ada", ""]
    found = verify_document(after)
    assert (found.ok, found.decided_again, found.erased) == (True, True, 1)
    assert await verified(tenant, match_id)
    seats = (await tenant.get(match_id)).seats
    assert [(one.player, one.name, one.data) for one in seats] == [("ada", "Ada", b""), ("", "", b"")]
    assert traces(database_url, MARKS) == set()


async def test_nobody_else_is_touched(stack: Stack, tenant: Player, database_url: str) -> None:
    other = stack.player("ft_test_two")
    theirs = await ended(other)
    match_id = await ended(tenant)
    await erased(tenant)
    assert [one.player for one in (await tenant.get(match_id)).seats] == ["ada", ""]
    assert [one.player for one in (await other.get(theirs)).seats] == ["ada", EVE]
    assert {place[:2] for place in traces(database_url, MARKS)} == {
        ("seats", "player"),
        ("seats", "name"),
        ("seats", "data"),
    }


async def test_an_erased_export_is_imported_and_exported_as_it_was(stack: Stack, tenant: Player) -> None:
    match_id = await ended(tenant)
    await erased(tenant)
    exported = await tenant.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))
    other = stack.player("ft_test_two")
    imported = await other.import_document(exported.document)
    again = await document(other, imported.match.match_id)
    assert (again.players, again.players_hash) == (
        read_document(exported.document).players,
        read_document(exported.document).players_hash,
    )
    assert verify_document(again).erased == 1
    if NODE:
        assert found_in([exported.document]) == [[]]


async def test_a_match_of_before_there_were_salts_is_erased_as_well(
    tenant: Player, database_url: str
) -> None:
    match_id = await ended(tenant)
    asked_of(database_url, "UPDATE seats SET salt = NULL")
    old = await document(tenant, match_id)
    assert not any(one.salt for one in old.players)
    await erased(tenant)
    after = await document(tenant, match_id)
    assert after.moves == old.moves
    assert verify_document(after).ok
    assert verify_document(after).erased == 1
    assert traces(database_url, MARKS) == set()


async def test_a_player_who_had_the_seat_before_is_erased_and_the_present_one_stays(
    tenant: Player, database_url: str
) -> None:
    created = await tenant.create(2, seating=[ADA, EVES])
    match_id = created.match.match_id
    version = (await tenant.any_move(match_id, 0)).version
    request = replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=1, player="cleo", name="Cleo")
    await tenant.call("ReplacePlayer", request)
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    before = await document(tenant, match_id)
    assert (await erased(tenant)).seats == 1

    after = await document(tenant, match_id)
    assert after.players_hash == before.players_hash
    (earlier,) = after.players[1].replaced
    assert (after.players[1].player, earlier.player, earlier.name) == ("cleo", "", "")
    assert (earlier.until_version, verify_document(after).ok) == (version, True)
    assert traces(database_url, MARKS) == set()
    assert (await erased(tenant, "cleo")).seats == 1
    last = await document(tenant, match_id)
    assert (last.players_hash, verify_document(last).erased) == (before.players_hash, 2)


async def test_no_salt_is_left_with_which_a_guess_could_be_tested(tenant: Player, database_url: str) -> None:
    created = await tenant.create(2, seating=[ADA, EVES])
    match_id = created.match.match_id
    for player in ("cleo", EVE):
        request = replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=1, player=player)
        await tenant.call("ReplacePlayer", request)
    ((salt, replaced),) = asked_of(database_url, "SELECT salt, replaced FROM seats WHERE seat = 1")
    assert isinstance(salt, bytes)
    assert isinstance(replaced, list)
    salts = [salt.hex(), *(one["salt"] for one in replaced)]
    assert len(set(salts)) == 3, "each player has one of their own"
    assert (await erased(tenant)).seats == 2, "at present, and before Cleo"
    left = {mark for _, _, mark in traces(database_url, salts)}
    assert left == {salts[2]}, "Cleo's"


# ── matches that go on ─────────────────────────────────────────────────────────────────────────────


async def test_in_a_running_match_the_seat_stays_without_a_player_and_the_match_goes_on(
    stack: Stack, tenant: Player, subscriber: Subscriber, database_url: str
) -> None:
    created = await tenant.create(2, seating=[ADA, EVES])
    match_id, (hers, eves) = created.match.match_id, [one.token for one in created.tokens]
    await subscriber.subscribe(1, match_id, hers)
    await subscriber.subscribe(2, match_id, eves)
    await erased(tenant)

    move = act(match_id, program(*FIVE_CARDS), 1, seat=1)
    assert (await stack.player(eves).refused("Act", move)).reason == "SEAT_FORBIDDEN"
    assert (await subscriber.refusal(2)).reason == "SEAT_FORBIDDEN"
    assert traces(database_url, MARKS) == set()

    seat = (await stack.player(hers).get(match_id)).seats[1]
    assert (seat.state, seat.player, seat.name) == (match_pb2.SEAT_STATE_TAKEN, "", "")
    issued = await tenant.call("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=match_id, seat=1))
    await stack.player(issued.token.token).any_move(match_id, 1)
    request = replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=1, player="cleo")
    after = (await tenant.call("ReplacePlayer", request)).match.seats[1]
    assert (after.player, [one.player for one in after.replaced]) == ("cleo", [""])
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    whole = await document(tenant, match_id)
    assert verify_document(whole).ok
    assert len(whole.players[1].replaced[0].erased) == 64
    assert not (await subscriber.of(1, 1))[-1].HasField("refused"), "she goes on watching"


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("change", [{"name": "Substitute"}, {"data": b'{"colour":"teal"}'}])
async def test_the_seat_gets_no_name_and_no_data_without_a_player_to_whom_they_belong(
    stack: Stack, tenant: Player, change: dict[str, Any], is_over: bool
) -> None:
    """An export would name somebody who is erased, and no later erasing would find the name of somebody without an id."""
    match_id = (await tenant.create(2, seating=[ADA, EVES])).match.match_id
    await erased(tenant)
    token = await tenant.call("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=match_id, seat=1))
    substitute = stack.player(token.token.token)
    if is_over:
        await substitute.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    for caller, seat in ((substitute, {}), (tenant, {"seat": 1})):
        refusal = await caller.refused(
            "UpdateSeat", lobby_pb2.UpdateSeatRequest(match_id=match_id, **change, **seat)
        )
        assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [f"$.{next(iter(change))}"])
        assert "replace" in refusal.message
    if not is_over:
        await substitute.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    whole = await document(tenant, match_id)
    assert (whole.players[1].player, whole.players[1].name) == ("", "")
    assert (verify_document(whole).ok, await verified(tenant, match_id)) == (True, True)


async def test_whoever_replaces_the_erased_player_has_a_name_and_changes_it(tenant: Player) -> None:
    match_id = (await tenant.create(2, seating=[ADA, EVES])).match.match_id
    await erased(tenant)
    request = replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=1, player="cleo", name="Cleo")
    await tenant.call("ReplacePlayer", request)
    await tenant.call("UpdateSeat", lobby_pb2.UpdateSeatRequest(match_id=match_id, seat=1, name="Cleopatra"))
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    whole = await document(tenant, match_id)
    assert (whole.players[1].name, verify_document(whole).ok) == ("Cleopatra", True)


async def test_a_new_name_that_waits_for_the_erasing_is_refused_after_it(
    tenant: Player, database_url: str
) -> None:
    match_id = (await tenant.create(2, seating=[ADA, EVES])).match.match_id
    rename = lobby_pb2.UpdateSeatRequest(match_id=match_id, seat=1, name="Eve again")
    with psycopg.connect(database_url) as erasing:
        erasing.execute(
            "UPDATE seats SET player = '', name = '', salt = NULL, erased = %s WHERE match_id = %s AND seat = 1",
            (b"\x01" * 32, match_id),
        )
        refused = asyncio.create_task(tenant.refused("UpdateSeat", rename))
        waiting = (
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        async with asyncio.timeout(20):
            while not asked_of(database_url, waiting):  # noqa: ASYNC110 - a test may poll
                await asyncio.sleep(0.05)
    assert (await refused).fields == ["$.name"]
    assert [one.name for one in (await tenant.get(match_id)).seats] == ["Ada", ""]


async def test_before_the_start_the_seat_is_free_again(tenant: Player, database_url: str) -> None:
    taken = await tenant.create(2, seating=[EVES, OPEN])
    invited = await tenant.create(
        2, seating=[ADA, lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED, player=EVE, name=NAME)]
    )
    assert (await erased(tenant)).seats == 2
    for created, seat in ((taken, 0), (invited, 1)):
        match = await tenant.get(created.match.match_id)
        assert (match.seats[seat].state, match.seats[seat].player) == (match_pb2.SEAT_STATE_OPEN, "")
        assert match.status == match_pb2.MATCH_STATUS_WAITING
    assert traces(database_url, MARKS) == set()
    for seat, player in ((0, "cleo"), (1, "dora")):
        request = pb.JoinMatchRequest(match_id=taken.match.match_id, seat=seat, player=player)
        await tenant.call("JoinMatch", request)
    assert (await tenant.get(taken.match.match_id)).status == match_pb2.MATCH_STATUS_RUNNING


async def test_only_of_a_seat_that_was_taken_is_told_that_somebody_left_it(
    stack: Stack, tenant: Player
) -> None:
    log = stack.logs[0]
    await log.events.record("one", [EventType.SEAT_LEFT])
    await tenant.create(
        2, seating=[ADA, lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED, player=EVE, name=NAME)]
    )
    taken = await tenant.create(2, seating=[EVES, OPEN])
    assert (await erased(tenant)).seats == 2
    told = [one.event for one in await log.events.read("one", limit=100)]
    assert [(str(one.match_id), one.seat, one.player) for one in told] == [(taken.match.match_id, 0, "")]


async def test_a_seat_that_was_taken_with_an_invite_is_kept_for_another_invite(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    """Whoever knows the id of a private match could take it otherwise."""
    plan = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED, player=EVE, name=NAME)
    created = await tenant.create(3, seating=[ADA, plan, OPEN])
    match_id, invite = created.match.match_id, created.invites[0].token
    join = pb.JoinMatchRequest(match_id=match_id)
    await stack.player(invite).call("JoinMatch", join)
    await erased(tenant)
    seat = (await tenant.get(match_id)).seats[1]
    assert (seat.state, seat.player, seat.name) == (match_pb2.SEAT_STATE_INVITED, "", "")
    assert traces(database_url, MARKS) == set()
    by_id = pb.JoinMatchRequest(match_id=match_id, seat=1, player="bob")
    assert (await tenant.refused("JoinMatch", by_id)).reason == "NOT_JOINABLE"
    assert (await stack.player(invite).refused("JoinMatch", join)).reason == "INVITE_INVALID"
    asked = lobby_pb2.InviteToSeatRequest(match_id=match_id, seat=1, player="cleo")
    another = (await tenant.call("InviteToSeat", asked)).invite.token
    await stack.player(another).call("JoinMatch", join)
    assert (await tenant.get(match_id)).seats[1].player == "cleo"


async def test_a_bot_that_plays_for_the_player_goes_on(tenant: Player) -> None:
    created = await tenant.create(2, seating=[ADA, EVES])
    match_id = created.match.match_id
    request = bots_pb2.SeatBotRequest(match_id=match_id, seat=1, bot="stand-in")
    await tenant.call("SeatBot", request)
    await erased(tenant)
    seat = (await tenant.get(match_id)).seats[1]
    assert (seat.player, seat.bot) == ("", "stand-in")


async def test_a_repeat_of_the_request_that_made_the_match_gets_the_match(tenant: Player) -> None:
    first = await tenant.create(2, seating=[ADA, EVES], request_id="the board of round 3")
    await erased(tenant)
    again = await tenant.create(2, seating=[ADA, EVES], request_id="the board of round 3")
    assert again.match.match_id == first.match.match_id
    assert again.match.seats[1].player == ""


async def test_the_id_of_a_request_to_join_stays_used(tenant: Player) -> None:
    created = await tenant.create(2, seating=[ADA, OPEN])
    request = pb.JoinMatchRequest(match_id=created.match.match_id, player=EVE, name=NAME, request_id="j-1")
    await tenant.call("JoinMatch", request)
    await erased(tenant)
    assert (await tenant.refused("JoinMatch", request)).reason == "REQUEST_ID_REUSED"


# ── requests ───────────────────────────────────────────────────────────────────────────────────────


def player_digest(request_id: str) -> str:
    """What is kept of a request that Eve's session makes: whoever guesses both can test it."""
    caller = PlayerCaller(tenant="one", player=EVE, scopes=frozenset(), expires_at=datetime.now(UTC))
    return own_request_id(caller, request_id)


async def test_what_a_session_created_is_kept_under_no_digest_of_the_id(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    eve = await session(stack, tenant)
    first = await eve.create(2, request_id="r-1")
    assert asked_of(database_url, "SELECT request_id FROM matches") == [(player_digest("r-1"),)]
    table = await tenant.create(2, seating=[ADA, EVES], request_id="of the platform")
    await eve.call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=table.match.match_id, request_id="f-1"))
    adas = {"request_id": "r-1", "visibility": match_pb2.MATCH_VISIBILITY_PUBLIC}
    by_ada = await (await session(stack, tenant, "ada")).create(2, **adas)
    join = pb.JoinMatchRequest(match_id=by_ada.match.match_id, player=EVE, request_id="j-1")
    await eve.call("JoinMatch", join)
    await erased(tenant)
    kept = {
        str(row[0]): row[1] for row in asked_of(database_url, "SELECT id, request_id FROM matches") if row[1]
    }
    assert kept.keys() == {table.match.match_id, by_ada.match.match_id}, "neither what she made nor her fork"
    assert asked_of(database_url, "SELECT request_id FROM seat_requests") == []
    again = await (await session(stack, tenant)).create(2, request_id="r-1")
    assert again.match.match_id != first.match.match_id, "who comes back is a new player"
    repeat = await (await session(stack, tenant, "ada")).create(2, **adas)
    assert repeat.match.match_id == by_ada.match.match_id, "others' requests are repeated as before"


async def test_of_a_seat_that_another_player_got_no_digest_stays(tenant: Player, database_url: str) -> None:
    created = await tenant.create(2, seating=[ADA, OPEN])
    match_id = created.match.match_id
    join = pb.JoinMatchRequest(match_id=match_id, player=EVE, name=NAME, request_id="j-1")
    await tenant.call("JoinMatch", join)
    cleos = replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=1, player="cleo", request_id="p-1")
    await tenant.call("ReplacePlayer", cleos)
    await erased(tenant)
    marks = dict(asked_of(database_url, "SELECT request_id, mark FROM seat_requests"))
    assert marks["j-1"] == b""
    assert marks["p-1"], "that of who has it now"
    assert (await tenant.call("ReplacePlayer", cleos)).match.seats[1].player == "cleo"
    assert (await tenant.refused("JoinMatch", join)).reason == "REQUEST_ID_REUSED"


# ── signing in ─────────────────────────────────────────────────────────────────────────────────────


async def redeemed(stack: Stack, code: str) -> Refusal | None:
    try:
        await stack.player(None).call("RedeemLoginCode", login_code_pb2.RedeemLoginCodeRequest(code=code))
    except grpc.aio.AioRpcError as error:
        return Refusal.of(error)
    return None


async def test_no_session_and_no_login_code_is_good_any_more_until_the_platform_issues_new_ones(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    old, others = await session(stack, tenant), await session(stack, tenant, "ada")
    code = (await tenant.call("CreateLoginCode", login_code_pb2.CreateLoginCodeRequest(player=EVE))).code
    assert (await erased(tenant)).login_codes == 1
    match_id = await ended(tenant, ADA, lobby_pb2.SeatPlan(player="bob"))
    assert (await old.refused("GetMatch", pb.GetMatchRequest(match_id=match_id))).reason == "TOKEN_INVALID"
    refused = await redeemed(stack, code)
    assert refused is not None
    assert refused.reason == "LOGIN_CODE_INVALID"
    assert (await others.get(match_id)).match_id == match_id
    assert traces(database_url, MARKS) == set()

    back = await session(stack, tenant)
    assert (await back.refused("GetMatch", pb.GetMatchRequest(match_id=match_id))).reason == "MATCH_NOT_FOUND"
    assert (await old.refused("GetMatch", pb.GetMatchRequest(match_id=match_id))).reason == "TOKEN_INVALID"


async def test_what_was_revoked_stays_so_when_the_digest_is_forgotten(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    """Once a player is back, the number must not go down: an earlier session would be good again."""
    await erased(tenant)
    back = await session(stack, tenant)
    asked_of(
        database_url,
        "UPDATE session_revocations SET until = now() - interval '1 day' WHERE until IS NOT NULL",
    )
    assert await forget_erased(stack.logs[0].pool) == 0, "she is known again"
    mine = await ended(tenant, ADA, lobby_pb2.SeatPlan(player=EVE))
    assert (await back.get(mine)).match_id == mine
    revoke = player_session_pb2.RevokePlayerSessionsRequest(player=EVE)
    await tenant.call("RevokePlayerSessions", revoke)
    assert (await back.refused("GetMatch", pb.GetMatchRequest(match_id=mine))).reason == "TOKEN_INVALID"


async def test_the_digest_is_forgotten_once_no_session_can_be_valid(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    await erased(tenant)
    assert await forget_erased(stack.logs[0].pool) == 0
    asked_of(database_url, "UPDATE session_revocations SET until = now() - interval '1 second'")
    assert await forget_erased(stack.logs[0].pool) == 1
    assert asked_of(database_url, "SELECT tenant FROM session_revocations") == []


# ── the rest ───────────────────────────────────────────────────────────────────────────────────────


async def test_events_vacations_and_forks_forget_the_player(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    log = stack.logs[0]
    await log.events.record("one", list(EventType))
    created = await tenant.create(2, seating=[ADA, OPEN], start=pb.CreateMatchRequest().start)
    match_id = created.match.match_id
    join = pb.JoinMatchRequest(match_id=match_id, player=EVE, name=NAME)
    await tenant.call("JoinMatch", join)
    request = replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=1, player="cleo")
    await tenant.call("ReplacePlayer", request)
    back = replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=1, player=EVE)
    await tenant.call("ReplacePlayer", back)
    eve = await session(stack, tenant)
    await eve.call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id))
    asked_of(
        database_url,
        "INSERT INTO vacations (id, tenant, player, since, until, by_tenant) "
        "VALUES (gen_random_uuid(), 'one', %s, now(), now() + interval '1 day', true)",
        EVE,
    )
    assert asked_of(database_url, "SELECT made FROM forks WHERE account = %s", player_account("one", EVE))

    done = await erased(tenant)
    assert (done.events, done.vacations) == (3, 1), "joined, replaced by cleo, in place of cleo"
    assert traces(database_url, MARKS) == set()
    told = [
        one.event for one in await log.events.read("one", limit=100) if one.event.match_id == UUID(match_id)
    ]
    assert [(one.player, one.replaced) for one in told if one.type == EventType.SEAT_REPLACED] == [
        ("cleo", ""),
        ("", "cleo"),
    ]
    assert not any(EVE in (one.player, one.replaced, *one.players) for one in told)


async def test_a_call_erases_a_bounded_number_and_a_repeat_goes_on(
    tenant: Player, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "MATCHES_AT_ONCE", 2)
    monkeypatch.setattr(api, "ENOUGH_SECONDS", 0.0001)
    for _ in range(5):
        await tenant.create(2, seating=[ADA, EVES])
    seats = []
    while not (done := await erased(tenant)).done:
        seats.append(done.seats)
        assert len(seats) < 20
    assert sum(seats) + done.seats == 5
    assert max(seats) <= 2
    assert traces(database_url, MARKS) == set()


async def test_a_player_whose_erasing_was_cut_off_is_erased_by_the_next_request(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    for _ in range(4):
        await tenant.create(2, seating=[ADA, EVES])
    step = await api.Forgetting.on(stack.logs[0]).erasing.step("one", EVE, limit=2)
    assert (step.seats, step.is_last) == (2, False)
    assert traces(database_url, MARKS)
    done = await erased(tenant)
    assert (done.seats, done.done) == (2, True)
    assert traces(database_url, MARKS) == set()


async def test_a_repeat_and_an_unknown_player_find_nothing(tenant: Player) -> None:
    await ended(tenant)
    await erased(tenant)
    again, nobody = await erased(tenant), await erased(tenant, "nobody-knows")
    for done in (again, nobody):
        assert (done.seats, done.events, done.vacations, done.login_codes, done.done) == (0, 0, 0, 0, True)


async def test_two_requests_at_once_erase_everything_once(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    second = stack.player(address=await stack.serve())
    for _ in range(6):
        await tenant.create(2, seating=[ADA, EVES])
    both = await asyncio.gather(erased(tenant), erased(second))
    while not all(one.done for one in both):
        both = [*both[:0], *(await asyncio.gather(erased(tenant), erased(second)))]
    assert traces(database_url, MARKS) == set()


async def test_a_server_that_has_the_match_cached_is_told(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, seating=[ADA, EVES])).match.match_id
    second = stack.player(address=await stack.serve())
    table = table_pb2.GetTableRequest(match_id=match_id)
    assert NAME in str(await second.call("GetTable", table))
    await erased(tenant)
    async with asyncio.timeout(SEATING_SECONDS / 2):  # an old answer lasts twice as long if nobody tells
        while NAME in str(await second.call("GetTable", table)):  # noqa: ASYNC110 - a test may poll
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("key", "reason"),
    [("ft_test_one_looks", "SCOPE_MISSING"), ("ft_test_one_other", "SCOPE_MISSING")],
)
async def test_only_a_key_that_may_write_erases(stack: Stack, key: str, reason: str) -> None:
    request = forgetting_pb2.ErasePlayerRequest(player=EVE)
    assert (await stack.player(key).refused("ErasePlayer", request)).reason == reason


async def test_a_session_erases_nobody_not_even_its_own_player(stack: Stack, tenant: Player) -> None:
    eve = await session(stack, tenant)
    refusal = await eve.refused("ErasePlayer", forgetting_pb2.ErasePlayerRequest(player=EVE))
    assert refusal.reason == "TENANT_ONLY"


@pytest.mark.parametrize("player", ["", "x" * 65, "a\nb"])
async def test_an_id_that_nobody_can_have_is_refused(tenant: Player, player: str) -> None:
    refusal = await tenant.refused("ErasePlayer", forgetting_pb2.ErasePlayerRequest(player=player))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.player"])


async def test_no_log_line_names_the_player(
    tenant: Player, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await ended(tenant)
    await erased(tenant)
    written = "".join(capfd.readouterr()) + caplog.text
    assert "player erased" in written
    assert not any(mark in written for mark in MARKS)
