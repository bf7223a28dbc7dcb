"""The levels behind a wall: JSON in, an action out, and a process that dies is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots.levels import LEVELS
from engine.kernel.chance import SECRET_BYTES, SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import Seat, seat_audience
from engine.match.replay import fold
from engine.registry import GAMES, game
from services.bots.thinking import RulesRaised, RulesStuck, Thinking, choose
from tests.support.stuck_games import IN_A_LIBRARY, install_stuck_game

SECRET = bytes(SECRET_BYTES)
AL_RASHID = ("al_rashid", game("al_rashid").rules_version)


def begun(game_id: str) -> tuple[Any, Any]:
    played = game(game_id)
    events = played.start(played.options_codec.decode(b"{}"), 2, SeededChance(SECRET, 1))
    return played, fold(played, events)


def tables(game_id: str, seat: int) -> tuple[bytes, ...]:
    played, state = begun(game_id)
    audience = seat_audience(Seat(seat))
    return tuple(
        encode(played.redeal(state, audience, SeededChance(SECRET, number))) for number in range(1, 5)
    )


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_level_chooses_a_legal_action(game_id: str, level: str) -> None:
    played, state = begun(game_id)
    seat = played.to_act(state)[0]
    action = choose(level, (game_id, played.rules_version), seat, tables(game_id, seat), 0.02, SECRET)
    assert action is not None
    assert played.decide(state, seat, played.action_codec.decode(action), SeededChance(SECRET, 2))


def test_a_seat_with_nothing_to_decide_gets_no_action() -> None:
    played, state = begun("al_rashid")
    (waiting,) = {0, 1} - set(played.to_act(state))
    assert (
        choose(
            "random", ("al_rashid", played.rules_version), waiting, tables("al_rashid", waiting), 0.02, SECRET
        )
        is None
    )


async def asking_on(thinking: Thinking) -> None:
    for _ in range(100):
        await thinking.choose("random", AL_RASHID, 0, tables("al_rashid", 0), 0.02)
        await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_a_process_that_is_killed_is_replaced() -> None:
    thinking = Thinking(1)
    try:
        await thinking.warm_up()
        (pid,) = thinking._pool._processes
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(BrokenProcessPool):
            await asking_on(thinking)
        seat = begun("al_rashid")[0].to_act(begun("al_rashid")[1])[0]
        action = await thinking.choose("random", AL_RASHID, seat, tables("al_rashid", seat), 0.02)
        assert msgspec.json.decode(action or b"")["type"]
    finally:
        thinking.close()


@pytest.mark.slow
async def test_rules_that_do_not_return_end_the_process_that_thinks_and_others_think_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_stuck_game(tmp_path, "loops", decide=IN_A_LIBRARY)
    monkeypatch.syspath_prepend(str(tmp_path))  # which the processes that think get, too
    played, state = begun("river_of_gold")
    seat = played.to_act(state)[0]
    thinking = Thinking(1)
    try:
        stuck = asyncio.create_task(
            thinking.choose(
                "greedy", ("loops", played.rules_version), seat, tables("river_of_gold", seat), 0.02
            )
        )
        await asyncio.sleep(0)
        waiting = asyncio.create_task(thinking.choose("random", AL_RASHID, 0, tables("al_rashid", 0), 0.02))
        with pytest.raises(RulesStuck, match="greedy of loops did not return"):
            await stuck
        with pytest.raises(BrokenProcessPool):
            await waiting
        own = ("river_of_gold", played.rules_version)
        assert await thinking.choose("greedy", own, seat, tables("river_of_gold", seat), 0.02)
    finally:
        thinking.close()


@pytest.mark.slow
async def test_rules_that_leave_do_not_end_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_stuck_game(tmp_path, "leaves", decide="raise SystemExit(0)")
    monkeypatch.syspath_prepend(str(tmp_path))  # which the processes that think get, too
    played, state = begun("river_of_gold")
    seat = played.to_act(state)[0]
    thinking = Thinking(1)
    try:
        with pytest.raises(RulesRaised, match="greedy of leaves raised SystemExit"):
            await thinking.choose(
                "greedy", ("leaves", played.rules_version), seat, tables("river_of_gold", seat), 0.02
            )
    finally:
        thinking.close()
