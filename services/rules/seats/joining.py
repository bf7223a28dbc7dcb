"""Joining and leaving: by the tenant for its players, by an invite, or in any public match with a free seat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any
from uuid import UUID

import msgspec

from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from services.identity.administration import own_player
from services.identity.callers import Caller, InviteCaller, PlayerCaller
from services.movelog.lobby import (
    MARK_BYTES,
    InviteRevoked,
    LobbyError,
    MatchStarted,
    NoFreeSeat,
    NoOpenMatch,
    PlayerRule,
    PlayerSeated,
    QuickJoin,
    SeatFree,
    SeatKept,
    SeatRequest,
    SeatRequestTaken,
    SeatTaken,
    SeatWanted,
    TooManyWaiting,
)
from services.movelog.log import MoveLog
from services.movelog.records import JoinedBy, MatchSettings, SeatRecord, SeatState, Visibility
from services.process.bounds import MAX_NAME, MAX_PLAYER
from services.process.reasons import Reason
from services.rpc.free_text import must_be_readable, read_text
from services.rpc.refusals import Refused, malformed
from services.rules.match.admissible import named_player
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import acting_seat, tenant_only
from services.rules.match.seating import NewMatch, prepare
from services.rules.match.token_use import generation_of, look_again
from services.rules.seats.player_data import read_data
from services.rules.seats.waiting_seats import room_for, too_many_waiting


@dataclass(frozen=True, kw_only=True)
class Joining:
    """A requested seat."""

    seat: int | None
    player: str
    name: str
    data: bytes
    """The player's data as JSON; empty: none."""
    request_id: str
    """Empty: the request cannot be repeated safely."""
    invite: InviteCaller | None = None
    """The invite that the request of a player contains."""


@dataclass(frozen=True, kw_only=True)
class LookingForMatch:
    """A requested seat in any public match."""

    tenant: str
    game: AnyGame
    seats: int | None
    options: Any | None
    player: str
    name: str
    create_if_none: bool
    request_id: str
    rule: PlayerRule | None = None
    """How many matches the player may wait in; None: any number."""


async def join(
    cache: MatchCache, loaded: LoadedMatch, caller: Caller | PlayerCaller, asked: Joining
) -> SeatRecord:
    """Take a seat. Of two concurrent requests exactly one gets it. The caller holds the match's lock."""
    match = loaded.match
    asked = _admitted(asked, caller)
    data = read_data(asked.data)
    if isinstance(caller, InviteCaller):
        wanted = _with_invite(caller, loaded, asked)
    elif isinstance(caller, PlayerCaller):
        wanted = _of_player(caller, loaded, asked)
    else:
        tenant_only(caller)
        if asked.seat is not None and not 0 <= asked.seat < match.seats:
            raise malformed("$.seat", f"this match has the seats 0 to {match.seats - 1}")
        wanted = SeatWanted(seat=asked.seat, player=asked.player, name=asked.name)
    who = wanted.player if isinstance(caller, PlayerCaller) else asked.player
    what = ("join", str(match.id), wanted.seat, who, asked.name, wanted.invite)
    said = (data.decode(),) if data else ()
    request = seat_request(match.tenant, asked.request_id, (*what, *said))
    if request is not None and (given := await given_before(cache.log, request)) is not None:
        return given[1]
    rule = _rule(caller, loaded, asked)
    wanted = msgspec.structs.replace(wanted, data=data, request=request, rule=rule)
    try:
        claimed = await cache.log.lobby.claim(match.id, wanted)
    except LobbyError as refusal:
        # The same request may have arrived twice at the same moment, and the other one has got the seat.
        given = None if request is None else await given_before(cache.log, request)
        if given is None:
            raise refused(refusal, seat=wanted.seat) from None
        claimed = given[1]
    await cache.read_seating(loaded)
    return claimed


