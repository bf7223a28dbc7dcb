"""What moves and reads cost beside few and beside many other matches: two systems, measured in turns."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from tests.bench.bench_grpc import grpc_round, writer_of
from tests.bench.flat.costs import Cost, cost_of, middle_cost
from tests.bench.flat.filled_database import PLAYERS, VERSION, bytes_of_tables, fill, some_running
from tests.bench.flat.long_matches import SEATS, LongMatch, a_long_match, write
from tests.bench.flat.rpc_client import RpcClient
from tests.bench.prepared_moves import prepare
from tests.bench.processor_time import Parts
from tests.bench.targets import target_of
from tests.support.running_system import System

ORIGINALS: Final = 20
CONCURRENCY: Final = 32
STREAMS: Final = 2
MAX_PER_SECOND: Final = 6_000
"""Moves made ready for each second of streaming."""
DEEP_PAGES: Final = 20
"""Pages of a hundred matches before the deep page."""

Measured = dict[str, list[Cost]]


@dataclass
class Filled:
    """A system with so many matches in its database."""

    system: System
    matches: int
    originals: dict[bytes, LongMatch] = field(default_factory=dict)
    """By the commitment, which the copies share."""
    fill_seconds: float = 0.0
    bytes_before: int = 0
    costs: Measured = field(default_factory=dict)
    rates: list[float] = field(default_factory=list)
    """Moves per second."""

    @property
    def database_url(self) -> str:
        return self.system.part("postgres")["address"]

    def fill(self) -> None:
        """Write the originals and copy them."""
        those = [a_long_match(seed, moves=VERSION - 1, undone=0, following=1) for seed in range(ORIGINALS)]
        asyncio.run(write(self.database_url, those))
        self.originals = {one.match.commitment: one for one in those}
        began = time.perf_counter()
        fill(self.database_url, [str(one.match.id) for one in those], self.matches)
        self.fill_seconds = time.perf_counter() - began

    def measure(self, turn: int, calls: int, unread: int, seconds: float) -> None:
        """Measure every kind of call once; of matches that are not in memory only so many, since each is so only once."""
        parts = Parts({part["name"]: part["pid"] for part in self.system.running["parts"]})
        self._stream(seconds)
        with RpcClient(self.system) as client:
            for name, kind in self._kinds(client, turn, calls, unread).items():
                self.costs.setdefault(name, []).append(cost_of(parts, kind))

    def cost(self, name: str) -> Cost:
        """Return the medians of one kind."""
        return middle_cost(self.costs[name])

    @property
    def bytes_per_match(self) -> float:
        return sum(bytes_of_tables(self.database_url).values()) / self.matches

    def _stream(self, seconds: float) -> None:
        target = target_of(self.system)
        each = round(seconds * MAX_PER_SECOND / CONCURRENCY)
        work = [
            prepare(target, {}, SEATS, each, writer_of(number // STREAMS)) for number in range(CONCURRENCY)
        ]
        made, _ = grpc_round(target, work, seconds, STREAMS)
        assert made.spent is not None
        self.rates.append(made.per_second)
        self.costs.setdefault(STREAMED, []).append(Cost(made.p50, made.p99, made.spent.per_move))

    def _kinds(
        self, client: RpcClient, turn: int, calls: int, unread: int
    ) -> dict[str, Iterator[Callable[[], object]]]:
        """Return the calls of each kind. They are made in this order."""
        choices = random.Random(turn)
        running = some_running(self.database_url, max(calls, unread))
        players = max(1, self.matches // PLAYERS)
        return {
            "create a match": (partial(client.create, SEATS) for _ in range(calls)),
            "read a match": (
                partial(client.match, match_id) for match_id, _ in choices.choices(running, k=calls)
            ),
            "first move in a match that is not in memory": (
                call
                for match_id, commitment in running[:unread]
                for call in self.originals[commitment].calls(client, 0, 1, match_id=match_id)
            ),
            "list the newest 20": (client.listed for _ in range(calls)),
            f"list 20 after {DEEP_PAGES * 100:,}": (
                partial(client.listed, page_token=token) for token in [self._deep_page(client)] * calls
            ),
            "list a player's": (
                partial(client.listed, player=f"player-{choices.randrange(players)}") for _ in range(calls)
            ),
        }

    def _deep_page(self, client: RpcClient) -> str:
        token = ""
        for _ in range(DEEP_PAGES):
            page = client.listed(page_token=token, size=100)
            token = page.next_page_token or token
        return token


STREAMED: Final = f"move, {CONCURRENCY} matches streamed"
