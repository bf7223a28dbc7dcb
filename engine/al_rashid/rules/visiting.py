"""[R35] What a visitor decides while a visit is carried out, for favors and offices that ask for something.

§7.7 Favors. The Favorite of the Spies costs 1 and does another palace's favor at no further cost. The General (0)
takes a good for a mercenary of a colour named by the visitor; the Court Scholar (2) gives a credit note; the Vizier
(0) swaps a good for one of another kind; the Qadi (1) gives an influence marker. General and Vizier can be chosen
only if a good is left after the payment, also when they are copied.

§10 Offices. An office is a tile with a cost, points for the end, and an effect. Which offices there are, and what
they cost and score, is part of the game's catalogue.

§10.2 Effects of offices. In the own turn the Smuggler swaps a good for one of another kind, the Trader a common good
for one of each other common kind; an importer gives a good of its kind, the Recruiter a mercenary. The Negotiator
shows a territory's tiles, of which one may be removed for an own tile of the same colour [R28]. When they are
acquired, the Impostor does two different favors, though not the Favorite's; the Agha draws 4 tiles; the Quartermaster
gives 2 goods; the Alchemist may turn a sage into a merchant [R29]; the Enchanter gives a merchant and a dishonor. The
catalogue says what each of the other offices does.
"""

from __future__ import annotations

from typing import Final

from engine.al_rashid.actions import (
    ChooseFavors,
    ConvertSage,
    Decline,
    GiveGood,
    NameColours,
    SwapGood,
    TakeGoods,
)
from engine.al_rashid.box.areas import AL_RASHID, AREAS
from engine.al_rashid.box.components import (
    COLOURS,
    COPIED_FAVORS,
    FAMILY_LIMITS,
    GOODS,
    MERCHANT,
    ONE_GOOD,
    RECRUITS,
    SAGE,
    AreaId,
    Colour,
    Favor,
    bag_of,
    goods_of,
    plus,
)
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import VisitStep
from engine.al_rashid.owner_events import (
    ColoursNamed,
    ConversionDeclined,
    FavorsChosen,
    GoodGiven,
    GoodsGained,
    SageConverted,
)
from engine.al_rashid.rules.activation import check_owned, swap_goods
from engine.al_rashid.rules.declaring import goods_to_keep, has_tiles_for
from engine.al_rashid.rules.entry import check_area
from engine.al_rashid.rules.mercenaries import all_tiles_to_name, tiles_to_name
from engine.al_rashid.rules.own_turn import owned_kinds
from engine.al_rashid.rules.paying import visit_of
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import State
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat

AGHA_TILES: Final = 4
QUARTERMASTER_GOODS: Final = 2


def choose_favors(turn: Turn, seat: Seat, action: ChooseFavors) -> None:
    """§10.2 [R40] Two different favors, free of charge, in the order named."""
    for field, favor in (("first", action.first), ("second", action.second)):
        if favor not in COPIED_FAVORS:
            raise RuleViolation(Code.FAVOR_ELSEWHERE, rule="10.2", field=field, favor=favor)
    if action.first is action.second:
        raise RuleViolation(Code.SAME_FAVOR_TWICE, rule="10.2", field="second", favor=action.second)
    short = _favor_without_good(turn.state, seat, action.first, action.second)
    if short is not None:
        raise RuleViolation(Code.NO_GOOD_LEFT, rule="7.7", favor=short)
    if not _tiles_for_all(turn.state, action.first, action.second):
        raise RuleViolation(Code.NOTHING_TO_DRAW, rule="F10", favor=Favor.GENERAL)
    turn.record(FavorsChosen(seat=seat, first=action.first, second=action.second))


def impostor_favors(state: State, seat: Seat) -> list[ChooseFavors]:
    """§10.2 List the pairs for which the goods and tiles suffice, counting the visit's own favor too [R35]."""
    return [
        ChooseFavors(first=first, second=second)
        for first in COPIED_FAVORS
        for second in COPIED_FAVORS
        if first is not second
        and _favor_without_good(state, seat, first, second) is None
        and _tiles_for_all(state, first, second)
    ]


def _favor_without_good(state: State, seat: Seat, first: Favor, second: Favor) -> Favor | None:
    """§7.7 Return the first favor for which no good is left, or None. The General takes a good away; the Vizier swaps one."""
    goods = sum(state.players[seat].goods)
    declared = visit_of(state).favor
    favors = (first, second) if declared is None else (first, second, declared)
    for favor in favors:
        if goods < goods_to_keep(favor):
            return favor
        goods -= favor is Favor.GENERAL
    return None


def _tiles_for_all(state: State, first: Favor, second: Favor) -> bool:
    """[F10] Return whether there is a tile for every General of the visit, the declared favor included."""
    declared = visit_of(state).favor
    return has_tiles_for(state, (first, second) if declared is None else (first, second, declared))


def give_good(turn: Turn, seat: Seat, action: GiveGood) -> None:
    """§7.7 [R19] A good for a mercenary, of a colour that has one left [F10]. A later favor of the visit must still find a good."""
    check_owned(turn.state, seat, action.give)
    if action.colour not in colours_for_the_general(turn.state):
        raise RuleViolation(Code.NOTHING_TO_DRAW, rule="F10", field="colour", colour=action.colour)
    turn.record(GoodGiven(seat=seat, good=action.give, colour=action.colour))


def gifts(state: State, seat: Seat) -> list[GiveGood]:
    """§7.7 List every own good with every colour that has a tile left."""
    kinds = owned_kinds(state.players[seat].goods)
    colours = colours_for_the_general(state)
    return [GiveGood(give=good, colour=colour) for good in kinds for colour in colours]