def _rule(caller: Caller | PlayerCaller, loaded: LoadedMatch, asked: Joining) -> PlayerRule | None:
    """Return what must hold of the player who joins: nobody gets a second seat by asking twice.

    A player with two seats knows two hands. So a session and an invite get one seat of a match, and so does a player for whom
    the tenant asks for any seat; a tenant that names the seat may hand out several to one player.
    """
    match caller:
        case PlayerCaller():
            return room_for(caller, only_seat=True)
        case InviteCaller():
            player = loaded.seating.seats[caller.seat].player
        case _:
            player = asked.player if asked.seat is None else ""
    return PlayerRule(tenant=loaded.match.tenant, player=player, only_seat=True) if player else None


async def leave(cache: MatchCache, loaded: LoadedMatch, caller: Caller, seat: int | None) -> None:
    """Free a seat; freeing a free seat changes nothing. The caller holds the match's lock."""
    freed = acting_seat(caller, loaded.match, seat)
    used: int | None = None
    while (generation := generation_of(caller, loaded)) != used or used is None:
        used = generation
        try:
            await cache.log.lobby.leave(loaded.match.id, freed, generation)
            break
        except SeatFree:
            # Without a valid token the seat is free already, as the caller wants; a session goes on with newer tokens.
            await look_again(cache, loaded, caller)
            if generation is None:
                break
        except LobbyError as refusal:
            raise refused(refusal, seat=freed) from None
    await cache.read_seating(loaded)


async def quick_join(log: MoveLog, asked: LookingForMatch) -> tuple[UUID, SeatRecord]:
    """Take a seat at the oldest public match that fits, or at a new one. Raises Refused NO_OPEN_MATCH.

    The caller has checked the player's id.
    """
    asked = replace(asked, name=read_text(asked.name, "$.name", MAX_NAME))
    options = None if asked.options is None else encode(asked.options)
    what = ("quick_join", asked.game.id, asked.seats, (options or b"").decode(), asked.player, asked.name)
    request = seat_request(asked.tenant, asked.request_id, (*what, asked.create_if_none))
    if request is not None and (given := await given_before(log, request)) is not None:
        return given
    wanted = QuickJoin(
        tenant=asked.tenant,
        game=asked.game.id,
        rules_versions=tuple(one.version for one in asked.game.versions),
        player=asked.player,
        name=asked.name,
        seats=asked.seats,
        options=options,
        rule=asked.rule,
        request=request,
    )
    otherwise = prepare(_new_match(asked))[0] if asked.create_if_none else None
    try:
        return await log.lobby.quick_join(wanted, otherwise)
    except NoOpenMatch:
        raise Refused(
            Reason.NO_OPEN_MATCH, "no public match that waits for players fits; create one, or try again"
        ) from None
    except (SeatRequestTaken, TooManyWaiting) as refusal:
        given = None if request is None else await given_before(log, request)
        if given is None:
            raise refused(refusal, seat=None) from None
        return given


def _new_match(asked: LookingForMatch) -> NewMatch:
    game = asked.game
    return NewMatch(
        tenant=asked.tenant,
        game=game,
        seats=min(game.seat_counts) if asked.seats is None else asked.seats,
        options=game.options_codec.decode(b"{}") if asked.options is None else asked.options,
        open_seats=True,
        settings=MatchSettings(visibility=Visibility.PUBLIC),
    )


def _admitted(asked: Joining, caller: Caller | PlayerCaller) -> Joining:
    """Return a request with the name as it is stored. Raises Refused MALFORMED_REQUEST for an id or a name that cannot be taken.

    Invites and sessions name their player, so an id beside them is only compared, and may be one that an earlier release took.
    """
    if not isinstance(caller, InviteCaller | PlayerCaller):
        return replace(asked, name=named_player(asked.player, asked.name))
    must_be_readable(asked.player, "$.player", MAX_PLAYER)
    return replace(asked, name=read_text(asked.name, "$.name", MAX_NAME))


