"""A match is played by the rules it began with, whichever others the server has, and by none the server lacks."""

from __future__ import annotations

import json
from uuid import UUID

import grpc
import msgspec
import pytest
from coming_rules import COMING, coming_rules, has_dragons
from golden_documents import export_of, match_and_rows
from rules_stack import Player, Stack, act
from stored_logs import corpus, game_of

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, REFEREE, Seat
from engine.match.replay import fold_moves
from engine.match.requests import RESIGN
from engine.registry import game, versions
from engine.river_dragons.actions import SubmitProgram
from engine.river_dragons.box.components import DRAGON_TARGET
from foldtable.matches.v1 import history_pb2, lobby_pb2, match_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import rules_service_pb2 as rules
from foldtable.rules.v1 import table_pb2
from services.movelog.export.format import read_document
from services.movelog.export.verification import logged_moves, verify_document
from services.movelog.match_ids import new_match_id
from services.movelog.records import Match, Move, SeatRecord, SeatState, Status

NEWEST = game("river_dragons").rules_version
LOGS = {
    one.version: corpus("river_dragons", one.version) / "leavers-win-5.jsonl"
    for one in versions("river_dragons")
}
"""The same match under each version: two leave, somebody wins."""


async def stored(stack: Stack, version: str) -> tuple[Match, tuple[Move, ...]]:
    """Return a match under older or newer rules that waits to be started, with the rows it is to get."""
    match, rows = match_and_rows(LOGS[version])
    waiting = msgspec.structs.replace(
        match, id=new_match_id(), tenant="one", status=Status.WAITING, version=0, to_act=(), outcome=None
    )
    seats = tuple(SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(match.seats))
    await stack.logs[0].create(waiting, seats)
    return waiting, rows


async def repeat(tenant: Player, match_id: UUID, row: Move) -> None:
    """Make the move of a stored row."""
    if row.request == RESIGN:
        await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=str(match_id), seat=row.seat))
    else:
        await tenant.call("Act", act(str(match_id), row.request, row.seq - 1, seat=row.seat))


async def exported(tenant: Player, match_id: UUID | str) -> bytes:
    return (await tenant.call("ExportMatch", pb.ExportMatchRequest(match_id=str(match_id)))).document


def with_a_dragon(match_id: str, seat: int, cards: list[str]) -> tuple[SubmitProgram, object]:
    """Return a program of a hand with its dragon in it, and the request to submit it."""
    dragon = next(card for card in cards if card in DRAGON_TARGET)
    program = SubmitProgram(cards=(dragon, *[card for card in cards if card != dragon][:4]))  # type: ignore[arg-type]
    return program, act(match_id, encode(program), 1, seat=seat)


# ── creating ───────────────────────────────────────────────────────────────────────────────────────


async def test_a_match_begins_with_the_newest_rules_or_those_it_asks_for(tenant: Player) -> None:
    assert (await tenant.create()).match.rules_version == NEWEST
    older = await tenant.create(rules_version="1.0.0")
    assert (await tenant.get(older.match.match_id)).rules_version == "1.0.0"
    assert older.match.version == 1


async def test_rules_there_are_not_are_refused_with_those_there_are(tenant: Player) -> None:
    request = pb.CreateMatchRequest(game="river_dragons", seats=2, rules_version="0.9.0")
    refusal = await tenant.refused("CreateMatch", request)
    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "RULES_VERSION_UNSUPPORTED",
    )
    assert dict(refusal.info.metadata) == {"rules_version": "0.9.0", "supported": ", ".join(LOGS)}


