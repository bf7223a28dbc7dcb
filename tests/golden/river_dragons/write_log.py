"""Write a golden log, or a transcript, of River Dragons."""

from __future__ import annotations

from engine.kernel.playout import Step
from engine.river_dragons.components import Variant
from engine.river_dragons.game import GAME
from engine.river_dragons.options import RiverDragonsOptions
from tests.engine.river_dragons.matches import whole_match
from tests.golden.writing import command_line, write


def shows_table(step: Step) -> bool:
    """Say whether a round has ended: the next one begins and nobody has programmed yet."""
    return step.state.slot == 0 and step.state.round > 1 and not any(step.state.programs)


def main() -> int:
    parser = command_line(GAME, "islands-4")
    parser.add_argument("--variant", default="islands", choices=[variant.value for variant in Variant])
    arguments = parser.parse_args()
    variant, leavers = Variant(arguments.variant), dict(arguments.leave)
    game = GAME.by(arguments.rules)
    match = whole_match(arguments.players, variant, arguments.number, keen=True, leavers=leavers, game=game)
    return write(game, RiverDragonsOptions(variant=variant), arguments, match, shows_table)


if __name__ == "__main__":
    raise SystemExit(main())
