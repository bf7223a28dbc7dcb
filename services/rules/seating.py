"""Creating a match: what its seats are for, and what a match must be to be stored."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from engine.kernel.chance import SECRET_BYTES, commitment
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.kernel.requests import check_seat_count
from services.movelog.clocks import Clock
from services.movelog.log import MoveLog
from services.movelog.match_ids import new_match_id
from services.movelog.records import (
    UNDO_TIMEOUT,
    ForkedFrom,
    Match,
    SeatRecord,
    SeatState,
    StartRule,
    UndoRule,
    Visibility,
)
from services.rpc.refusals import Reason, Refused, malformed, rule_broken
from services.rules.playable import under

MAX_PLAYER: Final = 64
"""Characters of a player's id."""
MAX_NAME: Final = 100
MAX_TITLE: Final = 100


@dataclass(frozen=True, kw_only=True)
class NewMatch:
    """A match as asked for."""

    tenant: str
    game: AnyGame
    seats: int
    options: Any
    players: Sequence[str] = ()
    """The platform's ids of players by seat; shorter than `seats` leaves them empty."""
    open_seats: bool = False
    plan: Sequence[SeatRecord] = field(default_factory=tuple)
    """Every seat by itself, in order, instead of the two above."""
    visibility: Visibility = Visibility.PRIVATE
    start: StartRule = StartRule.WHEN_FULL
    title: str = ""
    undo: UndoRule = UndoRule.CONSENT
    undo_timeout: timedelta = UNDO_TIMEOUT
    clock: Clock | None = None
    rematch_of: UUID | None = None
    forked_from: ForkedFrom | None = None
    rules_version: str = ""
    """The rules asked for; empty: those of `game`, whichever they are by now when a request is repeated."""
    request_id: str | None = None


async def create(log: MoveLog, new: NewMatch) -> Match:
    """Store a new match, or give the one an earlier request with the same id made, or the one that follows already.

    Refused says what is wrong.
    """
    match, seats = prepare(new)
    stored = await log.create(match, seats)
    has_followed = new.rematch_of is not None and stored.rematch_of == new.rematch_of
    if stored.id != match.id and not has_followed:
        await _check_same_request(log, new, stored, match, seats)
    return stored


def prepare(new: NewMatch) -> tuple[Match, tuple[SeatRecord, ...]]:
    """Give the match and its seats as they would be stored; Refused says what is wrong."""
    game = under(new.game, new.rules_version, field="$.rules_version") if new.rules_version else new.game
    try:
        check_seat_count(game, new.seats)
    except RuleViolation as violation:
        raise rule_broken(violation, game=game.id) from violation
    _check_players(new)
    check_text(new.title, "$.title", MAX_TITLE)
    now = datetime.now(UTC)
    secret = os.urandom(SECRET_BYTES)
    match = Match(
        id=new_match_id(),
        tenant=new.tenant,
        game=game.id,
        rules_version=game.rules_version,
        seats=new.seats,
        options=encode(new.options),
        secret=secret,
        commitment=commitment(secret),
        created_at=now,
        updated_at=now,
        request_id=new.request_id,
        visibility=new.visibility,
        start=new.start,
        title=new.title,
        undo=new.undo,
        undo_timeout=new.undo_timeout,
        clock=new.clock,
        rematch_of=new.rematch_of,
        forked_from=new.forked_from,
    )
    return match, _seats(new)


async def _check_same_request(
    log: MoveLog, new: NewMatch, stored: Match, asked: Match, seats: tuple[SeatRecord, ...]
) -> None:
    """Refuse a request id that has created another match than the one asked for now."""
    same = _asked_of(stored) == _asked_of(asked) and new.rules_version in {"", stored.rules_version}
    if same:  # whoever has joined an open or invited seat meanwhile is no part of the request
        seated = (await log.lobby.seating(stored.id)).seats
        same = all(
            (row.player, row.joined_by) == (was.player, was.joined_by)
            and (row.name == was.name or was.renamed)
            and row.bot in {was.bot, ""}
            for row, was in zip(seats, seated, strict=False)
            if row.state is SeatState.TAKEN and was.generation == 0
        )
    if not same:
        raise Refused(Reason.REQUEST_ID_REUSED, "this request id was used to create another match")


def _asked_of(match: Match) -> tuple[object, ...]:
    """Give what a request says of a match, but for who sits there."""
    seats = match.seats + match.seats_left_out
    told = match.visibility, match.start, match.title, match.undo, match.undo_timeout
    return match.game, seats, match.options, *told, match.forked_from, match.clock, match.rematch_of


def _seats(new: NewMatch) -> tuple[SeatRecord, ...]:
    if new.plan:
        return tuple(new.plan)
    if new.open_seats:
        return tuple(SeatRecord(seat=seat) for seat in range(new.seats))
    players = [*new.players, *[""] * (new.seats - len(new.players))]
    return tuple(
        SeatRecord(seat=seat, state=SeatState.TAKEN, player=player) for seat, player in enumerate(players)
    )


def _check_players(new: NewMatch) -> None:
    if new.plan:
        _check_plan(new)
    if new.open_seats and new.players:
        raise malformed("$.players", "players take open seats by joining; name none here")
    if len(new.players) > new.seats:
        raise malformed("$.players", f"has {len(new.players)} names for {new.seats} seats")
    for number, player in enumerate(new.players):
        check_text(player, f"$.players[{number}]", MAX_PLAYER)


def _check_plan(new: NewMatch) -> None:
    if new.open_seats or new.players:
        raise malformed("$.seating", "says every seat by itself; leave out `players` and `open_seats`")
    if len(new.plan) != new.seats:
        raise malformed("$.seating", f"has {len(new.plan)} seats, the match {new.seats}")
    for number, row in enumerate(new.plan):
        check_player(row.player, row.name, at=f"$.seating[{number}]")
        if row.state is SeatState.OPEN and (row.player or row.name):
            raise malformed(f"$.seating[{number}]", "is open, so nobody can be named; invite the player")


def check_player(player: str, name: str, *, at: str = "$") -> None:
    """Refuse a player who cannot be shown or stored."""
    check_text(player, f"{at}.player", MAX_PLAYER)
    check_text(name, f"{at}.name", MAX_NAME)


def check_text(text: str, at: str, most: int) -> None:
    """Refuse text that cannot be shown or stored."""
    if len(text) > most:
        raise malformed(at, f"has {len(text)} characters; at most {most} are kept")
    if not text.isprintable():
        raise malformed(at, "has characters that cannot be shown")
