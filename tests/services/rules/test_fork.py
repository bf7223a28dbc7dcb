"""Forks over gRPC, on two replicas of one log."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
import pytest
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from engine.kernel import seats
from engine.kernel.codec import encode
from foldtable.matches.v1 import (
    abort_pb2,
    fork_pb2,
    history_pb2,
    lobby_pb2,
    match_pb2,
    match_service_pb2,
    undo_pb2,
)
from foldtable.rules.v1 import payload_pb2, table_pb2
from services.cli.replay.recorded_match import recorded
from services.cli.replay.words import event_lines, heading
from services.movelog.export.format import read_document
from services.movelog.export.verification import match_of, moves_of, verify_document
from services.movelog.records import ForkedFrom, Status
from services.rpc.refusals import Refused
from services.rules.history.importing import Importer
from tests.support.match_documents import document_of, relinked
from tests.support.memory_log.log import MemoryLog
from tests.support.our_games import OUR_GAMES

KINDS = table_pb2.Audience
REFEREE, PUBLIC = KINDS(kind=KINDS.KIND_REFEREE), KINDS(kind=KINDS.KIND_PUBLIC)


def seat_audience(seat: int) -> table_pb2.Audience:
    return KINDS(kind=KINDS.KIND_SEAT, seat=seat)


@pytest.fixture
async def other(stack: Stack) -> Player:
    """The same platform, at another replica."""
    return stack.player(address=await stack.serve())


async def fork(player: Player, match_id: str, **more: Any) -> fork_pb2.ForkMatchResponse:
    return await player.call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id, **more))


async def refused_fork(player: Player, match_id: str, **more: Any) -> str:
    refusal = await player.refused("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id, **more))
    return refusal.reason


async def seen(player: Player, match_id: str, audience: table_pb2.Audience, **more: Any) -> bytes:
    return bytes((await player.view(match_id, audience=audience, **more)).view.json)


async def exported(player: Player, match_id: str, audience: table_pb2.Audience | None = None) -> bytes:
    request = match_service_pb2.ExportMatchRequest(match_id=match_id, audience=audience)
    return bytes((await player.call("ExportMatch", request)).document)


async def played(tenant: Player, game: str, moves: int, **more: Any) -> match_service_pb2.CreateMatchResponse:
    created = await tenant.create(2, game=game, **more)
    for _ in range(moves):
        match = await tenant.get(created.match.match_id)
        await tenant.any_move(match.match_id, match.to_act[0])
    return created


@pytest.mark.parametrize("game", OUR_GAMES)
async def test_a_fork_begins_at_the_table_as_its_maker_knows_it(
    tenant: Player, other: Player, game: str
) -> None:
    match_id = (await played(tenant, game, 7)).match.match_id
    for audience in (seat_audience(0), seat_audience(1), PUBLIC, REFEREE):
        forked = await fork(other, match_id, version=6, audience=audience)
        match = forked.match
        assert (match.version, match.status) == (1, match_pb2.MATCH_STATUS_RUNNING)
        assert (match.forked_from.match_id, match.forked_from.version) == (match_id, 6)
        assert match.forked_from.audience == audience
        assert (match.game, len(match.seats), len(forked.tokens)) == (game, 2, 2)
        assert match.commitment != (await tenant.get(match_id)).commitment
        now = await seen(tenant, match.match_id, audience)
        assert now == await seen(tenant, match_id, audience, at_version=6)
    for _ in range(3):
        await tenant.any_move(match.match_id, (await tenant.get(match.match_id)).to_act[0])
    resign = match_service_pb2.ResignSeatRequest(match_id=match.match_id, seat=0)
    await tenant.call("ResignSeat", resign)
    found = await other.call("VerifyMatch", match_service_pb2.VerifyMatchRequest(match_id=match.match_id))
    assert (found.ok, found.decided_again, found.forked, found.difference) == (True, True, True, "")


@pytest.mark.parametrize("game", OUR_GAMES)
async def test_a_fork_holds_nothing_its_maker_could_not_know(tenant: Player, stack: Stack, game: str) -> None:
    """The maker has all seats of the fork, and still learns nothing: with another secret other things are hidden there."""
    created = await played(tenant, game, 5)
    match_id = created.match.match_id
    maker = stack.player(created.tokens[0].token)
    forked = await fork(maker, match_id)
    assert forked.match.forked_from.audience == seat_audience(0)
    owner = stack.player(forked.tokens[1].token)
    (row,) = (await owner.moves(forked.match.match_id)).moves
    (event,) = msgspec.json.decode(row.events.json)
    assert (event["type"], event["state"], row.HasField("action")) == ("forked", None, False)
    document = msgspec.json.decode(await exported(owner, forked.match.match_id))
    assert document["moves"][0]["events"][0]["state"] is None
    assert document["moves"][0]["request"] is None
    (row,) = (await tenant.moves(forked.match.match_id, audience=REFEREE)).moves
    assert msgspec.json.decode(row.events.json)[0]["state"] is not None


async def test_what_a_rival_has_programmed_is_dealt_again(tenant: Player, stack: Stack) -> None:
    """A secret program, and the fork of who may not know it: of eight, hardly one is the same."""
    created = await tenant.create(2)
    match_id = created.match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=1))
    maker = stack.player(created.tokens[0].token)
    true = msgspec.json.decode(await seen(tenant, match_id, seat_audience(1)))
    guessed = []
    for _ in range(8):
        forked = (await fork(maker, match_id)).match.match_id
        guessed.append(msgspec.json.decode(await seen(tenant, forked, seat_audience(1))))
    assert guessed.count(true) <= 2
    copied = (await fork(tenant, match_id, audience=REFEREE)).match.match_id
    assert msgspec.json.decode(await seen(tenant, copied, seat_audience(1))) == true


async def test_an_undo_goes_back_to_the_fork_and_never_before_it(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=1))
    forked = (await fork(tenant, match_id, audience=REFEREE)).match.match_id
    state = await tenant.call("GetUndo", undo_pb2.GetUndoRequest(match_id=forked, seat=1))
    assert (state.free_to, state.earliest, state.obstacle) == (1, 1, "NOTHING_TO_UNDO")
    before = await seen(tenant, forked, REFEREE)
    await tenant.call("Act", act(forked, program(*FIVE_CARDS), 1, seat=0))
    back = undo_pb2.UndoRequest(match_id=forked, to=1, expected_version=2, seat=0)
    state = await tenant.call("GetUndo", undo_pb2.GetUndoRequest(match_id=forked, seat=0))
    assert state.earliest == 1
    result = (await tenant.call("Undo", back)).result
    if msgspec.json.decode(result.events.json)[0]["type"] == "undo_proposed":
        answer = undo_pb2.AnswerUndoRequest(match_id=forked, accept=True, expected_version=3, seat=1)
        await tenant.call("AnswerUndo", answer)
    assert await seen(tenant, forked, REFEREE) == before


async def test_who_has_left_stays_away(tenant: Player, other: Player) -> None:
    created = await tenant.create(3)
    match_id = created.match.match_id
    resign = match_service_pb2.ResignSeatRequest(match_id=match_id, seat=2)
    await tenant.call("ResignSeat", resign)
    forked = (await fork(other, match_id)).match.match_id
    refusal = await tenant.refused("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=forked, seat=2))
    assert refusal.rule is not None
    undo = undo_pb2.UndoRequest(match_id=forked, to=1, expected_version=1, seat=2)
    assert (await other.refused("Undo", undo)).info.metadata["reason"] == "YOU_LEFT"
    earlier = (await fork(other, match_id, version=1)).match.match_id
    assert (
        await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=earlier, seat=2))
    ).result


async def test_a_fork_of_a_fork_and_of_a_match_that_was_taken_back(tenant: Player, other: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    await tenant.call("Undo", undo_pb2.UndoRequest(match_id=match_id, to=1, expected_version=2, seat=0))
    at_start = await seen(tenant, match_id, REFEREE, at_version=1)
    with_program = await seen(tenant, match_id, REFEREE, at_version=2)
    for version, table in ((2, with_program), (3, at_start)):
        once = (await fork(other, match_id, version=version, audience=REFEREE)).match.match_id
        twice = (await fork(tenant, once, audience=REFEREE)).match
        assert twice.forked_from.match_id == once
        assert await seen(other, twice.match_id, REFEREE) == table


async def test_a_tenant_seats_its_players_and_the_fork_begins_with_the_last(
    tenant: Player, other: Player
) -> None:
    created = await played(tenant, "al_rashid", 3)
    match_id = created.match.match_id
    seating = [lobby_pb2.SeatPlan(player="ada"), lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_OPEN)]
    made = await fork(tenant, match_id, version=2, seating=seating, title="what if", start=2)
    forked = made.match.match_id
    assert (made.match.status, made.match.title) == (match_pb2.MATCH_STATUS_WAITING, "what if")
    refusal = await tenant.refused("StartMatch", lobby_pb2.StartMatchRequest(match_id=forked))
    assert refusal.reason == "NOT_FULL"
    await other.call("JoinMatch", match_service_pb2.JoinMatchRequest(match_id=forked, player="bob"))
    begun = (await other.call("StartMatch", lobby_pb2.StartMatchRequest(match_id=forked))).match
    assert (begun.version, [seat.player for seat in begun.seats]) == (1, ["ada", "bob"])
    assert await seen(other, forked, PUBLIC) == await seen(tenant, match_id, PUBLIC, at_version=2)


async def test_a_repeat_gives_the_fork_made_first_and_never_somebody_elses(
    tenant: Player, other: Player, stack: Stack
) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    first = await fork(tenant, match_id, request_id="one", audience=PUBLIC)
    again = await fork(other, match_id, request_id="one", audience=PUBLIC)
    assert first.match.match_id == again.match.match_id
    assert await refused_fork(tenant, match_id, request_id="one", audience=REFEREE) == "REQUEST_ID_REUSED"
    zero, one = (stack.player(token.token) for token in created.tokens)
    own = await fork(zero, match_id, request_id="one", audience=PUBLIC)
    its = await fork(one, match_id, request_id="one", audience=PUBLIC)
    repeated = await fork(zero, match_id, request_id="one", audience=PUBLIC)
    assert repeated.match.match_id == own.match.match_id
    assert len({first.match.match_id, own.match.match_id, its.match.match_id}) == 3


async def test_the_same_request_of_a_seat_a_spectator_and_a_referee_makes_a_fork_for_each(
    tenant: Player, stack: Stack
) -> None:
    """They may ask for the very same, yet who is answered as another is given all seats of that one's fork."""
    created = await tenant.create(2)
    match_id = created.match.match_id
    callers = [stack.player(created.tokens[0].token)]
    for role in (lobby_pb2.WATCH_ROLE_SPECTATOR, lobby_pb2.WATCH_ROLE_REFEREE):
        issue = lobby_pb2.IssueWatchTokenRequest(match_id=match_id, role=role)
        callers.append(stack.player((await tenant.call("IssueWatchToken", issue)).token.token))
    made = [await fork(caller, match_id, request_id="one", audience=PUBLIC) for caller in callers]
    again = [await fork(caller, match_id, request_id="one", audience=PUBLIC) for caller in callers]
    assert len({one.match.match_id for one in made}) == 3
    assert [one.match.match_id for one in again] == [one.match.match_id for one in made]


