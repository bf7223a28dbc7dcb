"""The judge of the fault run finds what is wrong: a run as it should be, altered in one place at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.faults.checker import check
from tests.faults.history import Event, History, MatchHistory, Row, read_event
from tests.faults.notes import (
    Answered,
    AnyNote,
    Arrived,
    Finished,
    Followed,
    Healed,
    Looked,
    Made,
    Notebook,
    Outcome,
    Overheard,
    Pulled,
    Sent,
    Struck,
    Told,
    What,
    read_notes,
)
from tests.faults.recovery import recoveries
from tests.faults.violations import Rule

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
        game="harbour",
        what=what,
        seat=seat,
        request_id=request_id,
        **(told | more),
    )


def acknowledged(attempt: int, version: int, at: float) -> Answered:
    return Answered(
        at=at,
        attempt=attempt,
        outcome=Outcome.ACKNOWLEDGED,
        version=version,
        events=EVENTS,
        to_act=WAITED_FOR[version],
        ended=version == 4,
    )


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
    Made(at=0, match=MATCH, game="harbour", seats=2),
    Followed(at=0, follower="public", match=MATCH, seat=None),
    sent(1, "a", 0, at=1),
    acknowledged(1, 2, at=2),
    sent(2, "b", 1, at=3),
    Answered(at=4, attempt=2, outcome=Outcome.UNKNOWN, reason="timeout"),
    sent(3, "b", 1, at=5, manner="again"),
    acknowledged(3, 3, at=6),
    sent(4, "refused", 0, at=6.5),
    Answered(at=6.6, attempt=4, outcome=Outcome.REFUSED, reason="VERSION_CONFLICT"),
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
    game="harbour",
    version=4,
    status="ended",
    rows=(row(1, None, "start"), row(2, 0, "a"), row(3, 1, "b"), row(4, 1, "c", "{}")),
    seen={eyes: dict.fromkeys(range(1, 5), EVENTS) for eyes in ("public", "0", "1")},
    hashes={version: f"h{version}" for version in range(1, 5)},
    replay="",
    offline="",
)
HISTORY = History(matches={MATCH: TRUTH}, listed=frozenset({MATCH}), feed=FEED)


def rules(notes: tuple[AnyNote, ...], history: History) -> set[Rule]:
    return {violation.rule for violation in check(notes, history)}


def test_a_run_as_it_should_be_is_found_so() -> None:
    assert check(NOTES, HISTORY) == []


def changed(match: MatchHistory) -> History:
    return msgspec.structs.replace(HISTORY, matches={MATCH: match})


def with_rows(*rows: Row) -> History:
    return changed(msgspec.structs.replace(TRUTH, rows=rows))


START, A, B, C = TRUTH.rows
WRONG_HISTORIES: dict[str, tuple[History, set[Rule]]] = {
    "an acknowledged move is not there": (
        with_rows(START, A, row(3, 1, "other"), C),
        {Rule.LOST, Rule.UNASKED},
    ),
    "an acknowledged move is there with another action": (
        with_rows(START, A, row(3, 1, "b", '{"type":"pass"}'), C),
        {Rule.LOST},
    ),
    "two moves have changed places": (
        with_rows(START, row(2, 1, "b"), row(3, 0, "a"), C),
        {Rule.PLACE, Rule.OUTBOX},
    ),
    "a request was made twice": (
        with_rows(START, A, row(3, 1, "b"), row(4, 1, "b")),
        {Rule.TWICE, Rule.LOST, Rule.PLACE},
    ),
    "what was refused is there": (
        with_rows(START, A, B, row(4, 0, "refused")),
        {Rule.REFUSED, Rule.LOST, Rule.OUTBOX},
    ),
    "there is a hole": (with_rows(START, A, C), {Rule.HOLE, Rule.LOST, Rule.OUTBOX, Rule.HASH}),
    "a match does not end": (
        changed(msgspec.structs.replace(TRUTH, status="running")),
        {Rule.STUCK, Rule.OUTBOX, Rule.TENANT_FEED},
    ),
    "the events of a move are others": (
        changed(msgspec.structs.replace(TRUTH, seen={**TRUTH.seen, "1": {**TRUTH.seen["1"], 3: "[]"}})),
        {Rule.EVENTS},
    ),
    "a hash is told otherwise": (
        changed(msgspec.structs.replace(TRUTH, hashes={**TRUTH.hashes, 2: "h0"})),
        {Rule.HASH},
    ),
    "the replay differs": (changed(msgspec.structs.replace(TRUTH, replay="a hash differs")), {Rule.REPLAY}),
    "the export does not verify": (changed(msgspec.structs.replace(TRUTH, offline="no")), {Rule.REPLAY}),
    "there is a match nobody was told of": (
        msgspec.structs.replace(HISTORY, listed=frozenset({MATCH, "n"})),
        {Rule.MATCHES},
    ),
    "a match is gone": (
        History(matches={}, listed=frozenset(), feed=()),
        {Rule.MATCHES, Rule.LOST, Rule.FEED, Rule.WEBHOOK},
    ),
    "a move has no event": (
        msgspec.structs.replace(HISTORY, feed=(*FEED[:4], *FEED[5:])),
        {Rule.OUTBOX, Rule.FEED, Rule.WEBHOOK},
    ),
    "an event is there twice": (
        msgspec.structs.replace(HISTORY, feed=(*FEED, FEED[-1])),
        {Rule.OUTBOX, Rule.FEED},
    ),
    "events are out of order": (
        msgspec.structs.replace(HISTORY, feed=(*FEED[:4], FEED[5], FEED[4], *FEED[6:])),
        {Rule.FEED, Rule.WEBHOOK_ORDER},
    ),
}


@pytest.mark.parametrize("what", WRONG_HISTORIES)
def test_what_the_api_says_is_held_against_the_notes(what: str) -> None:
    history, broken = WRONG_HISTORIES[what]
    assert rules(NOTES, history) == broken


def without(*unwanted: AnyNote) -> tuple[AnyNote, ...]:
    return tuple(note for note in NOTES if note not in unwanted)


THE_END = Overheard(at=9, match=MATCH, version=4, ended=True)
TOLD = [note for note in NOTES if isinstance(note, Told)]
WRONG_NOTES: dict[str, tuple[tuple[AnyNote, ...], set[Rule]]] = {
    "two answers to one request differ": (
        (*NOTES, sent(6, "a", 0, at=10), acknowledged(6, 3, at=11)),
        {Rule.PLACE},
    ),
    "a request was answered both ways": (
        (
            *NOTES,
            sent(6, "a", 0, at=10),
            Answered(at=11, attempt=6, outcome=Outcome.REFUSED, reason="VERSION_CONFLICT"),
        ),
        {Rule.REFUSED},
    ),
    "somebody got an internal error": (
        (
            *NOTES,
            sent(6, "d", 0, at=10),
            Answered(at=11, attempt=6, outcome=Outcome.STRANGE, reason="INTERNAL"),
        ),
        {Rule.ANSWER},
    ),
    "an older move was asked for later": (
        tuple(
            msgspec.structs.replace(note, at=20) if isinstance(note, Sent) and note.attempt == 1 else note
            for note in NOTES
        ),
        {Rule.ORDER},
    ),
    "somebody saw less than was acknowledged": (
        (*NOTES, Looked(at=9, match=MATCH, version=3, at_least=4, via="gateway 0")),
        {Rule.STALE},
    ),
    "a stream has a hole": (without(TOLD[1]), {Rule.STREAM, Rule.STREAM_END}),
    "a stream repeats itself": ((*NOTES, TOLD[-1]), {Rule.STREAM}),
    "a stream stops early": (without(TOLD[-1]), {Rule.STREAM_END}),
    "a stream is not told of the end": (without(Finished(at=9, follower="public")), {Rule.STREAM_END}),
    "a stream tells something else": (
        tuple(msgspec.structs.replace(note, events="[]") if note is TOLD[2] else note for note in NOTES),
        {Rule.STREAM_EVENTS},
    ),
    "the tenant's feed goes back": (
        (*NOTES[:-1], Overheard(at=9, match=MATCH, version=2, ended=False), *NOTES[-1:], THE_END),
        {Rule.TENANT_FEED},
    ),
    "the tenant's feed does not tell of the end": (without(THE_END), {Rule.TENANT_FEED}),
    "the feed skipped an event": (without(Pulled(at=9, event_id=FEED[3].id)), {Rule.FEED}),
    "a webhook never came": (without(arrived(FEED[6])), {Rule.WEBHOOK}),
    "a webhook came too early": (
        (*without(arrived(FEED[4]), arrived(FEED[8])), arrived(FEED[8]), arrived(FEED[4])),
        {Rule.WEBHOOK_ORDER},
    ),
    "a webhook came that is no event": (
        (*NOTES, msgspec.structs.replace(arrived(FEED[4]), event_id="none")),
        {Rule.WEBHOOK},
    ),
}


@pytest.mark.parametrize("what", WRONG_NOTES)
def test_what_clients_wrote_down_is_held_against_the_api(what: str) -> None:
    notes, broken = WRONG_NOTES[what]
    assert rules(notes, HISTORY) == broken


@pytest.mark.parametrize(
    "harmless",
    [
        pytest.param(
            lambda: (*NOTES, msgspec.structs.replace(arrived(FEED[4]), at=12)),
            id="a webhook that is repeated",
        ),
        pytest.param(
            lambda: (
                *NOTES,
                sent(6, "gone", 0, at=10),
                Answered(at=11, attempt=6, outcome=Outcome.UNKNOWN, reason="timeout"),
            ),
            id="a request nobody knows of",
        ),
        pytest.param(
            lambda: tuple(note for note in NOTES if not isinstance(note, Pulled)),
            id="a feed nobody has pulled",
        ),
    ],
)
def test_what_is_promised_to_nobody_is_no_violation(harmless: Callable[[], tuple[AnyNote, ...]]) -> None:
    assert check(harmless(), HISTORY) == []


def test_a_move_without_an_answer_may_be_there_or_not() -> None:
    answerless = tuple(note for note in NOTES if not (isinstance(note, Answered) and note.attempt == 5))
    assert check(answerless, HISTORY) == []


def test_notes_are_read_as_they_were_written(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "notes.jsonl")
    for note in NOTES:
        notebook.add(note)
    notebook.close()
    assert read_notes(tmp_path / "notes.jsonl") == list(NOTES)


def test_recovery_counts_until_every_gateway_has_acknowledged_a_move_sent_after_the_harm() -> None:
    struck = Struck(
        at=2.5,
        number=1,
        kind="gateway killed",
        victim="gateway 0",
        games=("harbour",),
        gateways=("gateway 0",),
    )
    elsewhere = msgspec.structs.replace(struck, number=2, gateways=("gateway 0", "gateway 1"))
    (found,) = recoveries((*NOTES, struck, Healed(at=4.5, number=1), elsewhere))
    assert (found.times, found.lasted, found.waited) == (2, (2.0,), (3.5,))
