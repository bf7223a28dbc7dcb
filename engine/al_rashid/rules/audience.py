"""§8.3 How benevolence changes the turn order.

§8.3 Benevolence. It is free. The player takes one good of choice and, from the next round on, the place in the turn
order that equals the own rank. All who did not take it fill the other places in the order they had [R22].
"""

from __future__ import annotations

from engine.al_rashid.events import OrderChanged
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import Scene
from engine.kernel.seats import Seat


def settle_order(turn: Turn, scene: Scene) -> None:
    """§8.3 Change the turn order after the last visit."""
    if not scene.takers:
        return
    order, left = turn.state.order, turn.state.left
    present = tuple([seat for seat in order if seat not in left])
    places = _places({scene.rank(seat): seat for seat in scene.takers}, len(present))
    gone = tuple([seat for seat in order if seat in left])
    turn.record(OrderChanged(order=(*reordered(present, places), *gone)))


def _places(takers: dict[int, Seat], present: int) -> dict[int, Seat]:
    """Return who takes which place: the place of the rank, or the last free one if players have left and there are fewer places [F8].

    >>> _places({1: Seat(4), 3: Seat(0)}, 2)
    {2: 0, 1: 4}
    """
    places: dict[int, Seat] = {}
    for rank in sorted(takers, reverse=True):
        place = min(rank, present)
        while place in places:
            place -= 1
        places[place] = takers[rank]
    return places


def reordered(order: tuple[Seat, ...], takers: dict[int, Seat]) -> tuple[Seat, ...]:
    """§8.3 Rank k gets place k; all others fill the other places in their current order [R22].

    >>> A, B, C, D, E = map(Seat, range(5))
    >>> reordered((A, B, C, D, E), {1: E, 2: C})
    (4, 2, 0, 1, 3)
    """
    others = iter([seat for seat in order if seat not in takers.values()])
    return tuple([takers[place] if place in takers else next(others) for place in range(1, len(order) + 1)])
