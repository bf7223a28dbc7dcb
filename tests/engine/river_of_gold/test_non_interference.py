"""§11 What a seat receives, on any channel, does not change when only things it cannot know change."""

from __future__ import annotations

import os

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, REFEREE, seat_audience
from engine.river_of_gold.box.components import PatronMode
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.game import GAME

MATCHES = settings(
    max_examples=int(os.environ.get("FOLDTABLE_FUZZ_MATCHES", "10")),
    derandomize="FOLDTABLE_FUZZ_MATCHES" not in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
"""Whole matches per property; the environment variable asks for more, and for other ones each time."""
NUMBERS = st.integers(0, 1 << 32)
PLAYERS = st.integers(2, 4)
PATRONS = st.sampled_from(PatronMode)


def twin(state, knowing, chance):
    """The same table with all cards dealt anew that the one who knows has not seen; None knows no hand at all.

    Tiles below the tops of the stacks and in the box change places with nobody's knowledge either way.
    """
    hidden = list(state.deck)
    for seat, player in enumerate(state.players):
        if seat != knowing:
            hidden += player.hand
    dealt = list(chance.shuffled(sorted(hidden)))
    players = list(state.players)
    for seat, player in enumerate(players):
        if seat != knowing:
            hand = tuple(dealt.pop() for _ in player.hand)
            players[seat] = msgspec.structs.replace(player, hand=hand)
    return msgspec.structs.replace(state, players=tuple(players), deck=tuple(sorted(dealt)))


def received(state, audience, seats) -> bytes:
    """Everything the audience can get at: its view, who is waited for, and the listings of its seats."""
    seen = GAME.view(state, audience)
    return b"|".join(
        [
            encode(seen),
            encode(GAME.pending(state)),
            encode(GAME.outcome(state)),
            *(encode(GAME.legal_actions(state, seat)) for seat in seats),
            GAME.draw(seen).encode(),
            repr(state).encode(),
            repr(state.players).encode(),
        ]
    )


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS)
def test_what_a_seat_sees_does_not_depend_on_cards_it_has_not_seen(play, players, number, patrons) -> None:
    chance = SeededChance(number.to_bytes(32, "big"), 6)
    changed = 0
    for step in play(players, number, patrons=patrons, keen=True):
        if chance.below(3):
            continue
        knowing = chance.below(players)
        other = twin(step.state, knowing, chance)
        changed += other != step.state
        audience = seat_audience(knowing)
        assert received(other, audience, [knowing]) == received(step.state, audience, [knowing])
    assert changed


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS)
def test_what_the_public_sees_depends_on_no_hand(play, players, number, patrons) -> None:
    chance = SeededChance(number.to_bytes(32, "big"), 7)
    for step in play(players, number, patrons=patrons, keen=True):
        if not chance.below(3):
            other = twin(step.state, None, chance)
            assert received(other, PUBLIC, []) == received(step.state, PUBLIC, [])


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS)
def test_what_anybody_sees_depends_on_no_tile_that_nobody_has_seen(play, players, number, patrons) -> None:
    """A referee sees hands, but not even the referee sees below the top of a stack: nothing is decided there yet."""
    for n, step in enumerate(play(players, number, patrons=patrons, keen=True)):
        if n % 5:
            continue
        other = msgspec.structs.replace(step.state, unseen_1=(), unseen_2=())
        for audience in (PUBLIC, REFEREE, seat_audience(0)):
            assert received(other, audience, [0]) == received(step.state, audience, [0])


@MATCHES
@given(players=PLAYERS, number=NUMBERS, patrons=PATRONS)
def test_a_drawn_card_is_told_to_nobody_but_its_owner(play, players, number, patrons) -> None:
    for step in play(players, number, patrons=patrons, keen=True):
        for event in step.events:
            for audience in (PUBLIC, REFEREE, *(seat_audience(seat) for seat in range(players))):
                told = GAME.redact(event, audience)
                if type(event).__struct_config__.tag == "customer_drawn":
                    knows = audience.sees_seat(event.seat)
                    assert told.customer == (event.customer if knows else None)
                    assert told.seat == event.seat
                    assert event.customer not in repr(event)
                else:
                    assert told is event


def test_hands_are_seen_by_their_owners_and_a_referee(play) -> None:
    for step in play(3, 4):
        for seat in range(3):
            hands = [each.hand for each in GAME.view(step.state, seat_audience(seat)).seats]
            sizes = [each.hand_size for each in GAME.view(step.state, PUBLIC).seats]
            assert hands[seat] == step.state.players[seat].hand
            assert not any(hand for other, hand in enumerate(hands) if other != seat)
            assert sizes == [len(player.hand) for player in step.state.players]
        assert not any(each.hand for each in GAME.view(step.state, PUBLIC).seats)
        assert [each.hand for each in GAME.view(step.state, REFEREE).seats] == [
            player.hand for player in step.state.players
        ]


def test_all_cards_are_dealt_anew(play) -> None:
    """The twin is a table that could be."""
    for step in play(3, 5):
        other = twin(step.state, 0, SeededChance(bytes(32), 8))
        cards = [*other.deck, *other.discards]
        for player in other.players:
            cards += [*player.hand, *player.delivered]
        assert sorted(cards) == sorted(CustomerId)
        assert other.players[0] == step.state.players[0]
