"""§5.2, §5.3, §8.2 Visitor rewards for the player who sails, owner rewards for players with markers on visited buildings.

§5.2 Visitor rewards. The ship visits the four shore spaces around the river space where it ends. An empty space gives
1 koku, a building its visitor reward, whoever owns it and also if it is neutral. The spaces come in ascending order
[A38].

§5.3 Owner rewards. Then every owner of the visited buildings gets the owner reward, once for each own marker there,
also the player who sails. Influence from a building is always in its own region [A33].
"""

from __future__ import annotations

from engine.kernel.chance import Chance
from engine.kernel.seats import Seat
from engine.river_of_gold.box.board import REGION_OF, SHORES, VISITED
from engine.river_of_gold.box.buildings import BUILDING
from engine.river_of_gold.box.components import EMPTY_SPACE_KOKU, BuildingType
from engine.river_of_gold.box.ids import BuildingId, CustomerId, ShoreId
from engine.river_of_gold.box.rewards import KokuPer, Reward
from engine.river_of_gold.event_parts import Choice, ChoiceKind, ChoiceSource, InfluenceSource
from engine.river_of_gold.events import EmperorVisited
from engine.river_of_gold.gain_events import OwnerRewarded, VisitorRewarded
from engine.river_of_gold.rules.cards import draw_cards
from engine.river_of_gold.rules.choices import open_choices
from engine.river_of_gold.rules.gaining import capped, koku_gains
from engine.river_of_gold.rules.holdings import owned_types
from engine.river_of_gold.rules.influence import advance
from engine.river_of_gold.rules.sailing import voyage_of
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import State

EXTRA_EMPTY_KOKU = 1
"""§10.5 `noble_2`"""


def visitor_rewards(turn: Turn, seat: Seat, chance: Chance) -> None:
    """§5.2 [A38] Give the fixed gains in ascending order of shore spaces, then open the choices."""
    voyage = voyage_of(turn.state)
    delivered = turn.state.players[seat].delivered
    extra = EXTRA_EMPTY_KOKU if voyage.royal and CustomerId.NOBLE_2 in delivered else 0
    any_market_good = voyage.royal and CustomerId.NOBLE_1 in delivered
    opened: list[Choice] = []
    for at in VISITED[voyage.river]:
        site = turn.state.sites[at]
        if site is None:
            gains = koku_gains(turn.state.players[seat], EMPTY_SPACE_KOKU + extra)
            turn.record(VisitorRewarded(seat=seat, shore=SHORES[at], building=None, gains=gains))
        else:
            opened += _visit(turn, seat, at, site.building, chance, any_good=any_market_good)
    open_choices(turn, opened)


def _visit(
    turn: Turn, seat: Seat, at: int, name: BuildingId, chance: Chance, *, any_good: bool
) -> list[Choice]:
    """§5.2 Visit one building; return the choices it opens. `any_good` is `noble_1`: a market's goods may be other goods [A19]."""
    building, shore = BUILDING[name], SHORES[at]
    reward = building.visitor
    if reward.influence:
        return advance(turn, seat, REGION_OF[at], reward.influence, InfluenceSource.VISITOR, shore=shore)
    of_choice, noble = reward.any_good, None
    if any_good and building.type is BuildingType.MARKET and not of_choice:
        of_choice, noble = reward.silk + reward.rice + reward.porcelain, CustomerId.NOBLE_1
        reward = Reward(favor=reward.favor, draw=reward.draw)
    if _is_fixed(reward):
        gains = capped(turn.state.players[seat], reward)
        turn.record(VisitorRewarded(seat=seat, shore=shore, building=name, gains=gains))
    opened = [_good(seat, ChoiceSource.VISITOR, shore, noble)] * of_choice if of_choice else []
    if reward.draw and draw_cards(turn, seat, reward.draw, chance):
        opened.append(Choice(seat=seat, kind=ChoiceKind.DISCARD, source=ChoiceSource.VISITOR, shore=shore))
    return opened


def owner_rewards(turn: Turn) -> None:
    """§5.3 Reward every owner once per marker, the first-placed marker first."""
    opened: list[Choice] = []
    for at in VISITED[voyage_of(turn.state).river]:
        opened += _reward_owners(turn, at, emperor=False)
    open_choices(turn, opened)


def emperors_visit(turn: Turn) -> None:
    """§8.2 Give the owner rewards of every owned building. No Era 1 tile brings influence or a choice [A42]."""
    turn.record(EmperorVisited())
    opened: list[Choice] = []
    for at in range(len(SHORES)):
        opened += _reward_owners(turn, at, emperor=True)
    open_choices(turn, opened)


def _reward_owners(turn: Turn, at: int, *, emperor: bool) -> list[Choice]:
    site = turn.state.sites[at]
    if site is None:
        return []
    opened: list[Choice] = []
    for owner in site.markers:
        opened += _reward_owner(turn, owner, at, site.building, emperor=emperor)
    return opened


def _reward_owner(turn: Turn, owner: Seat, at: int, name: BuildingId, *, emperor: bool) -> list[Choice]:
    """§5.3 Give the reward for one marker; return the choices it opens."""
    reward, shore = BUILDING[name].owner, SHORES[at]
    if reward.influence:
        return advance(turn, owner, REGION_OF[at], reward.influence, InfluenceSource.OWNER, shore=shore)
    if reward.any_good:
        return [_good(owner, ChoiceSource.OWNER, shore)] * reward.any_good
    koku = _counted(turn.state, owner, reward.koku_per)
    gains = capped(turn.state.players[owner], reward, koku)
    turn.record(OwnerRewarded(seat=owner, shore=shore, building=name, gains=gains, emperor=emperor))
    return []


def _counted(state: State, seat: Seat, per: KokuPer | None) -> int:
    """§5.3 Return the number of owned buildings of a type [A15], or of delivered customers."""
    if per is None:
        return 0
    if per is KokuPer.DELIVERED_CUSTOMER:
        return len(state.players[seat].delivered)
    return owned_types(state, seat).count(BuildingType(per.value))


def _is_fixed(reward: Reward) -> bool:
    """Return whether anything is gained without a choice."""
    return bool(reward.koku or reward.silk or reward.rice or reward.porcelain or reward.favor or reward.vp)


def _good(seat: Seat, source: ChoiceSource, shore: ShoreId, customer: CustomerId | None = None) -> Choice:
    return Choice(seat=seat, kind=ChoiceKind.GOOD, source=source, shore=shore, customer=customer)