def _with_invite(caller: InviteCaller, loaded: LoadedMatch, asked: Joining) -> SeatWanted:
    """The tenant has named the player of the seat; the holder of the invite may add only a display name."""
    if asked.seat is not None and asked.seat != caller.seat:
        raise malformed("$.seat", f"this invite is for seat {caller.seat}")
    if asked.player and asked.player != loaded.seating.seats[caller.seat].player:
        raise malformed("$.player", "the invite names its player; leave this out")
    return SeatWanted(seat=caller.seat, name=asked.name, by=JoinedBy.INVITE, invite=caller.generation)


def _of_player(caller: PlayerCaller, loaded: LoadedMatch, asked: Joining) -> SeatWanted:
    """Return the seat that a session asks for: an open one, or that of the invite it has, for its own player only."""
    own_player(caller, asked.player, "$.player")
    if asked.invite is None:
        if asked.seat is not None and not 0 <= asked.seat < loaded.match.seats:
            raise malformed("$.seat", f"this match has the seats 0 to {loaded.match.seats - 1}")
        return SeatWanted(seat=asked.seat, player=caller.player, name=asked.name)
    invited = loaded.seating.seats[asked.invite.seat].player
    if invited not in {"", caller.player}:
        raise Refused(Reason.INVITE_INVALID, "this invite is for another player", field="$.invite")
    wanted = _with_invite(asked.invite, loaded, replace(asked, player=invited))
    return msgspec.structs.replace(wanted, player=caller.player)


def seat_request(tenant: str, request_id: str, what: tuple[object, ...]) -> SeatRequest | None:
    """Return what a request for a seat is noted under; None without a request id. `what` distinguishes requests with one id."""
    if not request_id:
        return None
    mark = blake2b(msgspec.json.encode(what), digest_size=MARK_BYTES).digest()
    return SeatRequest(tenant=tenant, request_id=request_id, mark=mark)


async def given_before(log: MoveLog, request: SeatRequest) -> tuple[UUID, SeatRecord] | None:
    """Return the seat that an earlier request with this id got. Raises Refused REQUEST_ID_REUSED, SEAT_GIVEN_UP.

    The caller will get a fresh token, so the seat must still be as that request left it: not given up, not taken by
    somebody else since, and without a revoked token.
    """
    given = await log.lobby.requested(request.tenant, request.request_id)
    if given is None:
        return None
    if given.mark != request.mark:
        raise Refused(Reason.REQUEST_ID_REUSED, "this request id was used to take a seat in another way")
    seats = (await log.lobby.seating(given.match_id)).seats
    held = seats[given.seat] if given.seat < len(seats) else None
    if held is None or held.state is not SeatState.TAKEN or held.generation != given.generation:
        raise Refused(
            Reason.SEAT_GIVEN_UP,
            "the seat that this request got has been given up since, or its tokens were revoked",
            metadata={"match_id": str(given.match_id), "seat": given.seat},
        )
    return given.match_id, held


def refused(error: LobbyError, *, seat: int | None) -> Refused:
    """Return the refusal of a request for a seat that was not granted."""
    metadata = {} if seat is None else {"seat": seat}
    match error:
        case SeatTaken():
            return Refused(Reason.SEAT_TAKEN, f"seat {seat} is taken", metadata=metadata)
        case SeatKept():
            return Refused(
                Reason.NOT_JOINABLE, f"seat {seat} is reserved for somebody else", metadata=metadata
            )
        case NoFreeSeat():
            return Refused(Reason.NO_FREE_SEAT, "no seat of this match is open")
        case MatchStarted():
            return Refused(Reason.MATCH_STARTED, "the match has begun; seats can no longer be taken or left")
        case PlayerSeated(seat=own):
            return Refused(
                Reason.NOT_JOINABLE, "the player has a seat of this match already", metadata={"seat": own}
            )
        case TooManyWaiting():
            return too_many_waiting()
        case InviteRevoked():
            return Refused(Reason.INVITE_INVALID, "this invite is no longer valid")
        case _:
            raise error
