"""Write a golden log, or the transcripts, of a match played by keen players.

Logs are written once and never again: they prove that old matches still read. A file that exists is not
touched, and each version of the rules has a folder of its own. Transcripts tell a whole match as seat 0 reads it, in
each language in a file of its own, the English one with views. They may be rewritten on purpose; the difference is reviewed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from engine.kernel.game import AnyGame
from engine.kernel.records import Options
from engine.kernel.seats import REFEREE, Seat, seat_audience
from engine.kernel.text.texts import LANGUAGES
from engine.kernel.text.words import seat as seat_text
from engine.match.playout import Step
from engine.match.requests import Resign
from engine.match.texts import request_text
from services.kit.records.stored_logs import log_lines
from services.texts.formatting import sentence
from tests.engine.whole_matches import match_secret
from tests.support.stored_logs import GOLDEN, corpus

READER: Final = Seat(0)


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
    parser.add_argument("--transcript", action="store_true", help="write the transcripts instead of the log")
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
    """Write the files that were asked for; give the exit code. 1: the log is there already."""
    if arguments.transcript:
        steps = list(match)
        for language in LANGUAGES:
            text = transcript(game, steps, shows_table, language)
            _write(transcript_path(game, arguments.name, language), text, len(steps))
        return 0
    path = corpus(game.id, game.rules_version) / f"{arguments.name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    if path.exists():
        sys.stderr.write(f"{path} exists; golden logs are never written anew\n")
        return 1
    steps = list(match)
    secret = match_secret(arguments.number)
    lines = log_lines(game, options, steps, arguments.players, secret, views=False)
    _write(path, "\n".join(lines) + "\n", len(steps))
    return 0


def _write(path: Path, text: str, moves: int) -> None:
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{path}: {moves} moves, {path.stat().st_size} bytes\n")


def transcript_path(game: AnyGame, name: str, language: str) -> Path:
    """Give the place of a transcript."""
    return GOLDEN / game.id / f"{name}.{language}.txt"


def transcript(game: AnyGame, steps: list[Step], shows_table: Callable[[Step], bool], language: str) -> str:
    """Give a match as seat 0 is told it, then how it ended, with the points of every seat.

    In English also what seat 0 sees when the table is shown, and the referee last: views are the same in every language.
    """
    audience, with_views = seat_audience(READER), language == LANGUAGES[0]
    lines: list[str] = []
    for seq, step in enumerate(steps, start=1):
        lines.append(f"{seq}. {_who(game, step, language)}".rstrip())
        for event in step.events:
            told = game.texts.event(game.redact(event, audience))
            lines.append(f"   {sentence(game, language, told)}")
        if with_views and shows_table(step):
            lines += ["", game.draw(game.view(step.state, audience)), ""]
    lines += ["", *_end(game, steps[-1], language)]
    if with_views:
        lines += ["", game.draw(game.view(steps[-1].state, REFEREE))]
    return "\n".join(lines) + "\n"


def _who(game: AnyGame, step: Step, language: str) -> str:
    """Give what the reader asked for, or which other seat asked for something; nothing for the start."""
    if step.seat is None:
        return ""
    asked = request_text(game, step.seat, Resign() if step.action is None else step.action)
    return sentence(game, language, seat_text(step.seat) if step.seat != READER or asked is None else asked)


def _end(game: AnyGame, last: Step, language: str) -> Iterator[str]:
    outcome = game.outcome(last.state)
    assert outcome is not None
    yield sentence(game, language, game.texts.end(outcome))
    for result in sorted(outcome.results, key=lambda each: (each.rank, each.seat)):
        named = f"{result.rank}. {sentence(game, language, seat_text(result.seat))}"
        yield named if result.score is None else f"{named}: {result.score}"
        for line in result.breakdown:
            yield f"   {sentence(game, language, game.texts.score_line(line))}: {line.points}"
