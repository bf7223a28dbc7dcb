"""Create, join, start."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec

from engine.kernel.chance import SECRET_BYTES, commitment
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.kernel.requests import StartMatch, check_seat_count
from services.movelog.log import MoveLog, NoFreeSeat, SeatTaken
from services.movelog.match_ids import new_match_id
from services.movelog.records import Match, SeatClaim
from services.rules.acting import Request, act
from services.rules.refusals import Reason, Refused, malformed, rule_broken
from services.rules.tables import Table, Tables

MAX_PLAYER_NAME: Final = 100
START_REQUEST_ID: Final = "·start"
"""Not ASCII, so no client's request id can be the same."""


@dataclass(frozen=True, kw_only=True)
class NewMatch:
    """A match as asked for."""

    tenant: str
    game: AnyGame
    seats: int
    options: Any
    players: Sequence[str]
    """The platform's names by seat; shorter than `seats` leaves names empty."""
    open_seats: bool
    request_id: str | None


async def create(log: MoveLog, new: NewMatch) -> Match:
    """Store a new match, or give the one an earlier request with the same id made; Refused says what is wrong."""
    try:
        check_seat_count(new.game, new.seats)
    except RuleViolation as violation:
        raise rule_broken(violation, game=new.game.id) from violation
    _check_players(new)
    now = datetime.now(UTC)
    secret = os.urandom(SECRET_BYTES)
    match = Match(
        id=new_match_id(),
        tenant=new.tenant,
        game=new.game.id,
        rules_version=new.game.rules_version,
        seats=new.seats,
        options=encode(new.options),
        secret=secret,
        commitment=commitment(secret),
        created_at=now,
        updated_at=now,
        request_id=new.request_id,
    )
    named = [] if new.open_seats else _names(new)
    claims = [SeatClaim(seat=seat, player=name) for seat, name in enumerate(named)]
    stored = await log.create(match, claims)
    if stored.id != match.id:
        await _check_same_request(log, stored, match, new)
    return stored


async def _check_same_request(log: MoveLog, stored: Match, asked: Match, new: NewMatch) -> None:
    """Refuse a request id that has created another match than the one asked for now."""
    same = (stored.game, stored.seats, stored.options) == (asked.game, asked.seats, asked.options)
    if same and not new.open_seats:  # players who have joined meanwhile are no part of the request
        seated = [claim.player for claim in await log.claims(stored.id)]
        same = seated == _names(new)
    if not same:
        raise Refused(Reason.REQUEST_ID_REUSED, "this request id was used to create another match")


def _names(new: NewMatch) -> list[str]:
    """Give every seat's player; who is not named has an empty name."""
    return [*new.players, *[""] * (new.seats - len(new.players))]


def _check_players(new: NewMatch) -> None:
    if new.open_seats and new.players:
        raise malformed("$.players", "players take open seats by joining; name none here")
    if len(new.players) > new.seats:
        raise malformed("$.players", f"has {len(new.players)} names for {new.seats} seats")
    for number, name in enumerate(new.players):
        check_player(name, f"$.players[{number}]")


def check_player(name: str, field: str) -> None:
    """Refuse a name that cannot be shown or stored."""
    if len(name) > MAX_PLAYER_NAME:
        raise malformed(field, f"has {len(name)} characters; at most {MAX_PLAYER_NAME} are kept")
    if not name.isprintable():
        raise malformed(field, "has characters that cannot be shown")


async def join(tables: Tables, match_id: UUID, seat: int | None, player: str) -> SeatClaim:
    """Take a free seat; two at once: exactly one gets it."""
    try:
        return await tables.log.claim(match_id, seat, player)
    except SeatTaken:
        raise Refused(Reason.SEAT_TAKEN, f"seat {seat} is taken", metadata={"seat": seat or 0}) from None
    except NoFreeSeat:
        raise Refused(Reason.NO_FREE_SEAT, "every seat of this match is taken") from None


async def start_when_full(tables: Tables, table: Table) -> None:
    """Start a match whose seats are all taken, whoever took the last one. The caller holds the table."""
    if table.version > 0:
        return
    if len(table.claims) < table.match.seats:
        table.claims = await tables.log.claims(table.match.id)
    if len(table.claims) < table.match.seats:
        return
    options = table.game.options_codec.decode(table.match.options)
    start = StartMatch(seats=table.match.seats, options=msgspec.Raw(encode(options)))
    await act(tables, table, Request(seat=None, body=start, request_id=START_REQUEST_ID, expected_version=0))
