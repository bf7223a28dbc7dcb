"""What is in the box: colours, cards, planks, stones, and every count and limit with its paragraph.

§1 What the game consists of. River Dragons is for 2 to 6 players. Each has a colour with a village, a pawn, and six
planks of the sizes 1 to 6; there are 27 stones for all. A hand has eight action cards (`stone1`, `stone2`, `plank1`,
`plank2`, `remove`, `move1`, `move2`, `jump`) and a dragon for each other colour in play. Whoever first brings the own
pawn to the village opposite wins.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, NewType

import msgspec

SupportId = NewType("SupportId", str)
"""The id of what carries planks: a village; a stone named by its island; on the expert side `S1`, `S2`, … [F2]."""
VillageId = NewType("VillageId", SupportId)
"""`V-` and the colour, such as `V-red`."""
IslandId = NewType("IslandId", SupportId)
"""`I01` to `I27`."""
Place = NewType("Place", str)
"""Where a pawn is: the id of a village or a plank, never of a stone (§2)."""
PlankId = NewType("PlankId", Place)
"""A plank on the board, named by its two supports sorted as strings: `I07~I16`, `S3~V-pink`."""

MAX_NAME: Final = 40
"""The greatest length of an id that is looked up, in characters."""


class Colour(StrEnum):
    """The colours of the players; each has a village, a pawn and six planks (§1)."""

    BLUE = "blue"
    """Blue; its village is opposite yellow's."""
    GREEN = "green"
    """Green; its village is opposite red's."""
    RED = "red"
    """Red; its village is opposite green's."""
    YELLOW = "yellow"
    """Yellow; its village is opposite blue's."""
    BLACK = "black"
    """Black; its village is opposite pink's."""
    PINK = "pink"
    """Pink; its village is opposite black's."""


class Variant(StrEnum):
    """Which side of the board is played."""

    ISLANDS = "islands"
    """Stones stand on islands."""
    EXPERT = "expert"
    """Stones stand anywhere in the water (§9)."""


class Card(StrEnum):
    """The cards. A hand is eight action cards and a dragon for every other colour in play (§1)."""

    STONE1 = "stone1"
    """The player puts one stone on the board (§7.1)."""
    STONE2 = "stone2"
    """The player puts two stones on the board (§7.1)."""
    PLANK1 = "plank1"
    """The player lays one plank (§7.2)."""
    PLANK2 = "plank2"
    """The player lays two planks (§7.2)."""
    REMOVE = "remove"
    """The player takes a plank or a stone from the board (§7.3)."""
    MOVE1 = "move1"
    """The player's pawn makes one step (§7.4)."""
    MOVE2 = "move2"
    """The player's pawn makes two steps (§7.4)."""
    JUMP = "jump"
    """The player's pawn jumps over another pawn (§7.5)."""
    DRAGON_BLUE = "dragon:blue"
    """A dragon that cancels blue's card of the same slot (§6)."""
    DRAGON_GREEN = "dragon:green"
    """A dragon that cancels green's card of the same slot (§6)."""
    DRAGON_RED = "dragon:red"
    """A dragon that cancels red's card of the same slot (§6)."""
    DRAGON_YELLOW = "dragon:yellow"
    """A dragon that cancels yellow's card of the same slot (§6)."""
    DRAGON_BLACK = "dragon:black"
    """A dragon that cancels black's card of the same slot (§6)."""
    DRAGON_PINK = "dragon:pink"
    """A dragon that cancels pink's card of the same slot (§6)."""


class Plank(msgspec.Struct, frozen=True, kw_only=True):
    """One of the 36 planks; each exists once."""

    colour: Colour
    """The colour of the plank, which it keeps wherever it is."""
    size: PlankSize
    """The size of the plank, from 1 (the shortest) to 6 (the longest)."""


PlankSize = Annotated[int, msgspec.Meta(ge=1, le=6, description="Plank number, 1 (shortest) to 6 (longest).")]

# §1 Counts
STONE_COUNT: Final = 27
PLANK_SIZES: Final = (1, 2, 3, 4, 5, 6)
PLANK_COUNT: Final = len(Colour) * len(PLANK_SIZES)
PLANK_LENGTHS: Final = {1: 600, 2: 800, 3: 1000, 4: 1200, 5: 1400, 6: 1600}
"""Board units (nominally 0.1 mm) by size."""

