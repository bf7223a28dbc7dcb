"""§2 Setup without patrons."""

from __future__ import annotations

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import PUBLIC
from engine.match.replay import fold
from engine.match.requests import check_seat_count
from engine.river_of_gold.box.board import downstream
from engine.river_of_gold.box.buildings import BUILDING
from engine.river_of_gold.box.components import BuildingSet, Clan, PatronMode
from engine.river_of_gold.errors import Code
from engine.river_of_gold.events import DieRolled, SeatSetUp, TurnStarted
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions

SEEDS = [bytes([number]) * 32 for number in range(6)]


def started(seats, secret=SEEDS[0], **options):
    events = GAME.start(RiverOfGoldOptions(**options), seats, SeededChance(secret, 1))
    return events, fold(GAME, events)


def placed(state, kind):
    """Shore numbers with a building of this set."""
    return [
        number
        for number, site in enumerate(state.sites, start=1)
        if site is not None and BUILDING[site.building].set is kind
    ]


@pytest.mark.parametrize("secret", SEEDS)
@pytest.mark.parametrize(
    ("seats", "starting", "era_1", "era_2"),
    [
        pytest.param(2, [3, 7, 11, 14, 22, 23], 8, 9, id="§2.1 two players"),
        pytest.param(3, [3, 11, 22], 10, 11, id="§2.1 three players"),
        pytest.param(4, [], 12, 13, id="§2.1 four players"),
    ],
)
def test_the_table_by_number_of_players(secret, seats, starting, era_1, era_2) -> None:
    """§2.1 to §2.3"""
    _, state = started(seats, secret)
    assert placed(state, BuildingSet.IMPERIAL_MARKET) == [6, 17, 29]
    assert placed(state, BuildingSet.STARTING) == starting
    assert all(not site.markers for site in state.sites if site is not None)
    assert (state.era_1.left, state.era_2.left) == (era_1, era_2)
    assert len(set(state.row)) == 4
    assert {BUILDING[tile].set for tile in (*state.row, state.era_1.top)} == {BuildingSet.ERA_1}
    assert BUILDING[state.era_2.top].set is BuildingSet.ERA_2
    assert len(set(state.region_tiles)) == 6
    assert len({card.mastery for card in state.masteries}) == 3
    assert (state.discarded, state.discards) == ((), ())


def test_mastery_slots_and_tile_sides_follow_the_number_of_players() -> None:
    """§2.1, §7.2"""
    for seats, slots, best in ((2, [5], 8), (3, [7, 5, 3], 12), (4, [7, 5, 3], 12)):
        _, state = started(seats)
        seen = GAME.view(state, PUBLIC)
        assert all([slot.vp for slot in mastery.slots] == slots for mastery in seen.masteries)
        assert max(region.values[0] for region in seen.regions) == best


@pytest.mark.parametrize("secret", SEEDS)
def test_every_player_begins_alike_but_for_the_koku(secret) -> None:
    """§2.5, §2.6"""
    events, state = started(4, secret)
    order = list(state.order)
    assert order == [(order[0] + place) % 4 for place in range(4)]
    for place, seat in enumerate(order):
        player = state.players[seat]
        assert player.koku == 7 + place
        assert (player.goods, player.favor, player.limit) == ((1, 1, 1), 2, 3)
        assert (player.vp, player.tracks, player.royal) == (0, (0,) * 6, None)
        assert (len(player.hand), player.delivered) == (2, ())
        assert 1 <= player.die <= 6
    assert len(state.deck) == 22
    assert len({player.clan for player in state.players}) == 4
    assert [event.seat for event in events if isinstance(event, SeatSetUp)] == order


@pytest.mark.parametrize("secret", SEEDS)
def test_ships_begin_where_the_two_rolls_bring_them_and_gain_nothing(secret) -> None:
    """§2.5 [A2]"""
    events, state = started(3, secret)
    for event in (event for event in events if isinstance(event, SeatSetUp)):
        ships = state.players[event.seat].ships
        assert ships == (downstream(0, event.upstream_roll)[0], downstream(7, event.midstream_roll)[0])
    assert {type(event).__struct_config__.tag for event in events} == {
        "match_started",
        "seat_set_up",
        "customer_drawn",
        "die_rolled",
        "turn_started",
    }


def test_everybody_rolls_before_the_first_turn() -> None:
    """§2.7 [A1] In turn order; then the first player begins."""
    events, state = started(4)
    *_, first, second, third, fourth, turn = events
    rolled = [first, second, third, fourth]
    assert all(isinstance(event, DieRolled) for event in rolled)
    assert tuple(event.seat for event in rolled) == state.order
    assert isinstance(turn, TurnStarted)
    assert (turn.seat, turn.turn) == (state.order[0], 1)
    assert GAME.to_act(state) == (state.order[0],)


def test_clans_may_be_given_by_seat() -> None:
    """§2.5 [F13] Otherwise they are dealt; nobody chooses in the match."""
    _, state = started(2, clans=(Clan.SCORPION, Clan.MANTIS))
    assert [player.clan for player in state.players] == ["scorpion", "mantis"]
    assert GAME.pending(state)[0].decision == "turn"


@pytest.mark.parametrize(
    ("options", "code", "rule"),
    [
        (RiverOfGoldOptions(clans=(Clan.CRAB,)), Code.CLANS_WRONG_NUMBER, "2.5"),
        (RiverOfGoldOptions(clans=(Clan.CRAB, Clan.CRANE, Clan.MANTIS)), Code.CLANS_WRONG_NUMBER, "2.5"),
        (RiverOfGoldOptions(clans=(Clan.CRAB, Clan.CRAB)), Code.CLAN_REPEATED, "2.5"),
        (
            RiverOfGoldOptions(patrons=PatronMode.DRAFT, clans=(Clan.CRAB, Clan.CRANE)),
            Code.CLANS_WITH_DRAFT,
            "9.1",
        ),
    ],
)
def test_clans_that_contradict_the_table_are_refused(options, code, rule) -> None:
    with pytest.raises(RuleViolation) as refused:
        GAME.start(options, 2, SeededChance(bytes(32), 1))
    assert (refused.value.code, refused.value.rule, refused.value.field) == (code, rule, "clans")


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_the_game_is_for_two_to_four(seats) -> None:
    with pytest.raises(RuleViolation):
        check_seat_count(GAME, seats)
