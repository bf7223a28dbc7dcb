"""The nemesis does what it is told, makes everything good again, and leaves the one database to one harm at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from tests.proofs.faults.faults import Fault, Path
from tests.proofs.faults.nemesis import Nemesis, Tempo
from tests.proofs.faults.notes import Healed, Notebook, Struck, of_kind

SWIFT = Tempo(hold=(0.001, 0.002), pause=(0.0, 0.001))


class Faulted:
    """A system that only counts."""

    def __init__(self) -> None:
        self.under_way: list[str] = []
        self.together: set[frozenset[str]] = set()

    def fault(self, kind: str) -> Fault:
        @asynccontextmanager
        async def fault(_: Any, __: Random) -> AsyncIterator[Path]:
            self.under_way.append(kind)
            self.together.add(frozenset(self.under_way))
            yield Path("victim", (), ())
            self.under_way.remove(kind)

        return fault


def a_nemesis(faulted: Faulted, notebook: Notebook, *kinds: str) -> Nemesis:
    faults = {kind: faulted.fault(kind) for kind in kinds}
    return Nemesis(None, notebook, Random(1), faults, SWIFT)  # type: ignore[arg-type]


async def test_it_does_the_harms_it_is_told_in_their_order_and_makes_each_good() -> None:
    notebook, faulted = Notebook(), Faulted()
    await a_nemesis(faulted, notebook, "link cut", "gateway killed").rage(
        asyncio.Event(), ["gateway killed", "link cut", "gateway killed"]
    )
    struck = of_kind(notebook.notes, Struck)
    assert [one.kind for one in struck] == ["gateway killed", "link cut", "gateway killed"]
    assert [one.number for one in of_kind(notebook.notes, Healed)] == [one.number for one in struck]
    assert faulted.under_way == []


async def test_left_to_itself_it_tries_everything_and_now_and_then_two_at_once_but_never_on_the_database() -> (
    None
):
    notebook, faulted, over = Notebook(), Faulted(), asyncio.Event()
    kinds = ("Postgres killed", "Postgres frozen", "pools filled by a lock", "gateway killed", "link cut")
    raging = asyncio.create_task(a_nemesis(faulted, notebook, *kinds).rage(over))
    async with asyncio.timeout(20):
        while len(of_kind(notebook.notes, Healed)) < 200:
            await asyncio.sleep(0.01)
            assert not raging.done()
    over.set()
    await raging
    assert {one.kind for one in of_kind(notebook.notes, Struck)} == set(kinds)
    assert any(len(together) == 2 for together in faulted.together)
    assert all(len(together - {"gateway killed", "link cut"}) < 2 for together in faulted.together)
    assert faulted.under_way == []


async def test_what_found_nothing_to_harm_is_not_counted() -> None:
    @asynccontextmanager
    async def nothing(_: Any, __: Random) -> AsyncIterator[Path | None]:
        yield None

    notebook = Notebook()
    nemesis = Nemesis(None, notebook, Random(1), {"nothing": nothing}, SWIFT)  # type: ignore[arg-type]
    await nemesis.rage(asyncio.Event(), ["nothing"])
    assert notebook.notes == []
