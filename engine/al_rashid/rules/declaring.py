"""§7.2 to §7.4, §8.2 Declaring a visit: what it consists of, whether it is allowed, what it costs.

§7 Guild palaces. The palaces of the Spies, Military, Culture, Mercantile and Political guilds are resolved in the
same way: the players visit in the order of their ranks.

§7.2 Three actions. A visit may use the palace's service, buy an office, and use the palace's favor: at most two of
these, each at most once. Service and office are primary actions, the favor is a secondary one.

§7.3 A visit without a primary action. Whoever uses only the favor, or does nothing, takes 1 dishonor [R12].

§7.4 Buying an office. The visitor takes one office tile that is still for sale in this palace and pays the printed
cost, whatever the rank. A visit buys one office at most. There is no limit to the offices a player owns, and a second
copy of one is allowed [R13].

§7.5 Services. The Military gives ranks 1, 2 and 3 three, two and one mercenaries at no cost. A sage at the Culture
guild costs 5, 7 or 9, a merchant at the Mercantile guild 8, 10 or 12, a pasha at the Political guild 11, 13 or 15. A
service that would exceed the limits of a family (§1.2) cannot be chosen [R15]. New pieces come from the box into the
reserve and are placed from the next turn on.

§8 Palace of Al-Rashid. Here the Caliph grants benevolence and sells offices. There is no favor, and no dishonor for
what a visitor chooses.

§8.2 Audiences. The first three players visit in the order of their ranks. Each takes benevolence, buys an office, or
does both; at least one of them [R21].

§8.4 Offices at Al-Rashid. An office is bought as in the guild palaces (§7.4), from the eight of Al-Rashid. The good
of the benevolence cannot pay for it.
"""

from __future__ import annotations

from typing import Final

from engine.al_rashid.actions import DeclareAudience, DeclareVisit
from engine.al_rashid.box.areas import AL_RASHID, GUILDS, SPIES
from engine.al_rashid.box.components import (
    COPIED_FAVORS,
    DISHONOR_NO_PRIMARY,
    FAMILY_LIMITS,
    FAVOR_COSTS,
    FAVORS_NEEDING_A_GOOD,
    GOODS,
    MAX_ACTIONS,
    PIECE_INDEX,
    SERVICE_PIECE,
    AreaId,
    Favor,
    OfficeId,
    Service,
)
from engine.al_rashid.box.goods import budget, can_pay, worth
from engine.al_rashid.box.offices import BANKER, OFFICE, OFFICE_INDEX, OFFICES_OF
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import VisitStep
from engine.al_rashid.owner_events import DishonorTaken, VisitDeclared
from engine.al_rashid.rules.mercenaries import all_tiles_to_name
from engine.al_rashid.rules.prices import office_cost, office_price, service_cost
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import Scene, State
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat

_OFFICE_STEPS = {step.value: step for step in VisitStep if step.value in OFFICE}
"""§10.2 Offices whose effect on acquiring asks for something."""
_FAVOR_STEPS: Final = {favor: VisitStep(favor.value) for favor in COPIED_FAVORS}


def declare_visit(turn: Turn, seat: Seat, action: DeclareVisit) -> None:
    """§7.2 A visit has at most two of three actions; without a primary one it costs a dishonor [R12]."""
    state = turn.state
    scene = _scene(state)
    guild = GUILDS[scene.area]
    rank = scene.rank(seat)
    actions = action.service + (action.office is not None) + (action.favor is not None)
    if actions > MAX_ACTIONS:
        raise RuleViolation(Code.TOO_MANY_ACTIONS, rule="7.2", actions=actions, limit=MAX_ACTIONS)
    service = guild.service if action.service else None
    if service is not None:
        _check_limit(state, seat, service)
    _check_office(state, seat, scene.area, action.office, note=action.note)
    if action.favor is not None and action.favor not in favors_at(scene.area):
        raise RuleViolation(Code.FAVOR_ELSEWHERE, rule="7.7", field="favor", favor=action.favor)
    if action.favor is not None and not has_tiles_for(state, (action.favor,)):
        raise RuleViolation(Code.NOTHING_TO_DRAW, rule="F10", field="favor", favor=action.favor)
    total = visit_cost(state, seat, scene.area, rank, action)
    check_affordable(state, seat, total, action.favor)
    turn.record(
        VisitDeclared(
            seat=seat,
            area=scene.area,
            rank=rank,
            service=service,
            office=action.office,
            note=action.note,
            favor=action.favor,
            benevolence=None,
            total=total,
            steps=(*_office_steps(action.office), *_service_steps(service), *_favor_steps(action.favor)),
        )
    )
    if service is None and action.office is None:
        turn.record(DishonorTaken(seat=seat, markers=DISHONOR_NO_PRIMARY, source=scene.area))


