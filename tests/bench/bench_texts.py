"""What words cost: the events of a move, and all legal actions of a seat, with and without texts, per game.

Run it with `make bench B=texts`. It measures making the answer in the rules server's process, without network and database:
encoding alone, and with a sentence for each event or action in Italian. Medians over whole random matches.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

from engine.kernel.chance import SeededChance
from engine.match.playout import random_match
from engine.registry import GAMES, newest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from services.rules.wire.forms import PLAIN, Form
from services.rules.wire.payloads import payloads_of

ITALIAN = Form(PAYLOAD_FORM_JSON, "it")


def microseconds(make: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    make()
    return (time.perf_counter() - begun) * 1e6


def measure(name: str, matches: int) -> None:
    game = newest(name)
    payloads = payloads_of(game)
    took: dict[str, list[float]] = {"events": [], "events it": [], "actions": [], "actions it": []}
    numbers: list[int] = []
    for number in range(matches):
        secret = number.to_bytes(32, "big")
        options, seats = game.types.options(), game.seat_counts[-1]
        for step in random_match(game, options, seats, secret, SeededChance(secret, 2)):
            for kind, form in (("", PLAIN), (" it", ITALIAN)):
                took[f"events{kind}"].append(
                    microseconds(lambda form=form, step=step: payloads.events(step.events, form))
                )
            for seat in game.to_act(step.state)[:1]:
                legal = game.legal_actions(step.state, seat)
                numbers.append(len(legal.actions))
                for kind, form in (("", PLAIN), (" it", ITALIAN)):
                    took[f"actions{kind}"].append(
                        microseconds(lambda form=form, legal=legal: payloads.actions(legal.actions, form))
                    )
    shown = "  ".join(f"{kind} {statistics.median(times):7.1f} µs" for kind, times in took.items())
    print(f"{name:14} {shown}  (median of {statistics.median(numbers):.0f} actions)")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=3, help="random matches of each game; default: 3")
    options = parser.parse_args()
    for name in GAMES:
        measure(name, 1)  # compiles the messages
    print("second run, with all messages compiled:")
    for name in GAMES:
        measure(name, options.matches)


if __name__ == "__main__":
    main()
