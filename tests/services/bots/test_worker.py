"""One worker: a task for each seat that is waited for, which ends when the seat is no longer its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import pytest

from foldtable_client import Unreachable
from services.bots.api import FeedMatch, WaitingBot
from services.bots.pacing import Pause
from services.bots.worker import Worker


class Turns:
    """Plays as told: each turn waits until the test lets it go on, and gives what the test says."""

    def __init__(self, pauses: Mapping[str, Pause] | None = None) -> None:
        self.begun: list[tuple[str, int]] = []
        self.after: list[int | None] = []
        self.answers: asyncio.Queue[bool | Exception] = asyncio.Queue()
        self._pauses = pauses or {}

    async def pause(self, seat: Any) -> Pause | None:
        return self._pauses.get(seat.match_id)

    async def turn(self, seat: Any, after: int | None) -> bool:
        self.begun.append(seat.key)
        self.after.append(after)
        answer = await self.answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer


class Nowhere:
    """A gateway at which nothing happens."""

    def feed(self) -> Any:
        raise AssertionError("nobody listens in these tests")


class Silence:
    """A gateway whose feed stays open and says nothing."""

    async def feed(self, _while_open: Any) -> AsyncGenerator[Any]:
        await asyncio.Event().wait()
        yield


def heard(version: int, *waiting: WaitingBot, match_id: str = "m") -> FeedMatch:
    return FeedMatch(match_id=match_id, game="river_dragons", version=version, waiting_bots=waiting)


RANDOM_AT_1 = WaitingBot(seat=1, level="random")


def a_worker(turns: Turns) -> Worker:
    return Worker(Nowhere(), turns, ["random"], poll_seconds=60)  # type: ignore[arg-type]  # stand-ins


async def soon() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_it_plays_bots_of_its_levels_and_no_others() -> None:
    turns = Turns()
    worker = a_worker(turns)
    worker.on_match(heard(1, RANDOM_AT_1, WaitingBot(seat=0, level="greedy"), WaitingBot(seat=2, level=None)))
    await soon()
    assert turns.begun == [("m", 1)]
    turns.answers.put_nowait(False)
    await soon()


async def test_what_is_heard_twice_is_played_by_one_task() -> None:
    turns = Turns()
    worker = a_worker(turns)
    worker.on_match(heard(1, RANDOM_AT_1))
    await soon()
    worker.on_match(heard(1, RANDOM_AT_1))
    await soon()
    assert turns.begun == [("m", 1)]
    turns.answers.put_nowait(False)  # what was heard meanwhile is looked at once more
    await soon()
    assert turns.begun == [("m", 1)] * 2
    turns.answers.put_nowait(False)
    await soon()


async def test_it_goes_on_while_its_seat_is_waited_for() -> None:
    turns = Turns()
    a_worker(turns).on_match(heard(1, RANDOM_AT_1))
    for answer in (True, True, False):
        turns.answers.put_nowait(answer)
    await soon()
    assert turns.begun == [("m", 1)] * 3


async def test_it_leaves_a_seat_that_was_handed_back_although_the_seat_is_waited_for() -> None:
    turns = Turns()
    worker = a_worker(turns)
    worker.on_match(heard(1, RANDOM_AT_1))
    await soon()
    worker.on_match(heard(2))
    turns.answers.put_nowait(True)
    await soon()
    assert turns.begun == [("m", 1)]


async def test_a_turn_that_was_given_up_is_found_again() -> None:
    turns = Turns()
    worker = a_worker(turns)
    worker.on_match(heard(1, RANDOM_AT_1))
    turns.answers.put_nowait(Unreachable("no gateway"))
    await soon()
    worker.on_match(heard(1, RANDOM_AT_1))
    await soon()
    assert turns.begun == [("m", 1)] * 2
    turns.answers.put_nowait(False)
    await soon()


async def test_a_fault_in_one_seat_ends_no_other() -> None:
    turns = Turns()
    worker = a_worker(turns)
    worker.on_match(heard(1, RANDOM_AT_1, WaitingBot(seat=2, level="random")))
    await soon()
    turns.answers.put_nowait(ZeroDivisionError())
    turns.answers.put_nowait(True)
    turns.answers.put_nowait(False)
    await soon()
    assert len(turns.begun) == 3


async def test_a_match_with_a_pace_is_waited_for_and_the_others_are_not() -> None:
    turns = Turns({"slow": Pause(4, 0.05)})
    worker = a_worker(turns)
    worker.on_match(heard(4, RANDOM_AT_1, match_id="slow"))
    worker.on_match(heard(1, RANDOM_AT_1))
    await soon()
    assert turns.begun == [("m", 1)]
    turns.answers.put_nowait(False)
    turns.answers.put_nowait(False)
    await asyncio.sleep(0.1)
    assert (turns.begun, turns.after) == ([("m", 1), ("slow", 1)], [None, 4])


async def test_waiting_seats_take_no_room_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.bots.worker.MAX_AT_ONCE", 1)
    turns = Turns({"slow": Pause(4, 60)})
    worker = a_worker(turns)
    worker.on_match(heard(4, RANDOM_AT_1, match_id="slow"))
    await soon()
    worker.on_match(heard(1, RANDOM_AT_1))
    turns.answers.put_nowait(False)
    await soon()
    assert turns.begun == [("m", 1)]


async def test_a_seat_that_is_no_longer_waited_for_makes_no_turn_after_its_wait() -> None:
    turns = Turns({"slow": Pause(4, 0.05)})
    worker = a_worker(turns)
    worker.on_match(heard(4, RANDOM_AT_1, match_id="slow"))
    await soon()
    worker.on_match(heard(5, match_id="slow"))
    await asyncio.sleep(0.1)
    assert turns.begun == []


async def test_two_bots_that_waited_for_the_same_move_look_one_after_the_other() -> None:
    turns = Turns({"slow": Pause(4, 0.01)})
    worker = a_worker(turns)
    worker.on_match(heard(4, RANDOM_AT_1, WaitingBot(seat=2, level="random"), match_id="slow"))
    await asyncio.sleep(0.05)
    assert len(turns.begun) == 1
    turns.answers.put_nowait(False)
    turns.answers.put_nowait(False)
    await soon()
    assert sorted(turns.begun) == [("slow", 1), ("slow", 2)]


async def test_a_worker_that_stops_does_not_wait_for_those_who_wait() -> None:
    turns = Turns({"slow": Pause(4, 60)})
    worker = Worker(Silence(), turns, ["random"], poll_seconds=60)  # type: ignore[arg-type]  # stand-ins
    stop = asyncio.Event()
    running = asyncio.create_task(worker.run(stop, drain_seconds=30))
    worker.on_match(heard(4, RANDOM_AT_1, match_id="slow"))
    await soon()
    stop.set()
    async with asyncio.timeout(20):
        await running
    assert turns.begun == []
