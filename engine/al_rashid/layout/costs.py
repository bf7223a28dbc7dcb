"""What a seat pays for an action, by its view."""

from __future__ import annotations

from engine.al_rashid.actions import DeclareAudience, DeclareVisit
from engine.al_rashid.box.areas import GUILDS
from engine.al_rashid.box.components import FAVOR_COSTS, GOODS, Goods, OfficeId, Squad, bag_of, tiles_of
from engine.al_rashid.box.offices import BANKER, LOREMASTER
from engine.al_rashid.layout.ids import NOTE, TILE_KINDS
from engine.al_rashid.layout.targets import scene_of
from engine.al_rashid.rules.prices import office_price, service_price
from engine.al_rashid.view import AlRashidView
from engine.kernel.hints import Cost
from engine.kernel.seats import Seat

_GOLD = "gold"
"""§6.1 The costs of a visit; goods pay them by what they are worth (§6.3)."""


def visit_cost(view: AlRashidView, seat: Seat, visit: DeclareVisit) -> tuple[Cost, ...]:
    """§6.1 Return what a visit costs in all, and the credit note that is spent on its office."""
    scene = scene_of(view)
    guild = GUILDS[scene.area]
    total = _office_cost(view, seat, visit.office, note=visit.note)
    if visit.service:
        rank = next(each.rank for each in scene.ranking if each.seat == seat)
        total += service_price(guild.service, rank, _owned(view, seat, LOREMASTER))
    if visit.favor is not None:
        total += FAVOR_COSTS[guild.head]
    return _paid(total, note=visit.note)


def audience_cost(view: AlRashidView, seat: Seat, audience: DeclareAudience) -> tuple[Cost, ...]:
    """§8.4 Return what the office costs; benevolence costs nothing."""
    return _paid(_office_cost(view, seat, audience.office, note=audience.note), note=audience.note)


def goods_cost(goods: Goods) -> tuple[Cost, ...]:
    """§6.4 Return the goods of a payment."""
    return tuple(
        [
            Cost(resource=good, amount=number)
            for good, number in zip(GOODS, bag_of(goods), strict=True)
            if number
        ]
    )


def tiles_cost(squad: Squad) -> tuple[Cost, ...]:
    """§9.3 Return the tiles of a fight: all of them are lost."""
    return tuple(
        [
            Cost(resource=tile, amount=number)
            for tile, number in zip(TILE_KINDS, tiles_of(squad), strict=True)
            if number
        ]
    )


def one_of(resource: str) -> tuple[Cost]:
    """Return the cost of one good or one tile."""
    return (Cost(resource=resource, amount=1),)


def _paid(total: int, *, note: bool) -> tuple[Cost, ...]:
    gold = (Cost(resource=_GOLD, amount=total),) if total else ()
    return (*gold, *one_of(NOTE)) if note else gold


def _office_cost(view: AlRashidView, seat: Seat, office: OfficeId | None, *, note: bool) -> int:
    return 0 if office is None else office_price(office, note=note, bankers=_owned(view, seat, BANKER))


def _owned(view: AlRashidView, seat: Seat, office: OfficeId) -> int:
    return sum([held.office == office for held in view.seats[seat].offices])
