"""The built-in bots agree to what the others ask; bots of somebody's own are waited for."""

from __future__ import annotations

import pytest
from rules_stack import Player

from foldtable.matches.v1 import abort_pb2, bots_pb2, match_pb2
from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import undo_pb2 as undo

RUTH = lobby.SeatPlan(kind=lobby.SEATING_KIND_CLOSED, player="ruth", name="Ruth")
BOT = lobby.SeatPlan(kind=lobby.SEATING_KIND_BOT, level="random")
OWN = lobby.SeatPlan(kind=lobby.SEATING_KIND_BOT, bot="my-bot.1")


async def test_a_player_calls_off_a_match_against_bots_alone(tenant: Player) -> None:
    match_id = (await tenant.create(3, seating=[RUTH, BOT, BOT])).match.match_id
    asked = abort_pb2.AbortMatchRequest(match_id=match_id, seat=0)
    assert (await tenant.call("AbortMatch", asked)).result.version == 2, "what was asked is what is answered"
    match = await tenant.get(match_id)
    assert (match.version, match.status) == (4, match_pb2.MATCH_STATUS_ENDED)
    assert match.outcome.reason == "ABORTED"


async def test_a_bot_that_sits_down_later_agrees_to_what_was_proposed_before(tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ruth", "gone"])).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id, seat=0))
    assert (await tenant.get(match_id)).status == match_pb2.MATCH_STATUS_RUNNING
    await tenant.call("SeatBot", bots_pb2.SeatBotRequest(match_id=match_id, seat=1, level="random"))
    match = await tenant.get(match_id)
    assert (match.version, match.outcome.reason) == (3, "ABORTED")


@pytest.mark.parametrize("answers", [True, False])
async def test_a_bot_of_somebodys_own_answers_for_itself(tenant: Player, answers: bool) -> None:
    match_id = (await tenant.create(3, seating=[RUTH, BOT, OWN])).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id, seat=0))
    match = await tenant.get(match_id)
    assert (match.version, match.status) == (3, match_pb2.MATCH_STATUS_RUNNING), (
        "only the system's has answered"
    )
    answer = abort_pb2.AnswerAbortRequest(match_id=match_id, accept=answers, expected_version=3, seat=2)
    await tenant.call("AnswerAbort", answer)
    status = (await tenant.get(match_id)).status
    assert (status == match_pb2.MATCH_STATUS_ENDED) is answers


async def test_moves_that_were_answered_are_taken_back_with_a_bots_consent(tenant: Player) -> None:
    match_id = (await tenant.create(2, seating=[RUTH, BOT])).match.match_id
    for seat in (0, 1):
        await tenant.any_move(match_id, seat)
    version = (await tenant.get(match_id)).version
    await tenant.call("Undo", undo.UndoRequest(match_id=match_id, seat=0, to=1, expected_version=version))
    assert (await tenant.get(match_id)).version == version + 2
    assert list((await tenant.get(match_id)).to_act) == [0, 1]
