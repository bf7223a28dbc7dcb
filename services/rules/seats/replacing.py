"""Replacing the player of a seat while the match runs: for a tenant whose player has gone, or may play no longer. The tenant may
give the other seats a say; that they were asked and have agreed is in the log (engine/match/replacement.py).

The hand, the moves and the clock stay with the seat. This is no move, so nothing of it is in the log: the seat's row says who
had it until which version (movelog/players.py). If the player before was away, the seat returns, which is a row of the log.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from engine.kernel.errors import TableCode
from engine.kernel.seats import Seat
from engine.match.commands import ReturnToSeat
from foldtable.matches.v1 import replacing_pb2
from services.identity.callers import Caller
from services.movelog.failures import StaleVersion
from services.movelog.lobby import LobbyError
from services.movelog.players import (
    MAX_REPLACED,
    ConsentOutdated,
    NotRunning,
    ReplacedTooOften,
    Replacement,
)
from services.movelog.records import SeatRecord, Status
from services.process.bounds import MAX_PLAYER
from services.process.reasons import Reason
from services.rpc.enums import members_of
from services.rpc.free_text import must_be_id
from services.rpc.refusals import Refused, malformed
from services.rules.match.admissible import named_player
from services.rules.match.appending import MAX_TRIES, Request, moved_too_fast
from services.rules.match.commands import run_command
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import acting_seat, tenant_only
from services.rules.match.timekeeping import away
from services.rules.seats.joining import given_before, refused, seat_request
from services.rules.seats.player_data import read_data


class ReplacementConsent(StrEnum):
    """Whose consent a replacement needs."""

    TENANT = "tenant"
    TABLE = "table"
    """That of all other seats, too."""


_CONSENTS: Final = members_of(
    ReplacementConsent,
    replacing_pb2.ReplacementConsent.DESCRIPTOR,
    unspecified=ReplacementConsent.TENANT,
)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Who is to have which seat."""

    seat: int
    player: str
    name: str
    data: bytes
    """The player's data as JSON; empty: none."""
    request_id: str
    """Empty: the request cannot be repeated safely."""
    consent: replacing_pb2.ReplacementConsent.ValueType


async def replace_player(cache: MatchCache, loaded: LoadedMatch, caller: Caller, asked: Asked) -> SeatRecord:
    """Give the seat to the new player, and return it. The caller holds the match's lock. Durable on return.

    Raises Refused: TENANT_ONLY, MALFORMED_REQUEST, MATCH_NOT_STARTED, MATCH_OVER, CONSENT_MISSING; NOT_JOINABLE if the player has a seat of the match
    already, the seat's player has left for good, or it had too many players; and for a repeat as joining does.
    """
    tenant = tenant_only(caller).tenant
    seat = acting_seat(caller, loaded.match, asked.seat)
    if not asked.player:
        raise malformed("$.player", "must name the player who is to have the seat")
    must_be_id(asked.player, "$.player", MAX_PLAYER)
    name, data = named_player(asked.player, asked.name), read_data(asked.data)
    if (consent := _CONSENTS.get(asked.consent)) is None:
        raise malformed("$.consent", "is not one of the known values")
    with_table = consent is ReplacementConsent.TABLE
    what = ("replace", str(loaded.match.id), seat, asked.player, name, data.decode())
    of_table = (consent.value,) if with_table else ()  # so ids of before there was a choice are known again
    request = seat_request(tenant, asked.request_id, (*what, *of_table))
    if request is not None and (given := await given_before(cache.log, request)) is not None:
        held = given[1]
    else:
        wanted = Replacement(
            tenant=tenant, seat=seat, version=0, player=asked.player, name=name, data=data, request=request
        )
        held = await _replace(cache, loaded, wanted, with_table=with_table)
    await cache.read_seating(loaded)
    await _be_back(cache, loaded, seat)
    return held


async def _replace(
    cache: MatchCache, loaded: LoadedMatch, wanted: Replacement, *, with_table: bool
) -> SeatRecord:
    seat = Seat(wanted.seat)
    for _ in range(MAX_TRIES):
        await cache.catch_up(loaded)
        _must_be_played(loaded, seat)
        asked_at = _asked_at(loaded, seat) if with_table else None
        try:
            at_version = msgspec.structs.replace(wanted, version=loaded.version, asked_at=asked_at)
            return await cache.log.players.replace(loaded.match.id, at_version)
        except StaleVersion:
            continue  # somebody has moved; who may be replaced is looked at again
        except NotRunning:
            raise _over() from None
        except ConsentOutdated:
            raise _no_consent(seat) from None
        except ReplacedTooOften:
            raise _not_joinable(
                f"seat {seat} had {MAX_REPLACED} other players before, as many as may be", seat
            ) from None
        except LobbyError as refusal:
            # The same request may have arrived twice at the same moment, and the other one has replaced the player.
            given = None if wanted.request is None else await given_before(cache.log, wanted.request)
            if given is None:
                raise refused(refusal, seat=seat) from None
            return given[1]
    raise moved_too_fast()


def _must_be_played(loaded: LoadedMatch, seat: Seat) -> None:
    match loaded.status:
        case Status.WAITING:
            raise Refused(
                Reason.MATCH_NOT_STARTED,
                "the match waits for players: let the player leave, and another join",
            )
        case Status.ENDED:
            raise _over()
    if seat in loaded.timeline.left():
        raise _not_joinable(f"the player of seat {seat} has left the match for good", seat)


def _asked_at(loaded: LoadedMatch, seat: Seat) -> int:
    """Return the version at which the table was last asked, and agreed. Raises Refused CONSENT_MISSING if it never did."""
    asked = loaded.timeline.agreed.get(seat)
    if asked is None:
        raise _no_consent(seat)
    return asked


async def _be_back(cache: MatchCache, loaded: LoadedMatch, seat: Seat) -> None:
    """End the absence of the player before, if there is one. A repeat of the request does it if this could not."""
    clock = loaded.match.clock
    clocks = None if clock is None else await cache.log.clocks.of(loaded.match.id)
    if clock is None or clocks is None or seat not in away(clock, clocks):
        return
    returning = Request(seat=seat, body=ReturnToSeat(), request_id="", expected_version=None)
    try:
        await run_command(cache, loaded, returning)
    except Refused as refusal:
        if refusal.reason not in {TableCode.NOT_AWAY, TableCode.MATCH_OVER}:
            raise  # the player returned, or the match ended, in this moment


def _over() -> Refused:
    return Refused(TableCode.MATCH_OVER, "the match is over: nobody plays any more")


def _no_consent(seat: Seat) -> Refused:
    return Refused(
        Reason.CONSENT_MISSING,
        f"the table has not agreed to replace the present player of seat {seat}",
        metadata={"seat": seat},
    )


def _not_joinable(why: str, seat: Seat) -> Refused:
    return Refused(Reason.NOT_JOINABLE, why, metadata={"seat": seat})