def colours_for_the_general(state: State) -> list[Colour]:
    """[F10] Return the colours of which a tile can still be named; in version 1.0.0 all colours."""
    if not state.rulings.only_tiles_there_are:
        return [*COLOURS]
    return [colour for colour in COLOURS if tiles_to_name(state, colour) > 0]


def swap_good(turn: Turn, seat: Seat, action: SwapGood) -> None:
    """§7.7 One good for one of another kind."""
    swap_goods(turn, seat, action.give, action.take, VisitStep.VIZIER)


def swaps(state: State, seat: Seat) -> list[SwapGood]:
    """§7.7 List every own good with every other kind."""
    kinds = owned_kinds(state.players[seat].goods)
    return [SwapGood(give=give, take=take) for give in kinds for take in GOODS if take is not give]


def name_colours(turn: Turn, seat: Seat, action: NameColours) -> None:
    """[R14] All colours are named before the first tile is drawn, each as often as it has tiles left [F10]."""
    state = turn.state
    expected, step = recruits_to_name(state)
    if action.red + action.blue != expected:
        raise RuleViolation(Code.WRONG_NUMBER, rule="7.5", number=action.red + action.blue, expected=expected)
    if action not in mixes(state):
        red_short = action.red > tiles_to_name(state, Colour.RED)
        short, field = (Colour.RED, "red") if red_short else (Colour.BLUE, "blue")
        raise RuleViolation(Code.NOTHING_TO_DRAW, rule="F10", field=field, colour=short)
    turn.record(ColoursNamed(seat=seat, red=action.red, blue=action.blue, source=step))


def recruits_to_name(state: State) -> tuple[int, VisitStep]:
    """§7.5, §10.2 Return how many tiles are named, and by which step: at most those left, less one for each later General [F10]."""
    visit = visit_of(state)
    step = visit.steps[0]
    number = AGHA_TILES if step is VisitStep.AGHA else RECRUITS[visit.rank - 1]
    if state.rulings.only_tiles_there_are:
        number = min(number, max(all_tiles_to_name(state) - visit.steps.count(VisitStep.GENERAL), 0))
    return number, step


def mixes(state: State) -> list[NameColours]:
    """[R14] List every mix of colours for which there are tiles."""
    expected, _ = recruits_to_name(state)
    most, least = expected, 0
    if state.rulings.only_tiles_there_are:
        most = min(expected, tiles_to_name(state, Colour.RED))
        least = max(expected - tiles_to_name(state, Colour.BLUE), 0)
    return [NameColours(red=red, blue=expected - red) for red in range(most, least - 1, -1)]


def skip_naming(turn: Turn, seat: Seat) -> bool:
    """[F10] If no tile is left to be named, name none and return True. In version 1.0.0 this never happened."""
    expected, step = recruits_to_name(turn.state)
    if expected:
        return False
    turn.record(ColoursNamed(seat=seat, red=0, blue=0, source=step))
    return True


def take_goods(turn: Turn, seat: Seat, action: TakeGoods) -> None:
    """§10.2 Two goods of choice, which may be equal."""
    number = sum(bag_of(action.goods))
    if number != QUARTERMASTER_GOODS:
        raise RuleViolation(
            Code.WRONG_NUMBER, rule="10.2", field="goods", number=number, expected=QUARTERMASTER_GOODS
        )
    turn.record(GoodsGained(seat=seat, goods=action.goods, source=VisitStep.QUARTERMASTER))


def pairs_of_goods() -> list[TakeGoods]:
    """§10.2 List every pair of goods."""
    return [
        TakeGoods(goods=goods_of(plus(ONE_GOOD[one], ONE_GOOD[other])))
        for place, one in enumerate(GOODS)
        for other in GOODS[place:]
    ]


def convert_sage(turn: Turn, seat: Seat, action: ConvertSage) -> None:
    """[R29] Convert a sage anywhere except beside a pasha or merchant; a sage in this palace counts as in the reserve."""
    state = turn.state
    area = action.area
    if area is not None:
        check_area(area, "area", "10.2")
        stack = state.stack(area, seat)
        if stack is None or not stack.pieces[SAGE]:
            raise RuleViolation(Code.NO_SAGE_THERE, rule="10.2", field="area", area=area)
        if area != AL_RASHID and stack.big:
            raise RuleViolation(Code.SECOND_BIG_PIECE, rule="R29", field="area", area=area)
    elif not state.players[seat].reserve[SAGE]:
        raise RuleViolation(Code.NO_SAGE_THERE, rule="10.2", field="area", area="reserve")
    turn.record(SageConverted(seat=seat, area=area))


def conversions(state: State, seat: Seat) -> list[ConvertSage | Decline]:
    """[R29] List every sage that can become a merchant; none if the player has four merchants [R15]."""
    if state.family(seat)[MERCHANT] >= FAMILY_LIMITS[MERCHANT]:
        return [Decline()]
    places: list[AreaId | None] = [None] if state.players[seat].reserve[SAGE] else []
    places += [
        area
        for area in AREAS
        for stack in state.at(area)
        if stack.seat == seat and stack.pieces[SAGE] and (area == AL_RASHID or not stack.big)
    ]
    return [*(ConvertSage(area=area) for area in places), Decline()]


def decline_conversion(turn: Turn, seat: Seat) -> None:
    """§10.2 The Alchemist may be bought without being used."""
    turn.record(ConversionDeclined(seat=seat))


def skip_conversion(turn: Turn, seat: Seat) -> bool:
    """[R15] If no sage can be converted, skip the conversion and return True."""
    if len(conversions(turn.state, seat)) > 1:
        return False
    decline_conversion(turn, seat)
    return True
