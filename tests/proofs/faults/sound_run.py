"""A fault run as it should be, for the tests of whoever judges one: one match of four moves, its notes and its history."""

from __future__ import annotations

import msgspec

from tests.proofs.faults.history import Event, History, MatchHistory, Row, read_event
from tests.proofs.faults.notes import (
    Answered,
    AnyNote,
    Arrived,
    AttemptOutcome,
    Finished,
    Followed,
    Looked,
    Made,
    Overheard,
    Pulled,
    Sent,
    Struck,
    Told,
    What,
)

MATCH = "m"
EVENTS = '[{"type":"moved"}]'
BODY = '{"type":"move"}'
WAITED_FOR = {1: (0, 1), 2: (1,), 3: (0, 1), 4: ()}
"""Seats, by version; seat 1 leaves with the fourth."""


def sent(attempt: int, request_id: str, seat: int, at: float, what: What = What.MOVE, **more: object) -> Sent:
    told = {
        "body": BODY if what is What.MOVE else "",
        "expected": None,
        "via": "gateway 0",
        "manner": "plain",
    }
    return Sent(
        at=at,
        attempt=attempt,
        match=MATCH,
        game="river_dragons",
        what=what,
        seat=seat,
        request_id=request_id,
        **(told | more),
    )


def acknowledged(attempt: int, version: int, at: float) -> Answered:
    return Answered(
        at=at,
        attempt=attempt,
        outcome=AttemptOutcome.ACKNOWLEDGED,
        version=version,
        events=EVENTS,
        to_act=WAITED_FOR[version],
        ended=version == 4,
    )


def refused(attempt: int, reason: str, at: float) -> Answered:
    return Answered(at=at, attempt=attempt, outcome=AttemptOutcome.REFUSED, reason=reason)


def row(version: int, seat: int | None, request_id: str, request: str = BODY) -> Row:
    return Row(version=version, seat=seat, request_id=request_id, request=request, hash=f"h{version}")


def event(kind: str, version: int, seat: int | None = None) -> Event:
    data: dict[str, object] = {"match_id": MATCH, "version": version, "to_act": WAITED_FOR.get(version, ())}
    if seat is not None:
        data["seat"] = seat
    told = {"id": f"{kind}-{version}-{seat}", "type": f"foldtable.{kind}.v1", "data": data}
    return read_event(msgspec.json.encode(told))


FEED = (
    event("match.created", 0),
    event("match.started", 1),
    event("turn.started", 1, 0),
    event("turn.started", 1, 1),
    event("move.applied", 2, 0),
    event("move.applied", 3, 1),
    event("turn.started", 3, 0),
    event("move.applied", 4, 1),
    event("match.ended", 4),
)


def arrived(told: Event) -> Arrived:
    return Arrived(at=9, event_id=told.id, body=told.body, accepted=True)


NOTES: tuple[AnyNote, ...] = (
    Made(at=0, match=MATCH, game="river_dragons", seats=2),
    Followed(at=0, follower="public", match=MATCH, seat=None),
    sent(1, "a", 0, at=1, expected=1),
    acknowledged(1, 2, at=2),
    sent(2, "b", 1, at=3, expected=1),
    Answered(at=4, attempt=2, outcome=AttemptOutcome.UNKNOWN, reason="timeout"),
    sent(3, "b", 1, at=5, expected=1, manner="again"),
    acknowledged(3, 3, at=6),
    sent(4, "refused", 0, at=6.5, expected=2),
    refused(4, "VERSION_CONFLICT", at=6.6),
    sent(5, "c", 1, at=7, what=What.RESIGN),
    acknowledged(5, 4, at=8),
    Looked(at=8.5, match=MATCH, version=4, at_least=4, via="gateway 1"),
    *(Told(at=9, follower="public", version=version, events=EVENTS) for version in range(1, 5)),
    Finished(at=9, follower="public"),
    *(Overheard(at=9, match=MATCH, version=version, ended=version == 4) for version in (1, 3, 3, 4)),
    *(Pulled(at=9, event_id=told.id) for told in FEED),
    *map(arrived, FEED),
)
TRUTH = MatchHistory(
    match=MATCH,
    game="river_dragons",
    version=4,
    status="ended",
    rows=(row(1, None, "start"), row(2, 0, "a"), row(3, 1, "b"), row(4, 1, "c", '{"type":"resign"}')),
    seen={eyes: dict.fromkeys(range(1, 5), EVENTS) for eyes in ("public", "0", "1")},
    hashes={version: f"h{version}" for version in range(1, 5)},
    replay="",
    offline="",
)
HISTORY = History(matches={MATCH: TRUTH}, listed=frozenset({MATCH}), feed=FEED)
THE_THIRD = acknowledged(3, 3, at=6)
KILLED = Struck(
    at=2.5,
    number=1,
    kind="gateway killed",
    victim="gateway 0",
    games=("river_dragons",),
    gateways=("gateway 0",),
)


def instead(note: AnyNote, **changes: object) -> tuple[AnyNote, ...]:
    changed_note = msgspec.structs.replace(note, **changes)
    return tuple(changed_note if one == note else one for one in NOTES)
