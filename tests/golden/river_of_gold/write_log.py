"""Write a golden log, or a transcript, of River of Gold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.match.playout import Step
from engine.river_of_gold.box.components import PatronMode
from engine.river_of_gold.events import TurnStarted
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from tests.engine.river_of_gold.matches import whole_match
from tests.golden.writing import command_line, write

TRANSCRIPTS: Final = ("players-2 --players 2 --patrons draft --number 40 --transcript",)
"""What `make golden` calls this with."""


def shows_table(step: Step) -> bool:
    """Say whether a turn of seat 0 begins."""
    return any(isinstance(event, TurnStarted) and event.seat == 0 for event in step.events)


def main(words: Sequence[str] | None = None) -> int:
    parser = command_line(GAME, "players-4")
    parser.add_argument("--patrons", default="none", choices=[mode.value for mode in PatronMode])
    parser.add_argument("--thrifty", action="store_true", help="they fill their purses instead of building")
    arguments = parser.parse_args(words)
    patrons, leavers = PatronMode(arguments.patrons), dict(arguments.leave)
    game = GAME.by(arguments.rules)
    match = whole_match(
        arguments.players,
        arguments.number,
        patrons=patrons,
        keen=not arguments.thrifty,
        thrifty=arguments.thrifty,
        leavers=leavers,
        game=game,
    )
    return write(game, RiverOfGoldOptions(patrons=patrons), arguments, match, shows_table)


if __name__ == "__main__":
    raise SystemExit(main())