async def test_a_repeat_that_names_no_version_gets_the_fork_made_first_whatever_happened_since(
    tenant: Player, other: Player
) -> None:
    match_id = (await played(tenant, "al_rashid", 2)).match.match_id
    first = await fork(tenant, match_id, request_id="one")
    await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    assert (await fork(other, match_id, request_id="one")).match.match_id == first.match.match_id
    assert await refused_fork(tenant, match_id, request_id="one", version=1) == "REQUEST_ID_REUSED"
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    assert (await fork(other, match_id, request_id="one")).match.match_id == first.match.match_id


async def test_who_may_fork_as_whom(tenant: Player, stack: Stack) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    zero = stack.player(created.tokens[0].token)
    assert (await fork(zero, match_id, audience=PUBLIC)).tokens
    assert await refused_fork(zero, match_id, visibility=match_pb2.MATCH_VISIBILITY_PUBLIC) == (
        "MALFORMED_REQUEST"
    )
    assert await refused_fork(zero, match_id, seating=[lobby_pb2.SeatPlan()] * 2) == "MALFORMED_REQUEST"
    watch = lobby_pb2.IssueWatchTokenRequest(match_id=match_id, role=lobby_pb2.WATCH_ROLE_SPECTATOR)
    spectator = stack.player((await tenant.call("IssueWatchToken", watch)).token.token)
    assert (await fork(spectator, match_id)).match.forked_from.audience == PUBLIC