# §14 Measures, board units
STONE_RADIUS: Final = 140
ISLAND_RADIUS: Final = 190
VILLAGE_RADIUS: Final = 480
PLANK_WIDTH: Final = 100
MIN_OVERLAP: Final = 60
"""How far a plank must rest on each of its two supports."""

# §9 Expert side, measured from the centre of the stone [F3]
STONE_TO_WATER_EDGE: Final = 140
STONE_TO_VILLAGE_EDGE: Final = 160
STONE_TO_STONE: Final = 300

# §5 Programming
PROGRAM_SLOTS: Final = 5
MAX_DRAGONS: Final = 1

# §7.2, §7.3 Planks
PLANKS_PER_SUPPORT: Final = 3
RESERVE_COLOURS: Final = 2

# §8 [R23]
ROUND_LIMIT: Final = 40
MAX_ROUNDS: Final = 200
"""[R23] The values that the option accepts."""
NO_ROUND_LIMIT: Final = 0
"""[R23] The value that stands for "no limit" in events, states and views."""

# §3 Setup by number of players: seat i has the i-th colour
COLOURS_IN_PLAY: Final = {
    2: (Colour.PINK, Colour.BLACK),
    3: (Colour.BLUE, Colour.RED, Colour.PINK),
    4: (Colour.BLUE, Colour.GREEN, Colour.RED, Colour.YELLOW),
    5: (Colour.BLUE, Colour.GREEN, Colour.RED, Colour.YELLOW, Colour.BLACK),  # [R31]
    6: (Colour.BLUE, Colour.GREEN, Colour.RED, Colour.YELLOW, Colour.BLACK, Colour.PINK),
}
SEAT_COUNTS: Final = tuple(COLOURS_IN_PLAY)

OPPOSITE: Final = {
    Colour.PINK: Colour.BLACK,
    Colour.BLACK: Colour.PINK,
    Colour.GREEN: Colour.RED,
    Colour.RED: Colour.GREEN,
    Colour.BLUE: Colour.YELLOW,
    Colour.YELLOW: Colour.BLUE,
}
"""§2 The destination is the village of the opposite colour."""

ACTION_CARDS: Final = (
    Card.STONE1,
    Card.STONE2,
    Card.PLANK1,
    Card.PLANK2,
    Card.REMOVE,
    Card.MOVE1,
    Card.MOVE2,
    Card.JUMP,
)
DRAGON_TARGET: Final = {
    Card.DRAGON_BLUE: Colour.BLUE,
    Card.DRAGON_GREEN: Colour.GREEN,
    Card.DRAGON_RED: Colour.RED,
    Card.DRAGON_YELLOW: Colour.YELLOW,
    Card.DRAGON_BLACK: Colour.BLACK,
    Card.DRAGON_PINK: Colour.PINK,
}
"""§6 The colour whose card each dragon cancels; other cards are no keys here."""

CARD_PARTS: Final = {
    card: 2 if card in (Card.STONE2, Card.PLANK2, Card.MOVE2) else 1 for card in ACTION_CARDS
}
"""§7 How many times the card's action is done."""


_VILLAGES: Final = {colour: VillageId(SupportId(f"V-{colour.value}")) for colour in Colour}
_DESTINATIONS: Final = {colour: _VILLAGES[opposite] for colour, opposite in OPPOSITE.items()}


def village_of(colour: Colour) -> VillageId:
    """§2 Return the start village of a colour."""
    return _VILLAGES[colour]


def destination_of(colour: Colour) -> VillageId:
    """§2 Return the village opposite the start village."""
    return _DESTINATIONS[colour]


def hand_of(own: Colour, in_play: tuple[Colour, ...]) -> tuple[Card, ...]:
    """§3 Return the cards of a hand: the eight action cards and a dragon for every other colour in play."""
    dragons = (card for card, target in DRAGON_TARGET.items() if target is not own and target in in_play)
    return (*ACTION_CARDS, *dragons)


def full_reserve(colour: Colour) -> tuple[Plank, ...]:
    """§3 Return the six planks a player starts with."""
    return tuple(Plank(colour=colour, size=size) for size in PLANK_SIZES)


def plank_id(a: SupportId, b: SupportId) -> PlankId:
    """Name the plank between two supports, in whichever order they are given."""
    return PlankId(Place(f"{a}~{b}" if a < b else f"{b}~{a}"))
