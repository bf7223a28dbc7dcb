"""Work in threads ends before whoever asked for it goes."""

from __future__ import annotations

import asyncio
import threading

import pytest

from services.process.thread_work import in_thread


async def test_it_gives_what_the_work_gives_and_raises_what_it_raises() -> None:
    assert await in_thread(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await in_thread(divmod, 7, 0)


@pytest.mark.parametrize("cancelled", [1, 3])
@pytest.mark.parametrize("fails", [False, True])
async def test_a_caller_that_is_cancelled_stays_until_the_thread_has_ended(
    *, cancelled: int, fails: bool
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert go_on.wait(10)
        if fails:
            raise RuntimeError

    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    asking = asyncio.create_task(in_thread(work))
    assert await asyncio.to_thread(begun.wait, 10)
    for _ in range(cancelled):
        asking.cancel()
        await asyncio.wait((asking,), timeout=0.02)
        assert not asking.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not complaints