async def test_with_the_token_of_a_match_only_what_is_no_fork_is_forked(tenant: Player, stack: Stack) -> None:
    """Each fork brings tokens for all its seats: if those could fork again, one token would be without number."""
    created = await tenant.create(2)
    zero = stack.player(created.tokens[0].token)
    made = await fork(zero, created.match.match_id)
    forked = made.match.match_id
    own = stack.player(made.tokens[0].token)
    watch = lobby_pb2.IssueWatchTokenRequest(match_id=forked, role=lobby_pb2.WATCH_ROLE_REFEREE)
    referee = stack.player((await tenant.call("IssueWatchToken", watch)).token.token)
    for player in (own, referee):
        assert await refused_fork(player, forked) == "TENANT_ONLY"
    assert (await fork(tenant, forked)).match.forked_from.match_id == forked


async def test_a_fork_is_no_way_round_by_playing_it_again(tenant: Player, stack: Stack) -> None:
    created = await tenant.create(2)
    made = await fork(stack.player(created.tokens[0].token), created.match.match_id)
    own = stack.player(made.tokens[0].token)
    await own.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=made.match.match_id))
    again = lobby_pb2.RematchRequest(match_id=made.match.match_id)
    assert (await own.refused("Rematch", again)).reason == "TENANT_ONLY"
    followed = await tenant.call("Rematch", again)
    assert (await own.call("Rematch", again)).match.match_id == followed.match.match_id


