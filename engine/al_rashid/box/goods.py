"""§6.3, §6.4 What goods are worth, and which bags pay a price without waste.

>>> worth((1, 2, 0, 0, 1))
7
>>> list(payments((1, 1, 1, 0, 1), 8))
[(1, 1, 1, 0, 1)]

§6.3 What goods are worth. Goods are sorted into sets in which no kind comes twice. A set of 1, 2, 3, 4 or 5 goods is
worth 1, 3, 6, 10 or 15. The split that gives the highest sum counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from engine.al_rashid.box.components import COMMON_COUNT, SET_VALUES, Bag
from engine.kernel.chance import Chance


@lru_cache(maxsize=65_536)
def worth(bag: Bag) -> int:
    """§6.3 Return a bag's value: the sum over its sets, where set n has every kind with at least n goods."""
    counts = sorted(bag)
    kinds = len(counts)
    total = lowest = 0
    for index, count in enumerate(counts):
        if count > lowest:
            total += (count - lowest) * SET_VALUES[kinds - index]
            lowest = count
    return total


@lru_cache(maxsize=65_536)
def _worth_without_one(bag: Bag) -> tuple[int, ...]:
    """Return for each kind what the bag is worth without one good of it; -1 for a kind that is not in the bag."""
    return tuple([worth(_one_less(bag, kind)) if count else -1 for kind, count in enumerate(bag)])


def idle(bag: Bag, total: int) -> list[int]:
    """[R9] Return the kinds of which one good can be left out so that the rest still pays."""
    return [kind for kind, rest in enumerate(_worth_without_one(bag)) if rest >= total]


def payments(owned: Bag, total: int, keep: int = 0) -> Iterator[Bag]:
    """§6.4 Yield every bag that pays the total without waste and leaves at least `keep` goods, in order of kinds."""
    most = sum(owned) - keep
    for bag in _paying(owned, total):
        if sum(bag) <= most and not idle(bag, total):
            yield bag


def can_pay(owned: Bag, total: int, keep: int = 0) -> bool:
    """§6.5, §7.7 Return whether there is such a payment."""
    return budget(owned, keep) >= total


def budget(owned: Bag, keep: int = 0) -> int:
    """§6.5, §7.7 Return the highest total that can be paid if `keep` goods (0 or 1) must be left; -1 if none can.

    Dropping idle goods from a paying bag never loses a payment.
    """
    return max(_worth_without_one(owned)) if keep else worth(owned)


def cheapest(bags: Iterable[Bag]) -> Bag:
    """§6.4 Return the bag of the least value; of equal ones that with the fewest goods, then with the fewest rare goods."""
    return min(bags, key=_price)


def by_price(bags: Iterable[Bag]) -> list[Bag]:
    """§6.4 Return the bags from the cheapest on."""
    return sorted(bags, key=_price)


def any_payment(owned: Bag, total: int, keep: int, chance: Chance) -> Bag:
    """Return a random payment: leave out goods at random until none is idle."""
    bag = owned
    kinds = idle(bag, total)
    while kinds:
        bag = _one_less(bag, kinds[chance.below(len(kinds))] if len(kinds) > 1 else kinds[0])
        kinds = idle(bag, total)
    if sum(owned) - sum(bag) < keep:
        raise ValueError("a payment without idle goods leaves what can be left")
    return bag


def _price(bag: Bag) -> tuple[int, int, int, Bag]:
    return worth(bag), sum(bag), sum(bag[COMMON_COUNT:]), bag


def _one_less(bag: Bag, kind: int) -> Bag:
    return (*bag[:kind], bag[kind] - 1, *bag[kind + 1 :])


def _paying(owned: Bag, total: int, chosen: Bag = ()) -> Iterator[Bag]:
    """Yield bags that pay, each with no good of a later kind once the earlier ones pay by themselves."""
    rest = owned[len(chosen) :]
    nothing = (0,) * len(rest)
    if worth((*chosen, *nothing)) >= total:
        yield (*chosen, *nothing)
        return
    if not rest or worth((*chosen, *rest)) < total:
        return
    for count in range(min(rest[0], total) + 1):
        yield from _paying(owned, total, (*chosen, count))
        if worth((*chosen, count, *nothing[1:])) >= total:
            return
