"""A bot chooses the same in all states that its seat cannot tell apart."""

from __future__ import annotations

from typing import Final

from engine.bots.bot import redeals
from engine.bots.budget import Playouts
from engine.bots.levels import LEVELS
from engine.kernel.chance import SECRET_BYTES
from engine.kernel.codec import encode
from engine.kernel.seats import seat_audience
from services.kit.check import Check, Findings, Result, record_text
from services.kit.rules.twins import twin
from services.kit.subject import Subject

POSITIONS: Final = 12
LEVEL: Final = "greedy"
_THINKING: Final = 1 << 43
"""The move number of the bot's own draws."""


def _run(subject: Subject) -> Result:
    found = Findings()
    game, bot = subject.game, LEVELS[LEVEL]
    choices = 0
    for position in subject.positions(POSITIONS):
        for seat in game.to_act(position.state)[:1]:
            choices += 1
            other = twin(subject, position.state, seat_audience(seat), position.number)
            first, second = (
                bot.choose(
                    game,
                    redeals(game, state, seat, bytes(SECRET_BYTES)),
                    seat,
                    subject.chance(position.number, _THINKING),
                    Playouts(1),
                )
                for state in (position.state, other)
            )
            if encode(first) != encode(second):
                found.add(
                    f"the {LEVEL} bot of seat {seat} chooses {record_text(first)} or {record_text(second)}, by what is hidden from it",
                    do="let `redeal` copy nothing hidden, and `evaluate` and `legal_actions` read nothing hidden",
                    where=str(position),
                    kind="chosen",
                )
    return found.result(f"{choices} choices of the {LEVEL} bot")


CHECK: Final = Check(name="bots", asks="a bot knows no more than its seat", run=_run)
