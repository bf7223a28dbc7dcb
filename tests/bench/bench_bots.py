"""Do the levels of bots deserve their names? `greedy` against `random` and `search` against `greedy`, in every game.

Prints a table for each pairing, and ends with 1 unless the stronger one wins with 95 % confidence everywhere: the whole
interval of its wins lies above one half. How many matches are played is fixed beforehand.
"""

from __future__ import annotations

import argparse
import os
import sys
import time

from engine.kernel.codec import encode
from engine.registry import GAMES
from engine.registry import game as registered_game
from services.batch.processes import Processes
from services.cli.arena.command import play_all
from services.cli.arena.matches import Arena
from services.cli.arena.report import level_report, shown
from services.cli.arena.tally import ArenaTally
from services.cli.console import OUT
from services.cli.simulate.simulation import Simulation

PAIRINGS = (("greedy", "random"), ("search", "greedy"))
"""The stronger one first."""
MATCHES = {("greedy", "random"): 20, ("search", "greedy"): 64}
"""Of each pairing; `--scale` makes them more or fewer."""
PLAYOUTS = 24
"""Of `search` for each move: few, so that this ends within minutes."""


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", nargs="*", choices=tuple(GAMES), default=tuple(GAMES))
    arguments.add_argument("--seats", type=int, default=2)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--scale", type=float, default=1.0, help="so many times the matches")
    arguments.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = arguments.parse_args()
    began = time.monotonic()
    proven = True
    for pairing in PAIRINGS:
        for name in asked.games:
            game = registered_game(name)
            simulation = Simulation(name, encode(game.types.options()), asked.seats, asked.seed)
            arena = Arena(simulation, pairing, PLAYOUTS)
            tally = ArenaTally()
            matches = round(MATCHES[pairing] * asked.scale / 2) * 2
            play_all(arena, matches, Processes(asked.workers), tally)
            OUT.print(shown(game, arena, tally, "en"))
            beaten = level_report(tally, pairing[0])["low"] > 0.5
            proven &= beaten
            verb = "beats" if beaten else "is not shown to beat"
            OUT.print(f"{pairing[0]} {verb} {pairing[1]}\n")
    OUT.print(f"{time.monotonic() - began:.0f} s")
    return 0 if proven else 1


if __name__ == "__main__":
    sys.exit(main())
