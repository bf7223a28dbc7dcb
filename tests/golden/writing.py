"""Write a golden log, or a transcript, of a match played by keen players.

Logs are written once and never again: they prove that old matches still read. A file that exists is not
touched, and each version of the rules has a folder of its own. Transcripts may be rewritten on purpose; the
difference is reviewed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator

from engine.kernel.chance import commitment
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.records import Options
from engine.kernel.seats import REFEREE, Seat, seat_audience
from engine.match.playout import Step
from engine.match.requests import RESIGN, start_request
from tests.engine.whole_matches import match_secret
from tests.support.stored_logs import GOLDEN, corpus


def command_line(game: AnyGame, example: str) -> argparse.ArgumentParser:
    """Give what every game's `write_log` is told; a game adds its own options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", help=f"file name without its ending, such as {example}")
    parser.add_argument("--players", type=int, required=True, choices=game.seat_counts)
    parser.add_argument("--number", type=int, required=True, help="the match's secret and whims")
    parser.add_argument(
        "--leave", action="append", default=[], type=move_and_seat, metavar="MOVE:SEAT", help="a seat leaves"
    )
    parser.add_argument(
        "--rules",
        default=game.rules_version,
        choices=[one.version for one in game.versions],
        help="the rules it is begun under; the newest if not said",
    )
    parser.add_argument("--transcript", action="store_true", help="write the transcript instead of the log")
    return parser


def move_and_seat(text: str) -> tuple[int, int]:
    move, seat = text.split(":")
    return int(move), int(seat)


def write(
    game: AnyGame,
    options: Options,
    arguments: argparse.Namespace,
    match: Iterable[Step],
    shows_table: Callable[[Step], bool],
) -> int:
    """Write the file that was asked for; give the exit code. 1: the log is there already."""
    if arguments.transcript:
        path = GOLDEN / game.id / f"{arguments.name}.txt"
    else:
        path = corpus(game.id, game.rules_version) / f"{arguments.name}.jsonl"
        path.parent.mkdir(exist_ok=True)
    if path.exists() and not arguments.transcript:
        sys.stderr.write(f"{path} exists; golden logs are never written anew\n")
        return 1
    steps = list(match)
    if arguments.transcript:
        lines = transcript_lines(game, steps, shows_table)
    else:
        lines = log_lines(game, options, steps, arguments.players, arguments.number)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{path}: {len(steps)} moves, {path.stat().st_size} bytes\n")
    return 0


def log_lines(game: AnyGame, options: Options, steps: list[Step], players: int, number: int) -> Iterator[str]:
    """Give a header, a line per move, and how it ended: all canonical JSON."""
    secret = match_secret(number)
    yield json.dumps(
        {
            "game": game.id,
            "rules_version": game.rules_version,
            "seats": players,
            "secret": secret.hex(),
            "commitment": commitment(secret).hex(),
        }
    )
    for seq, step in enumerate(steps, start=1):
        seat = "null" if step.seat is None else str(step.seat)
        request = _request(step, options, players).decode()
        yield f'{{"seq":{seq},"seat":{seat},"request":{request},"events":{encode(step.events).decode()}}}'
    state = steps[-1].state
    yield json.dumps(
        {
            "moves": len(steps),
            "state_sha256": hashlib.sha256(encode(state)).hexdigest(),
            "outcome": json.loads(encode(game.outcome(state))),
        }
    )


def _request(step: Step, options: Options, players: int) -> bytes:
    """Give what the step asked for, as a row of the log keeps it."""
    if step.seat is None:
        return start_request(options, players)
    return RESIGN if step.action is None else encode(step.action)


def transcript_lines(game: AnyGame, steps: list[Step], shows_table: Callable[[Step], bool]) -> Iterator[str]:
    """Give every event in notation as seat 0 is told it, and what seat 0 sees when the table is shown, the referee last."""
    audience = seat_audience(Seat(0))
    for seq, step in enumerate(steps, start=1):
        who = "the match" if step.seat is None else f"seat {step.seat}"
        yield f"{seq}. {who}"
        for event in step.events:
            yield "   " + game.notation.event(game.redact(event, audience))
        if shows_table(step):
            yield from ("", game.draw(game.view(step.state, audience)), "")
    yield from ("", game.draw(game.view(steps[-1].state, REFEREE)))