async def test_a_repeated_fork_brings_no_revoked_token_back(tenant: Player, stack: Stack) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    zero = stack.player(created.tokens[0].token)
    forked = (await fork(zero, match_id, request_id="one")).match.match_id
    assert [token.seat for token in (await fork(zero, match_id, request_id="one")).tokens] == [0, 1]
    await tenant.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=forked, seat=1))
    assert [token.seat for token in (await fork(zero, match_id, request_id="one")).tokens] == [0]


async def test_there_must_be_something_to_play(tenant: Player) -> None:
    waiting = (await tenant.create(2, open_seats=True)).match.match_id
    assert await refused_fork(tenant, waiting) == "MATCH_NOT_STARTED"
    match_id = (await tenant.create(2)).match.match_id
    assert await refused_fork(tenant, match_id, version=2) == "VERSION_NOT_FOUND"
    assert await refused_fork(tenant, match_id, version=0) == "VERSION_NOT_FOUND"
    await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=match_id, seat=0))
    assert await refused_fork(tenant, match_id) == "NOTHING_TO_PLAY"
    assert (await fork(tenant, match_id, version=1)).match.version == 1


async def test_a_fork_is_verified_and_shown_offline_without_the_match_it_came_from(tenant: Player) -> None:
    match_id = (await played(tenant, "river_of_gold", 4)).match.match_id
    forked = (await fork(tenant, match_id, version=3, audience=seat_audience(1))).match.match_id
    live = {1: await seen(tenant, forked, REFEREE)}
    for _ in range(3):
        seat = (await tenant.get(forked)).to_act[0]
        made = await tenant.any_move(forked, seat)
        live[made.version] = await seen(tenant, forked, REFEREE)
    await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=forked, seat=0))
    document = read_document(await exported(tenant, forked))
    found = verify_document(document)
    assert (found.ok, found.decided_again, found.forked) == (True, True, True), found.difference
    match = recorded(document)
    for version, table in live.items():
        assert encode(match.view(version, seats.REFEREE)) == table
    assert heading(match, 1, seats.REFEREE, "en") == f"start: a fork of match {match_id} at move 3, as seat 1"
    assert event_lines(match, 1, seats.PUBLIC, "en") == ["The match begins where another one was: version 3."]


async def test_a_fork_that_says_it_is_of_another_match_is_found(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    forked = (await fork(tenant, match_id)).match.match_id
    await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=forked, seat=0))
    document = await exported(tenant, forked)
    forged = document.replace(f'"of":"{match_id}"'.encode(), f'"of":"{UUID(int=1)}"'.encode(), 1)
    assert forged != document
    found = verify_document(read_document(forged))
    assert (found.ok, found.difference_version) == (False, 1)


async def test_a_fork_is_shown_in_either_form(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    forked = (await fork(tenant, match_id)).match.match_id
    (row,) = (await tenant.moves(forked, form=payload_pb2.PAYLOAD_FORM_TYPED)).moves
    assert msgspec.json.decode(row.events.json)[0]["type"] == "forked"
    made = await tenant.any_move(forked, (await tenant.get(forked)).to_act[0])
    assert made.version == 2


async def test_a_fork_and_an_aborted_match_are_taken_in_elsewhere(tenant: Player) -> None:
    match_id = (await played(tenant, "al_rashid", 3)).match.match_id
    forked = (await fork(tenant, match_id, version=3, audience=seat_audience(0))).match.match_id
    await tenant.any_move(forked, (await tenant.get(forked)).to_act[0])
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=forked))
    document = await exported(tenant, forked)
    elsewhere = MemoryLog()
    imported = await Importer(elsewhere).import_match("two", document)
    assert not imported.replayed
    assert imported.match.forked_from == ForkedFrom(
        match_id=UUID(match_id), version=3, audience=seats.seat_audience(seats.Seat(0))
    )
    assert imported.match.status is Status.ENDED
    rows = await elsewhere.read(imported.match.id)
    assert [row.hash for row in rows] == [move.hash for move in (await tenant.moves(forked)).moves]


