"""Group commit: alone at once, together while waiting, and everybody hears their own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from services.movelog.failures import LogUnavailable
from services.movelog.postgres.group_commit import GroupCommit


class Paper:
    """Something to write on that takes as long as the test wants."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.finish = asyncio.Event()
        self.problems: dict[str, Exception] = {}
        self.breaks: Exception | None = None

    async def write(self, batch: Sequence[str]) -> list[Exception | None]:
        self.batches.append(list(batch))
        await self.finish.wait()
        if self.breaks is not None:
            raise self.breaks
        return [self.problems.get(item) for item in batch]


@pytest.fixture
async def paper() -> Paper:
    return Paper()


def _put(commits: GroupCommit[str], *items: str) -> list[asyncio.Task[None]]:
    """Each item's key is its first letter."""
    return [asyncio.create_task(_written(commits, item)) for item in items]


async def _written(commits: GroupCommit[str], item: str) -> None:
    await commits.put(item[0], item)


async def _turns(count: int = 5) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_the_first_goes_at_once_and_those_behind_it_go_together(paper: Paper) -> None:
    commits = GroupCommit(paper.write, lanes=1, largest=10)
    first = _put(commits, "a1")
    await _turns()
    assert paper.batches == [["a1"]]
    others = _put(commits, "b1", "c1", "d1")
    await _turns()
    assert paper.batches == [["a1"]]
    paper.finish.set()
    await asyncio.gather(*first, *others)
    assert paper.batches == [["a1"], ["b1", "c1", "d1"]]


async def test_what_comes_in_one_turn_of_the_loop_goes_together(paper: Paper) -> None:
    paper.finish.set()
    commits = GroupCommit(paper.write, lanes=2, largest=10)
    await asyncio.gather(*_put(commits, "a1", "b1", "c1"))
    assert paper.batches == [["a1", "b1", "c1"]]


async def test_nobody_is_answered_before_the_write_is_done(paper: Paper) -> None:
    commits = GroupCommit(paper.write, lanes=1, largest=10)
    putting = _put(commits, "a1", "b1")
    await _turns(20)
    assert not any(task.done() for task in putting)
    paper.finish.set()
    await asyncio.gather(*putting)


async def test_no_more_lanes_are_used_than_there_are(paper: Paper) -> None:
    commits = GroupCommit(paper.write, lanes=2, largest=1)
    putting = _put(commits, "a1", "b1", "c1")
    await _turns()
    assert paper.batches == [["a1"], ["b1"]]
    paper.finish.set()
    await asyncio.gather(*putting)
    assert paper.batches == [["a1"], ["b1"], ["c1"]]


async def test_a_batch_is_never_larger_than_allowed(paper: Paper) -> None:
    paper.finish.set()
    commits = GroupCommit(paper.write, lanes=1, largest=3)
    await asyncio.gather(*_put(commits, *"abcdefg"))
    assert [len(batch) for batch in paper.batches] == [3, 3, 1]


async def test_one_key_is_written_in_order_and_one_at_a_time(paper: Paper) -> None:
    commits = GroupCommit(paper.write, lanes=3, largest=10)
    putting = _put(commits, "a1", "a2", "b1", "a3", "b2")
    await _turns()
    assert paper.batches == [["a1", "b1"]]
    paper.finish.set()
    await asyncio.gather(*putting)
    assert paper.batches == [["a1", "b1"], ["a2", "b2"], ["a3"]]


async def test_each_hears_what_was_said_of_its_own_item(paper: Paper) -> None:
    paper.finish.set()
    paper.problems["b1"] = LogUnavailable("b1 was not written")
    commits = GroupCommit(paper.write, lanes=1, largest=10)
    outcomes = await asyncio.gather(*_put(commits, "a1", "b1", "c1"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), LogUnavailable, type(None)]


