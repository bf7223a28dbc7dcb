"""A view drawn for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from engine.al_rashid.text.wording import goods, pieces, seats, squad
from engine.al_rashid.view import AlRashidView
from engine.al_rashid.view_parts import PalaceView, SeatView, TerritoryView


def draw(view: AlRashidView) -> str:
    """Return the areas with their stacks by slot, then the players, then the open decisions."""
    return "\n".join(_lines(view))


def _lines(view: AlRashidView) -> Iterator[str]:
    yield f"turn {view.turn}, round {view.round}, {view.stage}; order: {seats(view.order)}"
    for palace in view.palaces:
        sold = ", ".join(
            f"{each.office}{' x2' if each.copies > 1 else ''}" for each in palace.offices if each.copies
        )
        yield f"  {_area(palace)} | {sold or 'no offices'}"
    for territory in view.territories:
        tiles = ", ".join(
            f"{tile.colour} {tile.value if tile.value is not None else '?'}{'' if tile.face_up else '*'}"
            for tile in territory.mercenaries
        )
        notes = ", credit note" if territory.notes else ""
        yield f"  {_area(territory)} | {goods(territory.goods)}{notes} | {tiles or 'no mercenaries'}"
    for seat in view.seats:
        yield _seat(seat)
    for pending in view.pending:
        yield f"waiting for seat {pending.seat}: {pending.decision} (§{pending.rule})"
    if view.outcome is not None:
        yield f"winners: {seats(view.outcome.winners)}"


def _area(area: PalaceView | TerritoryView) -> str:
    stacks = "; ".join(
        f"seat {stack.seat} {pieces(stack.pashas, stack.merchants, stack.sages)} #{stack.rank or '-'}"
        for stack in area.stacks
    )
    done = " (resolved)" if area.resolved else ""
    return f"{area.id}{done}: {stacks or 'nobody'}"


def _seat(seat: SeatView) -> str:
    hand = (
        f"{seat.hand.red} red, {seat.hand.blue} blue" if seat.hand.tiles is None else squad(seat.hand.tiles)
    )
    reserve = pieces(seat.reserve.pashas, seat.reserve.merchants, seat.reserve.sages)
    offices = ", ".join(f"{each.office}{' (used)' if each.used else ''}" for each in seat.offices)
    gone = " left" if seat.left else ""
    return (
        f"seat {seat.seat}{gone}: {goods(seat.goods)}; notes {seat.notes}, influence {seat.influence}, "
        f"dishonor {seat.dishonor}; hand {hand}; reserve {reserve}; offices {offices or 'none'}"
    )