async def test_a_repeated_request_gets_its_match_although_newer_rules_have_come(
    tenant: Player, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await tenant.create(request_id="friday")
    coming_rules(monkeypatch)
    later = stack.player(address=await stack.serve())
    assert (await later.create(request_id="friday")).match.match_id == created.match.match_id
    named = pb.CreateMatchRequest(game="river_dragons", seats=2, request_id="friday", rules_version="1.0.0")
    assert (await later.refused("CreateMatch", named)).reason == "REQUEST_ID_REUSED"


# ── playing ────────────────────────────────────────────────────────────────────────────────────────


async def test_matches_of_every_version_are_played_beside_each_other_as_they_were(
    tenant: Player, stack: Stack
) -> None:
    """The stored matches move by move, in turns: same events, views, standing, and verdict of the verification."""
    begun = [await stored(stack, version) for version in LOGS]
    for number in range(1, max(len(rows) for _, rows in begun)):
        for match, rows in begun:
            await repeat(tenant, match.id, rows[number])
    ranks = []
    for match, rows in begun:
        rules_of_match = game("river_dragons", match.rules_version)
        document = read_document(await exported(tenant, match.id))
        assert [bytes(move.events) for move in document.moves] == [row.events for row in rows]
        assert document.rules_version == match.rules_version
        seen = await tenant.view(
            str(match.id), audience=table_pb2.Audience(kind=table_pb2.Audience.KIND_REFEREE)
        )
        state = fold_moves(rules_of_match, logged_moves(rows))
        assert seen.view.json == encode(rules_of_match.view(state, REFEREE))
        verified = await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=str(match.id)))
        assert (verified.ok, verified.decided_again, verified.moves) == (True, True, len(rows))
        assert verify_document(document).decided_again
        results = (await tenant.get(str(match.id))).outcome.results
        ranks.append((match.rules_version, [result.rank for result in results]))
    last, beside = [4, 1, 4, 2, 2], [2, 1, 2, 2, 2]
    assert ranks == [("1.2.0", last), ("1.1.0", last), ("1.0.0", beside)]


