"""What holds at every move of whole random matches, for 2 to 5 players."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from engine.al_rashid.actions import Fight, Pay
from engine.al_rashid.box.areas import AL_RASHID, AREAS, NOTES, STOCKS, TERRITORIES
from engine.al_rashid.box.components import FAMILY_LIMITS, GOODS, bag_of, goods_of, squad_of, tiles_of
from engine.al_rashid.box.goods import payments
from engine.al_rashid.box.offices import OFFICES, copies
from engine.al_rashid.events import Traded
from engine.al_rashid.game import GAME
from engine.al_rashid.owner_events import (
    GoodGiven,
    GoodsGained,
    GoodsPaid,
    GoodsSwapped,
    NotesGained,
    OfficeAcquired,
)
from engine.al_rashid.state import Stage
from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from tests.engine.whole_matches import few

MATCHES = few(10)
NUMBERS = st.integers(0, 1 << 32)
PLAYERS = st.integers(2, 5)
KEEN = st.booleans()


def told_change(event) -> tuple[tuple[int, ...], int]:
    """Goods and notes that the event's seat gains, or loses, by what the event says."""
    match event:
        case Traded():
            return bag_of(event.goods), event.notes
        case GoodsGained():
            return bag_of(event.goods), 0
        case GoodsPaid():
            return tuple(-n for n in bag_of(event.goods)), 0
        case GoodsSwapped():
            pairs = zip(bag_of(event.given), bag_of(event.taken), strict=True)
            return tuple(taken - given for given, taken in pairs), 0
        case GoodGiven():
            return tuple(-(good is event.good) for good in GOODS), 0
        case NotesGained():
            return (), event.notes
        case OfficeAcquired():
            return (), -event.note
        case _:
            return (), 0


@MATCHES
@given(players=PLAYERS, number=NUMBERS, keen=KEEN)
def test_goods_and_notes_move_only_as_the_events_tell(play, players, number, keen) -> None:
    """Between players, territories and the supply: what the events tell is the difference of the tables."""
    before = None
    for step in play(players, number, keen=keen):
        if before is not None:
            owned = [list(player.goods) for player in before.players]
            notes = [player.notes for player in before.players]
            for event in step.events:
                goods, gained_notes = told_change(event)
                if any(goods):
                    owned[event.seat] = [a + b for a, b in zip(owned[event.seat], goods, strict=True)]
                if gained_notes:
                    notes[event.seat] += gained_notes
            assert [tuple(each) for each in owned] == [player.goods for player in step.state.players]
            assert notes == [player.notes for player in step.state.players]
        before = step.state
        for player in before.players:
            assert min(player.goods) >= 0
            assert player.notes >= 0
        for area, stock in zip(TERRITORIES, before.stocks, strict=True):
            assert all(0 <= n <= most for n, most in zip(stock, (*STOCKS[area], NOTES[area]), strict=True))


@MATCHES
@given(players=PLAYERS, number=NUMBERS, keen=KEEN)
def test_pieces_and_offices_are_conserved_and_within_their_limits(play, players, number, keen) -> None:
    """§2.4, §7.5: families never shrink, but for a sage that becomes a merchant."""
    before = None
    for step in play(players, number, keen=keen):
        state = step.state
        families = [state.family(seat) for seat in range(players)]
        for seat, family in enumerate(families):
            assert all(count <= limit for count, limit in zip(family, FAMILY_LIMITS, strict=True))
            assert min(*state.players[seat].reserve, *state.players[seat].held) >= 0
            assert before is None or sum(family) >= sum(before[seat])
        before = families
        owned = [held.office for player in state.players for held in player.offices]
        for index, office in enumerate(OFFICES):
            assert state.market[index] + owned.count(office.id) == copies(office, players)
            assert state.market[index] >= 0


@MATCHES
@given(players=PLAYERS, number=NUMBERS, keen=KEEN)
def test_no_area_ever_holds_what_paragraph_4_forbids(play, players, number, keen) -> None:
    """§4.4, §4.5. At Al-Rashid a Plotter may leave sages without a pasha [R20]."""
    for step in play(players, number, keen=keen):
        for area, stacks in zip(AREAS, step.state.areas, strict=True):
            assert len({stack.seat for stack in stacks}) == len(stacks) <= 5
            for stack in stacks:
                assert sum(stack.pieces) > 0
                assert min(stack.pieces) >= 0
                assert stack.pieces[0] + stack.pieces[1] <= 1
                assert area != AL_RASHID or not stack.pieces[1]


@MATCHES
@given(players=PLAYERS, number=NUMBERS, keen=KEEN)
def test_every_match_ends_after_five_turns_and_the_score_is_its_breakdown(
    play, players, number, keen
) -> None:
    turns = []
    for step in play(players, number, keen=keen):
        assert bool(GAME.to_act(step.state)) == (GAME.outcome(step.state) is None)
        turns.append(step.state.turn)
    assert turns == sorted(turns)
    assert set(turns) == {0, 1, 2, 3, 4, 5}
    outcome = GAME.outcome(step.state)
    assert outcome.reason == "TURNS_PLAYED"
    best = max(result.score for result in outcome.results)
    for result in outcome.results:
        assert result.score == sum(line.points for line in result.breakdown)
        assert (result.seat in outcome.winners) == (result.score == best) == (result.rank == 1)
    assert not any(any(area) for area in step.state.areas)


def accepted(state, seat, action) -> bool:
    try:
        GAME.decide(state, seat, action, SeededChance(bytes(32), 5))
    except RuleViolation:
        return False
    return True


@MATCHES
@given(players=PLAYERS, number=NUMBERS)
def test_a_template_tells_the_same_set_as_the_rule(play, players, number) -> None:
    """Every bag of the owned goods is accepted exactly if it is in the domain; likewise every squad."""
    chance = SeededChance(number.to_bytes(32, "big"), 4)
    for step in play(players, number, keen=True):
        state = step.state
        for seat in GAME.to_act(state):
            for template in GAME.legal_actions(state, seat).templates:
                if chance.below(3):
                    continue
                if template.__struct_config__.tag == "pay":
                    owned = bag_of(template.owned)
                    legal = set(payments(owned, template.total, template.keep))
                    assert bag_of(template.cheapest.goods) in legal
                    for bag in list(product(*(range(n + 1) for n in owned)))[:60]:
                        assert accepted(state, seat, Pay(goods=goods_of(bag))) == (bag in legal)
                else:
                    owned = tiles_of(template.owned)
                    for squad in list(product(*(range(n + 1) for n in owned)))[:30]:
                        assert accepted(state, seat, Fight(tiles=squad_of(squad))) == any(squad)


@MATCHES
@given(
    players=PLAYERS,
    number=NUMBERS,
    leavers=st.lists(st.tuples(st.integers(1, 250), st.integers(0, 4)), max_size=4),
)
def test_matches_go_on_when_players_leave(play, players, number, leavers) -> None:
    """[F8] At any moment, whoever it is; an open decision of somebody else stays the same one."""
    before = ()
    for step in play(players, number, leavers=dict(leavers)):
        state = step.state
        assert {*GAME.to_act(state)} <= {*state.present}
        if step.seat is not None and step.action is None:
            assert step.seat in state.left
            assert not any(state.family(step.seat))
            if before and before[0].seat != step.seat and state.stage is not Stage.ENDED:
                assert GAME.pending(state) == before
        before = GAME.pending(state)
        assert GAME.state_codec.decode(encode(state)) == state
    outcome = GAME.outcome(state)
    assert (outcome.reason == "LAST_PLAYER_LEFT") == (len(state.present) == 1)
    assert not {*outcome.winners} & {*state.left}
