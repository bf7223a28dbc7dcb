"""One match of the demo: created, played, followed, exported, replayed, verified."""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from engine.kernel.outcome import Outcome
from engine.kernel.seats import PUBLIC, Audience, Seat, seat_audience
from engine.registry import game as registered_game
from services.cli.console import OUT, printable, say
from services.cli.demo.comparison import Replayed, differences
from services.cli.demo.random_player import Played, play_to_the_end
from services.cli.sentences import printable_sentence
from services.client.match_subscriber import MatchSubscriber, as_query
from services.client.rest import Rest
from services.movelog.export.format import MatchDocument, read_document
from services.movelog.export.verification import Verification, verify_document

STREAM_SECONDS: Final = 60.0
"""How long the streams may lag behind the last move."""
VIEWS: Final = 8
"""How many earlier views are requested and compared."""


@dataclass(frozen=True)
class Wanted:
    """The match to be played."""

    game: str
    seats: int
    options: dict[str, Any]
    language: str
    """Of the sentence that says how it ended."""


@dataclass(frozen=True)
class Check:
    """The result of a comparison."""

    name: str
    ok: bool
    detail: str


@dataclass
class Report:
    """What was played and checked."""

    match_id: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return bool(self.checks) and all(check.ok for check in self.checks)

    def check(self, name: str, problems: list[str], agreed: str) -> None:
        """Record a comparison: its first problem, or what agrees."""
        self.checks.append(Check(name, not problems, problems[0] if problems else agreed))


async def demo_match(rest: Rest, wanted: Wanted) -> Report:
    """Play one match and check everything about it. Raises ProblemError, Unreachable."""
    body = {"game": wanted.game, "seats": wanted.seats, "options": wanted.options}
    created = await rest.post("/v1/matches", body, request_id=str(uuid.uuid4()))
    match_id = created["match"]["match_id"]
    report = Report(match_id)
    say(f"match {match_id}")
    subscribers = [
        MatchSubscriber(rest.address, created["seat_tokens"][0]["token"], match_id, seat_audience(Seat(0))),
        MatchSubscriber(rest.address, rest.credential, match_id, PUBLIC),
    ]
    streams = [asyncio.create_task(subscriber.read_to_the_end()) for subscriber in subscribers]
    try:
        began = time.monotonic()
        played = await _play(rest, match_id)
        seconds = time.monotonic() - began
        await asyncio.wait_for(asyncio.gather(*streams), STREAM_SECONDS)
    finally:
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
    document = read_document(await rest.get_bytes(f"/v1/matches/{match_id}/export"))
    _note_facts(rest, report, document, played, subscribers, seconds, wanted.language)
    await _check_all(rest, report, document, played, subscribers)
    return report


async def _play(rest: Rest, match_id: str) -> Played:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=OUT, transient=True) as progress:
        task = progress.add_task("playing ...", total=None)
        return await play_to_the_end(
            rest,
            match_id,
            acknowledged=lambda version: progress.update(task, description=f"playing: version {version}"),
        )


def _note_facts(
    rest: Rest,
    report: Report,
    document: MatchDocument,
    played: Played,
    subscribers: list[MatchSubscriber],
    seconds: float,
    language: str,
) -> None:
    game = registered_game(document.game, document.rules_version)
    outcome = msgspec.json.decode(document.outcome, type=Outcome)
    end = printable_sentence(game, language, lambda: game.texts.end(outcome), outcome.reason)
    moves = len(played.acknowledged)
    resumed = sum(subscriber.returns for subscriber in subscribers)
    report.facts += [
        ("end", printable(f"{end} (§{outcome.rule})")),
        (
            "moves",
            f"{moves} in {seconds:.1f} s, {moves / seconds:.0f} moves/s (one client, two requests a move)",
        ),
        ("events", str(sum(len(msgspec.json.decode(move.events)) for move in document.moves))),
    ]
    if rest.repeated or resumed:
        report.facts.append(
            ("trouble", f"{rest.repeated} requests sent again, streams resumed {resumed} times")
        )


async def _check_all(
    rest: Rest, report: Report, document: MatchDocument, played: Played, subscribers: list[MatchSubscriber]
) -> None:
    replayed = Replayed(registered_game(document.game, document.rules_version), document)
    _check_acknowledged(report, document, played)
    for subscriber in subscribers:
        who = name_of(subscriber.audience)
        agreed = f"snapshot and {len(subscriber.moves)} moves, versions without gaps, as replayed"
        report.check(f"stream of {who}", list(differences(subscriber, replayed)), agreed)
        await _check_views(rest, report, replayed, subscriber.audience)
    offline = verify_document(document)
    _check_verification(report, offline)
    online = await rest.get(f"/v1/matches/{report.match_id}/verify")
    problems = [] if online["ok"] else [online["difference"]]
    if (online["moves"], online["draws"]) != (offline.moves, len(offline.draws)):
        problems.append(f"the server counts {online['moves']} moves and {online['draws']} draws")
    report.check("server's verification", problems, "the same moves and draws as offline")


def _check_acknowledged(report: Report, document: MatchDocument, played: Played) -> None:
    logged = {move.seq for move in document.moves}
    lost = [version for version in played.acknowledged if version not in logged]
    report.check(
        "log",
        [f"move {lost[0]} was acknowledged and is not in the log"] if lost else [],
        f"all {len(played.acknowledged)} acknowledged moves are in it",
    )


async def _check_views(rest: Rest, report: Report, replayed: Replayed, audience: Audience) -> None:
    """Request earlier views, spread over the match, and compare each with the replay."""
    step = max(1, replayed.version // VIEWS)
    versions = [*range(1, replayed.version, step), replayed.version]
    problems = []
    for version in versions:
        shown = await rest.get(f"/v1/matches/{report.match_id}/view", at=version, **as_query(audience))
        if shown["view"] != replayed.view(version, audience):
            problems.append(f"the view at version {version} is not the replayed one")
    report.check(
        f"views of {name_of(audience)}", problems, f"{len(versions)} views, first to last, as replayed"
    )


def _check_verification(report: Report, offline: Verification) -> None:
    problems = [] if offline.ok else [f"version {offline.difference_version}: {offline.difference}"]
    if offline.ok and not offline.decided_again:
        problems.append(offline.unchecked)
    report.check(
        "hashes", problems, f"{offline.moves} rows, each linked to the one before, keyed with the secret"
    )
    report.check("draws", problems, f"{len(offline.draws)} recomputed from the committed secret")
    report.check("decisions", problems, f"all {offline.moves} moves decided again: the same events")


def name_of(audience: Audience) -> str:
    """Return the name of an audience."""
    return audience.kind.value if audience.seat is None else f"seat {audience.seat}"
