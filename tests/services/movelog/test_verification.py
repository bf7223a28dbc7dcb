"""Verification: it agrees with an honest match, and finds every kind of dishonesty at its first place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.kernel.chance import commitment, raw_draw
from engine.kernel.seats import PUBLIC
from services.movelog.export import verification
from services.movelog.export.format import NULL, read_document, redacted_move, write_document
from services.movelog.export.verification import verify_document, verify_match
from services.movelog.records import Match, Move, Status
from tests.support.forked_matches import a_fork
from tests.support.match_documents import a_match, a_match_that_never_began, document_of, relinked

Rows = tuple[Move, ...]
Ended = tuple[Match, Rows]


@pytest.fixture(scope="module")
def ended() -> Ended:
    return a_match(moves=40)


def changed(rows: Rows, seq: int, **fields: object) -> Rows:
    return (*rows[: seq - 1], replace(rows[seq - 1], **fields), *rows[seq:])


def test_an_honest_match_is_verified_to_the_last_draw(ended: Ended) -> None:
    match, rows = ended
    found = verify_match(match, rows)
    assert found.ok
    assert found.decided_again
    assert found.moves == len(rows)
    assert found.draws, "the setup alone draws"
    for draw in found.draws:
        assert raw_draw(match.secret, draw.move, draw.number) % draw.bound == draw.value


def test_its_document_is_verified_as_well(ended: Ended) -> None:
    assert verify_document(read_document(document_of(*ended))) == verify_match(*ended)


def test_what_no_hash_of_a_row_covers_is_checked_beside_them(ended: Ended) -> None:
    """That the document of an ended match is for all, and who played it."""
    document = read_document(document_of(*ended))
    for_one = verify_document(replace(document, audience="seat 0"))
    assert (for_one.ok, for_one.difference_pointer) == (False, "/audience")
    of_others = verify_document(replace(document, players_hash="0" * 64))
    assert (of_others.ok, of_others.difference_pointer) == (False, "/players_hash")


def test_a_running_match_is_folded_and_its_draws_are_not_revealed() -> None:
    match, rows = a_match(resign=False)
    found = verify_match(match, rows)
    assert found.ok
    assert not found.decided_again
    assert found.draws == ()


FORGERIES: list[tuple[str, int, Callable[[Match, Rows], Ended]]] = [
    ("another secret", 0, lambda match, rows: (replace(match, secret=bytes(32)), rows)),
    (
        "one byte of an event",
        12,
        lambda match, rows: (match, changed(rows, 12, events=rows[11].events + b" ")),
    ),
    ("another seat", 12, lambda match, rows: (match, changed(rows, 12, seat=1 - (rows[11].seat or 0)))),
    ("another request id", 12, lambda match, rows: (match, changed(rows, 12, request_id="mine"))),
    ("another time", 12, lambda match, rows: (match, changed(rows, 12, recorded_at=match.created_at))),
    ("a move left out", 12, lambda match, rows: (match, rows[:11] + rows[12:])),
    ("the last move left out", 0, lambda match, rows: (match, rows[:-1])),
    ("two moves swapped", 12, lambda match, rows: (match, (*rows[:11], rows[12], rows[11], *rows[13:]))),
    ("other options", 1, lambda match, rows: (replace(match, options=b'{"variant":"expert"}'), rows)),
    (
        "another moment of creation",
        1,
        lambda match, rows: (replace(match, created_at=match.updated_at), rows),
    ),
]


@pytest.mark.parametrize(("version", "forge"), [pytest.param(v, f, id=name) for name, v, f in FORGERIES])
def test_a_change_behind_the_logs_back_is_found_where_it_is(
    ended: Ended, version: int, forge: Callable[[Match, Rows], Ended]
) -> None:
    found = verify_match(*forge(*ended))
    assert not found.ok
    assert found.difference_version == version


def other_events(match: Match, rows: Rows) -> Ended:
    return match, changed(rows, 12, events=rows[10].events)


def other_outcome(match: Match, rows: Rows) -> Ended:
    assert match.outcome is not None
    return replace(match, outcome=match.outcome.replace(b'"rank":1', b'"rank":2')), rows


def never_ended(match: Match, rows: Rows) -> Ended:
    return replace(match, version=12), rows[:12]


def another_secret(match: Match, rows: Rows) -> Ended:
    secret = bytes(32)
    return replace(match, secret=secret, commitment=commitment(secret)), rows


def a_start_for_three(match: Match, rows: Rows) -> Ended:
    return replace(match, seats=3), rows


@pytest.mark.parametrize(
    ("forge", "version"),
    [
        pytest.param(other_events, 12, id="an event changed"),
        pytest.param(another_secret, 1, id="dice of another secret"),
        pytest.param(other_outcome, -1, id="another winner"),
        pytest.param(never_ended, 12, id="the end cut off"),
        pytest.param(a_start_for_three, 1, id="a seat more than was started with"),
    ],
)
def test_a_forger_who_knows_the_secret_and_makes_every_hash_anew_is_found_by_the_rules(
    ended: Ended, forge: Callable[[Match, Rows], Ended], version: int
) -> None:
    match, rows = forge(*ended)
    found = verify_match(match, relinked(match, rows))
    assert not found.ok
    assert found.difference_version == (len(rows) if version < 0 else version)
    assert not found.difference.startswith("hash chain")


def test_a_match_that_says_it_still_runs_although_it_has_ended_is_found(ended: Ended) -> None:
    match, rows = ended
    found = verify_match(replace(match, status=Status.RUNNING, outcome=None), rows)
    assert not found.ok


def test_a_match_that_waits_for_the_wrong_seats_is_found() -> None:
    match, rows = a_match(resign=False)
    assert not verify_match(replace(match, to_act=(7,)), rows).ok


def test_a_match_that_says_it_was_begun_under_other_rules_is_found(ended: Ended) -> None:
    match, rows = ended
    older = replace(match, rules_version="1.0.0")
    found = verify_match(older, relinked(older, rows))
    assert (found.ok, found.difference_version) == (False, 1)


def test_a_running_match_that_says_it_was_begun_under_other_rules_is_found() -> None:
    match, rows = a_match(resign=False)
    older = replace(match, rules_version="1.0.0")
    found = verify_match(older, relinked(older, rows))
    assert found.difference == "the match was started under other rules than it says"


@pytest.mark.parametrize(
    ("claimed", "pointer"), [({"seats": 9}, "/seats"), ({"options": b'{"no":"such"}'}, "/options")]
)
def test_a_match_called_off_before_it_began_is_one_of_the_game(claimed: Any, pointer: str) -> None:
    match, rows = a_match_that_never_began()
    assert verify_match(match, rows).ok
    other = replace(match, **claimed)
    assert verify_match(other, relinked(other, rows)).difference_pointer == pointer


def test_a_match_of_rules_that_are_not_here_is_checked_as_far_as_its_hashes_go(ended: Ended) -> None:
    """Newer rules may have events that cannot be read here, so nothing else is held against it."""
    match, rows = ended
    older = replace(match, rules_version="0.0.1")
    found = verify_match(older, relinked(older, rows))
    assert found.ok
    assert not found.decided_again
    assert "0.0.1" in found.unchecked


def test_a_match_of_an_unknown_game_is_checked_as_far_as_its_hashes_go(ended: Ended) -> None:
    match, rows = ended
    foreign = replace(match, game="harbour")
    found = verify_match(foreign, relinked(foreign, rows))
    assert found.ok
    assert not found.decided_again
    assert "harbour" in found.unchecked


@pytest.mark.parametrize("part", ["pawns", "order", "reserves"])
def test_a_fork_of_a_table_that_cannot_be_played_on_is_found_and_breaks_nothing(part: str) -> None:
    """Its table is taken as it is, so the rules may meet one that no play leads to."""
    match, rows = a_fork(moves=3)
    (forked,) = msgspec.json.decode(rows[0].events)
    forked["state"][part] = []
    rows = relinked(match, changed(rows, 1, events=msgspec.json.encode([forked])))
    found = verify_document(read_document(document_of(match, rows)))
    assert (found.ok, found.moves) == (False, len(rows))
    assert found.difference == "the table of the fork is none that can be played on"
    assert (found.difference_version, found.difference_event) == (1, 0)
    assert found.difference_pointer == "/moves/0/events/0/state"


def test_a_fault_of_the_rules_is_not_taken_for_one_of_the_match(
    ended: Ended, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a fork brings a table of its own."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(verification, "decide_again", broken)
    with pytest.raises(ZeroDivisionError):
        verify_document(read_document(document_of(*ended)))


class TestAnExportOfARunningMatch:
    """It holds no secret, so only the links between its hashes can be checked."""

    @pytest.fixture
    def running(self) -> Ended:
        return a_match(resign=False, moves=10)

    def redacted(self, match: Match, rows: Rows) -> bytes:
        moves = [redacted_move(row, request=None, events=b"[]") for row in rows]
        return write_document(match, moves, audience=PUBLIC)

    def test_its_links_agree(self, running: Ended) -> None:
        found = verify_document(read_document(self.redacted(*running)))
        assert found.ok
        assert not found.decided_again

    def test_a_missing_move_is_found(self, running: Ended) -> None:
        match, rows = running
        document = read_document(self.redacted(replace(match, version=len(rows) - 1), rows[:4] + rows[5:]))
        found = verify_document(document)
        assert (found.difference_version, found.difference_pointer) == (5, "/moves/4/seq")
        assert found.difference == "move 5 is missing; move 6 stands in its place"

    def test_a_broken_link_is_found(self, running: Ended) -> None:
        match, rows = running
        document = read_document(self.redacted(match, changed(rows, 5, previous_hash=bytes(32))))
        found = verify_document(document)
        assert (found.difference_version, found.difference_pointer) == (5, "/moves/4/previous_hash")

    def test_an_end_without_its_secret_is_found(self, running: Ended) -> None:
        document = read_document(self.redacted(*running))
        found = verify_document(replace(document, status=Status.ENDED, outcome=NULL))
        assert not found.ok
        assert not found.decided_again
