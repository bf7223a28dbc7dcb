"""A match as one document: whole once it is over, redacted before; and checked from top to bottom."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import msgspec
import psycopg
import pytest
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from engine.registry import game
from foldtable.matches.v1 import match_service_pb2 as pb
from services.movelog.export.format import read_document
from services.movelog.export.verification import Verification, verify_document, verify_match
from services.movelog.records import Match, Move
from services.rules.history import exporting
from services.rules.history.exporting import VERIFIED_AT_ONCE
from services.rules.match import seating
from services.rules.match.match_cache import MatchCache
from tests.support.memory_log.log import MemoryLog

DRAGONS = game("river_dragons")


async def exported(player: Player, match_id: str) -> bytes:
    return (await player.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))).document


async def test_an_ended_match_is_exported_whole_and_verifies_offline(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    for _ in range(12):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    document = read_document(await exported(tenant, match_id))
    assert (document.audience, document.version, len(document.moves)) == ("all", 14, 14)
    found = verify_document(document)
    assert found.ok, found.difference
    assert found.decided_again
    assert len(found.draws) == 2, "the seat order and the first player [R3]"
    live = await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=match_id))
    assert (live.ok, live.moves, live.draws, live.decided_again) == (True, 14, 2, True)


async def test_a_running_match_is_exported_as_its_audience_may_know_it(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=1, request_id="mine"))
    for credential, cards in ((created.tokens[0].token, None), (created.tokens[1].token, list(FIVE_CARDS))):
        data = await exported(stack.player(credential), match_id)
        document = msgspec.json.decode(data)
        assert document["secret"] is None
        assert document["moves"][1]["events"][0]["cards"] == cards
        assert b"mine" not in data
        assert verify_document(read_document(data)).ok


async def test_so_many_verifications_go_on_at_once_whether_anybody_waits_for_them_or_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = MatchCache(MemoryLog(), {"river_dragons": DRAGONS}.get)
    new = seating.NewMatch(tenant="one", game=DRAGONS, seats=2, options=DRAGONS.types.options())
    match = await seating.create(tables.log, new)
    async with tables.hold(match.id) as table:
        pass
    go_on, has_begun = threading.Event(), threading.Semaphore(0)
    begun: list[Match] = []

    def slow(match: Match, rows: Sequence[Move]) -> Verification:
        begun.append(match)
        has_begun.release()
        assert go_on.wait(10)
        return verify_match(match, rows)

    monkeypatch.setattr(exporting, "verify_match", slow)
    verifier = exporting.Verifier(tables)
    asking = [asyncio.create_task(verifier.verify(table)) for _ in range(VERIFIED_AT_ONCE + 4)]
    for _ in range(VERIFIED_AT_ONCE):
        assert await asyncio.to_thread(has_begun.acquire, timeout=10)
    asking[0].cancel()
    await asyncio.wait(asking, timeout=0.1)
    assert len(begun) == VERIFIED_AT_ONCE
    go_on.set()
    first, *others = await asyncio.gather(*asking, return_exceptions=True)
    assert isinstance(first, asyncio.CancelledError)
    assert all(isinstance(one, Verification) and one.ok for one in others)


async def test_a_row_that_was_altered_is_found(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=1))
    async with await psycopg.AsyncConnection.connect(stack.database_url, autocommit=True) as database:
        await database.execute(
            "UPDATE moves SET recorded_at = recorded_at + interval '1 second' WHERE match_id = %s AND seq = 2",
            (match_id,),
        )
    found = await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=match_id))
    assert (found.ok, found.difference_version) == (False, 2)
