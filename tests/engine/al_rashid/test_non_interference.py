"""§13.1 What a seat receives, on any channel, does not change when only things it cannot know change."""

from __future__ import annotations

import os

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.al_rashid.box.components import FIRST_KIND, TILE_COUNTS, tile_kind
from engine.al_rashid.game import GAME
from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, seat_audience

MATCHES = settings(
    max_examples=int(os.environ.get("FOLDTABLE_FUZZ_MATCHES", "10")),
    derandomize="FOLDTABLE_FUZZ_MATCHES" not in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
"""Whole matches per property; the environment variable asks for more, and for other ones each time."""
NUMBERS = st.integers(0, 1 << 32)
PLAYERS = st.integers(2, 5)


def hidden_tiles(state, knowing) -> list[int]:
    """Count, by kind, the tiles that the one who knows has not seen: stacks, other hands, face-down tiles."""
    pool = list(state.stacks)
    for seat, player in enumerate(state.players):
        if seat != knowing:
            pool = [a + b for a, b in zip(pool, player.hand, strict=True)]
    for tile in (tile for lying in state.tiles for tile in lying):
        if not tile.face_up and knowing not in tile.seen_by:
            pool[tile_kind(tile.colour, tile.value)] += 1
    return pool


def deal(pool: list[int], first: int, chance) -> int:
    """Take any tile of the colour that begins at `first`; give its kind."""
    kinds = [kind for kind in range(first, first + 3) for _ in range(pool[kind])]
    kind = kinds[chance.below(len(kinds))]
    pool[kind] -= 1
    return kind


def twin(state, knowing, chance):
    """The same table with all tiles dealt anew that the one who knows has not seen; None knows no hand at all."""
    pool = hidden_tiles(state, knowing)
    players = list(state.players)
    for seat, player in enumerate(players):
        if seat != knowing:
            dealt = [
                deal(pool, first, chance)
                for first in (0, 3)
                for _ in range(sum(player.hand[first : first + 3]))
            ]
            players[seat] = msgspec.structs.replace(
                player, hand=tuple(dealt.count(kind) for kind in range(6))
            )
    tiles = tuple(
        tuple(
            tile
            if tile.face_up or knowing in tile.seen_by
            else msgspec.structs.replace(tile, value=deal(pool, FIRST_KIND[tile.colour], chance) % 3 + 2)
            for tile in lying
        )
        for lying in state.tiles
    )
    return msgspec.structs.replace(state, players=tuple(players), tiles=tiles, stacks=tuple(pool))


def received(state, audience, seats) -> bytes:
    """Everything the audience can get at: its view, who is waited for, and every seat's listing."""
    seen = GAME.view(state, audience)
    return b"|".join(
        [
            encode(seen),
            encode(GAME.pending(state)),
            encode(GAME.outcome(state)),
            *(encode(GAME.legal_actions(state, seat)) for seat in seats),
            GAME.draw(seen).encode(),
            repr(state).encode(),
        ]
    )


@MATCHES
@given(players=PLAYERS, number=NUMBERS)
def test_what_a_seat_sees_does_not_depend_on_tiles_it_has_not_seen(play, players, number) -> None:
    chance = SeededChance(number.to_bytes(32, "big"), 6)
    changed = 0
    for step in play(players, number, keen=True):
        if chance.below(3):
            continue
        knowing = chance.below(players)
        other = twin(step.state, knowing, chance)
        changed += other != step.state
        audience = seat_audience(knowing)
        assert received(other, audience, [knowing]) == received(step.state, audience, [knowing])
    assert changed


@MATCHES
@given(players=PLAYERS, number=NUMBERS)
def test_what_the_public_sees_depends_on_no_hidden_tile(play, players, number) -> None:
    chance = SeededChance(number.to_bytes(32, "big"), 7)
    for step in play(players, number, keen=True):
        if not chance.below(3):
            other = twin(step.state, None, chance)
            assert received(other, PUBLIC, []) == received(step.state, PUBLIC, [])


@MATCHES
@given(players=PLAYERS, number=NUMBERS)
def test_an_event_tells_nobody_a_value_it_should_not(play, players, number) -> None:
    """Values of tiles are told to who draws them or looks at them, and to all when they are turned up."""
    for step in play(players, number, keen=True):
        for event in step.events:
            tag = type(event).__struct_config__.tag
            for knowing in range(players):
                told = GAME.redact(event, seat_audience(knowing))
                if tag in ("mercenaries_drawn", "territory_peeked"):
                    values = {tile.value is None for tile in told.tiles}
                    assert values <= {knowing != event.seat}
                elif tag == "crisis_drawn":
                    assert all(tile.value is None for tile in told.tiles)
                else:
                    assert told is event


def test_all_tiles_are_dealt_anew(play) -> None:
    """The twin is a table that could be."""
    for step in play(3, 5):
        other = twin(step.state, 0, SeededChance(bytes(32), 8))
        count = [a + b for a, b in zip(other.stacks, other.discards, strict=True)]
        for player in other.players:
            count = [a + b for a, b in zip(count, player.hand, strict=True)]
        for lying in other.tiles:
            for tile in lying:
                count[(3 if tile.colour == "blue" else 0) + tile.value - 2] += 1
        assert tuple(count) == TILE_COUNTS
