"""A whole match at once: it is what GetView and ListMoves give one by one, and open to all once the match is over."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import grpc
import pytest
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program

from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC as AUDIENCE_PUBLIC
from engine.kernel.seats import Seat, seat_audience
from engine.match.commands import is_command_row
from engine.match.replay import states_after_each
from engine.registry import game as registered_game
from foldtable.matches.v1 import history_pb2, lobby_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import table_pb2
from services.movelog.export.verification import logged_moves
from tests.support.match_documents import document_of
from tests.support.winding_matches import a_winding_match

KINDS = table_pb2.Audience
PUBLIC = KINDS(kind=KINDS.KIND_PUBLIC)
REFEREE = KINDS(kind=KINDS.KIND_REFEREE)
SEATS = [KINDS(kind=KINDS.KIND_SEAT, seat=seat) for seat in (0, 1)]


async def replayed(player: Player, match_id: str, **asked: Any) -> list[history_pb2.ReplayMatchResponse]:
    request = history_pb2.ReplayMatchRequest(match_id=match_id, **asked)
    return [part async for part in player.matches.ReplayMatch(request, metadata=player.metadata, timeout=10)]


def steps(parts: list[history_pb2.ReplayMatchResponse]) -> list[history_pb2.ReplayMatchResponse.Step]:
    assert [part.WhichOneof("part") for part in (parts[0], parts[-1])] == ["begun", "finished"]
    return [part.step for part in parts[1:-1]]


async def some_moves(tenant: Player, match_id: str, number: int) -> None:
    for _ in range(number):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])


async def test_a_replay_is_every_view_and_every_move_of_its_audience(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await some_moves(tenant, match_id, 9)
    for audience in (PUBLIC, REFEREE, *SEATS):
        found = steps(await replayed(tenant, match_id, audience=audience))
        listed = (await tenant.moves(match_id, audience=audience)).moves
        assert [step.version for step in found] == list(range(1, 11))
        assert [step.move for step in found] == list(listed)
        for step in found:
            view = await tenant.view(match_id, audience=audience, at_version=step.version)
            assert step.view == view.view


async def test_views_or_moves_alone_and_a_part_of_the_match(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await some_moves(tenant, match_id, 6)
    whole = steps(await replayed(tenant, match_id))
    views = steps(
        await replayed(
            tenant,
            match_id,
            content=history_pb2.REPLAY_CONTENT_VIEWS,
            from_version=3,
            to_version=5,
        )
    )
    assert [step.view for step in views] == [step.view for step in whole[2:5]]
    assert not any(step.HasField("move") for step in views)
    moves = steps(await replayed(tenant, match_id, content=history_pb2.REPLAY_CONTENT_EVENTS))
    assert [step.move for step in moves] == [step.move for step in whole]
    assert not any(step.HasField("view") for step in moves)


async def test_its_pages_put_together_are_the_whole(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await some_moves(tenant, match_id, 7)
    whole = steps(await replayed(tenant, match_id))
    pages, token = [], ""
    while not pages or token:
        parts = await replayed(tenant, match_id, page_size=3, page_token=token)
        pages.append(steps(parts))
        token = parts[-1].finished.next_page_token
    assert [len(page) for page in pages] == [3, 3, 2]
    assert [step for page in pages for step in page] == whole


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"from_version": 0}, "VERSION_NOT_FOUND"),
        ({"to_version": 99}, "VERSION_NOT_FOUND"),
        ({"from_version": 2, "to_version": 1}, "MALFORMED_REQUEST"),
        ({"page_size": -1}, "MALFORMED_REQUEST"),
        ({"page_token": "bm90IGEgdG9rZW4"}, "PAGE_TOKEN_INVALID"),
        ({"content": 77}, "MALFORMED_REQUEST"),
    ],
)
async def test_what_is_not_there_is_refused(tenant: Player, asked: dict[str, Any], reason: str) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await some_moves(tenant, match_id, 1)
    assert await refusal(tenant, match_id, **asked) == reason


async def test_a_seat_replays_a_running_match_with_its_own_eyes_only(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=1))
    player = stack.player(created.tokens[0].token)
    own = steps(await replayed(player, match_id))
    assert own == steps(await replayed(tenant, match_id, audience=SEATS[0]))
    for audience in (REFEREE, SEATS[1]):
        assert await refusal(player, match_id, audience=audience) == "SEAT_FORBIDDEN"


async def test_once_it_is_over_everybody_sees_it_with_everybody_s_eyes(stack: Stack, tenant: Player) -> None:
    """As each seat saw it then: what seat 1 did not know at version 2, it is not shown as seat 1 at version 2 now."""
    created = await tenant.create(2)
    match_id = created.match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    then = {
        str(audience): await tenant.view(match_id, audience=audience, at_version=2)
        for audience in (PUBLIC, REFEREE, *SEATS)
    }
    watcher = await tenant.call(
        "IssueWatchToken",
        lobby_pb2.IssueWatchTokenRequest(match_id=match_id, role=lobby_pb2.WATCH_ROLE_SPECTATOR),
    )
    player, spectator = stack.player(created.tokens[1].token), stack.player(watcher.token.token)
    for caller in (player, spectator):
        assert await refusal(caller, match_id, audience=SEATS[0]) == "SEAT_FORBIDDEN"
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    assert len({view.view.json for view in then.values()}) == 2, (
        "the program is hidden from seat 1 and the public"
    )
    for caller in (player, spectator):
        for audience in (PUBLIC, REFEREE, *SEATS):
            seen = await caller.view(match_id, audience=audience, at_version=2)
            assert seen == then[str(audience)]
            assert steps(await replayed(caller, match_id, audience=audience))[1].view == seen.view
            assert (await caller.moves(match_id, audience=audience)).moves


@pytest.mark.parametrize("seed", [1, 2])
async def test_where_moves_were_taken_back_each_version_shows_what_was_live_then(
    tenant: Player, seed: int
) -> None:
    match, rows = a_winding_match(moves=60, seed=seed, match_id=uuid4())
    await tenant.import_document(document_of(match, rows))
    match_id = str(match.id)
    game = registered_game(match.game)
    after_each = list(states_after_each(game, logged_moves(rows)))
    assert any(is_command_row(move.events) for move, _ in after_each)
    for audience, eyes in ((PUBLIC, AUDIENCE_PUBLIC), (SEATS[1], seat_audience(Seat(1)))):
        live = [encode(game.view(state, eyes)) for _, state in after_each]
        assert [step.view.json for step in steps(await replayed(tenant, match_id, audience=audience))] == live
        for first in range(1, match.version + 1, 7):
            asked = {"audience": audience, "from_version": first, "page_size": 5}
            page = steps(await replayed(tenant, match_id, content=history_pb2.REPLAY_CONTENT_VIEWS, **asked))
            assert [step.view.json for step in page] == live[first - 1 : first + 4]


async def refusal(player: Player, match_id: str, **asked: Any) -> str:
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await replayed(player, match_id, **asked)
    return Refusal.of(failure.value).reason
