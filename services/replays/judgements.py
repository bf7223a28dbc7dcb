"""What the replay of a stored match comes to, and the sums over many matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final
from uuid import UUID

import msgspec

from engine.kernel.chance import Draw
from engine.kernel.codec import Codec
from engine.kernel.errors import Unreadable
from engine.kernel.outcome import Outcome
from engine.match.other_rules import KeepsItsRules, decide_by
from engine.match.replay import Difference
from engine.registry import GameUnusable
from engine.registry import game as registered_game
from services.movelog.export.verification import logged_moves
from services.movelog.records import Match, Move, Status

NEWEST: Final = "newest"
"""In place of a version: the newest rules of each game."""
MAX_SHOWN: Final = 300
"""Most characters shown of an event or a refusal."""
_OUTCOME: Final = Codec[Outcome](Outcome)


class Verdict(StrEnum):
    """How a replay went."""

    SAME = "same"
    DIFFERS = "differs"
    UNDECIDED = "undecided"
    """The match could not be replayed."""


class _Tagged(msgspec.Struct):
    type: str = ""


_TAG: Final = msgspec.json.Decoder(_Tagged)


class JudgedSeat(msgspec.Struct, frozen=True):
    """The result of a seat in a match that has ended."""

    seat: int
    won: bool
    rank: int
    score: int | None


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """One match: what it was, and what its replay came to."""

    match_id: UUID
    game: str
    rules_version: str
    """Those it was played by."""
    replayed_by: str
    """The rules of the replay; empty if there are none."""
    seats: int
    status: str
    moves: int
    """Rows of its log."""
    draws: int = 0
    """Draws of luck in the rows that agree."""
    reason: str = ""
    """How it ended."""
    results: list[JudgedSeat] = []
    actions: dict[str, int] = {}
    """How often each was asked for, by tag; the start and the server's own requests included."""
    verdict: Verdict
    at: int | None = None
    """The first version that differs."""
    place: str = ""
    """What differs there: `request` if it is refused, `events`, or `events[n]`."""
    logged: str = ""
    """What the log has there; empty while the match runs, because it may be hidden from somebody."""
    decided: str = ""
    """What the rules decide in its place; empty like `logged`."""
    why: str = ""
    """Why the match could not be replayed."""


def judge(match: Match, moves: Sequence[Move], rules: str) -> Judgement:
    """Replay a match by rules: those of a version, `newest`, or its own if empty. Whatever its rows hold, nothing is raised."""
    base = _beginning(match, moves)
    drawn: list[Draw] = []
    try:
        own = registered_game(match.game, match.rules_version)
        other = own.newest if rules == NEWEST else own.by(rules) if rules else own
    except (KeyError, GameUnusable) as unknown:
        return msgspec.structs.replace(base, why=str(unknown.args[0]))
    base = msgspec.structs.replace(base, replayed_by=other.rules_version)
    try:
        difference = decide_by(own, other, logged_moves(moves), match.secret, drawn=drawn)
    except KeepsItsRules as kept:
        return msgspec.structs.replace(base, why=str(kept))
    except Exception as problem:  # noqa: BLE001 - forged rows of one match must not end the replay of the others
        return msgspec.structs.replace(
            base, why=f"the rules cannot decide these rows: {type(problem).__name__}"
        )
    base = msgspec.structs.replace(base, draws=len(drawn), verdict=Verdict.SAME)
    return base if difference is None else _differing(base, match, difference)


def unread(match: Match | None, match_id: UUID, why: str) -> Judgement:
    """Return the judgement of a match that cannot be read, or that there is no secret of."""
    return Judgement(
        match_id=match_id,
        game="" if match is None else match.game,
        rules_version="" if match is None else match.rules_version,
        replayed_by="",
        seats=0 if match is None else match.seats,
        status="" if match is None else match.status.value,
        moves=0 if match is None else match.version,
        verdict=Verdict.UNDECIDED,
        why=why,
    )


def _beginning(match: Match, moves: Sequence[Move]) -> Judgement:
    """Return what is known of a match before its replay."""
    outcome = None
    if match.outcome is not None:
        with suppress(Unreadable):  # whether an outcome is what the moves lead to is for the audit to say
            outcome = _OUTCOME.decode(match.outcome)
    return Judgement(
        match_id=match.id,
        game=match.game,
        rules_version=match.rules_version,
        replayed_by="",
        seats=match.seats,
        status=match.status.value,
        moves=len(moves),
        reason="" if outcome is None else outcome.reason,
        results=[]
        if outcome is None
        else [
            JudgedSeat(one.seat, one.seat in outcome.winners, one.rank, one.score) for one in outcome.results
        ],
        actions=dict(Counter(map(_tag, moves))),
        verdict=Verdict.UNDECIDED,
    )


def _tag(move: Move) -> str:
    try:
        return _TAG.decode(move.request).type
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


def _differing(base: Judgement, match: Match, difference: Difference) -> Judgement:
    is_over = match.status is Status.ENDED
    return msgspec.structs.replace(
        base,
        verdict=Verdict.DIFFERS,
        at=difference.seq,
        place=difference.place,
        logged=difference.logged[:MAX_SHOWN] if is_over else "",
        decided=difference.decided[:MAX_SHOWN] if is_over else "",
    )
