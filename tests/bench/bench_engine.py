"""Playout moves per second: whole random matches in one process, per game and variant.

A playout asks for legal actions, picks one, decides it and folds its events, for every move of a match: what a
search or a simulation does all day. Several rounds; the median round counts. A second is one of the processor: a playout waits
for nothing, so that on an idle machine both are the same, and a busy one is no slower.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from hashlib import sha256
from typing import Any

import msgspec

from engine.kernel.chance import SeededChance
from engine.match.playout import random_match
from engine.registry import GAMES
from engine.registry import game as registered_game


def variants(game_id: str) -> list[dict[str, Any]]:
    """Return every value of the options that are a choice of words, each alone, or just the defaults where there is none."""
    schema = msgspec.json.schema(registered_game(game_id).types.options)
    definitions = schema.get("$defs", {})
    found = [
        {name: value}
        for definition in definitions.values()
        for name, field in definition.get("properties", {}).items()
        for value in definitions.get(field.get("$ref", "").rpartition("/")[2], {}).get("enum", ())
    ]
    return found or [{}]


def one_round(
    game_id: str, options: dict[str, Any], seats: int, seconds: float, number: int
) -> tuple[int, float]:
    """Play matches until the time is up; give moves and seconds."""
    game = registered_game(game_id)
    chosen = game.options_codec.decode(msgspec.json.encode(options))
    moves = match = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        secret = sha256(f"bench {number} {match}".encode()).digest()
        choices = SeededChance(sha256(f"choices {number} {match}".encode()).digest(), 0)
        moves += sum(1 for _ in random_match(game, chosen, seats, secret, choices)) - 1  # without the start
        match += 1
    return moves, time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", default=",".join(GAMES), help="separated by commas; all by default")
    parser.add_argument(
        "--seats", default="2,3,4,6", help="numbers of players; those a game is not for are left out"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each round")
    arguments = parser.parse_args()
    print(
        f"Python {platform.python_version()}, one process, {arguments.rounds} rounds of {arguments.seconds} s, medians"
    )
    print(f"{'game':<16} {'options':<24} {'seats':>5} {'moves/s':>9} {'lowest':>9} {'highest':>9}")
    for game_id in arguments.games.split(","):
        for options in variants(game_id):
            for seats in map(int, arguments.seats.split(",")):
                if seats not in registered_game(game_id).seat_counts:
                    continue
                rates = []
                for number in range(arguments.rounds):
                    moves, seconds = one_round(game_id, options, seats, arguments.seconds, number)
                    rates.append(moves / seconds)
                shown = ",".join(f"{name}={value}" for name, value in options.items()) or "-"
                middle = statistics.median(rates)
                print(
                    f"{game_id:<16} {shown:<24} {seats:>5} {middle:>9,.0f} {min(rates):>9,.0f} {max(rates):>9,.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
