"""The judge of the fault run finds what is wrong: a run as it should be, altered in one place at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.proofs.faults.checker import check
from tests.proofs.faults.history import History, MatchHistory, Row
from tests.proofs.faults.notes import (
    Answered,
    AnyNote,
    AttemptOutcome,
    Denied,
    Finished,
    Forged,
    Looked,
    Notebook,
    Overheard,
    Pulled,
    Sent,
    Told,
    What,
    read_notes,
)
from tests.proofs.faults.sound_run import (
    BODY,
    FEED,
    HISTORY,
    KILLED,
    MATCH,
    NOTES,
    THE_THIRD,
    TRUTH,
    acknowledged,
    arrived,
    instead,
    refused,
    row,
    sent,
)
from tests.proofs.faults.violations import Rule


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
        {Rule.LOST, Rule.UNASKED},
    ),
    "two moves have changed places": (
        with_rows(START, row(2, 1, "b"), row(3, 0, "a"), C),
        {Rule.PLACE, Rule.OUTBOX, Rule.EXPECTED},
    ),
    "a request was made twice": (
        with_rows(START, A, row(3, 1, "b"), row(4, 1, "b")),
        {Rule.TWICE, Rule.LOST, Rule.PLACE, Rule.EXPECTED},
    ),
    "what was refused is there": (
        with_rows(START, A, B, row(4, 0, "refused")),
        {Rule.REFUSED, Rule.LOST, Rule.OUTBOX, Rule.EXPECTED},
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


def with_attempt(
    reason: str, at: float = 10, expected: int = 2, manner: str = "plain", what: What = What.MOVE
) -> tuple[AnyNote, ...]:
    """Ask for something, and be refused it at once."""
    return (
        *NOTES,
        sent(6, "d", 0, at=at, expected=expected, manner=manner, what=what),
        refused(6, reason, at=at),
    )


TOLD = [note for note in NOTES if isinstance(note, Told)]
WRONG_NOTES: dict[str, tuple[tuple[AnyNote, ...], set[Rule]]] = {
    "two answers to one request differ": (
        (*NOTES, sent(6, "a", 0, at=10), acknowledged(6, 3, at=11)),
        {Rule.PLACE},
    ),
    "a request was answered both ways": (
        (
            *NOTES,
            sent(6, "a", 0, at=10, expected=1),
            refused(6, "VERSION_CONFLICT", at=11),
        ),
        {Rule.REFUSED},
    ),
    "somebody got an internal error": (
        (
            *NOTES,
            sent(6, "d", 0, at=10),
            Answered(at=11, attempt=6, outcome=AttemptOutcome.STRANGE, reason="INTERNAL"),
        ),
        {Rule.ANSWER},
    ),
    "a move of an acknowledged match was told that there is no such match": (
        with_attempt("MATCH_NOT_FOUND"),
        {Rule.REASON},
    ),
    "somebody was refused without a reason": (with_attempt("status 404"), {Rule.REASON}),
    "a move that was legal was told a rule of the game": (with_attempt("NOT_YOUR_TURN"), {Rule.REASON}),
    "a resignation was told that it is late": (
        with_attempt("VERSION_CONFLICT", what=What.RESIGN),
        {Rule.REASON},
    ),
    "another move under an old request id was judged anew": (
        with_attempt("VERSION_CONFLICT", manner="reused"),
        {Rule.REASON},
    ),
    "a move was told that it is late before anything was moved": (
        with_attempt("VERSION_CONFLICT", at=0.5, expected=1),
        {Rule.REASON},
    ),
    "a move was told that it is late, and nothing ever came between": (
        with_attempt("VERSION_CONFLICT", expected=4),
        {Rule.REASON},
    ),
    "a match was said to be over, and went on": (with_attempt("MATCH_OVER", at=6.9), {Rule.REASON}),
    "somebody was told no who may look": (
        (*NOTES, Denied(at=9, who="player", what="/v1/matches/m", reason="MATCH_NOT_FOUND")),
        {Rule.DENIED},
    ),
    "a move was answered with others to act than its event has": (
        instead(THE_THIRD, to_act=(1,)),
        {Rule.OUTBOX},
    ),
    "a move was answered as the end that was none": (instead(THE_THIRD, ended=True), {Rule.OUTBOX}),
    "moves were not acknowledged any more after a harm": (
        (*NOTES, msgspec.structs.replace(KILLED, at=8.9)),
        {Rule.RECOVERY},
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
    "nobody could pull the feed": (
        tuple(note for note in NOTES if not isinstance(note, Pulled)),
        {Rule.FEED},
    ),
    "the feed stopped early": (without(Pulled(at=9, event_id=FEED[-1].id)), {Rule.FEED}),
    "somebody else sent a webhook": ((*NOTES, Forged(at=9)), {Rule.SIGNATURE}),
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
                Answered(at=11, attempt=6, outcome=AttemptOutcome.UNKNOWN, reason="timeout"),
            ),
            id="a request nobody knows of",
        ),
        pytest.param(
            lambda: with_attempt("NOT_YOUR_TURN", manner="rival"),
            id="a rival that breaks a rule",
        ),
        pytest.param(
            lambda: with_attempt("REQUEST_ID_REUSED", manner="reused"),
            id="another move under an old request id",
        ),
        pytest.param(
            lambda: (*NOTES, KILLED, msgspec.structs.replace(KILLED, at=8.9, number=2, games=())),
            id="a harm that concerns no moves",
        ),
    ],
)
def test_what_is_promised_to_nobody_is_no_violation(harmless: Callable[[], tuple[AnyNote, ...]]) -> None:
    assert check(harmless(), HISTORY) == []


def test_a_move_without_an_answer_may_be_there_or_not() -> None:
    answerless = tuple(note for note in NOTES if not (isinstance(note, Answered) and note.attempt == 5))
    assert check(answerless, HISTORY) == []


def test_a_move_without_an_answer_is_there_as_it_was_asked_for() -> None:
    answerless = tuple(note for note in NOTES if not (isinstance(note, Answered) and note.attempt == 5))
    other_action, other_seat = row(4, 1, "c", BODY), row(4, 0, "c", C.request)
    assert rules(answerless, with_rows(START, A, B, other_action)) == {Rule.UNASKED}
    assert rules(answerless, with_rows(START, A, B, other_seat)) == {Rule.UNASKED, Rule.OUTBOX}


def test_notes_are_read_as_they_were_written(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "notes.jsonl")
    for note in NOTES:
        notebook.add(note)
    notebook.close()
    assert read_notes(tmp_path / "notes.jsonl") == list(NOTES)
