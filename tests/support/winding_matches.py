"""Matches in which moves were taken back and put back, as the log would hold them, played in process."""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import UUID

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.match.commands import AnswerUndo, Redo, Undo
from engine.match.replay import LoggedMove, Playing
from engine.match.requests import RESIGN, read_request, start_request
from engine.registry import game as registered_game
from services.movelog.chain import genesis_hash
from services.movelog.records import Match, Move
from tests.support.match_documents import MATCH_ID, a_new_match, linked, standing

FURTHEST = 6
"""Versions that an undo goes back at most."""


def a_winding_match(
    *,
    game_id: str = "river_dragons",
    seats: int = 2,
    moves: int = 60,
    seed: int = 1,
    match_id: UUID = MATCH_ID,
) -> tuple[Match, tuple[Move, ...]]:
    """Play random moves, of which every fourth or so asks to go back or forth, then let seats resign."""
    game = registered_game(game_id)
    match = a_new_match(game_id, seats, seed, match_id)
    choices = SeededChance(hashlib.sha256(f"choices {seed}".encode()).digest(), 0)
    playing = Playing(game, match.secret)
    rows: list[Move] = []
    make_row(match, playing, rows, None, start_request(game.options_codec.decode(match.options), seats))
    while game.outcome(playing.state) is None and len(rows) <= moves:
        asks = playing.timeline.proposal is not None or choices.below(4) == 0
        if asks and _winds(match, playing, rows, choices):
            continue
        to_act = game.to_act(playing.state)
        seat = to_act[choices.below(len(to_act))]
        make_row(match, playing, rows, seat, encode(game.sample(playing.state, seat, choices)))
    for number in range(seats):
        if game.outcome(playing.state) is None:
            make_row(match, playing, rows, Seat(number), RESIGN)
    return standing(match, rows, playing.state), tuple(rows)


def a_match_of_many_rows(rows: int, *, match_id: UUID = MATCH_ID) -> tuple[Match, tuple[Move, ...]]:
    """Take one and the same move back and put it back, again and again; then the match ends."""
    game = registered_game("river_dragons")
    match = a_new_match(game.id, 2, 1, match_id)
    playing = Playing(game, match.secret)
    made: list[Move] = []
    seat = Seat(0)
    make_row(match, playing, made, None, start_request(game.options_codec.decode(match.options), 2))
    make_row(match, playing, made, seat, encode(game.sample(playing.state, seat, SeededChance(bytes(32), 0))))
    while len(made) < rows - 2:
        make_row(match, playing, made, seat, encode(Undo(to=1)))
        make_row(match, playing, made, seat, encode(Redo()))
    make_row(match, playing, made, seat, RESIGN)
    return standing(match, made, playing.state), tuple(made)


def _winds(match: Match, playing: Playing, rows: list[Move], choices: SeededChance) -> bool:
    """Undo, redo, or answer; return whether that was allowed."""
    seat = Seat(choices.below(match.seats))
    request: Any = Undo(to=max(1, len(rows) - choices.below(FURTHEST)))
    if playing.timeline.proposal is not None:
        request = AnswerUndo(accept=choices.below(4) > 0)
    elif playing.timeline.redoable and choices.below(2):
        request = Redo()
    try:
        make_row(match, playing, rows, seat, encode(request))
    except RuleViolation:
        return False
    return True


def make_row(match: Match, playing: Playing, rows: list[Move], seat: Seat | None, request: bytes) -> None:
    """Decide a request of a seat, and add its row to those before."""
    events, _ = playing.decide(seat, read_request(registered_game(match.game), request), request)
    seq = len(rows) + 1
    playing.take_in(LoggedMove(seq=seq, seat=seat, request=request, events=encode(events)))
    rows.append(
        linked(match, rows[-1].hash if rows else genesis_hash(match), seq, seat, request, encode(events))
    )
