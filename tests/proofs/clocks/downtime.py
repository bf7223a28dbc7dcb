"""Nobody can move for longer than a clock gives: does any match notice?

Matches of every game and clock are begun at running processes. Then the rules servers are stopped, killed or frozen, or
Postgres is stopped while they run, for longer than any decision has time. Afterwards no decision may have been made, every
seat that has to act must have the time it had, and its move must be taken. While one of two servers stays up, time counts.
In the end an audit holds all clocks against the moves and the recorded downtimes, and every match is verified.

Run by test_downtime.py in short, and by `make prove P=clocks` with 24 seconds and clocks of 20.
"""

from __future__ import annotations

import argparse
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg
from psycopg.conninfo import make_conninfo

from engine.registry import GAMES
from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from tests.proofs.faults.postgres_pair import PostgresPair
from tests.support.auditing import audit
from tests.support.deployment import GENEROUS
from tests.support.several_of_each import TEMPLATE, Several, several_of_each, several_on

LEAST_LEFT: Final = 8.0
"""Seconds that a decision with time left has at least after a downtime, as far as its clock gives so many: ten, less what
the first request takes."""
CLOCKS: Final[dict[str, dict[str, Any]]] = {
    "per move, policy": {"kind": "per_move"},
    "per move, bot": {"kind": "per_move", "absent": "bot"},
    "per move, forfeit": {"kind": "per_move", "absent": "forfeit"},
    "per move, soon away": {"kind": "per_move", "away_after": 1},
    "budget, policy": {"kind": "budget"},
    "budget, forfeit": {"kind": "budget", "absent": "forfeit"},
    "increment, bot": {"kind": "budget", "increment_seconds": 1, "absent": "bot"},
}


@contextmanager
def all_stopped(several: Several, _: EmbeddedPostgres) -> Iterator[None]:
    for server in several.rules:
        server.stop()
    yield
    several.start_what_ended()


@contextmanager
def all_killed(several: Several, _: EmbeddedPostgres) -> Iterator[None]:
    for server in several.rules:
        server.kill()
    yield
    several.start_what_ended()


@contextmanager
def all_frozen(several: Several, _: EmbeddedPostgres) -> Iterator[None]:
    for server in several.rules:
        server.send(signal.SIGSTOP)
    yield
    for server in several.rules:
        server.send(signal.SIGCONT)


@contextmanager
def one_killed(several: Several, _: EmbeddedPostgres) -> Iterator[None]:
    several.rules[-1].kill()
    yield
    several.start_what_ended()


@contextmanager
def postgres_stopped(_: Several, postgres: EmbeddedPostgres) -> Iterator[None]:
    postgres.stop()
    yield
    postgres.start()


@contextmanager
def failover(_: Several, pair: PostgresPair) -> Iterator[None]:
    """Kill the primary for good; the replica is promoted only after the outage."""
    pair.kill()
    yield
    pair.promote()


Harm = Callable[[Several, EmbeddedPostgres], Any]
HARMS: Final[dict[str, Harm]] = {
    "servers stopped": all_stopped,
    "servers killed": all_killed,
    "servers frozen": all_frozen,
    "Postgres stopped": postgres_stopped,
}
COUNTS: Final = "one of two killed"
"""Where time goes on."""


@dataclass
class Report:
    """What came of it."""

    rows: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, row: str) -> None:
        """Add a row, and show it: a run takes minutes."""
        self.rows.append(row)
        print(row, flush=True)

    def __str__(self) -> str:
        return "\n".join((*self.rows, *self.wrong, f"violations: {len(self.wrong)}"))


def run(
    folder: Path,
    *,
    clock: int,
    down: float,
    servers: tuple[int, ...] = (1, 2),
    harms: tuple[str, ...] = tuple(HARMS),
    games: tuple[str, ...] = tuple(GAMES),
) -> Report:
    """Play each scene with so many servers; clocks give `clock` seconds, and nobody can move for `down`."""
    report = Report()
    for count in servers:
        place = folder / f"of_{count}"
        place.mkdir()
        with (
            EmbeddedPostgres(place / "postgres") as postgres,
            several_on(postgres, place, replicas=count) as several,
            several.client(several.key, timeout=60) as client,
        ):
            for name in harms:
                _scene(report, f"{count} server(s), {name}", several, client, games, clock).go_on_after(
                    HARMS[name](several, postgres), down
                )
            if count > 1:
                scene = _scene(report, COUNTS, several, client, games, clock)
                scene.must_be_decided_after(one_killed(several, postgres), down)
            _look_at_everything(report, several, client)
    return report


def run_failover(folder: Path, *, clock: int, down: float, games: tuple[str, ...] = tuple(GAMES)) -> Report:
    """Play the same with a primary that dies, and a replica that takes over after `down`; one server."""
    report = Report()
    place = folder / "failover"
    place.mkdir()
    with PostgresPair(place / "pair") as pair, psycopg.connect(pair.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}")  # type: ignore[call-overload]  # a constant
        connection.close()
        migrate(make_conninfo(pair.url, dbname=TEMPLATE))
        with (
            several_of_each(pair.url, TEMPLATE, place, replicas=1, rate_limits=GENEROUS) as several,
            several.client(several.key, timeout=60) as client,
        ):
            scene = _scene(report, "1 server(s), failover", several, client, games, clock)
            scene.go_on_after(failover(several, pair), down)
            _look_at_everything(report, several, client)
    return report


