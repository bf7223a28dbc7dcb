"""Environment steps per second, beside bare playouts of the engine: random play in one process, rounds in turns, medians.

A step is one index chosen, or one draw of OpenSpiel's chance; a spelled action takes several steps. `moves/s` counts whole
actions, and compares. Seconds are those of the processor, so that what else runs on the machine matters little.
"""

from __future__ import annotations

import argparse
import platform
import random
import statistics
import time
from collections.abc import Callable
from hashlib import sha256

import numpy as np
import pyspiel

import engine.research.openspiel  # noqa: F401 - registers the games
from engine.kernel.chance import SeededChance
from engine.match.playout import random_match
from engine.registry import GAMES
from engine.research.aec import MatchEnv
from engine.research.setup import set_up

Counts = tuple[int, int]
"""Steps and whole actions."""


def bare(game: str, seats: int, number: int) -> Counts:
    """A match of the engine alone: legal actions, one of them decided and folded."""
    setup = set_up(game, None, seats)
    secret = sha256(f"bench {number}".encode()).digest()
    choices = SeededChance(secret, 1 << 32)
    moves = (
        sum(1 for _ in random_match(setup.game, setup.options, seats, secret, choices)) - 1
    )  # without the start
    return moves, moves


def pettingzoo(game: str, seats: int, number: int) -> Counts:
    """A match of the environment: observation and mask, one open index chosen."""
    environment = MatchEnv(game, seats=seats)
    environment.reset(seed=number)
    whims = np.random.default_rng(number)
    steps = 0
    for _ in environment.agent_iter():
        seen, _, terminated, _, _ = environment.last()
        if terminated:
            environment.step(None)
            continue
        environment.step(int(whims.choice(np.flatnonzero(seen["action_mask"]))))
        steps += 1
    return steps, len(environment.course.moves)


def openspiel(game: str, seats: int, number: int) -> Counts:
    """A match of OpenSpiel's form, chance nodes included, without observations."""
    state = pyspiel.load_game(f"foldtable_{game}", {"players": seats}).new_initial_state()
    whims = random.Random(number)
    steps = moves = 0
    while not state.is_terminal():
        position = state.node.position
        if position is None:
            state.apply_action(whims.randrange(state.node.outcomes))
        else:
            state.apply_action(whims.choice(position.offered))
            moves += state.node.position is None or not state.node.position.begun
        steps += 1
    return steps, moves


KINDS: dict[str, Callable[[str, int, int], Counts]] = {
    "engine alone": bare,
    "PettingZoo": pettingzoo,
    "OpenSpiel": openspiel,
}


def one_round(kind: str, game: str, seats: int, seconds: float, number: int) -> tuple[float, float]:
    """Play matches until the time is up; give steps and moves per second."""
    steps = moves = match = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        counted = KINDS[kind](game, seats, 1000 * number + match)
        steps, moves, match = steps + counted[0], moves + counted[1], match + 1
    took = time.process_time() - began
    return steps / took, moves / took


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", default=",".join(GAMES), help="separated by commas; all by default")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each round")
    arguments = parser.parse_args()
    print(
        f"Python {platform.python_version()}, one process, {arguments.seats} seats, "
        f"{arguments.rounds} rounds of {arguments.seconds} s, medians"
    )
    print(f"{'game':<16} {'form':<14} {'steps/s':>9} {'moves/s':>9} {'of the engine':>14}")
    for game in arguments.games.split(","):
        rates: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
        for number in range(arguments.rounds):
            for kind in KINDS:
                rates[kind].append(one_round(kind, game, arguments.seats, arguments.seconds, number))
        alone = statistics.median(moves for _, moves in rates["engine alone"])
        for kind, found in rates.items():
            steps = statistics.median(steps for steps, _ in found)
            moves = statistics.median(moves for _, moves in found)
            print(f"{game:<16} {kind:<14} {steps:>9,.0f} {moves:>9,.0f} {moves / alone:>14.2f}", flush=True)


if __name__ == "__main__":
    main()
