"""Play random matches of every game and variant, and print a digest of each; a program, for two builds of the engine to compare.

A digest covers every action, event and state, what each seat may do at the end, and the draws. It is run as a file, so that
`PYTHONPATH` alone says whose engine it plays with; the first line says which it was.
"""

from __future__ import annotations

import argparse
from hashlib import sha256
from importlib.util import find_spec
from typing import Any

import msgspec

from engine.kernel.chance import SeededChance
from engine.kernel.game import AnyGame
from engine.match.playout import random_match
from engine.registry import GAMES
from engine.registry import game as registered_game


def variants(game: AnyGame) -> list[dict[str, Any]]:
    """Return every value of the options that are a choice of words, each alone; just the defaults where there is none."""
    definitions = msgspec.json.schema(game.types.options).get("$defs", {})
    found = [
        {name: value}
        for definition in definitions.values()
        for name, field in definition.get("properties", {}).items()
        for value in definitions.get(field.get("$ref", "").rpartition("/")[2], {}).get("enum", ())
    ]
    return found or [{}]


def digest(game: AnyGame, options: dict[str, Any], seats: int, number: int) -> str:
    """Return a hash of one whole match."""
    secret = sha256(f"match {number}".encode()).digest()
    choices = SeededChance(sha256(f"choices {number}".encode()).digest(), 0)
    chosen = game.options_codec.decode(msgspec.json.encode(options))
    whole = sha256()
    for step in random_match(game, chosen, seats, secret, choices):
        whole.update(msgspec.json.encode((step.seat, step.action, step.events, step.state, step.draws)))
        for seat in game.to_act(step.state):
            legal = game.legal_actions(step.state, seat)
            whole.update(msgspec.json.encode((legal.actions, legal.templates)))
    return whole.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2, help="of each game, variant and number of players")
    arguments = parser.parse_args()
    print("compiled" if find_spec("foldtable_compiled__mypyc") else "pure")
    for game_id in GAMES:
        game = registered_game(game_id)
        for options in variants(game):
            for seats in game.seat_counts:
                for number in range(arguments.matches):
                    print(game_id, options, seats, number, digest(game, options, seats, number))


if __name__ == "__main__":
    main()
