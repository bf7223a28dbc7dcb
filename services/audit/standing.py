"""Checks a match's own columns against what its rows lead to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engine.kernel.codec import encode
from engine.kernel.errors import Unreadable
from engine.kernel.game import AnyGame
from engine.match.replay import Difference
from services.audit.findings import Finding, shown
from services.audit.replayed import Replayed
from services.movelog.records import ForkedFrom, Match, Move, Status


def altered_standing(
    game: AnyGame, match: Match, moves: Sequence[Move], result: Replayed
) -> Iterator[Finding]:
    """Yield the columns of a match that do not follow from its rows. Its chain must be intact."""
    if result.difference is not None:
        yield _decided_otherwise(match, result.difference)
        return
    to_act = result.to_act[-1] if result.to_act else ()
    outcome = None if result.outcome is None else encode(result.outcome)
    updated_at = moves[-1].recorded_at if moves else match.created_at
    expected: tuple[tuple[str, object, object], ...] = (
        ("status", result.status.value, match.status.value),
        ("seats_to_act", to_act, match.to_act),
        ("outcome", outcome, match.outcome),
        ("paused_by", result.paused_by, match.paused_by if result.outcome is None else result.paused_by),
        ("updated_at" if moves else "updated_at or created_at", updated_at, match.updated_at),
    )
    for column, should, found in expected:
        if should != found:
            yield _of(match, column, "is not what the moves lead to", should, found)
    yield from _beginning(game, match, moves, result)


def _beginning(game: AnyGame, match: Match, moves: Sequence[Move], result: Replayed) -> Iterator[Finding]:
    """Check what was chosen when the match was created, as far as the first row or the game determines it."""
    if match.seats not in game.seat_counts:
        yield _of(match, "seats", "the game is not made for so many", found=match.seats)
    if match.seats_left_out and match.seats + match.seats_left_out not in game.seat_counts:
        yield _of(match, "seats_left_out", "the game is not made for so many", found=match.seats_left_out)
    if match.seats_left_out and match.status is Status.WAITING:
        yield _of(
            match, "seats_left_out", "no seat is left out before the match begins", 0, match.seats_left_out
        )
    try:
        game.options_codec.decode(match.options)
    except Unreadable as problem:
        yield _of(match, "options", f"no options of the game, at {problem.pointer}")
    if moves and (forked := _fork_of(result)) != match.forked_from:
        yield _of(match, "forked_from", "is not where the first row begins", forked, match.forked_from)


def _fork_of(result: Replayed) -> ForkedFrom | None:
    fork = result.forked
    if fork is None:
        return None
    return msgspec.convert(
        {"match_id": fork.of, "version": fork.version, "audience": fork.audience}, ForkedFrom
    )


def _decided_otherwise(match: Match, difference: Difference) -> Finding:
    """Return the finding that the rules decide differently although all hashes fit: the writer knew the secret, or the rules changed."""
    revealed = match.status is Status.ENDED
    return Finding(
        table="moves",
        match_id=match.id,
        seq=difference.seq,
        column="request" if difference.place == "request" else "events",
        what=f"the rules decide {difference.place} otherwise",
        expected=shown(difference.decided) if revealed else "",
        found=shown(difference.logged) if revealed else "",
    )


def _of(match: Match, column: str, what: str, expected: object = None, found: object = None) -> Finding:
    return Finding(
        table="matches",
        match_id=match.id,
        column=column,
        what=what,
        expected=_value(expected),
        found=_value(found),
    )


def _value(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else shown(value)