async def test_a_table_that_cannot_be_played_on_is_not_taken_in(tenant: Player) -> None:
    """Though every hash was made anew by whoever thought it up."""
    match_id = (await played(tenant, "al_rashid", 2)).match.match_id
    forked = (await fork(tenant, match_id, audience=REFEREE)).match.match_id
    await tenant.any_move(forked, (await tenant.get(forked)).to_act[0])
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=forked))
    document = read_document(await exported(tenant, forked))
    rows = moves_of(document)
    (event,) = msgspec.json.decode(rows[0].events)
    for thought_up in ({}, {**event["state"], "players": []}, {**event["state"], "players": None}):
        events = encode(({**event, "state": thought_up},))
        changed = msgspec.structs.replace(rows[0], events=events)
        relined = relinked(match_of(document), (changed, *rows[1:]))
        thought_up_document = document_of(match_of(document), relined)
        with pytest.raises(Refused) as refused:
            await Importer(MemoryLog()).import_match("two", thought_up_document)
        assert refused.value.reason == "IMPORT_BROKEN"
        found = verify_document(read_document(thought_up_document))
        assert (found.ok, found.difference_version) == (False, 1)


async def test_a_fork_of_what_no_match_has_is_not_taken_in(tenant: Player) -> None:
    """Though every hash was made anew: it could not be stored, forked, or played again."""
    match_id = (await played(tenant, "river_dragons", 2)).match.match_id
    forked = (await fork(tenant, match_id, audience=seat_audience(0))).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=forked))
    document = read_document(await exported(tenant, forked))
    match, rows = match_of(document), moves_of(document)
    request, (event,) = msgspec.json.decode(rows[0].request), msgspec.json.decode(rows[0].events)
    for changed in (
        {"version": 0},
        {"version": 2**70},
        {"left": [2]},
        {"audience": {"kind": "seat", "seat": 2}},
        {"seats": 9},
        {"options": {"no": "such"}},
    ):
        first = msgspec.structs.replace(
            rows[0],
            request=encode({**request, **changed}),
            events=encode(({**event, **{key: changed[key] for key in changed.keys() & event.keys()}},)),
        )
        claimed = msgspec.structs.replace(
            match,
            seats=changed.get("seats", match.seats),
            options=encode(changed.get("options", request["options"])),
        )
        relined = relinked(claimed, (first, *rows[1:]))
        with pytest.raises(Refused) as refused:
            await Importer(MemoryLog()).import_match("two", document_of(claimed, relined))
        assert refused.value.reason == "IMPORT_BROKEN", changed


@pytest.mark.parametrize("call_off", [False, True], ids=["playing", "aborted"])
async def test_the_whole_past_of_a_fork_in_one_answer(tenant: Player, call_off: bool) -> None:
    match_id = (await played(tenant, "river_dragons", 2)).match.match_id
    forked = (await fork(tenant, match_id, audience=PUBLIC)).match.match_id
    await tenant.any_move(forked, (await tenant.get(forked)).to_act[0])
    if call_off:
        await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=forked))
    version = (await tenant.get(forked)).version
    request = history_pb2.ReplayMatchRequest(match_id=forked, audience=PUBLIC)
    steps = [
        one.step
        async for one in tenant.matches.ReplayMatch(request, metadata=tenant.metadata, timeout=10)
        if one.HasField("step")
    ]
    assert [step.version for step in steps] == list(range(1, version + 1))
    for step in steps:
        assert step.view.json == await seen(tenant, forked, PUBLIC, at_version=step.version)


async def test_the_past_of_a_match_that_never_began_has_no_tables(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    request = history_pb2.ReplayMatchRequest(match_id=match_id)
    answers = [one async for one in tenant.matches.ReplayMatch(request, metadata=tenant.metadata, timeout=10)]
    (step,) = [one.step for one in answers if one.HasField("step")]
    assert (step.version, step.HasField("view"), step.HasField("move")) == (1, False, True)
    imported = await Importer(MemoryLog()).import_match("two", await exported(tenant, match_id))
    assert imported.match.version == 1
