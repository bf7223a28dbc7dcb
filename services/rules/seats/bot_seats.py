"""Handing a seat to a bot, and back to its player.

This is no move: nothing of it is in the log, and both directions may be repeated. The seat keeps its player and its
tokens, so a returning player needs no new token.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.seats import Seat
from engine.match.certain_end import must_end
from services.identity.callers import Caller
from services.movelog.lobby import MatchEnded, SeatFree
from services.movelog.records import SeatRecord
from services.rpc.refusals import Refused, malformed, rule_broken
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.token_use import generation_of, look_again

STAND_IN: Final = "greedy"
"""The bot that plays for a player whose time is up, if the match says that a bot does."""


async def stand_in(cache: MatchCache, loaded: LoadedMatch, seat: Seat) -> None:
    """Hand a late player's seat to a built-in bot; a seat that a bot plays already keeps that bot.

    The caller holds the match's lock.
    """
    await cache.check_seating(loaded)
    if not loaded.seating.seats[seat].bot:
        await hand_to_bot(cache, loaded, seat, STAND_IN)


async def hand_to_bot(cache: MatchCache, loaded: LoadedMatch, seat: Seat, bot: str) -> SeatRecord:
    """Hand a seat to a bot; `bot` is a name as `bot_names.read_bot` returns it. Raises Refused MATCH_OVER, NO_CERTAIN_END.

    The caller holds the match's lock, and has checked that the request is authorized.
    """
    _must_be_for_people(loaded)
    return await _hand(cache, loaded, seat, bot, None)


async def hand_back(cache: MatchCache, loaded: LoadedMatch, seat: Seat, caller: Caller) -> SeatRecord:
    """Hand a seat back to its player; do nothing if no bot plays it. Raises Refused MATCH_OVER.

    The caller holds the match's lock, and has checked that the request is authorized.
    """
    return await _hand(cache, loaded, seat, "", caller)


def _must_be_for_people(loaded: LoadedMatch) -> None:
    """Refuse a bot where only people may continue the match (certain_end.py)."""
    game = loaded.game
    try:
        must_end(game, game.options_codec.decode(loaded.match.options), forfeits=True, bots=True)
    except RuleViolation as violation:
        raise rule_broken(violation, game=game.id) from violation


async def _hand(
    cache: MatchCache, loaded: LoadedMatch, seat: Seat, bot: str, caller: Caller | None
) -> SeatRecord:
    generation = None if caller is None else generation_of(caller, loaded)
    try:
        row = await cache.log.lobby.seat_bot(loaded.match.id, seat, bot, generation)
    except MatchEnded:
        raise Refused(TableCode.MATCH_OVER, "the match is over: nobody plays any more") from None
    except SeatFree:
        await look_again(cache, loaded, caller)
        raise malformed("$.seat", "nobody has taken this seat") from None
    await cache.read_seating(loaded)
    return row