@dataclass
class Scene:
    """Matches of every game and clock, each at its first decision."""

    name: str
    report: Report
    client: httpx.Client
    clock: int
    matches: dict[str, str]
    """Their ids, by what they are."""

    def go_on_after(self, harm: Any, down: float) -> None:
        """Let the system be down, and look whether any match has noticed."""
        before = {name: self._get(match) for name, match in self.matches.items()}
        with harm:
            time.sleep(down)
        moved, least = 0, float("inf")
        for name, match in self.matches.items():
            after = self._get(match)
            if (after["status"], after["version"]) != ("running", before[name]["version"]):
                self._wrong(name, f"{after['status']} at version {after['version']}: {after['outcome']}")
                continue
            for one in after["clocks"]["seats"]:
                if one["deadline"] is not None:
                    least = min(least, one["left_seconds"])
            moved += self._move(name, match, after["to_act"][0])
        if least < min(LEAST_LEFT, self.clock / 2):
            self._wrong("a clock", f"only {least:.1f} s left")
        if moved != len(self.matches):
            self._wrong("moves", f"{moved} taken of {len(self.matches)}")
        self.report.add(
            f"{self.name:40} {len(self.matches):3} matches, all running; least time left {least:.1f} s; {moved} moves taken"
        )
        self.abort()

    def must_be_decided_after(self, harm: Any, down: float) -> None:
        """Let a server be gone while another serves, and look whether time has gone on."""
        with harm:
            time.sleep(down)
        late = [self._get(match) for match in self.matches.values()]
        decided = sum(match["version"] > 1 for match in late)
        if decided != len(late):
            self._wrong("time-outs", f"{decided} of {len(late)} though a server was there")
        self.report.add(f"{self.name:40} {len(late):3} matches, {decided} decided: time counts")
        self.abort()

    def abort(self) -> None:
        """End the matches that still go on."""
        for match in self.matches.values():
            self.client.post(f"/v1/matches/{match}/abort")

    def _get(self, match: str) -> Any:
        answer = self.client.get(f"/v1/matches/{match}")
        for _ in range(100):
            if answer.status_code < 500:
                break
            time.sleep(0.2)
            answer = self.client.get(f"/v1/matches/{match}")
        return answer.raise_for_status().json()

    def _move(self, name: str, match: str, seat: int) -> bool:
        path = f"/v1/matches/{match}"
        legal = self._asked("GET", f"{path}/legal-actions", params={"seat": seat, "samples": 1}).json()
        body = {"seat": seat, "action": legal["samples"][0], "expected_version": legal["version"]}
        answer = self._asked("POST", f"{path}/moves", json={**body, "request_id": f"after {self.name}"[:64]})
        if not answer.is_success:
            self._wrong(name, f"a move was answered {answer.status_code} {answer.json().get('reason')}")
        return answer.is_success

    def _asked(self, method: str, path: str, **asked: Any) -> httpx.Response:
        """Ask, again as long as the database is still coming back; a move has a request id, so it is made once."""
        for _ in range(100):
            answer = self.client.request(method, path, **asked)
            if answer.status_code != 503:
                break
            time.sleep(0.1)
        return answer

    def _wrong(self, what: str, why: str) -> None:
        self.report.wrong.append(f"WRONG: {self.name}: {what}: {why}")


def _scene(
    report: Report, name: str, several: Several, client: httpx.Client, games: tuple[str, ...], clock: int
) -> Scene:
    matches = {}
    for game in games:
        for kind, asked in CLOCKS.items():
            body = {"game": game, "seats": 2, "clock": {"seconds": clock, **asked}}
            made = client.post("/v1/matches", json=body).raise_for_status().json()
            matches[f"{game}, {kind}"] = made["match"]["match_id"]
    return Scene(name, report, client, clock, matches)


def _look_at_everything(report: Report, several: Several, client: httpx.Client) -> None:
    tally = audit(several.database_url)
    report.wrong += [f"WRONG: audit: {one}" for one in tally.findings]
    verified, page = 0, ""
    while True:
        listed = client.get(f"/v1/matches?visibility=any&page_size=100{page}").json()
        for row in listed["matches"]:
            found = client.get(f"/v1/matches/{row['match_id']}/verify").json()
            verified += found["ok"]
            if not found["ok"]:
                report.wrong.append(f"WRONG: verify: {row['match_id']}: {found['difference']}")
        if not listed["next_page_token"]:
            break
        page = f"&page_token={listed['next_page_token']}"
    report.add(f"{'audit':40} {tally.matches:3} matches, {len(tally.findings)} findings; {verified} verified")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--clock", type=int, default=20, help="seconds of each decision")
    parser.add_argument("--down", type=float, default=24.0, help="seconds that nobody can move")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrong = run(Path(folder), clock=given.clock, down=given.down).wrong
        wrong += run_failover(Path(folder), clock=given.clock, down=given.down).wrong
    print("\n".join((*wrong, f"violations: {len(wrong)}")))
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
