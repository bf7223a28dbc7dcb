"""§1.8, §5.6, §5.7, §8.1, §9.1 An area is named: ranks are fixed, and players who do not act take their pieces back.

§1.8 Ranks. The players in an area are ranked by dominance value, the highest first. Among equal values the slot
further left comes first.

§5.6 Resolving an area. When an area is resolved, all pieces in it go back to the reserves of their owners. An area is
resolved at most once in a turn.

§5.7 Three players act. Only the players of ranks 1 to 3 visit or trade. In palaces the others take their pieces back
before the first visit, on territories after the battle [R7]. This costs them nothing.

§8.1 Sages without a pasha. Before players are ranked at the palace of Al-Rashid, everybody who has sages there but no
pasha takes 2 dishonor and takes the sages back. Such a player gets no rank [R20].

§9.1 Revealing the mercenaries. When a territory is named, all its mercenary tiles are turned face up for everybody.
All players there are ranked, also more than three.
"""

from __future__ import annotations

from engine.al_rashid.box.areas import AL_RASHID, TERRITORY_INDEX
from engine.al_rashid.box.components import ACTING_RANKS, DISHONOR_NO_PASHA, PASHA, AreaId
from engine.al_rashid.event_parts import BackReason, PlacedTile, RankedStack
from engine.al_rashid.events import AreaOpened, PiecesTakenBack, TilesRevealed
from engine.al_rashid.owner_events import DishonorTaken
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import Stack, State
from engine.kernel.seats import Seat


def ranked(stacks: tuple[Stack, ...]) -> list[Stack]:
    """§1.8 Sort by dominance value, high first, then by slot, left first."""
    return sorted(stacks, key=_descending) if len(stacks) > 1 else list(stacks)


def ranking(state: State, area: AreaId) -> tuple[RankedStack, ...]:
    """§1.8 Return the ranks in an area. At Al-Rashid a player without a pasha there has no rank [R20]."""
    stacks = ranked(state.at(area))
    if area == AL_RASHID:
        stacks = [stack for stack in stacks if stack.pieces[PASHA]]
    return tuple(
        [
            RankedStack(
                seat=stack.seat,
                rank=rank,
                dominance=stack.dominance,
                pashas=stack.pieces[0],
                merchants=stack.pieces[1],
                sages=stack.pieces[2],
            )
            for rank, stack in enumerate(stacks, start=1)
        ]
    )


def open_area(turn: Turn, seat: Seat, area: AreaId) -> None:
    """§5.7 In palaces the first three act; on territories all take part until the battle is over [R7]."""
    places = ranking(turn.state, area)
    seats = tuple([place.seat for place in places])
    on_map = area in TERRITORY_INDEX
    acting = seats if on_map else seats[:ACTING_RANKS]
    turn.record(AreaOpened(seat=seat, area=area, ranking=places, acting=acting))
    if on_map:
        _reveal(turn, area)
        return
    for stack in turn.state.at(area):
        if stack.seat in acting:
            continue
        if stack.seat not in seats:  # §8.1
            turn.record(DishonorTaken(seat=stack.seat, markers=DISHONOR_NO_PASHA, source=AL_RASHID))
            take_back(turn, stack.seat, area, BackReason.NO_PASHA)
        else:
            take_back(turn, stack.seat, area, BackReason.CUT)


def take_back(turn: Turn, seat: Seat, area: AreaId, reason: BackReason) -> None:
    """§5.6 Return a player's pieces to the reserve."""
    stack = turn.state.stack(area, seat)
    pashas, merchants, sages = (0, 0, 0) if stack is None else stack.pieces
    turn.record(
        PiecesTakenBack(seat=seat, area=area, pashas=pashas, merchants=merchants, sages=sages, reason=reason)
    )


def _reveal(turn: Turn, territory: AreaId) -> None:
    """§9.1"""
    tiles = turn.state.tiles[TERRITORY_INDEX[territory]]
    if False in [tile.face_up for tile in tiles]:
        shown = tuple(
            [
                PlacedTile(id=tile.id, territory=territory, colour=tile.colour, value=tile.value)
                for tile in tiles
            ]
        )
        turn.record(TilesRevealed(territory=territory, tiles=shown))


def _descending(stack: Stack) -> int:
    return -stack.dominance
