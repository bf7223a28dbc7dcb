"""Write a golden log, or a transcript, of a match played by keen players.

Logs are written once and never again: they prove that old matches still read. A file that exists is not
touched. Transcripts may be rewritten on purpose; the difference is reviewed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from engine.kernel.chance import commitment
from engine.kernel.codec import encode
from engine.kernel.playout import Step
from engine.kernel.requests import RESIGN, start_request
from engine.kernel.seats import REFEREE, Seat, seat_audience
from engine.river_of_gold.components import PatronMode
from engine.river_of_gold.events import TurnStarted
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from tests.engine.river_of_gold.matches import match_secret, whole_match

HERE = Path(__file__).parent


def requests(steps: list[Step], patrons: PatronMode, players: int) -> Iterator[bytes]:
    """Give what each step asked for, as a row of the log keeps it."""
    for step in steps:
        if step.seat is None:
            yield start_request(RiverOfGoldOptions(patrons=patrons), players)
        else:
            yield RESIGN if step.action is None else encode(step.action)


def log_lines(steps: list[Step], patrons: PatronMode, players: int, number: int) -> Iterator[str]:
    """Give a header, a line per move, and how it ended: all canonical JSON."""
    secret = match_secret(number)
    yield json.dumps(
        {
            "game": GAME.id,
            "rules_version": GAME.rules_version,
            "seats": players,
            "secret": secret.hex(),
            "commitment": commitment(secret).hex(),
        }
    )
    asked = requests(steps, patrons, players)
    for seq, (step, request) in enumerate(zip(steps, asked, strict=True), start=1):
        seat = "null" if step.seat is None else str(step.seat)
        events = encode(step.events).decode()
        yield f'{{"seq":{seq},"seat":{seat},"request":{request.decode()},"events":{events}}}'
    state = steps[-1].state
    yield json.dumps(
        {
            "moves": len(steps),
            "state_sha256": hashlib.sha256(encode(state)).hexdigest(),
            "outcome": json.loads(encode(GAME.outcome(state))),
        }
    )


def transcript_lines(steps: list[Step]) -> Iterator[str]:
    """Give every event in notation as seat 0 is told it, and what seat 0 sees when its own turn begins, the referee last."""
    audience = seat_audience(Seat(0))
    for seq, step in enumerate(steps, start=1):
        who = "the match" if step.seat is None else f"seat {step.seat}"
        yield f"{seq}. {who}"
        for event in step.events:
            yield "   " + GAME.notation.event(GAME.redact(event, audience))
        if any(isinstance(event, TurnStarted) and event.seat == 0 for event in step.events):
            yield from ("", GAME.notation.view(GAME.view(step.state, audience)), "")
    yield from ("", GAME.notation.view(GAME.view(steps[-1].state, REFEREE)))


def played(arguments: argparse.Namespace) -> list[Step]:
    leavers = {int(move): int(seat) for move, seat in (text.split(":") for text in arguments.leave)}
    patrons = PatronMode(arguments.patrons)
    return list(whole_match(arguments.players, arguments.number, patrons=patrons, keen=True, leavers=leavers))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", help="file name without its ending, such as players-4")
    parser.add_argument("--players", type=int, required=True, choices=GAME.seat_counts)
    parser.add_argument("--patrons", default="none", choices=[mode.value for mode in PatronMode])
    parser.add_argument("--number", type=int, required=True, help="the match's secret and whims")
    parser.add_argument("--leave", action="append", default=[], metavar="MOVE:SEAT", help="a seat leaves")
    parser.add_argument("--transcript", action="store_true", help="write the transcript instead of the log")
    arguments = parser.parse_args()
    steps = played(arguments)
    if arguments.transcript:
        path = HERE / f"{arguments.name}.txt"
        lines = transcript_lines(steps)
    else:
        path = HERE / f"{arguments.name}.jsonl"
        if path.exists():
            sys.stderr.write(f"{path} exists; golden logs are never written anew\n")
            return 1
        lines = log_lines(steps, PatronMode(arguments.patrons), arguments.players, arguments.number)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{path}: {len(steps)} moves, {path.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
