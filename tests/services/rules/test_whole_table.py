"""The whole table with one call: at one version, for the right eyes, and the same as what the single calls return."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from rules_stack import FIVE_CARDS, Player, Stack, act, program
from subscription_streams import Subscriber

from foldtable.matches.v1 import lobby_pb2, table_pb2, undo_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import rules_service_pb2
from foldtable.rules.v1 import table_pb2 as rules_table
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.streams import subscribed_match
from tests.support.our_games import OUR_GAMES

REFEREE = rules_table.Audience(kind=rules_table.Audience.KIND_REFEREE)


async def table(player: Player, match_id: str, **more: Any) -> table_pb2.GetTableResponse:
    found: table_pb2.GetTableResponse = await player.call(
        "GetTable", table_pb2.GetTableRequest(match_id=match_id, **more)
    )
    return found


async def test_the_table_is_what_the_single_calls_return(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id, player = created.match.match_id, stack.player(created.tokens[0].token)
    for _ in range(4):
        shown = await table(player, match_id, language="en")
        view = await player.view(match_id, language="en")
        legal = await player.call(
            "GetLegalActions", pb.GetLegalActionsRequest(match_id=match_id, language="en", hints=True)
        )
        assert (shown.version, shown.view, shown.audience) == (view.version, view.view, view.audience)
        assert shown.pending == view.pending
        assert shown.HasField("legal") == legal.HasField("pending")
        if shown.HasField("legal"):
            assert shown.legal.actions == legal.actions
            assert shown.legal.templates == legal.templates
        assert shown.legal.action_hints == legal.action_hints
        assert shown.legal.template_hints == legal.template_hints
        match = await tenant.get(match_id)
        for noted in (
            "reference",
            "metadata",
        ):  # never in tables, which are the same for everybody of an audience
            match.ClearField(noted)
        assert shown.match == match
        assert shown.undo == await player.call("GetUndo", undo_pb2.GetUndoRequest(match_id=match_id))
        await tenant.any_move(match_id, shown.match.to_act[0])


async def test_a_hint_for_every_action(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id, player = created.match.match_id, stack.player(created.tokens[0].token)
    shown = await table(player, match_id)
    assert len(msgspec.json.decode(shown.legal.templates.json)) == len(shown.legal.template_hints) == 1
    (hint,) = shown.legal.template_hints
    assert [step.choose.field for step in hint.steps] == [f"/cards/{slot}" for slot in range(5)]
    assert {msgspec.json.decode(one.value) for one in hint.steps[0].choose.choices} >= set(FIVE_CARDS)


async def test_every_audience_sees_its_own_table(stack: Stack, tenant: Player) -> None:
    """What is not a seat's has neither legal actions nor undo; a seat's own program is on its table alone."""
    created = await tenant.create(2)
    match_id = created.match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    public, referee = await table(tenant, match_id), await table(tenant, match_id, audience=REFEREE)
    own = await table(stack.player(created.tokens[0].token), match_id)
    other = await table(stack.player(created.tokens[1].token), match_id)
    for shown in (public, referee):
        assert not shown.HasField("legal")
        assert not shown.HasField("undo")
    assert other.HasField("legal")
    assert not own.HasField("legal"), "it has nothing to decide"
    assert own.HasField("undo")
    programs = [msgspec.json.decode(one.view.json)["programs"] != [] for one in (public, other, own, referee)]
    assert programs == [False, False, True, True]


async def test_a_match_that_waits_for_players_has_a_table_without_a_state(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    shown = await table(tenant, match_id)
    assert (shown.version, shown.HasField("view"), len(shown.match.seats)) == (0, False, 2)


async def test_a_table_that_the_caller_has_is_not_sent_again(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    shown = await table(tenant, match_id)
    has = table_pb2.KnownTable(version=shown.version, seats_revision=shown.seats_revision)
    assert not (await table(tenant, match_id, known=[has])).HasField("match")
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, name="Ada"))
    newer = await table(tenant, match_id, known=[has])
    assert newer.match.seats[0].name == "Ada"
    assert newer.seats_revision != shown.seats_revision


async def test_a_name_changes_the_digest_and_not_the_version(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    before = await table(tenant, match_id)
    await tenant.call("UpdateSeat", lobby_pb2.UpdateSeatRequest(match_id=match_id, seat=1, name="Bo"))
    after = await table(tenant, match_id)
    assert (before.version, before.seats_revision != after.seats_revision) == (after.version, True)


async def test_a_table_read_through_another_replica_is_of_the_newest_version(
    stack: Stack, tenant: Player
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    other = stack.player(address=await stack.serve())
    for version in range(1, 5):
        shown = await table(other, match_id)
        assert (shown.version, shown.match.version) == (version, version)
        await tenant.any_move(match_id, shown.match.to_act[0])


async def test_moves_meanwhile_never_mix_versions(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    other = stack.player(created.tokens[0].token, address=await stack.serve())

    async def play() -> None:
        for _ in range(30):
            await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])

    playing = asyncio.create_task(play())
    while not playing.done():
        shown = await table(other, match_id)
        view = msgspec.json.decode(shown.view.json)
        assert shown.match.version == shown.version == shown.undo.version
        assert [one["id"] for one in view["pending"]] == [one.id for one in shown.pending]
        assert [one.seat for one in shown.pending] == list(shown.match.to_act)
    await playing


@pytest.mark.parametrize("game", OUR_GAMES)
async def test_every_game_has_a_layout(stack: Stack, game: str) -> None:
    found = await stack.player().rules.GetLayout(rules_service_pb2.GetLayoutRequest(game=game))
    assert found.layout.boards
    assert found.layout.mats
    assert all(place.shape for board in found.layout.boards for place in board.places)


# ── followed ───────────────────────────────────────────────────────────────────────────────────────


async def test_who_follows_with_tables_waits_where_other_servers_move_faster_than_this_one_reads(
    tenant: Player, subscriber: Subscriber, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    read, asked = subscribed_match.standing_match, 0

    async def overtaken_twice(*arguments: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked <= 2:
            raise Refused(Reason.VERSION_CONFLICT, "it is another by now")
        return await read(*arguments)

    monkeypatch.setattr(subscribed_match, "standing_match", overtaken_twice)
    await subscriber.subscribe(1, match_id, include_table=True)
    first, table = await subscriber.of(1, 2)
    assert (first.WhichOneof("update"), table.WhichOneof("update")) == ("begun", "table")
    assert (table.table.version, asked) == (1, 3)


async def test_who_follows_with_tables_gets_one_after_the_newest_move(
    tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id, include_table=True)
    first = (await subscriber.of(1, 2))[1]
    assert first.table.version == 1
    await tenant.any_move(match_id, 0)
    _, _, move, after = await subscriber.of(1, 4)
    assert (move.move.version, after.table.version) == (2, 2)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
async def test_everybody_who_follows_over_one_stream_gets_their_own_table(
    stack: Stack, tenant: Player, order: tuple[int, ...]
) -> None:
    """Seat 0, seat 1 and the public, whoever subscribes first."""
    created = await tenant.create(2)
    match_id = created.match.match_id
    credentials = [created.tokens[0].token, created.tokens[1].token, "ft_test_one"]
    subscriber = Subscriber(stack.player(None))
    for follow in order:
        await subscriber.subscribe(follow, match_id, credentials[follow], include_table=True)
        await subscriber.of(follow, 2)  # the table as it is
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    tables = [(await subscriber.of(follow, 4))[3].table for follow in range(3)]
    assert [one.version for one in tables] == [2, 2, 2]
    assert [msgspec.json.decode(one.view.json)["programs"] != [] for one in tables] == [True, False, False]
    assert [one.HasField("legal") for one in tables] == [False, True, False]
    subscriber.stream.cancel()


async def test_joins_and_names_are_announced_while_a_match_waits(
    tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    await subscriber.subscribe(1, match_id)
    await subscriber.of(1, 2)  # the seats as they are
    await subscriber.subscribe(2, match_id, include_table=True)
    await subscriber.of(2, 2)  # the table as it is
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, name="Ada"))
    assert not (await subscriber.of(1, 2))[1].match.seats[0].taken, "as it was when it began"
    seats = (await subscriber.of(1, 3))[2].match.seats
    assert [one.name for one in seats] == ["Ada", ""]
    assert (await subscriber.of(2, 3))[2].table.match.seats[0].name == "Ada"
    await tenant.call("UpdateSeat", lobby_pb2.UpdateSeatRequest(match_id=match_id, seat=0, name="Bo"))
    assert (await subscriber.of(1, 4))[3].match.seats[0].name == "Bo"
    await tenant.call("LeaveMatch", lobby_pb2.LeaveMatchRequest(match_id=match_id, seat=0))
    assert not (await subscriber.of(1, 5))[4].match.seats[0].taken


async def test_a_revocation_announces_no_seats(tenant: Player, subscriber: Subscriber) -> None:
    """Nothing that a watcher can see has changed."""
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id, include_table=True)
    await subscriber.of(1, 2)
    await tenant.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=match_id, seat=0))
    await tenant.any_move(match_id, 0)
    kinds = [one.WhichOneof("update") for one in await subscriber.of(1, 4)]
    assert kinds == ["begun", "table", "move", "table"]


async def test_a_watcher_with_tables_begins_with_one(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    request = pb.WatchMatchRequest(match_id=match_id, include_table=True)
    stream = tenant.matches.WatchMatch(request, metadata=tenant.metadata, timeout=20)
    assert (await stream.read()).table.version == 0
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, name="Ada"))
    assert (await stream.read()).table.match.seats[0].name == "Ada"
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, name="Bo"))
    assert (await stream.read()).table.version == 1
    await tenant.any_move(match_id, 0)
    assert (await stream.read()).move.version == 2
    assert (await stream.read()).table.version == 2
    stream.cancel()


async def test_a_watcher_without_tables_learns_of_joins(tenant: Player) -> None:
    match_id = (await tenant.create(3, open_seats=True)).match.match_id
    request = pb.WatchMatchRequest(match_id=match_id)
    stream = tenant.matches.WatchMatch(request, metadata=tenant.metadata, timeout=20)
    assert not (await stream.read()).match.seats[0].taken
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, name="Ada"))
    assert (await stream.read()).match.seats[0].name == "Ada"
    stream.cancel()
