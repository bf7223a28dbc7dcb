"""One line of English per action and event, and the table drawn for the terminal.

>>> from engine.river_dragons.actions import LayPlank
>>> from engine.river_dragons.box.components import SupportId
>>> NOTATION.action(LayPlank(a=SupportId("V-red"), b=SupportId("I26")))
'lay plank I26~V-red'
"""

from __future__ import annotations

from typing import Final, assert_never

from engine.river_dragons.actions import (
    ChoosePlank,
    Jump,
    LayPlank,
    PlaceStone,
    PlaceStoneAt,
    RemovePlank,
    RemoveStone,
    RiverDragonsAction,
    Step,
    SubmitProgram,
)
from engine.river_dragons.box.components import Plank, plank_id
from engine.river_dragons.events import (
    CardBegun,
    FirstPlayerPassed,
    MatchEnded,
    MatchStarted,
    PartLost,
    PawnFell,
    PawnJumped,
    PawnStepped,
    PlankChosen,
    PlankLaid,
    PlankLost,
    PlankRemoved,
    ProgramSubmitted,
    RevealedCard,
    RiverDragonsEvent,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    SlotRevealed,
    StonePlaced,
    StoneRemoved,
)
from engine.river_dragons.text.drawing import draw
from engine.river_dragons.view import RiverDragonsView


class RiverDragonsNotation:
    """Seats are written `seat 0`, planks `red-5 I07~I16`, everything else by its id."""

    def action(self, action: RiverDragonsAction) -> str:
        match action:
            case SubmitProgram():
                return "program " + " ".join(action.cards)
            case PlaceStone():
                return f"stone on {action.island}"
            case PlaceStoneAt():
                return f"stone at ({action.x}, {action.y})"
            case ChoosePlank():
                return f"choose plank {action.size}"
            case LayPlank():
                return f"lay plank {plank_id(action.a, action.b)}"
            case RemovePlank():
                return f"remove plank {action.plank}"
            case RemoveStone():
                return f"remove stone {action.support}"
            case Step():
                return f"step to {action.to}"
            case Jump():
                return f"jump over seat {action.over} to {action.to}"
            case _:
                assert_never(action)

    def event(self, event: RiverDragonsEvent) -> str:
        match event:
            case MatchStarted() | RoundStarted() | RoundEnded() | FirstPlayerPassed() | MatchEnded():
                return _course(event)
            case ProgramSubmitted():
                cards = "a hidden program" if event.cards is None else " ".join(event.cards)
                return f"seat {event.seat} submits {cards}"
            case SlotRevealed():
                shown = ", ".join(_revealed(card) for card in event.cards)
                return f"slot {event.slot} of round {event.round}: {shown}"
            case CardBegun():
                return f"seat {event.seat} carries out {event.card}"
            case PartLost():
                return f"seat {event.seat} loses part {event.part} of {event.card}: {_words(event.reason)}"
            case SeatLeft():
                lost = ", ".join(_plank(plank) for plank in event.planks) or "no planks"
                return f"seat {event.seat} leaves for good, its pawn goes to {event.to_place}; out of the game: {lost}"
            case StonePlaced() | StoneRemoved():
                return _stone(event)
            case PlankChosen() | PlankLaid() | PlankLost() | PlankRemoved():
                return _plank_event(event)
            case PawnStepped() | PawnJumped() | PawnFell():
                return _pawn(event)
            case _:
                assert_never(event)

    def view(self, view: RiverDragonsView) -> str:
        return draw(view)


def _course(event: MatchStarted | RoundStarted | RoundEnded | FirstPlayerPassed | MatchEnded) -> str:
    match event:
        case MatchStarted():
            seats = ", ".join(f"seat {seat.seat} {seat.colour}" for seat in event.seats)
            order = " ".join(str(seat) for seat in event.order)
            return f"match of {seats} on the {event.variant} side; clockwise {order}"
        case RoundStarted():
            return f"round {event.round}, seat {event.first_player} first"
        case RoundEnded():
            return f"round {event.round} ends"
        case FirstPlayerPassed():
            return f"first player: seat {event.to_seat} after seat {event.from_seat}"
        case MatchEnded():
            winners = ", ".join(f"seat {seat}" for seat in event.winners)
            return f"match ends: {_words(event.reason)}; " + (f"{winners} wins" if winners else "a draw")


def _stone(event: StonePlaced | StoneRemoved) -> str:
    if isinstance(event, StoneRemoved):
        return f"seat {event.seat} takes the stone {event.stone} off the board"
    return f"seat {event.seat} puts a stone {event.stone} at ({event.x}, {event.y})"


def _plank_event(event: PlankChosen | PlankLaid | PlankLost | PlankRemoved) -> str:
    plank = _plank(event.plank)
    match event:
        case PlankChosen():
            return f"seat {event.seat} chooses {plank}"
        case PlankLaid():
            return f"seat {event.seat} lays {plank} {event.id}"
        case PlankLost():
            return f"seat {event.seat} finds no place for {plank}: out of the game"
        case PlankRemoved():
            return f"seat {event.seat} takes {plank} {event.id} into the reserve"


def _pawn(event: PawnStepped | PawnJumped | PawnFell) -> str:
    match event:
        case PawnStepped():
            return f"seat {event.seat} steps from {event.from_place} to {event.to_place}"
        case PawnJumped():
            return (
                f"seat {event.seat} jumps from {event.from_place} over seat {event.over} to {event.to_place}"
            )
        case PawnFell():
            return (
                f"seat {event.seat} falls from {event.from_place} to {event.to_place}: {_words(event.reason)}"
            )


def _revealed(shown: RevealedCard) -> str:
    by = " and ".join(f"seat {seat}" for seat in shown.cancelled_by)
    return f"seat {shown.seat} {shown.card}" + (f" (cancelled by {by})" if by else "")


def _plank(plank: Plank) -> str:
    return f"{plank.colour}-{plank.size}"


def _words(code: str) -> str:
    return code.lower().replace("_", " ")


NOTATION: Final = RiverDragonsNotation()
