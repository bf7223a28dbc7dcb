"""A match as one document: whole once it is over, redacted before; and checked from top to bottom."""

from __future__ import annotations

import msgspec
import psycopg
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from foldtable.matches.v1 import match_service_pb2 as pb
from services.movelog.export_format import read_document
from services.movelog.verification import verify_document


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
