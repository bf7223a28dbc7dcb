"""What clients were answered, held against the log: nothing lost, nothing twice, nothing that was refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.kernel.codec import encode
from engine.match.commands import Abort
from engine.match.requests import Resign
from tests.proofs.faults.history import MatchHistory, Row
from tests.proofs.faults.notes import Answered, AttemptOutcome, Sent, What, canonical
from tests.proofs.faults.violations import Rule, Violation

Request = tuple[str, int | None, What, str]
"""Request id, seat, what, body: attempts that agree in all of them are one request."""
LEAVING: Final = {What.RESIGN: canonical(encode(Resign())), What.ABORT: canonical(encode(Abort()))}
"""How the log has what is no move."""


@dataclass
class Attempts:
    """All attempts at one request."""

    sent: list[Sent] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)

    def of(self, outcome: AttemptOutcome) -> list[Answered]:
        return [one for one in self.answered if one.outcome is outcome]


def by_match(sent: Sequence[Sent], answered: Sequence[Answered]) -> dict[str, dict[Request, Attempts]]:
    """Gather attempts by match and request."""
    answers = {one.attempt: one for one in answered}
    found: dict[str, dict[Request, Attempts]] = defaultdict(lambda: defaultdict(Attempts))
    for one in sent:
        attempts = found[one.match][one.request_id, one.seat, one.what, one.body]
        attempts.sent.append(one)
        if one.attempt in answers:
            attempts.answered.append(answers[one.attempt])
    return found


def check_lost(match_id: str, asked: Mapping[Request, Attempts]) -> Iterator[Violation]:
    """Name what was acknowledged of a match that is not there."""
    for (request_id, *_), attempts in asked.items():
        for one in attempts.of(AttemptOutcome.ACKNOWLEDGED)[:1]:
            yield Violation(
                Rule.LOST,
                f"{match_id} request {request_id}: acknowledged as move {one.version}, and its match is gone",
            )


def check_requests(match: MatchHistory, asked: Mapping[Request, Attempts]) -> Iterator[Violation]:
    """Hold what was asked of one match against its log. That of a match which has not ended shows no request ids."""
    yield from _check_versions(match)
    if match.status != "ended":
        yield from _check_unended(match, asked)
        return
    rows = {row.request_id: row for row in match.rows}
    for (request_id, seat, what, body), attempts in asked.items():
        row = rows.get(request_id)
        is_there = row is not None and _is_made_by(row, (request_id, seat, what, body))
        where = f"{match.game} {match.match} request {request_id}"
        acknowledged, refused = attempts.of(AttemptOutcome.ACKNOWLEDGED), attempts.of(AttemptOutcome.REFUSED)
        if refused and is_there:
            yield Violation(Rule.REFUSED, f"{where}: refused {refused[0].reason}, and is move {row.version}")
        if not acknowledged:
            continue
        if row is None or not is_there:
            yield Violation(
                Rule.LOST, f"{where}: acknowledged as move {acknowledged[0].version}, and is not there"
            )
            continue
        yield from _check_answers(match, row, acknowledged, where)
    yield from _check_order(match, asked)
    yield from _check_rows(match, asked)


def _check_answers(
    match: MatchHistory, row: Row, acknowledged: Sequence[Answered], where: str
) -> Iterator[Violation]:
    """Every acknowledgement says the same, and what the log says."""
    eyes = "public" if row.seat is None else str(row.seat)
    for answer in acknowledged:
        if answer.version != row.version:
            yield Violation(
                Rule.PLACE, f"{where}: acknowledged as move {answer.version}, and is {row.version}"
            )
        elif row.seat is not None and answer.events != match.seen[eyes].get(row.version):
            yield Violation(
                Rule.EVENTS, f"{where}: acknowledged with other events than move {row.version} has"
            )


def _check_order(match: MatchHistory, asked: Mapping[Request, Attempts]) -> Iterator[Violation]:
    """What was acknowledged before another request was first sent stands before it in the log."""
    spans = {}
    for attempts in asked.values():
        for answer in attempts.of(AttemptOutcome.ACKNOWLEDGED):
            begun = min(one.at for one in attempts.sent)
            _, known = spans.get(answer.version, (begun, answer.at))
            spans[answer.version] = (begun, min(known, answer.at))
    latest_begin, by = 0.0, 0
    for version in sorted(spans):
        begun, known = spans[version]
        if known < latest_begin:
            text = f"move {version} was acknowledged before move {by}, which stands before it, was asked for"
            yield Violation(Rule.ORDER, f"{match.game} {match.match}: {text}")
        if begun > latest_begin:
            latest_begin, by = begun, version


def _check_rows(match: MatchHistory, asked: Mapping[Request, Attempts]) -> Iterator[Violation]:
    """The log has no request twice, and nothing but the start that nobody asked for."""
    where = f"{match.game} {match.match}"
    for request_id, count in Counter(row.request_id for row in match.rows).items():
        if count > 1:
            yield Violation(Rule.TWICE, f"{where} request {request_id}: made {count} times")
    asked_for: dict[str, list[Request]] = defaultdict(list)
    for request in asked:
        asked_for[request[0]].append(request)
    for row in match.rows:
        known = asked_for.get(row.request_id or "", [])
        if row.version > 1 and not any(_is_made_by(row, request) for request in known):
            how = "so" if known else "at all"
            yield Violation(Rule.UNASKED, f"{where}: move {row.version} is a request nobody has sent {how}")


def _is_made_by(row: Row, request: Request) -> bool:
    """Return whether a row is what a request asks for: by this seat, and of a move with this action."""
    _, seat, what, body = request
    return row.seat == seat and row.request == (body if what is What.MOVE else LEAVING[what])


def _check_versions(match: MatchHistory) -> Iterator[Violation]:
    versions = [row.version for row in match.rows]
    if versions != list(range(1, match.version + 1)):
        where = f"{match.game} {match.match}"
        yield Violation(Rule.HOLE, f"{where}: at version {match.version} with the moves {_brief(versions)}")


def _check_unended(match: MatchHistory, asked: Mapping[Request, Attempts]) -> Iterator[Violation]:
    """Every match is played on until it ends: one that has not has lost something, or is stuck."""
    where = f"{match.game} {match.match}"
    yield Violation(Rule.STUCK, f"{where}: {match.status}, though everybody has left it")
    for (request_id, *_), attempts in asked.items():
        for answer in attempts.of(AttemptOutcome.ACKNOWLEDGED)[:1]:
            if answer.version > match.version:
                text = f"acknowledged as move {answer.version}, and the match is at {match.version}"
                yield Violation(Rule.LOST, f"{where} request {request_id}: {text}")


def _brief(versions: Sequence[int]) -> str:
    return f"{versions[:5]}…{versions[-5:]}" if len(versions) > 10 else str(versions)
