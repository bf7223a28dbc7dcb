"""Matches as the log would hold them, played in process: for tests of exports, verification and replay."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from engine.kernel.chance import SeededChance, commitment
from engine.kernel.codec import encode
from engine.match.aborting import ABORTED, by_tenant
from engine.match.commands import Abort
from engine.match.replay import fold
from engine.match.requests import RESIGN, decide_request, read_request, start_request
from engine.registry import game as registered_game
from services.movelog.chain import genesis_hash, row_hash
from services.movelog.export.format import Sign, whole_move, write_document
from services.movelog.records import Match, Move, SeatClaim, Status

MATCH_ID = UUID("01940000-0000-7000-8000-000000000001")
CREATED_AT = datetime(2026, 5, 4, 12, 0, 0, 123456, tzinfo=UTC)


def a_match(
    *,
    game_id: str = "river_dragons",
    seats: int = 2,
    moves: int = 40,
    seed: int = 1,
    resign: bool = True,
    match_id: UUID = MATCH_ID,
    choices_of: int | None = None,
) -> tuple[Match, tuple[Move, ...]]:
    """Play random moves, then let seats resign until the match is over (or, without `resign`, leave it running).

    With another number in `choices_of` other moves are played with the very same secret.
    """
    game = registered_game(game_id)
    match = a_new_match(game_id, seats, seed, match_id)
    options = game.options_codec.decode(match.options)
    choices = SeededChance(
        hashlib.sha256(f"choices {seed if choices_of is None else choices_of}".encode()).digest(), 0
    )
    rows: list[Move] = []
    state = append(match, rows, None, None, start_request(options, seats))
    while game.outcome(state) is None and len(rows) <= moves:
        to_act = game.to_act(state)
        seat = to_act[choices.below(len(to_act))]
        state = append(match, rows, state, seat, encode(game.sample(state, seat, choices)))
    for seat in range(seats if resign else 0):
        if game.outcome(state) is None:
            state = append(match, rows, state, seat, RESIGN)
    return standing(match, rows, state), tuple(rows)


def a_new_match(game_id: str, seats: int, seed: int, match_id: UUID) -> Match:
    """Return a match that nobody has moved in, with the game's usual options."""
    game = registered_game(game_id)
    secret = hashlib.sha256(f"secret {seed}".encode()).digest()
    return Match(
        id=match_id,
        tenant="dev",
        game=game_id,
        rules_version=game.rules_version,
        seats=seats,
        options=encode(game.options_codec.decode(b"{}")),
        secret=secret,
        commitment=commitment(secret),
        created_at=CREATED_AT,
        updated_at=CREATED_AT,
    )


def a_match_that_never_began() -> tuple[Match, tuple[Move, ...]]:
    """Return a match that its tenant called off while it waited for players."""
    match = replace(
        a_new_match("river_dragons", 2, 1, MATCH_ID), version=1, status=Status.ENDED, outcome=encode(ABORTED)
    )
    request, events = encode(Abort()), encode(by_tenant())
    return match, (linked(match, genesis_hash(match), 1, None, request, events),)


def append(match: Match, rows: list[Move], state: Any, seat: Any, request: bytes) -> Any:
    """Decide a request, write it down as the log would, and give the state after it."""
    game = registered_game(match.game, match.rules_version)
    seq = len(rows) + 1
    events = decide_request(game, state, seat, read_request(game, request), SeededChance(match.secret, seq))
    rows.append(
        linked(match, rows[-1].hash if rows else genesis_hash(match), seq, seat, request, encode(events))
    )
    return fold(game, events, state)


def linked(match: Match, previous: bytes, seq: int, seat: int | None, request: bytes, events: bytes) -> Move:
    """Return a row that follows the one with the hash `previous`."""
    content: dict[str, Any] = {
        "match_id": match.id,
        "seq": seq,
        "seat": seat,
        "request_id": f"request-{seq}",
        "request": request,
        "events": events,
        "recorded_at": CREATED_AT + timedelta(seconds=seq),
    }
    return Move(previous_hash=previous, hash=row_hash(match.secret, previous, **content), **content)


def relinked(match: Match, rows: Sequence[Move]) -> tuple[Move, ...]:
    """Return the rows with every hash made anew, as a forger who knows the secret would."""
    made: list[Move] = []
    for row in rows:
        previous = made[-1].hash if made else genesis_hash(match)
        made.append(linked(match, previous, len(made) + 1, row.seat, row.request, row.events))
    return tuple(made)


def standing(match: Match, rows: Sequence[Move], state: Any) -> Match:
    """Return the match as it stands after its rows."""
    game = registered_game(match.game, match.rules_version)
    outcome = game.outcome(state)
    fields = {name: getattr(match, name) for name in match.__struct_fields__}
    return Match(
        **fields
        | {
            "status": Status.RUNNING if outcome is None else Status.ENDED,
            "version": len(rows),
            "to_act": game.to_act(state),
            "outcome": None if outcome is None else encode(outcome),
            "updated_at": rows[-1].recorded_at,
        }
    )


def document_of(match: Match, rows: Sequence[Move], *names: str, sign: Sign | None = None) -> bytes:
    """Return the whole export of an ended match; `names` say who sat where, by seat; `sign` signs it."""
    claims = [SeatClaim(seat=seat, player=name.lower(), name=name) for seat, name in enumerate(names)]
    return write_document(match, [whole_move(row) for row in rows], claims=claims or None, sign=sign)
