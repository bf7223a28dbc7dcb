"""§11 Choices in the middle of a move: opened in order, answered one after another.

§11 Choices and information. Open are the board, the row, dice, koku, goods, favor, VP, delivered cards, discards, the
number of cards in each hand, and the top tile of each stack. Only the hand is secret: its owner alone sees it. Nobody
knows the order of deck and stacks.

§11.1 Choices in the own turn. The player whose turn it is chooses the action and everything in it: spaces, tiles,
ships, customers, goods, the order of journey bonuses, and exchanges.

§11.2 Choices in others' turns. Another player chooses only the kind of a good: when an owner reward is a good of
choice, or when an owner reward brings influence to space 18.

§11.3 When choices are made. A choice is made in the step where it arises, first by the player whose turn it is, then
clockwise; the next step waits for it. Only the seat that is asked can act. A choice in which every option would gain
nothing is skipped, and options that gain nothing are not offered [A26].

§11.4 What may be declined. Every reward must be taken, except for selling goods (`merchant_4`) and the abilities of
`noble_1` and `noble_5`, which may be used.
"""

from __future__ import annotations

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import ChooseGood
from engine.river_of_gold.box.components import GOOD_CAP, GOOD_INDEX
from engine.river_of_gold.errors import Code
from engine.river_of_gold.event_parts import Choice
from engine.river_of_gold.events import ChoiceLapsed, ChoiceOpened
from engine.river_of_gold.gain_events import GoodChosen
from engine.river_of_gold.phases import Decision
from engine.river_of_gold.rules.turn import Turn, paragraph


def open_choices(turn: Turn, choices: list[Choice]) -> None:
    """§11.3 Open the choices, the active player's first, then clockwise; those of one seat in the order they arose [A38]."""
    active, seats = turn.state.active, len(turn.state.players)
    if len(choices) > 1 and active is not None:
        choices = sorted(choices, key=lambda choice: (choice.seat - active) % seats)
    for choice in choices:
        turn.record(ChoiceOpened(choice=choice))


def lapse_choice(turn: Turn) -> None:
    """§11.3 Let the next choice lapse, because every option would gain nothing."""
    choice = turn.state.choices[0]
    turn.record(ChoiceLapsed(seat=choice.seat, kind=choice.kind))


def choose_good(turn: Turn, seat: Seat, action: ChooseGood) -> None:
    """§11.3 [A26] Gain the chosen good; a kind at its cap is no option."""
    state = turn.state
    if state.players[seat].goods[GOOD_INDEX[action.good]] >= GOOD_CAP:
        raise RuleViolation(
            Code.GOOD_AT_CAP,
            rule=paragraph(state, Decision.GOOD),
            field="good",
            good=action.good.value,
            cap=GOOD_CAP,
        )
    choice = state.choices[0]
    turn.record(
        GoodChosen(
            seat=seat, good=action.good, source=choice.source, shore=choice.shore, region=choice.region
        )
    )
