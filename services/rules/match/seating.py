"""Creating a match: how its seats are filled, and the checks before it is stored."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec import structs

from engine.kernel.chance import SECRET_BYTES, commitment
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.match.certain_end import must_end
from engine.match.requests import check_seat_count
from services.movelog.batches import MatchNow
from services.movelog.clocks import AbsentRule
from services.movelog.failures import ForksUsedUp, ReferenceTaken
from services.movelog.lobby import PlayerRule
from services.movelog.log import MoveLog
from services.movelog.match_ids import new_match_id
from services.movelog.notes import NO_NOTES, Notes
from services.movelog.records import (
    ForkedFrom,
    ForkQuota,
    Match,
    MatchSettings,
    SeatRecord,
    SeatState,
    StartRule,
    TokenUse,
)
from services.process.bounds import MAX_PLAYER, MAX_TITLE
from services.process.reasons import Reason
from services.rpc.free_text import must_be_id, read_text
from services.rpc.refusals import Refused, malformed, rule_broken
from services.rules.match.admissible import named_player
from services.rules.match.notes import reference_taken
from services.rules.match.playable import under


@dataclass(frozen=True, kw_only=True)
class NewMatch:
    """A requested match."""

    tenant: str
    game: AnyGame
    seats: int
    options: Any
    players: Sequence[str] = ()
    """The platform's ids of players by seat; shorter than `seats` leaves them empty."""
    open_seats: bool = False
    plan: Sequence[SeatRecord] = field(default_factory=tuple)
    """How each seat is filled, in order; replaces the two fields above."""
    settings: MatchSettings = field(default_factory=MatchSettings)
    notes: Notes = NO_NOTES
    """What the tenant notes about it."""
    rematch_of: UUID | None = None
    forked_from: ForkedFrom | None = None
    rules_version: str = ""
    """The requested version of the rules; empty: that of `game`, even if it is a newer one when a request is repeated."""
    request_id: str | None = None
    account: str = ""
    """The account whose rate limits the tokens of all its seats use, if all seats belong to one caller."""
    rule: PlayerRule | None = None
    """How many matches that have not begun its maker may sit in; None: any number."""
    quota: ForkQuota | None = None
    """How many forks of one match its maker may make, if it is a fork."""


async def create(log: MoveLog, new: NewMatch, token: TokenUse | None = None) -> Match:
    """Store a new match. Return it, or the one that an earlier request with the same id made, or the existing rematch.

    `token` is the token of another match that the request uses. Raises TokensRevoked, TooManyWaiting, or Refused, such as
    TOO_MANY_FORKS and REFERENCE_TAKEN.
    """
    match, seats = prepare(new)
    try:
        if new.quota is None:
            stored = await log.create(match, seats, token=token, rule=new.rule, notes=new.notes)
        else:
            stored = await log.fork(match, seats, new.quota, token=token, notes=new.notes)
    except ReferenceTaken as clash:
        raise reference_taken(clash) from None
    except ForksUsedUp as used_up:
        assert new.quota is not None  # only `fork` raises it
        raise _forks_used_up(new.quota) from used_up
    if stored.id != match.id and not follows_same(new, stored):
        await _check_same_request(log, new, stored, match, seats)
    return stored


def follows_same(new: NewMatch, stored: Match) -> bool:
    """Return whether a stored match follows the match that a requested one is to follow; then it is the answer, whatever was requested."""
    return new.rematch_of is not None and stored.rematch_of == new.rematch_of


def prepare(new: NewMatch) -> tuple[Match, tuple[SeatRecord, ...]]:
    """Return the match and its seats as they would be stored. Raises Refused with what is wrong."""
    game = under(new.game, new.rules_version, field="$.rules_version") if new.rules_version else new.game
    try:
        check_seat_count(game, new.seats)
    except RuleViolation as violation:
        raise rule_broken(violation, game=game.id) from violation
    _check_options(game, new)
    _check_players(new)
    if new.rematch_of is None:  # a rematch gets the texts of the match before, as they were taken then
        new = _with_texts(new)
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
        rematch_of=new.rematch_of,
        forked_from=new.forked_from,
        **structs.asdict(new.settings),
    )
    return match, _seats(new)


def _forks_used_up(quota: ForkQuota) -> Refused:
    return Refused(
        Reason.TOO_MANY_FORKS,
        f"you have made {quota.most} forks of this match, as many as may be; play on in one of them",
        metadata={"limit": quota.most},
    )


async def _check_same_request(
    log: MoveLog, new: NewMatch, stored: Match, asked: Match, seats: tuple[SeatRecord, ...]
) -> None:
    """Refuse a request id that has created another match than the one requested now."""
    notes = await log.notes(stored.id)
    seating = await log.lobby.seating(stored.id)
    must_be_same(new, asked, seats, MatchNow(match=stored, seating=seating, notes=notes))


