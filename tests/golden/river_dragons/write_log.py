"""Write a golden log, or a transcript, of River Dragons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from engine.match.playout import Step
from engine.river_dragons.box.components import Variant
from engine.river_dragons.game import GAME
from engine.river_dragons.options import RiverDragonsOptions
from tests.engine.river_dragons.matches import whole_match
from tests.golden.writing import command_line, write

TRANSCRIPTS: Final = ("islands-2 --players 2 --number 40 --transcript",)
"""What `make golden` calls this with."""


def shows_table(step: Step) -> bool:
    """Say whether a round has ended: the next one begins and nobody has programmed yet."""
    return step.state.slot == 0 and step.state.round > 1 and not any(step.state.programs)


def main(words: Sequence[str] | None = None) -> int:
    parser = command_line(GAME, "islands-4")
    parser.add_argument("--variant", default="islands", choices=[variant.value for variant in Variant])
    parser.add_argument("--round-limit", type=int, default=UNSET, help="the option of that name")
    arguments = parser.parse_args(words)
    variant, leavers = Variant(arguments.variant), dict(arguments.leave)
    game = GAME.by(arguments.rules)
    limit = arguments.round_limit
    match = whole_match(
        arguments.players,
        variant,
        arguments.number,
        keen=True,
        leavers=leavers,
        game=game,
        round_limit=limit,
    )
    return write(game, RiverDragonsOptions(variant=variant, round_limit=limit), arguments, match, shows_table)


if __name__ == "__main__":
    raise SystemExit(main())
