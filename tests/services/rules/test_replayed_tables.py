"""A replay with tables: at every version the view and the pieces of its audience, and the decisions open then.

The steps as gRPC sends them, and the patches that the gateway makes of them.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

import msgspec
import pytest
from rules_stack import Player

from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from engine.match import aborting
from engine.match.replay import states_after_each
from engine.registry import GAMES
from engine.registry import game as registered_game
from foldtable.matches.v1 import abort_pb2, history_pb2
from foldtable.matches.v1.table_pb2 import GetTableResponse
from foldtable.rules.v1 import table_pb2
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_TYPED
from foldtable_client import patched
from gateway.schemas.history import ReplayStep
from gateway.translate.replayed_tables import TableSteps
from gateway.translate.table import pieces as shown_pieces
from services.movelog.export.verification import logged_moves
from services.rpc.match_messages import audience_message
from services.rules.wire.layouts import piece_message
from services.rules.wire.messages import pending_message
from tests.support.match_documents import a_match, document_of
from tests.support.winding_matches import a_winding_match

TABLES: Final = history_pb2.REPLAY_CONTENT_TABLES
AUDIENCES: Final = (PUBLIC, seat_audience(Seat(1)), REFEREE)
WHOLE: Final = 2_000
"""More moves than any of these matches has."""
Step = history_pb2.ReplayMatchResponse.Step


async def tables(tenant: Player, match_id: str, audience: Audience, language: str = "") -> list[Step]:
    request = history_pb2.ReplayMatchRequest(
        match_id=match_id, audience=audience_message(audience), content=TABLES, language=language
    )
    parts = tenant.matches.ReplayMatch(request, metadata=tenant.metadata, timeout=60)
    return [part.step async for part in parts if part.HasField("step")]


def drawn(before: Any, step: ReplayStep) -> Any:
    """Return the table after a step, as REST sends the step, and as a client puts it together."""
    sent = msgspec.json.decode(msgspec.json.encode(step))
    assert ("table" in sent, "patch" in sent) == (before is None, before is not None)
    return sent["table"] if before is None else patched(before, sent["patch"])


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("winding", [False, True], ids=["played to the end", "with moves taken back"])
async def test_every_version_has_what_is_drawn_of_its_view(
    tenant: Player, game_id: str, *, winding: bool
) -> None:
    if winding:
        match, rows = a_winding_match(game_id=game_id, seats=3, moves=80, match_id=uuid4())
    else:
        match, rows = a_match(game_id=game_id, seats=3, moves=WHOLE, match_id=uuid4())
    await tenant.import_document(document_of(match, rows))
    game = registered_game(game_id)
    states = [state for _, state in states_after_each(game, logged_moves(rows))]
    for audience in AUDIENCES:
        steps = await tables(tenant, str(match.id), audience)
        assert [step.version for step in steps] == list(range(1, len(rows) + 1))
        patches, table = TableSteps(), None
        for step, row, state in zip(steps, rows, states, strict=True):
            seen = game.view(state, audience)
            assert (step.move.version, step.move.hash) == (row.seq, row.hash)
            assert step.view.json == encode(seen)
            assert list(step.pieces) == [piece_message(piece) for piece in game.pieces(seen)]
            assert list(step.pending) == [pending_message(game, one) for one in game.pending(state)]
            table = drawn(table, patches.next(step))
            direct = msgspec.json.decode(step.view.json)
            assert (table["view"], table["pending"]) == (direct, direct["pending"])
            pieces = shown_pieces(GetTableResponse(pieces=map(piece_message, game.pieces(seen))))
            assert table["pieces"] == msgspec.to_builtins(pieces)


async def test_a_seat_is_not_shown_the_pieces_that_only_a_referee_sees(tenant: Player) -> None:
    match, rows = a_match(game_id="river_of_gold", seats=2, moves=20, match_id=uuid4())
    await tenant.import_document(document_of(match, rows))
    own, everything = [await tables(tenant, str(match.id), one) for one in (AUDIENCES[1], REFEREE)]
    assert any(one.pieces != other.pieces for one, other in zip(own, everything, strict=True))


async def test_an_aborted_match_has_no_open_decisions_at_its_last_version(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    before, last = await tables(tenant, match_id, PUBLIC)
    assert (len(before.pending), len(last.pending)) == (2, 0)
    assert before.pieces == last.pieces
    assert aborting.ABORTED.reason.encode() in last.view.json


async def test_what_was_aborted_before_it_began_has_neither_view_nor_pieces(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    (step,) = await tables(tenant, match_id, PUBLIC)
    assert {field.name for field, _ in step.ListFields()} == {"version", "move"}


async def test_prompts_are_in_the_language_asked_for_and_no_other_content_has_pieces(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    (italian,) = await tables(tenant, match_id, PUBLIC, language="it")
    view = await tenant.view(match_id, language="it")
    assert (italian.pending, italian.view) == (view.pending, view.view)
    assert all(one.text.sentence for one in italian.pending)
    for content in (history_pb2.REPLAY_CONTENT_VIEWS, history_pb2.REPLAY_CONTENT_BOTH):
        request = history_pb2.ReplayMatchRequest(match_id=match_id, content=content)
        async for part in tenant.matches.ReplayMatch(request, metadata=tenant.metadata, timeout=10):
            assert (len(part.step.pieces), len(part.step.pending)) == (0, 0)


async def test_views_are_typed_if_that_is_asked_for(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    public = table_pb2.Audience(kind=table_pb2.Audience.KIND_PUBLIC)
    request = history_pb2.ReplayMatchRequest(
        match_id=match_id, audience=public, content=TABLES, form=PAYLOAD_FORM_TYPED
    )
    parts = tenant.matches.ReplayMatch(request, metadata=tenant.metadata, timeout=10)
    (step,) = [part.step async for part in parts if part.HasField("step")]
    assert step.view.HasField("typed")
    assert len(step.pieces) > 0
