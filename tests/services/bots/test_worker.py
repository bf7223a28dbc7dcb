"""One worker: a task for each seat that is waited for, which ends when the seat is no longer its own."""

from __future__ import annotations

import asyncio
from typing import Any

from foldtable_client import Unreachable
from services.bots.api import FeedMatch, WaitingBot
from services.bots.worker import Worker


class Turns:
    """Plays as told: each turn waits until the test lets it go on, and gives what the test says."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, int]] = []
        self.answers: asyncio.Queue[bool | Exception] = asyncio.Queue()

    async def turn(self, seat: Any) -> bool:
        self.begun.append(seat.key)
        answer = await self.answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer


class Nowhere:
    """A gateway at which nothing happens."""

    def feed(self) -> Any:
        raise AssertionError("nobody listens in these tests")


def heard(version: int, *waiting: WaitingBot) -> FeedMatch:
    return FeedMatch(match_id="m", game="river_dragons", version=version, waiting_bots=waiting)


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
