"""A rolling update, from the release before to ours: the schema first, under running matches, then servers one by one.

What a deployment does is done here in its order, with real processes on a real Postgres, and matches of all games go on
all the time, by turns through the servers there are. Every step says what it did and what went wrong.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engine.registry import GAMES
from migrations.migrate import current_revision, migrate
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from services.postgres.database import REVISION
from tests.proofs.upgrades.client import Client, Refusal
from tests.proofs.upgrades.old_code import check_out, revision_of, run_python
from tests.proofs.upgrades.releases import Release
from tests.proofs.upgrades.systems import Keys, Services, gateway, issue_key, new_keys, services

Say = Callable[[str], None]

MATCHES_BEFORE: Final = 2
"""Of each game, in the middle of which the update comes."""
MOVES: Final = 30
"""In a row, before somebody else goes on."""
TO_THE_END: Final = 5_000


@dataclass
class UpdateStep:
    """One step of the update."""

    name: str
    matches: int = 0
    moves: int = 0
    violations: list[str] = field(default_factory=list)


@dataclass
class Report:
    """What came of an update."""

    release: Release
    steps: list[UpdateStep] = field(default_factory=list)

    @property
    def violations(self) -> list[str]:
        return [f"{step.name}: {one}" for step in self.steps for one in step.violations]

    @property
    def moves(self) -> int:
        return sum(step.moves for step in self.steps)


class Update:
    """From a release to ours, on a database of its own."""

    def __init__(self, release: Release, folder: Path, database_url: str, say: Say) -> None:
        """`folder` is for the old code, keys and logs; the database is empty."""
        self.report = Report(release)
        self._say = say
        self._url = database_url
        self._code = folder / "code"
        self._code.mkdir()
        self._keys: Keys = new_keys(folder)
        self._key = ""
        self._matches: dict[str, int] = {}
        """Every match, and the last version somebody was told of."""

    def run(self) -> Report:
        """Take all steps; HistoryMissing, old_code.Failed, and AssertionError for a server that does not start."""
        release = self.report.release
        check_out(release.commit, self._code)
        if revision_of(self._code) != release.revision:
            raise AssertionError(f"{release.commit} is not of revision {release.revision}")
        run_python(self._code, "-m", "migrations", database_url=self._url)
        self._key = issue_key(self._code, self._url)
        with ExitStack() as running:
            old = running.enter_context(services("old", self._code, self._url, self._keys))
            self._step("the release before, at home", self._before, old)
            self._step("the schema changes under running matches", self._migrate, old)
            self._step("the release before on the new schema", self._on, old)
            new = running.enter_context(services("new", None, self._url, self._keys))
            self._step("both side by side, move by move", self._by_turns, old, new)
            self._step("each gateway before the other release's servers", self._crossed, running, old, new)
            self._step("our release reads and ends everything", self._ours, new)
        return self.report

    def _step(self, name: str, act: Callable[..., None], *arguments: Any) -> None:
        step = UpdateStep(name)
        self.report.steps.append(step)
        try:
            act(step, *arguments)
        except Refusal as refusal:
            step.violations.append(str(refusal))
        self._say(
            f"{name:<50} {step.matches:>4} matches {step.moves:>6} moves {len(step.violations):>3} violations"
        )

    def _client(self, url: str) -> Client:
        return Client(url, self._key)

    def _before(self, step: UpdateStep, old: Services) -> None:
        with self._client(old.url) as client:
            for game in GAMES:
                for _ in range(MATCHES_BEFORE):
                    self._play(step, (client,), self._create(step, client, game), 10)

    def _migrate(self, step: UpdateStep, old: Services) -> None:
        """Migrate while the old servers are playing; whatever they were told must be in the log afterwards."""
        done = threading.Event()

        def play() -> None:
            with self._client(old.url) as client:
                while not done.is_set():
                    for match_id in list(self._matches):
                        self._play(step, (client,), match_id, 2)

        players = threading.Thread(target=_noting(play, step.violations))
        players.start()
        try:
            time.sleep(0.5)  # the players are at it
            migrate(self._url)
            time.sleep(0.5)
        finally:
            done.set()
            players.join()
        if not step.moves:
            step.violations.append("nobody could move meanwhile")
        found = current_revision(self._url)
        if found != REVISION:
            step.violations.append(f"the database is at revision {found}")

    def _on(self, step: UpdateStep, old: Services) -> None:
        """Old matches go on, new ones are played to their end, restarted servers come up."""
        with (
            services("old_again", self._code, self._url, self._keys) as again,
            self._client(old.url) as one,
            self._client(again.url) as another,
        ):
            for match_id in list(self._matches)[::MATCHES_BEFORE]:
                self._play(step, (one, another), match_id, MOVES)
            for game in GAMES:
                match_id = self._create(step, another, game)
                self._play(step, (one, another), match_id, TO_THE_END)
                self._verify(step, another, match_id)

    def _by_turns(self, step: UpdateStep, old: Services, new: Services) -> None:
        """A match is created by either release under rules both know, and each move goes through the other one."""
        with self._client(old.url) as before, self._client(new.url) as ours:
            rules = newest_rules(before)
            for game in GAMES:
                for creator, more in ((before, {}), (ours, {"rules_version": rules[game]})):
                    match_id = self._create(step, creator, game, **more)
                    self._play(step, (before, ours), match_id, TO_THE_END)
                    self._verify(step, before, match_id)
                    self._verify(step, ours, match_id)
            for match_id in list(self._matches)[1::MATCHES_BEFORE]:
                self._play(step, (before, ours), match_id, MOVES)

    def _crossed(self, step: UpdateStep, running: ExitStack, old: Services, new: Services) -> None:
        """Each gateway before the other release's servers, as in the middle of an update; a match goes through both."""
        pairs = (
            ("old_before_new", self._code, new.rules, new.platform),
            ("new_before_old", None, old.rules, old.platform or new.platform),
        )
        urls = [
            running.enter_context(gateway(name, code, rules, platform, self._keys))
            for name, code, rules, platform in pairs
        ]
        clients = [running.enter_context(self._client(url)) for url in urls]
        rules = newest_rules(clients[1])
        with self._client(new.url) as ours:
            for game in GAMES:
                match_id = self._create(step, ours, game, rules_version=rules[game])
                self._play(step, clients, match_id, MOVES)

    def _ours(self, step: UpdateStep, new: Services) -> None:
        """Every match is where somebody was told it is, verifies, ends; its export is verified without a server."""
        with self._client(new.url) as client:
            for match_id, told in list(self._matches.items()):
                match = client.get(f"/matches/{match_id}")
                if match["version"] < told:
                    step.violations.append(f"{match_id} was at {told} and is at {match['version']}")
                self._verify(step, client, match_id)
                if match["status"] == "running":
                    self._play(step, (client,), match_id, 10)
                    if client.get(f"/matches/{match_id}")["status"] == "running":
                        client.resign(match_id, 0)
                    self._verify(step, client, match_id)
                document = read_document(client.ask("GET", f"/matches/{match_id}/export").content)
                found = verify_document(document)
                if not (found.ok and found.decided_again):
                    wrong = found.difference or found.unchecked
                    step.violations.append(f"the export of {match_id}: {wrong}")
                step.matches += 1

    def _create(self, step: UpdateStep, client: Client, game: str, **more: Any) -> str:
        match_id = client.create(game, players=["ada", "bob"], **more)
        self._matches[match_id] = 1
        step.matches += 1
        return match_id

    def _play(self, step: UpdateStep, clients: Sequence[Client], match_id: str, most: int) -> None:
        """Make moves, each through the next client."""
        for number in range(most):
            version = clients[number % len(clients)].step(match_id)
            if version is None:
                return
            if version != (before := self._matches[match_id]) + 1:
                step.violations.append(f"{match_id} was at {before}, and a move made it {version}")
            self._matches[match_id] = version
            step.moves += 1

    def _verify(self, step: UpdateStep, client: Client, match_id: str) -> None:
        found = client.get(f"/matches/{match_id}/verify")
        if not found["ok"]:
            step.violations.append(f"{match_id} does not verify: {found['difference']}")
        elif not found["decided_again"] and client.get(f"/matches/{match_id}")["status"] == "ended":
            step.violations.append(f"{match_id} was not decided again: {found['unchecked']}")


def newest_rules(client: Client) -> dict[str, str]:
    """Ask which rules a release begins matches under."""
    return {game["game"]: game["rules_version"] for game in client.get("/games")["games"]}


def _noting(act: Callable[[], None], violations: list[str]) -> Callable[[], None]:
    """Return what does the same and notes a refusal, in a thread that nobody else hears."""

    def noting() -> None:
        try:
            act()
        except Exception as problem:  # noqa: BLE001 - of a thread: it is noted, and fails the run
            violations.append(repr(problem))

    return noting