def declare_audience(turn: Turn, seat: Seat, action: DeclareAudience) -> None:
    """§8.2 Benevolence, an office, or both [R21]."""
    state = turn.state
    if action.benevolence is None and action.office is None:
        raise RuleViolation(Code.NO_ACTION, rule="8.2")
    _check_office(state, seat, AL_RASHID, action.office, note=action.note)
    total = 0 if action.office is None else office_cost(state, seat, action.office, note=action.note)
    check_affordable(state, seat, total, None)
    gift = () if action.benevolence is None else (VisitStep.BENEVOLENCE,)
    turn.record(
        VisitDeclared(
            seat=seat,
            area=AL_RASHID,
            rank=_scene(state).rank(seat),
            service=None,
            office=action.office,
            note=action.note,
            favor=None,
            benevolence=action.benevolence,
            total=total,
            steps=(*_office_steps(action.office), *gift),
        )
    )


def visit_cost(state: State, seat: Seat, area: AreaId, rank: int, action: DeclareVisit) -> int:
    """§6.1 Return the total cost of a visit to a guild. The favor that the Favorite copies costs nothing more [R18]."""
    guild = GUILDS[area]
    total = service_cost(state, seat, guild.service, rank) if action.service else 0
    if action.office is not None:
        total += office_cost(state, seat, action.office, note=action.note)
    return total + (FAVOR_COSTS[guild.head] if action.favor is not None else 0)


def check_affordable(state: State, seat: Seat, total: int, favor: Favor | None) -> None:
    """§6.5, §7.7 All own goods must be worth the total; some favors need a good after that."""
    goods = state.players[seat].goods
    if worth(goods) < total:
        raise RuleViolation(Code.VISIT_UNAFFORDABLE, rule="6.5", total=total, worth=worth(goods))
    if not can_pay(goods, total, goods_to_keep(favor)):
        raise RuleViolation(Code.NO_GOOD_LEFT, rule="7.7", field="favor", favor=str(favor))


def goods_to_keep(favor: Favor | None) -> int:
    """§7.7 Return how many goods a payment must leave."""
    return 1 if favor in FAVORS_NEEDING_A_GOOD else 0


def has_tiles_for(state: State, favors: tuple[Favor, ...]) -> bool:
    """[F10] Return whether there is a tile for each General among the favors. Version 1.0.0 did not check this."""
    if not state.rulings.only_tiles_there_are:
        return True
    generals = favors.count(Favor.GENERAL)
    return not generals or all_tiles_to_name(state) >= generals


def favors_at(area: AreaId) -> tuple[Favor, ...]:
    """§7.7 Return the favors that can be chosen in a guild's palace."""
    return COPIED_FAVORS if area == SPIES else (GUILDS[area].head,)


def visits(state: State, seat: Seat) -> list[DeclareVisit]:
    """§7.2 List every visit that is allowed and can be paid."""
    scene = _scene(state)
    area, rank = scene.area, scene.rank(seat)
    goods = state.players[seat].goods
    guild = GUILDS[area]
    services = [(False, 0)]
    if _within_limit(state, seat, guild.service):
        services.append((True, service_cost(state, seat, guild.service, rank)))
    favors: list[tuple[Favor | None, int, int]] = [(None, 0, budget(goods))]
    favors += [
        (favor, FAVOR_COSTS[guild.head], budget(goods, goods_to_keep(favor)))
        for favor in favors_at(area)
        if has_tiles_for(state, (favor,))
    ]
    return [
        DeclareVisit(service=service, office=office, note=note, favor=favor)
        for office, note, price in _offices(state, seat, area)
        for service, service_price in services
        for favor, favor_price, most in favors
        if price + service_price + favor_price <= most and (office is None or not service or favor is None)
    ]


