"""§1.6, §1.7 What players own on the board, and what could still be gained.

§1.6 Owners. Whoever has a marker on a building owns it. A building carries at most two markers. Two markers of the
same player are one building wherever buildings are counted [A15].

§1.7 Own and opponent buildings. A building with a marker of a player is that player's own building. A building with a
marker of another player is an opponent building. A shared building is both, for both owners [A16].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.kernel.seats import Seat
from engine.river_of_gold.box.board import REGION_OF, TRACK_END
from engine.river_of_gold.box.buildings import BUILDING
from engine.river_of_gold.box.components import (
    GOOD_CAP,
    GOODS,
    KOKU_CAP,
    BuildingType,
    CustomerType,
    Good,
    Region,
)
from engine.river_of_gold.box.customers import CUSTOMER
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.event_parts import Choice, JourneyBonus
from engine.river_of_gold.state import Player, Site, State

TYPE_OF: Final[dict[str, BuildingType]] = {name.value: building.type for name, building in BUILDING.items()}
OWN_BUILDING_MONKS: Final = frozenset({CustomerId.MONK_1, CustomerId.MONK_3, CustomerId.MONK_5})
"""§10.4 The others go to an opponent's building."""


def owned_types(state: State, seat: Seat) -> list[BuildingType]:
    """§1.6 [A15] Return the type of each building the seat owns; two own markers are one building."""
    return [TYPE_OF[site.building] for site in state.sites if site is not None and seat in site.markers]


def owned_shores(state: State, seat: Seat) -> list[int]:
    """§1.7 Return the shore spaces of the seat's own buildings."""
    return [at for at, site in enumerate(state.sites) if site is not None and seat in site.markers]


def owned_regions(state: State, seat: Seat) -> list[Region]:
    """§1.7 Return the regions with an own building, ascending."""
    return sorted({REGION_OF[at] for at in owned_shores(state, seat)})


def is_opponents(site: Site, seat: Seat) -> bool:
    """§1.7 [A16] Return whether another player has a marker on it."""
    return any(owner != seat for owner in site.markers)


def artisan_regions(player: Player) -> tuple[Region, ...]:
    """§10.1 Return the regions with the player's artisan marker."""
    return _regions_of(player, CustomerType.ARTISAN)


def elder_regions(player: Player) -> tuple[Region, ...]:
    """§10.2 Return the regions with the player's elder marker."""
    return _regions_of(player, CustomerType.ELDER)


def has_merchant(player: Player) -> bool:
    """§10.3 Return whether the player has a marker on the merchant space."""
    return any(CUSTOMER[card].type is CustomerType.MERCHANT for card in player.delivered)


def _regions_of(player: Player, kind: CustomerType) -> tuple[Region, ...]:
    return tuple([CUSTOMER[card].region for card in player.delivered if CUSTOMER[card].type is kind])


def wanted_goods(player: Player) -> list[Good]:
    """§11.3 [A26] Return the kinds of goods that are not at their cap."""
    return [good for good, count in zip(GOODS, player.goods, strict=True) if count < GOOD_CAP]


def marker_targets(state: State, choice: Choice) -> list[int]:
    """§10.4 [A14] Return the shore spaces whose building has exactly one marker, of the kind this monk needs."""
    seat, own = choice.seat, choice.customer in OWN_BUILDING_MONKS
    return [
        at
        for at, site in enumerate(state.sites)
        if site is not None and len(site.markers) == 1 and (site.markers[0] == seat) == own
    ]


def bonus_gains(state: State, seat: Seat, bonus: JourneyBonus) -> bool:
    """§11.3 Return whether a journey's bonus would gain anything now."""
    if bonus is _INFLUENCE_BONUS:
        tracks = state.players[seat].tracks
        return any(tracks[region - 1] < TRACK_END for region in owned_regions(state, seat))
    return BONUS_GAINS[bonus](state.players[seat])


def any_bonus_gains(state: State, seat: Seat, bonuses: tuple[JourneyBonus, ...]) -> bool:
    """§11.3 Return whether any of the bonuses would gain anything now."""
    for bonus in bonuses:  # noqa: SIM110 - `any` needs a generator, which costs more than the question
        if bonus_gains(state, seat, bonus):
            return True
    return False


_INFLUENCE_BONUS: Final = JourneyBonus.MERCHANT_1
BONUS_GAINS: Final[dict[JourneyBonus, Callable[[Player], bool]]] = {
    JourneyBonus.KOKU_OR_GOOD: lambda player: player.koku < KOKU_CAP or min(player.goods) < GOOD_CAP,
    JourneyBonus.MERCHANT_2: lambda _: True,
    JourneyBonus.MERCHANT_3: lambda player: min(player.goods) < GOOD_CAP,
    JourneyBonus.MERCHANT_4: lambda player: player.koku < KOKU_CAP and any(player.goods),
    JourneyBonus.MERCHANT_5: lambda player: player.favor < player.limit,
    JourneyBonus.MERCHANT_6: lambda player: player.koku < KOKU_CAP,
}
"""§5.4, §10.3 What depends on the player alone: all but `merchant_1`, which depends on the board."""
