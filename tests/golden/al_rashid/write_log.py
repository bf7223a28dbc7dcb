"""Write a golden log, or a transcript, of Al-Rashid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.al_rashid.events import TurnStarted
from engine.al_rashid.game import GAME
from engine.al_rashid.options import AlRashidOptions
from engine.match.playout import Step
from tests.engine.al_rashid.matches import whole_match
from tests.golden.writing import command_line, write

TRANSCRIPTS: Final = ("players-2 --players 2 --number 40 --transcript",)
"""What `make golden` calls this with."""


def shows_table(step: Step) -> bool:
    """Say whether a turn begins."""
    return any(isinstance(event, TurnStarted) for event in step.events)


def main(words: Sequence[str] | None = None) -> int:
    parser = command_line(GAME, "players-4")
    parser.add_argument(
        "--hoarding", action="store_true", help="they keep red mercenaries until there are none"
    )
    arguments = parser.parse_args(words)
    game = GAME.by(arguments.rules)
    match = whole_match(
        arguments.players,
        arguments.number,
        keen=not arguments.hoarding,
        hoarding=arguments.hoarding,
        leavers=dict(arguments.leave),
        game=game,
    )
    return write(game, AlRashidOptions(), arguments, match, shows_table)


if __name__ == "__main__":
    raise SystemExit(main())