def audiences(state: State, seat: Seat) -> list[DeclareAudience]:
    """§8.2 List every audience that is allowed and can be paid."""
    wealth = worth(state.players[seat].goods)
    return [
        DeclareAudience(benevolence=good, office=office, note=note)
        for office, note, price in _offices(state, seat, AL_RASHID)
        if price <= wealth
        for good in (None, *GOODS)
        if office is not None or good is not None
    ]


def _offices(state: State, seat: Seat, area: AreaId) -> list[tuple[OfficeId | None, bool, int]]:
    """List each choice of an office: none, or one for sale, with or without a note; each with its cost."""
    market = state.market
    found: list[tuple[OfficeId | None, bool, int]] = [(None, False, 0)]
    with_note = state.players[seat].notes > 0
    bankers = state.offices(seat, BANKER) if with_note else 0
    for office in OFFICES_OF[area]:
        if market[OFFICE_INDEX[office]]:
            found.append((office, False, OFFICE[office].cost))
            if with_note:
                found.append((office, True, office_price(office, note=True, bankers=bankers)))
    return found


def _check_office(state: State, seat: Seat, area: AreaId, office: OfficeId | None, *, note: bool) -> None:
    """§7.4, §6.6"""
    if office is None:
        if note:
            raise RuleViolation(Code.NOTE_WITHOUT_OFFICE, rule="6.6", field="note")
        return
    if office not in OFFICE:
        raise RuleViolation(Code.OFFICE_UNKNOWN, rule="10", field="office", office=office)
    palace = OFFICE[office].palace
    if palace != area:
        raise RuleViolation(Code.OFFICE_ELSEWHERE, rule="7.4", field="office", office=office, palace=palace)
    if not state.market[OFFICE_INDEX[office]]:
        raise RuleViolation(Code.OFFICE_SOLD_OUT, rule="7.4", field="office", office=office)
    if note and not state.players[seat].notes:
        raise RuleViolation(Code.NO_NOTE, rule="6.6", field="note")


def _check_limit(state: State, seat: Seat, service: Service) -> None:
    """[R15]"""
    if not _within_limit(state, seat, service):
        piece = SERVICE_PIECE[service]
        raise RuleViolation(
            Code.FAMILY_LIMIT,
            rule="7.5",
            field="service",
            piece=piece,
            limit=FAMILY_LIMITS[PIECE_INDEX[piece]],
        )


def _within_limit(state: State, seat: Seat, service: Service) -> bool:
    piece = SERVICE_PIECE.get(service)
    if piece is None:
        return True
    index = PIECE_INDEX[piece]
    return state.family(seat)[index] < FAMILY_LIMITS[index]


def _office_steps(office: OfficeId | None) -> tuple[VisitStep, ...]:
    if office is None:
        return ()
    asking = _OFFICE_STEPS.get(office)
    return (VisitStep.OFFICE,) if asking is None else (VisitStep.OFFICE, asking)


def _service_steps(service: Service | None) -> tuple[VisitStep, ...]:
    """§7.6 Spy moves come after all visits, so they are not a step of a visit."""
    if service is None or service is Service.SPY_MOVES:
        return ()
    if service is Service.RECRUIT_MERCENARIES:
        return (VisitStep.RECRUIT_MERCENARIES,)
    return (VisitStep.TRAINING,)


def _favor_steps(favor: Favor | None) -> tuple[VisitStep, ...]:
    return () if favor is None else (_FAVOR_STEPS[favor],)


def _scene(state: State) -> Scene:
    if state.scene is None:
        raise TypeError("no palace is being visited")
    return state.scene
