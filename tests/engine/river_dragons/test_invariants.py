"""What holds at every move of whole random matches, for 2 to 6 players, on both sides of the board."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import PUBLIC
from engine.river_dragons.actions import PlaceStoneAt
from engine.river_dragons.box.board import cross, passes_over, reach
from engine.river_dragons.box.components import ROUND_LIMIT, Variant, village_of
from engine.river_dragons.box.geometry import distance_squared
from engine.river_dragons.events import SlotRevealed
from engine.river_dragons.game import GAME
from engine.river_dragons.water import contains
from tests.engine.whole_matches import few

MATCHES = few(4)
NUMBERS = st.integers(0, 1 << 32)
PLAYERS = st.integers(2, 6)
KEEN = st.booleans()
SIDES = pytest.mark.parametrize("variant", list(Variant))


@SIDES
@MATCHES
@given(players=PLAYERS, number=NUMBERS, keen=KEEN)
def test_every_plank_lies_as_paragraph_7_2_wants(play, variant, players, number, keen) -> None:
    """Long enough, three at a support, none crossing away from a common support, none over a third support."""
    for step in play(players, variant, number, keen=keen):
        table = step.state.table
        pairs = [table.pairs.by_id[laid.id] for laid in table.planks]
        standing = [
            support
            for support in table.pairs.supports.values()
            if support.is_village or support.id in table.stone_ids
        ]
        ends = Counter(end.id for pair in pairs for end in (pair.a, pair.b))
        assert max(ends.values(), default=0) <= 3
        assert len({pair.id for pair in pairs}) == len(pairs)
        for pair, laid in zip(pairs, table.planks, strict=True):
            assert (laid.a, laid.b) == (pair.a.id, pair.b.id)
            assert pair.a in standing
            assert pair.b in standing
            assert not (pair.a.is_village and pair.b.is_village)
            far = distance_squared(pair.a.x, pair.a.y, pair.b.x, pair.b.y)
            assert far <= reach(laid.plank.size, pair.a, pair.b) ** 2
            assert not any(passes_over(pair, third) for third in standing if third not in (pair.a, pair.b))
        assert not any(cross(one, other) for n, one in enumerate(pairs) for other in pairs[:n])


@SIDES
@MATCHES
@given(players=PLAYERS, number=NUMBERS, keen=KEEN)
def test_no_pawn_is_in_the_water_and_no_plank_holds_two(play, variant, players, number, keen) -> None:
    for step in play(players, variant, number, keen=keen):
        state = step.state
        on_planks = [place for place in state.pawns if not place.startswith("V-")]
        assert len(set(on_planks)) == len(on_planks)
        assert set(on_planks) <= state.table.plank_by_id.keys()


@SIDES
@MATCHES
@given(players=PLAYERS, number=NUMBERS, keen=KEEN)
def test_a_reserve_holds_one_plank_of_a_size_and_two_colours(play, variant, players, number, keen) -> None:
    for step in play(players, variant, number, keen=keen):
        for reserve in step.state.reserves:
            sizes = [plank.size for plank in reserve]
            assert sizes == sorted(set(sizes))
            assert len({plank.colour for plank in reserve}) <= 2


@MATCHES
@given(players=PLAYERS, number=NUMBERS)
def test_expert_stones_keep_their_distances(play, players, number) -> None:
    for step in play(players, Variant.EXPERT, number):
        stones = step.state.table.stones
        for n, one in enumerate(stones):
            assert all(distance_squared(one.x, one.y, other.x, other.y) >= 300 * 300 for other in stones[:n])


@MATCHES
@given(players=PLAYERS, number=NUMBERS, x=st.integers(-3200, 3200), y=st.integers(-2800, 2800))
def test_a_point_is_accepted_exactly_if_it_is_in_the_template(play, players, number, x, y) -> None:
    chance = SeededChance(number.to_bytes(32, "big"), 4)
    for step in play(players, Variant.EXPERT, number):
        state = step.state
        for seat in GAME.to_act(state):
            templates = GAME.legal_actions(state, seat).templates
            if not templates or templates[0].__struct_config__.tag != "place_stone_at":
                continue
            sampled = GAME.sample(state, seat, chance)
            for point in (PlaceStoneAt(x=x, y=y), sampled, PlaceStoneAt(x=sampled.x, y=sampled.y + 61)):
                legal = contains(templates[0].region, point.x, point.y)
                try:
                    GAME.decide(state, seat, point, chance)
                    accepted = True
                except RuleViolation:
                    accepted = False
                assert accepted == legal


@SIDES
@MATCHES
@given(players=PLAYERS, number=NUMBERS, keen=KEEN)
def test_every_match_ends_and_somebody_is_waited_for_until_then(play, variant, players, number, keen) -> None:
    last = None
    for step in play(players, variant, number, keen=keen):
        assert bool(GAME.to_act(step.state)) == (GAME.outcome(step.state) is None)
        assert step.state.round <= ROUND_LIMIT
        last = step
    outcome = GAME.outcome(last.state)
    assert outcome.reason in ("DESTINATION_REACHED", "ROUND_LIMIT")
    assert len(outcome.results) == players


@SIDES
@MATCHES
@given(players=PLAYERS, number=NUMBERS, keen=KEEN)
def test_the_view_tells_the_slots_as_the_events_did(play, variant, players, number, keen) -> None:
    shown: dict[int, tuple] = {}
    for step in play(players, variant, number, keen=keen):
        for event in step.events:
            if isinstance(event, SlotRevealed):
                shown = {event.slot: event.cards} if event.slot == 1 else {**shown, event.slot: event.cards}
        if step.state.slot == 0:
            shown = {}
        public = GAME.view(step.state, PUBLIC)
        assert {slot.slot: slot.cards for slot in public.revealed} == shown


@SIDES
@MATCHES
@given(
    players=PLAYERS,
    number=NUMBERS,
    leavers=st.lists(st.tuples(st.integers(1, 300), st.integers(0, 5)), max_size=5),
)
def test_matches_go_on_when_players_leave(play, variant, players, number, leavers) -> None:
    """[R29] At any moment, whoever it is; the match still ends, and nothing is lost but what the leaver takes along."""
    for step in play(players, variant, number, leavers=dict(leavers)):
        state = step.state
        assert {*GAME.to_act(state)} <= {*state.present}
        if step.seat is not None and step.action is None:
            assert step.seat in state.left
            assert state.pawns[step.seat] == village_of(state.colours[step.seat])
        planks = len(state.table.planks) + len(state.lost_planks) + sum(map(len, state.reserves))
        assert planks == 6 * players
        assert GAME.state_codec.decode(encode(state)) == state
    outcome = GAME.outcome(state)
    assert (outcome.reason == "LAST_PLAYER_LEFT") == (len(state.present) == 1)
