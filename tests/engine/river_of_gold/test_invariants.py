"""What holds at every move of whole random matches, for 2 to 4 players, with and without patrons."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.river_of_gold.actions import SellGoods
from engine.river_of_gold.box.board import TRACK_END
from engine.river_of_gold.box.components import ERA_1_COUNTS, ERA_2_COUNTS, GOODS, PatronMode, bag_of
from engine.river_of_gold.event_parts import JourneyBonus
from engine.river_of_gold.events import RowRefilled, TileDiscarded, TurnStarted
from engine.river_of_gold.gain_events import (
    BuildingBuilt,
    CustomerDelivered,
    GoodChosen,
    GoodsExchanged,
    KokuExchanged,
    MarkerPlaced,
    MerchantUsed,
)
from engine.river_of_gold.game import GAME
from engine.river_of_gold.rules.journeys import journey_answers
from engine.river_of_gold.state import Stage
from tests.engine.river_of_gold.answers import sales_in
from tests.engine.whole_matches import few

MATCHES = few(10)
NUMBERS = st.integers(0, 1 << 32)
PLAYERS = st.integers(2, 4)
PATRONS = st.sampled_from(PatronMode)
KEEN = st.booleans()


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS, keen=KEEN)
def test_nothing_exceeds_its_cap(play, players, number, patrons, keen) -> None:
    """§1.4, §1.6, §4.6, §6.4"""
    for step in play(players, number, patrons=patrons, keen=keen):
        for player in step.state.players:
            assert 0 <= player.koku <= 25
            assert all(0 <= count <= 6 for count in player.goods)
            assert 0 <= player.favor <= player.limit <= 6
            assert all(0 <= space <= TRACK_END for space in player.tracks)
            assert 0 <= player.die <= 6
            assert min(player.tally) >= 0
            assert len(player.hand) <= 5
        for site in step.state.sites:
            assert site is None or len(site.markers) <= 2


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS, keen=KEEN)
def test_markers_come_only_by_building_and_by_monks(play, players, number, patrons, keen) -> None:
    placed: Counter[int] = Counter()
    for step in play(players, number, patrons=patrons, keen=keen):
        placed.update(event.seat for event in step.events if isinstance(event, BuildingBuilt | MarkerPlaced))
        lying = Counter(seat for site in step.state.sites if site is not None for seat in site.markers)
        assert lying == placed


def told_goods(event) -> tuple[tuple[int, int, int], int]:
    """Goods and koku that the event's seat gains, or loses, by what the event says."""
    gains = getattr(event, "gains", None)
    goods = (0, 0, 0) if gains is None else (gains.silk, gains.rice, gains.porcelain)
    koku = 0 if gains is None else gains.koku
    match event:
        case MerchantUsed():
            return tuple(a - b for a, b in zip(goods, bag_of(event.sold), strict=True)), koku
        case CustomerDelivered():
            return tuple(-n for n in bag_of(event.paid)), 0
        case GoodChosen():
            return tuple(int(kind is event.good) for kind in GOODS), 0
        case GoodsExchanged():
            change = {event.given: -event.number, event.taken: 1}
            return tuple(change.get(kind, 0) for kind in GOODS), 0
        case KokuExchanged() | BuildingBuilt():
            return (0, 0, 0), -event.koku
        case _:
            return goods, koku


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS, keen=KEEN)
def test_goods_and_koku_move_only_as_the_events_tell(play, players, number, patrons, keen) -> None:
    before = None
    for step in play(players, number, patrons=patrons, keen=keen):
        if before is not None and before.stage is not Stage.PATRONS:
            owned = [[*player.goods, player.koku] for player in before.players]
            for event in step.events:
                goods, koku = told_goods(event)
                if any(goods) or koku:
                    owned[event.seat] = [
                        a + b for a, b in zip(owned[event.seat], (*goods, koku), strict=True)
                    ]
            assert owned == [[*player.goods, player.koku] for player in step.state.players]
        before = step.state


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS, keen=KEEN)
def test_stacks_empty_after_exactly_their_number_of_tiles(play, players, number, patrons, keen) -> None:
    """§8.1: 8, 10, 12 tiles leave the row for Era 1, then 9, 11, 13 for Era 2; at most one leaves in a turn (§5.5)."""
    gone = 0
    in_turn = 0
    emptied = []
    for step in play(players, number, patrons=patrons, keen=keen):
        for event in step.events:
            if isinstance(event, TurnStarted):
                in_turn = 0
            elif isinstance(event, BuildingBuilt | TileDiscarded):
                gone += 1
                in_turn += 1
                assert in_turn == 1
            elif isinstance(event, RowRefilled) and event.emptied:
                emptied.append(gone)
    era_1 = ERA_1_COUNTS[players] - 4
    assert emptied == [era_1, era_1 + ERA_2_COUNTS[players]]
    assert gone - emptied[-1] <= players - 1


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS, keen=KEEN)
def test_everybody_has_turns_in_order_and_one_after_the_trigger(play, players, number, patrons, keen) -> None:
    """§3, §8.3"""
    turns, triggered = [], None
    for step in play(players, number, patrons=patrons, keen=keen):
        for event in step.events:
            if isinstance(event, TurnStarted):
                turns.append(event.seat)
            elif type(event).__struct_config__.tag == "end_triggered":
                triggered = len(turns)
    order = step.state.order
    assert turns == [order[place % players] for place in range(len(turns))]
    assert len(turns) == triggered + players - 1


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS, keen=KEEN)
def test_a_match_ends_and_its_scores_are_the_sum_of_their_lines(play, players, number, patrons, keen) -> None:
    """§8.5, §8.6"""
    for step in play(players, number, patrons=patrons, keen=keen):
        last = step.state
    outcome = GAME.outcome(last)
    assert outcome.reason == "LAST_TURNS_PLAYED"
    for result, player in zip(outcome.results, last.players, strict=True):
        assert result.score == sum(line.points for line in result.breakdown)
        assert result.score >= player.vp
        named = [line.reason for line in result.breakdown]
        assert len(set(named)) == len(named)
    best = max((result.score, last.players[result.seat].favor) for result in outcome.results)
    assert outcome.winners == tuple(
        result.seat for result in outcome.results if (result.score, last.players[result.seat].favor) == best
    )


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS)
def test_a_template_tells_every_sale_and_nothing_else_is_described(play, players, number, patrons) -> None:
    for step in play(players, number, patrons=patrons, keen=True):
        for seat in GAME.to_act(step.state):
            legal = GAME.legal_actions(step.state, seat)
            assert not any(isinstance(action, SellGoods) for action in legal.actions)
            if legal.templates:
                (template,) = legal.templates
                bonuses = step.state.voyage.bonuses
                assert JourneyBonus.MERCHANT_4 in bonuses
                listed = journey_answers(step.state, seat, with_sales=True)
                assert sales_in(template) == [each for each in listed if isinstance(each, SellGoods)]


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS)
def test_what_brings_no_luck_draws_nothing(play, players, number, patrons) -> None:
    """Draws are made for dice, cards and new tops of stacks only: undo and dry runs stop there, and nowhere else."""
    lucky = {"die_rolled", "customer_drawn", "row_refilled", "match_started", "seat_set_up"}
    before = None
    for step in play(players, number, patrons=patrons, keen=True):
        if step.action is not None and before is not None:
            chance = SeededChance(bytes(32), 7)
            tags = {
                type(event).__struct_config__.tag
                for event in GAME.decide(before, step.seat, step.action, chance)
            }
            assert bool(chance.draws) <= bool(tags & lucky)
        before = step.state


