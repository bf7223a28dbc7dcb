"""§6.1, §6.6, §6.7 What a visit costs.

§6 Payment. What a visit costs is paid in goods, once, before any of its effects.

§6.1 The total of a visit. The costs of service, office and favor are added, after all discounts, and paid together.

§6.6 Credit notes. A note lowers the cost of the office that is bought by 3, or by 5 for an owner of the Banker, to 0
at the lowest. One note can be spent on each office, and it goes back to the supply. It never lowers the cost of a
service or a favor [R10].

§6.7 Loremaster. Its owner pays 3 less for training a merchant or a pasha. Two copies take 6 off, and no cost goes
below 0 [R11].
"""

from __future__ import annotations

from engine.al_rashid.box.components import (
    BANKER_DISCOUNT,
    DISCOUNTED_SERVICES,
    LOREMASTER_DISCOUNT,
    NOTE_DISCOUNT,
    SERVICE_COSTS,
    OfficeId,
    Service,
)
from engine.al_rashid.box.offices import BANKER, LOREMASTER, OFFICE
from engine.al_rashid.state import State
from engine.kernel.seats import Seat


def service_cost(state: State, seat: Seat, service: Service, rank: int) -> int:
    """§7.5 Return what a service costs the seat at a rank."""
    return service_price(service, rank, state.offices(seat, LOREMASTER))


def service_price(service: Service, rank: int, loremasters: int) -> int:
    """§7.5 By rank; every Loremaster takes 3 off training a merchant or a pasha, down to 0 [R11]."""
    cost = SERVICE_COSTS[service][rank - 1]
    if service in DISCOUNTED_SERVICES:
        cost -= LOREMASTER_DISCOUNT * loremasters
    return max(cost, 0)


def office_cost(state: State, seat: Seat, office: OfficeId, *, note: bool) -> int:
    """§6.6 Return what an office costs the seat."""
    return office_price(office, note=note, bankers=state.offices(seat, BANKER) if note else 0)


def office_price(office: OfficeId, *, note: bool, bankers: int) -> int:
    """§6.6 The printed cost; a credit note takes 3 off, with a Banker 5, down to 0 [R10]; two Bankers are no better [R13]."""
    cost = OFFICE[office].cost
    if note:
        cost -= BANKER_DISCOUNT if bankers else NOTE_DISCOUNT
    return max(cost, 0)