async def test_a_match_goes_on_under_its_rules_when_newer_ones_come(
    tenant: Player, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the coming rules forbid is still listed and still accepted at the tables that were there before."""
    before = (await tenant.create()).match.match_id
    listed = await tenant.legal(before, seat=0)
    seen = await tenant.view(before)
    coming_rules(monkeypatch)
    later = stack.player(address=await stack.serve())
    assert await later.legal(before, seat=0) == listed
    assert await later.view(before) == seen
    (template,) = json.loads(listed.templates.json)
    program, request = with_a_dragon(before, 0, template["cards"])
    assert has_dragons(program)
    assert (await later.call("Act", request)).version == 2

    after = (await later.create()).match
    assert after.rules_version == COMING
    (template,) = json.loads((await later.legal(after.match_id, seat=0)).templates.json)
    assert template["max_dragons"] == 0
    _, request = with_a_dragon(after.match_id, 0, template["cards"])
    refusal = await later.refused("Act", request)
    assert (refusal.reason, refusal.rule and refusal.rule.rule) == ("SECOND_DRAGON", "F99")
    for match_id in (before, after.match_id):
        await later.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
        assert verify_document(read_document(await exported(later, match_id))).decided_again


async def test_a_rematch_is_a_new_match_and_begins_with_the_newest_rules(tenant: Player) -> None:
    older = (await tenant.create(rules_version="1.0.0")).match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=older, seat=0))
    again = await tenant.call("Rematch", lobby_pb2.RematchRequest(match_id=older))
    assert (again.match.rematch_of, again.match.rules_version) == (older, NEWEST)


async def test_quick_join_finds_a_match_that_waited_since_before_the_newest_rules(tenant: Player) -> None:
    waiting = await tenant.create(
        rules_version="1.0.0", open_seats=True, visibility=match_pb2.MATCH_VISIBILITY_PUBLIC
    )
    joined = await tenant.call("QuickJoin", lobby_pb2.QuickJoinRequest(game="river_dragons", player="ruth"))
    assert joined.match.match_id == waiting.match.match_id


@pytest.mark.parametrize("version", LOGS)
async def test_a_match_of_any_version_is_imported_and_looks_as_it_did(tenant: Player, version: str) -> None:
    _, rows = match_and_rows(LOGS[version])
    chunk = export_of(LOGS[version])
    imported = await tenant.matches.ImportMatch(
        iter([history_pb2.ImportMatchRequest(chunk=chunk)]), metadata=tenant.metadata, timeout=10
    )
    assert imported.match.rules_version == version
    rules_of_match = game("river_dragons", version)
    for at in (1, len(rows) // 2, len(rows)):
        seen = await tenant.view(imported.match.match_id, at_version=at)
        state = fold_moves(rules_of_match, logged_moves(rows[:at]))
        assert seen.view.json == encode(rules_of_match.view(state, PUBLIC))


# ── a server that is older than a match ────────────────────────────────────────────────────────────


@pytest.fixture
async def newer_match(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> pb.CreateMatchResponse:
    """A match another, newer replica has begun."""
    coming_rules(monkeypatch)
    later = stack.player(address=await stack.serve())
    return await later.create()


async def test_a_server_without_the_rules_of_a_match_neither_shows_nor_plays_it(
    tenant: Player, newer_match: pb.CreateMatchResponse
) -> None:
    match_id = newer_match.match.match_id
    for method, request in (
        ("GetView", pb.GetViewRequest(match_id=match_id)),
        ("GetLegalActions", pb.GetLegalActionsRequest(match_id=match_id, seat=0)),
        ("ListMoves", pb.ListMovesRequest(match_id=match_id)),
        ("Act", act(match_id, b'{"type":"step","to":"V-red"}', 1, seat=0)),
        ("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0)),
        ("ExportMatch", pb.ExportMatchRequest(match_id=match_id)),
        ("VerifyMatch", pb.VerifyMatchRequest(match_id=match_id)),
    ):
        refusal = await tenant.refused(method, request)
        assert (method, refusal.reason) == (method, "RULES_VERSION_UNSUPPORTED")
        assert refusal.info.metadata["rules_version"] == COMING
        assert refusal.info.metadata["supported"] == ", ".join(LOGS)
    assert (await tenant.get(match_id)).version == 1


async def test_whoever_may_not_know_of_a_match_learns_nothing_of_its_rules(
    stack: Stack, newer_match: pb.CreateMatchResponse
) -> None:
    other = stack.player("ft_test_two")
    request = pb.GetViewRequest(match_id=newer_match.match.match_id)
    assert (await other.refused("GetView", request)).reason == "MATCH_NOT_FOUND"


async def test_an_older_server_s_quick_join_passes_over_a_newer_match(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    coming_rules(monkeypatch)
    later = stack.player(address=await stack.serve())
    await later.create(open_seats=True, visibility=match_pb2.MATCH_VISIBILITY_PUBLIC)
    wanted = lobby_pb2.QuickJoinRequest(game="river_dragons", player="ruth")
    assert (await tenant.refused("QuickJoin", wanted)).reason == "NO_OPEN_MATCH"


# ── the pure functions ─────────────────────────────────────────────────────────────────────────────


def started(version: str, **more: object) -> rules.StartGameRequest:
    luck = rules.Luck(match_secret=bytes(32), move=1)
    return rules.StartGameRequest(game="river_dragons", rules_version=version, seats=2, luck=luck, **more)  # type: ignore[arg-type]


async def test_the_catalogue_lists_every_version_newest_first(tenant: Player) -> None:
    (summary,) = [
        one
        for one in (await tenant.rules.ListGames(rules.ListGamesRequest())).games
        if one.game == "river_dragons"
    ]
    assert [one.version for one in summary.rules_versions] == list(LOGS)
    assert summary.rules_versions[0].version == summary.rules_version == NEWEST
    assert (summary.rules_versions[0].since, summary.rules_versions[0].changes[-5:]) == (
        "2026-11-22",
        "R23].",
    )


@pytest.mark.parametrize("version", LOGS)
async def test_a_state_outside_says_its_rules_and_is_folded_from_its_events_alike(
    tenant: Player, version: str
) -> None:
    answer = await tenant.rules.StartGame(started(version))
    assert answer.state.rules_version == version
    folded = await tenant.rules.FoldEvents(
        rules.FoldEventsRequest(game="river_dragons", events=answer.events)
    )
    assert folded.state == answer.state
    state = game_of(LOGS[version]).state_codec.decode(answer.state.state)
    view = await tenant.rules.GetView(rules.GetViewRequest(game="river_dragons", state=answer.state))
    assert view.view.json == encode(game("river_dragons").view(state, PUBLIC))
    action = game("river_dragons").sample(state, Seat(0), SeededChance(bytes(32), 2))
    decided = await tenant.rules.DecideAction(
        rules.DecideActionRequest(
            game="river_dragons",
            state=answer.state,
            seat=0,
            action={"json": encode(action)},
            luck={"match_secret": bytes(32), "move": 2},
        )
    )
    assert decided.state.rules_version == version


async def test_a_state_that_claims_other_rules_than_it_began_with_is_refused(tenant: Player) -> None:
    state = (await tenant.rules.StartGame(started("1.0.0"))).state
    state.rules_version = NEWEST
    with pytest.raises(grpc.aio.AioRpcError, match="is not what the state says"):
        await tenant.rules.GetView(rules.GetViewRequest(game="river_dragons", state=state))


async def test_events_of_rules_the_server_lacks_are_not_folded(tenant: Player) -> None:
    events = (await tenant.rules.StartGame(started(NEWEST))).events
    events.json = events.json.replace(NEWEST.encode(), b"8.0.0")
    with pytest.raises(grpc.aio.AioRpcError, match="does not have these rules"):
        await tenant.rules.FoldEvents(rules.FoldEventsRequest(game="river_dragons", events=events))