@MATCHES
@given(
    players=PLAYERS,
    number=NUMBERS,
    patrons=PATRONS,
    leavers=st.lists(st.tuples(st.integers(2, 150), st.integers(0, 3)), max_size=3),
)
def test_matches_go_on_when_players_leave(play, players, number, patrons, leavers) -> None:
    """[F8] At any moment, whoever it is; an open decision of somebody else stays the same one."""
    before = ()
    for step in play(players, number, patrons=patrons, keen=True, leavers=dict(leavers)):
        state = step.state
        assert {*GAME.to_act(state)} <= {*state.present}
        if step.seat is not None and step.action is None:
            gone = state.players[step.seat]
            assert (gone.koku, gone.goods, gone.favor, gone.hand, gone.ships) == (0, (0, 0, 0), 0, (), ())
            assert not any(site is not None and step.seat in site.markers for site in state.sites)
            other = bool(before) and before[0].seat != step.seat
            if other and state.stage is not Stage.ENDED and before[0].decision != "marker":
                assert GAME.pending(state) == before
        before = GAME.pending(state)
        assert GAME.state_codec.decode(encode(state)) == state
        assert None not in state.row or state.stage is not Stage.TURNS or state.steps or not state.era_2.left
    outcome = GAME.outcome(state)
    assert (outcome.reason == "LAST_PLAYER_LEFT") == (len(state.present) == 1)
    assert not {*outcome.winners} & {*state.left}
