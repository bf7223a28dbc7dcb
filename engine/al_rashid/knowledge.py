"""What a seat cannot know (§13.2): values of mercenary tiles in other hands, in the stacks, and face down on territories.

Tiles of a kind are alike, so a fact is one tile of a kind. It is hidden while the audience cannot say where the tile is:
if it has seen twelve of the sixteen red 3s, four are missing. It can count the missing tiles, but it cannot know where they are.

§13 Information. Most of the game is open. Only the values of mercenary tiles are secret.

§13.1 What everybody sees. Open are all goods, notes, markers, offices, pieces and slots, the turn order, number and
colour of the tiles in every hand and on every territory, values of tiles that lie face up, discards, the sizes of the
stacks, the crisis tiles drawn so far, and which territory somebody looked at [R33].

§13.2 What only the owner knows. A player alone knows the values of the own tiles, and of those that the player has
looked at on a territory, as long as these lie there.

§13.3 What nobody knows. Nobody knows the order of the stacks, values of tiles that nobody has looked at, and the
order of the crisis tiles.

§13.4 When values become known. Tiles on a territory are revealed when it is named (§9.1), tiles of a hand when they
are discarded, and tiles that the Negotiator removes when they are discarded.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.al_rashid.box.components import (
    COLOURS,
    FIRST_KIND,
    TILE_COUNTS,
    TILE_VALUES,
    Colour,
    Tiles,
    tile_kind,
)
from engine.al_rashid.state import Player, State, TerritoryTile
from engine.kernel.chance import Chance
from engine.kernel.seats import Audience, Seat

_KINDS: Final = tuple((colour, value) for colour in COLOURS for value in TILE_VALUES)
NAMES: Final = tuple(
    tuple(f"mercenary:{colour}:{value}:{number}" for number in range(1, count + 1))
    for (colour, value), count in zip(_KINDS, TILE_COUNTS, strict=True)
)
"""Names by kind, in the order of `Tiles`. If n tiles of a kind are missing, they have the first n names."""


def hidden(state: State, audience: Audience) -> tuple[str, ...]:
    """§13.2 Return the names of the tiles missing to this audience, by colour; none for a colour with one place or one kind left."""
    if audience.sees_all():
        return ()
    pool = _missing(state, audience)
    names: list[str] = []
    for colour in COLOURS:
        first = FIRST_KIND[colour]
        missing = pool[first : first + len(TILE_VALUES)]
        if sum(map(bool, missing)) > 1 and _places(state, audience, colour) > 1:
            for kind, count in enumerate(missing, start=first):
                names += NAMES[kind][:count]
    return tuple(names)


def redeal(state: State, audience: Audience, chance: Chance) -> State:
    """Shuffle the missing tiles of each colour, and deal them to the face-down tiles, the other hands, and the stack.

    Every arrangement of the tiles is equally likely, as if they were distinguishable; so a value with more missing
    tiles comes up more often, as in a real game. The redeal does not consider what a player could only remember:
    which discards a stack was rebuilt from [§11.5].
    """
    if audience.sees_all():
        return state
    pool = _missing(state, audience)
    tiles = tuple(
        [
            tuple([tile if knows(tile, audience) else _dealt_tile(tile, pool, chance) for tile in lying])
            for lying in state.tiles
        ]
    )
    players = tuple(
        [
            player if audience.sees_seat(Seat(seat)) else _dealt_hand(player, pool, chance)
            for seat, player in enumerate(state.players)
        ]
    )
    return replace(state, tiles=tiles, players=players, stacks=tuple(pool))


def knows(tile: TerritoryTile, audience: Audience) -> bool:
    """§13.2 Return whether the audience knows the tile: it is face up, or this seat has looked at it."""
    return tile.face_up or audience.sees_all() or audience.seat in tile.seen_by


def _missing(state: State, audience: Audience) -> list[int]:
    """Count the tiles this audience has not seen, by kind."""
    pool = list(state.stacks)
    for hand in _other_hands(state, audience):
        pool = [a + b for a, b in zip(pool, hand, strict=True)]
    for lying in state.tiles:
        for tile in lying:
            if not knows(tile, audience):
                pool[tile_kind(tile.colour, tile.value)] += 1
    return pool


def _places(state: State, audience: Audience, colour: Colour) -> int:
    """Count the places with missing tiles of a colour: the stack, every other hand, every face-down tile."""
    first = FIRST_KIND[colour]
    bags = (state.stacks, *_other_hands(state, audience))
    lying = [tile for there in state.tiles for tile in there if tile.colour is colour]
    return sum([any(bag[first : first + len(TILE_VALUES)]) for bag in bags]) + sum(
        [not knows(tile, audience) for tile in lying]
    )


def _other_hands(state: State, audience: Audience) -> list[Tiles]:
    return [player.hand for seat, player in enumerate(state.players) if not audience.sees_seat(Seat(seat))]


def _dealt_tile(tile: TerritoryTile, pool: list[int], chance: Chance) -> TerritoryTile:
    kind = _taken(pool, tile.colour, chance)
    return replace(tile, value=TILE_VALUES[kind - FIRST_KIND[tile.colour]])


def _dealt_hand(player: Player, pool: list[int], chance: Chance) -> Player:
    """Take as many tiles of each colour as the hand has."""
    hand = [0] * len(TILE_COUNTS)
    for colour in COLOURS:
        first = FIRST_KIND[colour]
        for _ in range(sum(player.hand[first : first + len(TILE_VALUES)])):
            hand[_taken(pool, colour, chance)] += 1
    return replace(player, hand=tuple(hand))


def _taken(pool: list[int], colour: Colour, chance: Chance) -> int:
    """Take a random tile of a colour out of the pool and return its kind."""
    first = FIRST_KIND[colour]
    place = chance.below(sum(pool[first : first + len(TILE_VALUES)]))
    kind = first
    while place >= pool[kind]:
        place -= pool[kind]
        kind += 1
    pool[kind] -= 1
    return kind