async def test_a_writer_that_breaks_fails_every_caller_and_goes_on(paper: Paper) -> None:
    paper.finish.set()
    paper.breaks = ZeroDivisionError("a mistake of ours")
    commits = GroupCommit(paper.write, lanes=1, largest=10)
    outcomes = await asyncio.gather(*_put(commits, "a1", "b1"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ZeroDivisionError, ZeroDivisionError]
    paper.breaks = None
    await asyncio.gather(*_put(commits, "a2"))


async def test_a_caller_cancelled_before_its_batch_takes_its_item_back(paper: Paper) -> None:
    commits = GroupCommit(paper.write, lanes=1, largest=10)
    putting = _put(commits, "a1", "b1", "a2", "c1")
    await _turns(1)
    later = _put(commits, "d1", "d2")
    await _turns()
    later[0].cancel()
    putting[2].cancel()
    await _turns()
    paper.finish.set()
    outcomes = await asyncio.gather(*putting, *later, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes].count(asyncio.CancelledError) == 2
    assert [item for batch in paper.batches for item in batch] == ["a1", "b1", "c1", "d2"]


async def test_a_caller_cancelled_in_the_middle_of_its_batch_leaves_the_others_alone(paper: Paper) -> None:
    commits = GroupCommit(paper.write, lanes=1, largest=10)
    putting = _put(commits, "a1", "b1")
    await _turns()
    putting[0].cancel()
    after = _put(commits, "a2")
    await _turns()
    paper.finish.set()
    outcomes = await asyncio.gather(*putting, *after, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError, type(None), type(None)]
    assert paper.batches == [["a1", "b1"], ["a2"]]


async def test_closing_waits_for_what_was_taken_and_takes_no_more(paper: Paper) -> None:
    commits = GroupCommit(paper.write, lanes=1, largest=1)
    putting = _put(commits, "a1", "b1", "a2")
    await _turns()
    closing = asyncio.create_task(commits.close())
    await _turns()
    with pytest.raises(LogUnavailable):
        await commits.put("c", "c1")
    assert not closing.done()
    paper.finish.set()
    await asyncio.wait_for(closing, 20)
    await asyncio.gather(*putting)
    assert len(paper.batches) == 3


async def test_nothing_is_kept_of_keys_that_are_done(paper: Paper) -> None:
    paper.finish.set()
    commits: GroupCommit[Any] = GroupCommit(paper.write, lanes=2, largest=4)
    await asyncio.gather(*_put(commits, *(f"{letter}{n}" for n in range(3) for letter in "abcdefgh")))
    assert commits._behind == {}
    assert not commits._ready
    assert commits._free_lanes == 2


async def test_an_answer_that_raises_an_error_keeps_nothing_from_the_others_of_its_batch(
    paper: Paper,
) -> None:
    paper.finish.set()
    commits = GroupCommit(paper.write, lanes=2, largest=10)
    told: list[str] = []

    async def mistaken(item: str) -> None:
        await commits.put(item[0], item)
        raise ZeroDivisionError("a mistake of whoever is answered")

    async def listening(item: str) -> None:
        await commits.put(item[0], item)
        told.append(item)

    one = asyncio.create_task(mistaken("a1"))
    others = [asyncio.create_task(listening(item)) for item in ("b1", "c1", "a2")]
    await asyncio.wait_for(asyncio.gather(*others), 20)
    assert sorted(told) == ["a2", "b1", "c1"]
    assert isinstance(one.exception(), ZeroDivisionError)
    assert commits._behind == {}, "or a match is held until the process starts anew"
    assert commits._free_lanes == 2
    await asyncio.wait_for(commits.put("a", "a3"), 20)


async def test_a_caller_cancelled_before_it_could_wait_harms_nobody(paper: Paper) -> None:
    """Its future is done like any other, and an error in it is nobody's."""
    paper.finish.set()
    paper.problems["a1"] = LogUnavailable("a1 was not written")
    commits = GroupCommit(paper.write, lanes=1, largest=10)
    abandoned = commits.put("a", "a1")
    abandoned.cancel()
    await asyncio.wait_for(commits.put("a", "a2"), 20)
    assert paper.batches == [["a2"]]
    assert commits._behind == {}


async def test_a_write_that_tells_of_fewer_items_than_it_was_given_leaves_nobody_waiting() -> None:
    async def forgetful(batch: Sequence[str]) -> list[Exception | None]:
        return [None] * (len(batch) - 1)

    commits = GroupCommit(forgetful, lanes=1, largest=10)
    outcomes = await asyncio.gather(*_put(commits, "a1", "b1"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [LogUnavailable, LogUnavailable]
    assert commits._behind == {}
