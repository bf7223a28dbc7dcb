"""`evolve` records and judges nothing; what cannot be a history of a match is a programming error, never skipped."""

from __future__ import annotations

from typing import Any

import pytest

from engine.al_rashid import events as rashid
from engine.al_rashid import owner_events as owners
from engine.al_rashid.box.components import Colour
from engine.al_rashid.event_parts import DrawnTile, PlacedTile
from engine.kernel.chance import SeededChance
from engine.registry import newest
from engine.river_dragons import events as dragons
from engine.river_dragons.box.components import Plank
from engine.river_of_gold import events as gold
from engine.river_of_gold import gain_events as gains
from engine.river_of_gold.box.components import Clan, Goods, PatronMode
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.event_parts import ChoiceKind, ChoiceSource, Gains, Step
from tests.engine.al_rashid import conftest as in_rashid
from tests.engine.river_dragons import conftest as in_dragons
from tests.engine.river_of_gold import conftest as in_gold

FIRST = {
    "al_rashid": rashid.OwnTurnEnded(seat=0),
    "river_dragons": dragons.RoundStarted(round=1, first_player=0),
    "river_of_gold": gold.TurnClosed(seat=0),
}
"""An event that no match begins with."""
BONUS = gains.JourneyRewarded(seat=0, gains=Gains(koku=3))


def start(name: str, **options: Any) -> Any:
    """The first event of a match."""
    game = newest(name)
    return game.start(game.types.options(**options), 2, SeededChance(bytes(32), 1))[0]


def holding_back() -> Any:
    """B, the diplomat, is asked."""
    asked = rashid.TurnStarted(turn=1, order=(0, 1, 2), diplomats=(1,))
    return in_rashid.begin().told(asked).state


def journeying() -> Any:
    """A has completed a journey, and taken its bonus."""
    story = in_gold.begin().ships("A", 14, 8).plays("A", in_gold.sail("upstream", 1))
    return newest("river_of_gold").evolve(story.state, BONUS)


@pytest.mark.parametrize("name", FIRST)
def test_a_history_begins_with_the_start_and_a_match_starts_once(name: str) -> None:
    game, started = newest(name), start(name)
    with pytest.raises(ValueError, match="begins with match_started"):
        game.evolve(None, FIRST[name])
    with pytest.raises(ValueError, match="starts once"):
        game.evolve(game.evolve(None, started), started)


def of_al_rashid(state: Any) -> list[tuple[Any, Any, str]]:
    placed = PlacedTile(id=0, territory="sarmatia", colour=Colour.RED)
    return [
        (state, owners.MercenariesDrawn(seat=0, tiles=(DrawnTile(colour=Colour.RED),)), "redacted"),
        (state, rashid.CrisisDrawn(crisis="turn_1", tiles=(placed,)), "redacted"),
        (holding_back(), rashid.HoldingDeclined(seat=0), "another seat"),
        (holding_back(), rashid.OwnTurnEnded(seat=0), "another seat"),
        (holding_back(), owners.OfficeAcquired(seat=0, office="raider", note=False), "next step"),
    ]


def of_river_of_gold(state: Any) -> list[tuple[Any, Any, str]]:
    merchant, sold = CustomerId.MERCHANT_6, {"sold": Goods(), "gains": Gains(koku=3)}
    port = {"seat": 0, "building": "era1_port_1"}
    drafting = newest("river_of_gold").evolve(None, start("river_of_gold", patrons=PatronMode.DRAFT))
    chosen = gold.PatronChosen(seat=drafting.order[0], patron=drafting.offers[0], clan=Clan.CRAB)
    return [
        (state, gold.CustomerDrawn(seat=0), "redacted"),
        (state, gold.StepStarted(seat=0, step=Step.MASTERIES), "not the next step"),
        (state, gold.TurnClosed(seat=0), "not the next step"),
        (state, gold.ChoiceLapsed(seat=0, kind=ChoiceKind.GOOD), "another choice"),
        (state, gains.GoodChosen(seat=0, good="silk", source=ChoiceSource.TRACK), "another choice"),
        (state, BONUS, "no ship has sailed"),
        (state, gains.MerchantUsed(seat=0, customer=merchant, **sold), "no ship has sailed"),
        (state, gains.MarkerPlaced(shore="shore_01", customer="monk_1", **port), "no building"),
        (state, gains.BuildingBuilt(shore="shore_06", slot=1, koku=1, favor=0, **port), "not empty"),
        (in_gold.begin().last_turns("C").state, gold.TurnStarted(seat=1, turn=9), "not in tuple"),
        (drafting, chosen, "another seat"),
        (journeying(), BONUS, "not in tuple"),
    ]


def of_river_dragons(state: Any) -> list[tuple[Any, Any, str]]:
    return [
        (state, dragons.ProgramSubmitted(seat=0, cards=None), "redacted"),
        (state, dragons.PlankChosen(seat=0, plank=Plank(colour="blue", size=1)), "Programming"),
    ]


@pytest.mark.parametrize(
    ("name", "state", "event", "words"),
    [
        *(("al_rashid", *each) for each in of_al_rashid(in_rashid.begin().state)),
        *(("river_dragons", *each) for each in of_river_dragons(in_dragons.begin().state)),
        *(("river_of_gold", *each) for each in of_river_of_gold(in_gold.begin().state)),
    ],
)
def test_what_does_not_follow_from_the_table_is_not_folded(
    name: str, state: Any, event: Any, words: str
) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        newest(name).evolve(state, event)
