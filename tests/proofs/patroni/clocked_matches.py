"""Matches with clocks that wait while harm is done: each for a decision that has less time than most of the harms last.

They belong to a tenant of their own, so that nobody else plays them. What clocks count is read before and after.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import httpx
import psycopg

from services.identity.api_keys import issue_key
from services.identity.tenants import create_tenant
from services.postgres.database import DatabaseSettings, open_pool
from tests.proofs.faults.notes import now
from tests.proofs.faults.system import PASSING, System
from tests.proofs.faults.violations import Rule, Violation

TENANT: Final = "clocks"
GAME: Final = "river_dragons"
SECONDS: Final = 15
"""Of each decision."""
LEAST_LEFT: Final = 7.0
"""Seconds that are left afterwards at least: ten, less what the first requests take on a busy machine."""
ALMOST_AT_ONCE: Final = 1.0
"""Seconds between reading a clock here and there."""
ANSWERED_SECONDS: Final = 60.0
"""For the first answer once there is a leader again."""
CLOCKS: Final[dict[str, dict[str, Any]]] = {
    "per move, policy": {"kind": "per_move"},
    "per move, bot": {"kind": "per_move", "absent": "bot"},
    "per move, forfeit": {"kind": "per_move", "absent": "forfeit"},
    "budget, forfeit": {"kind": "budget", "absent": "forfeit"},
    "increment, bot": {"kind": "budget", "increment_seconds": 1, "absent": "bot"},
}
_DOWNTIME: Final = """
SELECT coalesce(extract(epoch FROM max(until - since)), 0)::float8 FROM downtimes WHERE until > %s
"""


@dataclass(frozen=True)
class Seen:
    """What the clocks showed of one harm."""

    harm: str
    lasted: float
    """Seconds from reading the clocks before the harm until the first answer after it."""
    recorded: float
    """Seconds that the servers recorded as a downtime."""
    counted: float
    """Seconds that the clocks counted in the meantime, at most."""
    least_left: float
    """Seconds that any decision had left."""


class ClockedMatches:
    """Makes them, reads their clocks, and keeps what was wrong."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.violations: list[Violation] = []
        self._key = ""

    @asynccontextmanager
    async def watched(self, system: System, harm: str) -> AsyncIterator[None]:
        """Let clocks run while harm is done inside; then no decision may have been made, and each takes its move."""
        async with httpx.AsyncClient(
            base_url=system.urls[0], timeout=20, verify=False, trust_env=False
        ) as client:
            self._key = self._key or await _issue_key(system.database.url)
            client.headers["authorization"] = f"Bearer {self._key}"
            made = await asyncio.gather(*(_made(client, clock) for clock in CLOCKS.values()))
            matches = dict(zip(CLOCKS, made, strict=True))
            before = await _all_shown(client, matches)
            began, since = now(), await _time(system.database.url)
            yield
            after = await _all_shown(client, matches)
            seen = _seen(harm, now() - began, before, after)
            await asyncio.gather(  # at once, before the time is up that they have
                *(
                    self._go_on(client, f"{harm}: {kind}", match, after[kind])
                    for kind, match in matches.items()
                )
            )
            seen = replace(seen, recorded=await _recorded(system.database.url, since))
            self.seen.append(seen)
            self._compare(seen, before, after)

    def __str__(self) -> str:
        heading = f"{'clocks during':28} {'lasted':>7}  {'recorded as downtime':>20}  {'counted':>8}  {'least left':>10}"
        rows = [
            f"{one.harm:28} {one.lasted:5.1f} s  {one.recorded:18.1f} s  {one.counted:6.1f} s  {one.least_left:8.1f} s"
            for one in self.seen
        ]
        return "\n".join(
            (f"{len(CLOCKS)} matches for each harm, {SECONDS} s for each decision", heading, *rows)
        )

    def _compare(self, seen: Seen, before: dict[str, Any], after: dict[str, Any]) -> None:
        """After a downtime everybody has time left; without one nobody loses more than has passed."""
        for kind, shown in after.items():
            where = f"{seen.harm}: {kind}"
            if (shown["status"], shown["version"]) != ("running", before[kind]["version"]):
                self._wrong(f"{where}: {shown['status']} at version {shown['version']}: {shown['outcome']}")
            elif seen.recorded and _left(shown) < LEAST_LEFT:
                self._wrong(f"{where}: only {_left(shown):.1f} s left")
        if not seen.recorded and seen.counted > seen.lasted + ALMOST_AT_ONCE:
            self._wrong(f"{seen.harm}: {seen.counted:.1f} s counted of {seen.lasted:.1f}")

    async def _go_on(self, client: httpx.AsyncClient, where: str, match: str, shown: Any) -> None:
        """Make the move that was waited for, end the match, and have it verified."""
        path = f"/v1/matches/{match}"
        if shown["status"] == "running":
            seat = shown["to_act"][0]
            legal = await _asked(client, "GET", f"{path}/legal-actions?seat={seat}&samples=1")
            if not legal["samples"]:
                self._wrong(f"{where}: the seat had nothing to decide at version {legal['version']}")
                return
            body = {"seat": seat, "action": legal["samples"][0], "expected_version": legal["version"]}
            await _asked(client, "POST", f"{path}/moves", json={**body, "request_id": "after the harm"})
            await _asked(client, "POST", f"{path}/abort", headers={"idempotency-key": f'"{match}"'})
        verified = await _asked(client, "GET", f"{path}/verify")
        if not verified["ok"]:
            self._wrong(f"{where}: cannot be verified: {verified['difference']}")

    def _wrong(self, text: str) -> None:
        self.violations.append(Violation(Rule.CLOCKS, text))


