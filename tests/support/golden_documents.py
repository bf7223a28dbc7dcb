"""The golden logs as exports: what `foldtable export` would have written of these matches."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from engine.kernel.chance import commitment
from engine.kernel.codec import encode
from engine.kernel.seats import Audience
from engine.match.replay import LoggedMove, states_after_each
from engine.match.requests import read_request
from services.movelog.chain import genesis_hash
from services.movelog.export.format import MatchDocument, read_document, redacted_move, write_document
from services.movelog.records import Match, Move
from tests.support.match_documents import CREATED_AT, MATCH_ID, document_of, linked, standing
from tests.support.our_games import OUR_GAMES
from tests.support.stored_logs import game_id_of, game_of, golden_logs, read

ALL_LOGS = [log for game_id in OUR_GAMES for log in golden_logs(game_id)]
ONE_OF_EACH = [golden_logs(game_id)[0] for game_id in OUR_GAMES]
TO_SHOW = [
    log
    for game_id in OUR_GAMES
    for log in golden_logs(game_id)
    if log.parent == golden_logs(game_id)[0].parent
    and log.stem.startswith(("expert", "leavers", "players-3"))
]
"""Of the newest rules: an ordinary match, one of the expert side, and those that players leave."""


def log_name(path: Path) -> str:
    return f"{game_id_of(path)}/{path.parent.name}/{path.stem}"


@cache
def match_and_rows(path: Path) -> tuple[Match, tuple[Move, ...]]:
    """Return a golden log as the move log would hold it."""
    header, logged, _ = read(path)
    game = game_of(path)
    start = read_request(game, logged[0].request)
    secret = bytes.fromhex(header["secret"])
    match = Match(
        id=MATCH_ID,
        tenant="dev",
        game=game.id,
        rules_version=header["rules_version"],
        seats=header["seats"],
        options=encode(game.options_codec.decode(bytes(start.options))),
        secret=secret,
        commitment=commitment(secret),
        created_at=CREATED_AT,
        updated_at=CREATED_AT,
    )
    rows: list[Move] = []
    for move in logged:
        previous = rows[-1].hash if rows else genesis_hash(match)
        rows.append(linked(match, previous, move.seq, move.seat, move.request, move.events))
    return standing(match, rows, states_of(path)[-1]), tuple(rows)


@cache
def states_of(path: Path) -> list[object]:
    """Return the state after each move."""
    return [state for _, state in states_after_each(game_of(path), logged_moves(path))]


@cache
def export_of(path: Path) -> bytes:
    """Return the whole export of the ended match."""
    return document_of(*match_and_rows(path))


@cache
def whole(path: Path) -> MatchDocument:
    return read_document(export_of(path))


def running_export(path: Path, moves: int, audience: Audience) -> bytes:
    """Return the export as it was for an audience when the match had come to that move."""
    match, rows = match_and_rows(path)
    game = game_of(path)
    match = standing(match, rows[:moves], states_of(path)[moves - 1])
    documents = []
    for row in rows[:moves]:
        may_know = row.seat is not None and audience.sees_seat(row.seat)  # type: ignore[arg-type]
        events = [game.redact(event, audience) for event in game.event_codec.decode_many(row.events)]
        documents.append(
            redacted_move(row, request=row.request if may_know else None, events=encode(tuple(events)))
        )
    return write_document(match, documents, audience=audience)


def logged_moves(path: Path) -> list[LoggedMove]:
    return read(path)[1]