def must_be_same(new: NewMatch, asked: Match, seats: tuple[SeatRecord, ...], known: MatchNow) -> None:
    """Refuse a request whose id has created another match than the one requested now. `asked` and `seats` are as `prepare` returns them."""
    stored, notes = known.match, known.notes
    if notes.changed:  # what was asked for is not known any more
        asked = structs.replace(asked, title=stored.title, visibility=stored.visibility)
    same = _asked_of(stored) == _asked_of(asked) and new.rules_version in {"", stored.rules_version}
    same = same and (notes.changed or notes == new.notes)
    # Whoever has joined an open or invited seat meanwhile is no part of the request.
    same = same and all(
        (row.player, row.joined_by) == (was.player, was.joined_by)
        and ((row.name, row.data) == (was.name, was.data) or was.renamed)
        and row.bot in {was.bot, ""}
        for row, was in zip(seats, known.seating.seats, strict=False)
        if row.state is SeatState.TAKEN and was.generation == 0
    )
    if not same:
        raise Refused(Reason.REQUEST_ID_REUSED, "this request id was used to create another match")


def _asked_of(match: Match) -> tuple[object, ...]:
    """Return the values of a match that the request determines, without the players."""
    seats = match.seats + match.seats_left_out
    return match.game, seats, match.options, match.settings, match.forked_from, match.rematch_of


def _check_options(game: AnyGame, new: NewMatch) -> None:
    """Refuse options with which the match could not begin, or would never have to end."""
    clock = new.settings.clock
    forfeits = clock is not None and clock.absent is AbsentRule.FORFEIT
    bots = any(row.bot for row in new.plan)
    try:
        # Nobody waits at a fork: whoever makes it plays every seat, so it needs no clock.
        must_end(game, new.options, forfeits=forfeits or new.forked_from is not None, bots=bots)
        _check_with_some_count(game, new)
    except RuleViolation as violation:
        raise rule_broken(violation, game=game.id) from violation


def _check_with_some_count(game: AnyGame, new: NewMatch) -> None:
    """Refuse options that fit no number of players the match can begin with; started on demand it may begin with fewer."""
    fewer = [count for count in game.seat_counts if count < new.seats]
    refusal: RuleViolation | None = None
    for count in (new.seats, *(fewer if new.settings.start is StartRule.ON_DEMAND else ())):
        try:
            game.check_options(new.options, count, game.rules_version)
        except RuleViolation as violation:
            refusal = refusal or violation
        else:
            return
    if refusal is not None:
        raise refusal


def _seats(new: NewMatch) -> tuple[SeatRecord, ...]:
    if new.plan:
        return tuple(new.plan)
    if new.open_seats:
        return tuple(SeatRecord(seat=seat) for seat in range(new.seats))
    players = [*new.players, *[""] * (new.seats - len(new.players))]
    return tuple(
        SeatRecord(seat=seat, state=SeatState.TAKEN, player=player, account=new.account)
        for seat, player in enumerate(players)
    )


def _check_players(new: NewMatch) -> None:
    if new.plan:
        _check_plan(new)
    if new.open_seats and new.players:
        raise malformed("$.players", "players take open seats by joining; name none here")
    if len(new.players) > new.seats:
        raise malformed("$.players", f"has {len(new.players)} names for {new.seats} seats")


def _with_texts(new: NewMatch) -> NewMatch:
    """Return the match with its title and names as they are stored. Raises Refused for a text that cannot be taken."""
    if (
        new.forked_from is None
    ):  # in a fork made with a session, the seats are the player's, whose id was taken before
        for number, player in enumerate(new.players):
            must_be_id(player, f"$.players[{number}]", MAX_PLAYER)
    plan = tuple(
        structs.replace(row, name=named_player(row.player, row.name, at=f"$.seating[{number}]"))
        for number, row in enumerate(new.plan)
    )
    title = read_text(new.settings.title, "$.title", MAX_TITLE)
    return replace(new, plan=plan, settings=structs.replace(new.settings, title=title))


def _check_plan(new: NewMatch) -> None:
    if new.open_seats or new.players:
        raise malformed("$.seating", "says every seat by itself; leave out `players` and `open_seats`")
    if len(new.plan) != new.seats:
        raise malformed("$.seating", f"has {len(new.plan)} seats, the match {new.seats}")
    for number, row in enumerate(new.plan):
        if row.state is SeatState.OPEN and (row.player or row.name or row.data):
            raise malformed(f"$.seating[{number}]", "is open, so nobody can be named; invite the player")
