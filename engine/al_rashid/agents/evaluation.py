"""How good a match looks to a seat: its lead in points, counting what it owns and where its pieces stand (§12).

    standing   = points if the match ended now (§12.1 to §12.4)
               + the turns to come x (family, offices that work)
               + what can still be spent (goods by §6.3, notes, mercenaries)
               + what its pieces on the board are about to bring (prospects.py)
               + a declared visit, as if it were carried out (§7.2)
    lead       = own standing - best standing of the others
    evaluation = lead / (|lead| + 10)

Of the other hands only the number of tiles is used, never their values.
"""

from __future__ import annotations

from typing import Final

from engine.al_rashid.agents.prospects import NOTE, VALUE, may_still_buy, may_still_fight, prospects
from engine.al_rashid.box.components import (
    FAMILY_POINTS,
    PIECE_INDEX,
    RECRUITS,
    SERVICE_PIECE,
    TURNS,
    OfficeId,
)
from engine.al_rashid.box.goods import worth
from engine.al_rashid.box.offices import OFFICE, OfficeKind
from engine.al_rashid.event_parts import VisitStep
from engine.al_rashid.rules.scoring import point_lines
from engine.al_rashid.rules.visiting import AGHA_TILES, QUARTERMASTER_GOODS
from engine.al_rashid.state import State, Visit
from engine.kernel.seats import Seat

SCALE: Final = 10.0
"""A lead of this many points is worth half as much as winning."""
GOOD: Final = 0.5
"""A good of choice."""
TILE: Final = 0.5
SWAP: Final = 0.3
"""§7.7 A good for another, or for a tile."""
MEMBER: Final = (0.7, 0.5, 0.3)
"""For each turn to come: a pasha, a merchant, a sage."""
WORKING: Final = 0.5
"""For each turn to come: an office that works all the time or every turn (§10.1)."""


def evaluate(state: State, seat: Seat) -> float:
    """Return a number between -1 and 1; higher is better. It is not meant for a match that is over."""
    own = _standing(state, seat, seat)
    others = [_standing(state, other, seat) for other in state.present if other != seat]
    lead = own - max(others, default=0.0)
    return lead / (abs(lead) + SCALE)


def _standing(state: State, seat: Seat, eyes: Seat) -> float:
    """Return the standing of `seat` as the seat `eyes` sees it; both may be the same."""
    player = state.players[seat]
    to_come = TURNS - max(state.turn, 1)
    value = float(sum([line.points for line in point_lines(state, seat)]))
    value += to_come * sum([count * each for count, each in zip(state.family(seat), MEMBER, strict=True)])
    value += to_come * WORKING * sum([_works(held.office) for held in player.offices])
    budget = worth(player.goods)
    visit = state.visit
    if visit is not None and visit.seat == seat:
        budget -= 0 if visit.paid else visit.total
        value += sum([_step_worth(step, visit, to_come) for step in visit.steps])
        value += TILE * len(visit.draws)
    if to_come or may_still_buy(state, seat):
        value += VALUE * budget + NOTE * player.notes
    if to_come or may_still_fight(state, seat):
        value += TILE * sum(player.hand)
    return value + prospects(state, seat, eyes, budget)


def _works(office: OfficeId) -> bool:
    return OFFICE[office].kind is not OfficeKind.ONE_SHOT


def _step_worth(step: VisitStep, visit: Visit, to_come: int) -> float:
    """§7.2 Return what a step that is still to be done will bring."""
    match step:
        case VisitStep.OFFICE if visit.office is not None:
            tile = OFFICE[visit.office]
            best = max([tile.points, *(each.points / 2 for each in tile.steps)])
            return best + to_come * WORKING * _works(visit.office) - NOTE * visit.note
        case VisitStep.TRAINING if visit.service is not None:
            piece = PIECE_INDEX[SERVICE_PIECE[visit.service]]
            return FAMILY_POINTS[piece] + to_come * MEMBER[piece]
        case VisitStep.RECRUIT_MERCENARIES:
            return TILE * RECRUITS[visit.rank - 1]
        case VisitStep.AGHA:
            return TILE * AGHA_TILES
        case VisitStep.QUARTERMASTER:
            return GOOD * QUARTERMASTER_GOODS
        case VisitStep.BENEVOLENCE:
            return GOOD
        case VisitStep.COURT_SCHOLAR:
            return NOTE
        case VisitStep.QADI:
            return 1.0
        case VisitStep.IMPOSTOR:
            return NOTE + 1.0
        case _:
            return SWAP