async def _made(client: httpx.AsyncClient, clock: dict[str, Any]) -> str:
    made = await _asked(
        client,
        "POST",
        "/v1/matches",
        json={"game": GAME, "seats": 2, "clock": {"seconds": SECONDS, **clock}},
    )
    return str(made["match"]["match_id"])


async def _all_shown(client: httpx.AsyncClient, matches: dict[str, str]) -> dict[str, Any]:
    shown = await asyncio.gather(
        *(_asked(client, "GET", f"/v1/matches/{match}") for match in matches.values())
    )
    return dict(zip(matches, shown, strict=True))


async def _asked(client: httpx.AsyncClient, method: str, path: str, **asked: Any) -> Any:
    """Ask again as long as the answer is: not now."""
    deadline = now() + ANSWERED_SECONDS
    while True:
        try:
            answer = await client.request(method, path, **asked)
            if answer.status_code not in PASSING:
                return answer.raise_for_status().json()
        except httpx.TransportError:
            if now() > deadline:
                raise
        if now() > deadline:
            raise TimeoutError(f"{method} {path}: no answer for {ANSWERED_SECONDS:.0f} s")
        await asyncio.sleep(0.1)


def _seen(harm: str, lasted: float, before: dict[str, Any], after: dict[str, Any]) -> Seen:
    return Seen(
        harm,
        lasted,
        recorded=0.0,
        counted=max(_left(before[kind]) - _left(after[kind]) for kind in after),
        least_left=min(map(_left, after.values())),
    )


def _left(shown: Any) -> float:
    """Return the least time that any seat has left that has to act; 0 if the match is over."""
    if shown["clocks"] is None:
        return 0.0
    left = [one["left_seconds"] for one in shown["clocks"]["seats"] if one["deadline"] is not None]
    return float(min(left, default=0.0))


async def _time(url: str) -> datetime:
    async with await psycopg.AsyncConnection.connect(url, connect_timeout=5) as connection:
        row = await (await connection.execute("SELECT statement_timestamp()")).fetchone()
    assert row is not None
    return row[0]  # type: ignore[no-any-return]  # a column without a type


async def _recorded(url: str, since: datetime) -> float:
    async with await psycopg.AsyncConnection.connect(url, connect_timeout=5) as connection:
        row = await (await connection.execute(_DOWNTIME, (since,))).fetchone()
    assert row is not None
    return float(row[0])


async def _issue_key(url: str) -> str:
    pool = await open_pool(DatabaseSettings(url), name="clocks", most=1)
    async with pool, pool.connection() as connection:
        await create_tenant(connection, TENANT)
        _, key = await issue_key(connection, TENANT, ("matches:write",), environment="test", label="clocks")
    return key
