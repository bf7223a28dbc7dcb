"""Forks as the log would hold them, played in process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, Seat
from engine.match import forking
from engine.match.commands import Forked
from engine.match.forking import Fork
from engine.match.replay import LoggedMove, Playing
from engine.match.requests import RESIGN, read_request
from engine.registry import game as registered_game
from services.movelog.chain import genesis_hash
from services.movelog.export.verification import logged_moves
from services.movelog.records import ForkedFrom, Match, Move
from tests.support.match_documents import a_match, a_new_match, linked, standing

FORK_ID = UUID("01940000-0000-7000-8000-00000000000f")


def a_fork(
    *,
    game_id: str = "river_dragons",
    seats: int = 2,
    moves: int = 60,
    seed: int = 1,
    at: int = 8,
    match_id: UUID = FORK_ID,
    altered: Callable[[Any], Any] = lambda state: state,
) -> tuple[Match, tuple[Move, ...]]:
    """Fork a random match as the public knows it at a version, play random moves, then let seats resign.

    `altered` gives another table to begin at: a fork's table is taken as it is.
    """
    game = registered_game(game_id)
    original, rows = a_match(game_id=game_id, seats=seats, moves=at, seed=seed, resign=False)
    match = a_new_match(game_id, seats, seed + 1000, match_id)
    forked_from = ForkedFrom(match_id=original.id, version=len(rows), audience=PUBLIC)
    match = replace(match, forked_from=forked_from)
    source = Playing(game, original.secret)
    for move in logged_moves(rows):
        source.take_in(move)
    fork = Fork(
        of=str(original.id),
        version=len(rows),
        audience=PUBLIC,
        seats=seats,
        options=msgspec.Raw(match.options),
    )
    (dealt,) = forking.deal(game, source.state, fork, SeededChance(match.secret, 1))
    table = altered(game.state_codec.decode(bytes(dealt.state)))
    events = (
        Forked(of=dealt.of, version=dealt.version, audience=dealt.audience, state=msgspec.Raw(encode(table))),
    )
    playing = Playing(game, match.secret)
    made: list[Move] = []
    _take_in(match, playing, made, None, encode(fork), encode(events))
    choices = SeededChance(match.secret, 1 << 32)
    while game.outcome(playing.state) is None:
        to_act = game.to_act(playing.state)
        seat = Seat(to_act[choices.below(len(to_act))])
        body = encode(game.sample(playing.state, seat, choices)) if len(made) <= moves else RESIGN
        decided, _ = playing.decide(seat, read_request(game, body), body)
        _take_in(match, playing, made, seat, body, encode(decided))
    return standing(match, made, playing.state), tuple(made)


def _take_in(
    match: Match, playing: Playing, rows: list[Move], seat: Seat | None, request: bytes, events: bytes
) -> None:
    seq = len(rows) + 1
    playing.take_in(LoggedMove(seq=seq, seat=seat, request=request, events=events))
    rows.append(linked(match, rows[-1].hash if rows else genesis_hash(match), seq, seat, request, events))
