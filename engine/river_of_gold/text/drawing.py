"""The view of a match drawn for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from engine.river_of_gold.text.wording import goods, names, seats
from engine.river_of_gold.view import RiverOfGoldView
from engine.river_of_gold.view_parts import SeatView, ShoreView


def draw(view: RiverOfGoldView) -> str:
    """Return the regions with their spaces, the ships, the row, the players, and who has to decide."""
    return "\n".join(_lines(view))


def _lines(view: RiverOfGoldView) -> Iterator[str]:
    yield f"turn {view.turn}, {view.stage}; order: {seats(view.order)}"
    for region in view.regions:
        spaces = "; ".join(_shore(shore) for shore in view.shores if shore.region == region.region)
        worth = "/".join(map(str, region.values))
        yield f"  region {region.region} ({worth}), influence {_numbers(region.influence)}: {spaces}"
    for river in view.river:
        if river.ships:
            ships = ", ".join(
                f"seat {ship.seat} {'royal ' if ship.royal else ''}{ship.ship}" for ship in river.ships
            )
            yield f"  {river.id}: {ships}"
    yield f"row: {' | '.join(str(slot.building or '-') for slot in view.row)}"
    for stack in view.stacks:
        yield f"{stack.era}: {stack.left} left, top {stack.top or '-'}"
    yield f"deck {view.deck_size}; discarded: {names(view.discarded_customers)}"
    for mastery in view.masteries:
        slots = ", ".join(
            f"{slot.vp} {'free' if slot.seat is None else f'seat {slot.seat}'}" for slot in mastery.slots
        )
        yield f"{mastery.mastery}: {slots}"
    if view.offers:
        yield f"patrons: {names(view.offers)}"
    for seat in view.seats:
        yield _seat(seat)
    for pending in view.pending:
        yield f"waiting for seat {pending.seat}: {pending.decision} (§{pending.rule})"
    if view.outcome is not None:
        yield f"winners: {seats(view.outcome.winners)}"


def _shore(shore: ShoreView) -> str:
    number = shore.id.removeprefix("shore_")
    if shore.building is None:
        cost = shore.cost if shore.your_cost is None else shore.your_cost
        return f"{number} [{cost}]"
    return f"{number} {shore.building}{f' of {_numbers(shore.markers)}' if shore.markers else ''}"


def _seat(seat: SeatView) -> str:
    clan = "no clan yet" if seat.clan is None else str(seat.clan)
    patron = "" if seat.patron is None else f" with {seat.patron}"
    hand = names(seat.hand) if seat.hand else f"{seat.hand_size} cards"
    gone = " left" if seat.left else ""
    return (
        f"seat {seat.seat}{gone} ({clan}{patron}): {seat.vp} VP, {seat.koku} koku, {goods(seat.goods)}, "
        f"favor {seat.favor}/{seat.favor_limit}, die {seat.die or '-'}; hand {hand}; "
        f"delivered {names(each.customer for each in seat.delivered)}"
    )


def _numbers(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))
