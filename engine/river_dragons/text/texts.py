"""The texts of River Dragons: how its records become keys and arguments of the catalogues in this folder.

>>> from engine.river_dragons.events import PlankChosen
>>> TEXTS.event(PlankChosen(seat=1, plank=Plank(colour=Colour.RED, size=5))).args["plank"]
Text(key='the_plank', args={'colour': 'red', 'size': '5'})
"""

from __future__ import annotations

from typing import Final

from engine.kernel.text.text import NONE, Text
from engine.kernel.text.texts import Texts
from engine.kernel.text.words import SEAT, Arg, Word, components, named, several
from engine.river_dragons.actions import Jump, LayPlank, PlaceStoneAt
from engine.river_dragons.box.components import (
    NO_ROUND_LIMIT,
    PLANK_SIZES,
    Card,
    Colour,
    IslandId,
    Place,
    Plank,
    PlankId,
    SupportId,
    Variant,
    VillageId,
    plank_id,
    village_of,
)
from engine.river_dragons.box.sites import ISLANDS
from engine.river_dragons.events import (
    EndReason,
    FallReason,
    LossReason,
    PawnJumped,
    PlankLaid,
    SeatSetup,
    StonePlaced,
)
from engine.river_dragons.layout.groups import Group
from engine.river_dragons.phases import Decision
from engine.river_dragons.templates import Region
from engine.river_dragons.view import Stage

PARTS: Final = (
    *("board", "village", "island", "water", "stone", "plank", "pawn"),
    *("supply", "reserve", "lost_planks", "hand", "program", "slot", "round"),
    *("first_player", "order", "start", "destination"),
    *(f"plank_{size}" for size in PLANK_SIZES),
)
"""What views name besides: kinds of things in the box, and headings of what a view tells."""

_COLOUR_OF: Final[dict[str, Colour]] = {village_of(colour): colour for colour in Colour}
_ISLANDS: Final = frozenset(str(island.id) for island in ISLANDS)


def _colour(colour: str) -> Text:
    return Text("colour", {"colour": str(colour)})


def _plank(plank: Plank) -> Text:
    """Return a plank in a list."""
    return Text("plank", {"colour": str(plank.colour), "size": str(plank.size)})


def _the_plank(plank: Plank) -> Text:
    """Return a plank as what somebody chooses, lays or takes: with an article, and in Polish in the accusative."""
    return Text("the_plank", {"colour": str(plank.colour), "size": str(plank.size)})


def _pair(plank: str) -> str:
    """Return the name of a plank on the board as one reads it, `I07–I16`."""
    return plank.replace("~", "–")


def _support(support: str) -> Arg:
    """Return a village by its colour; an island, a stone and a name of nothing as they are."""
    return Text(f"component.{support}") if support in _COLOUR_OF else support


def _place(place: str) -> Arg:
    """Return where a pawn is; a name of nothing stays as it is."""
    return Text("plank_place", {"plank": _pair(place)}) if "~" in place else _support(place)


def _there(place: str) -> Text:
    """Return where a pawn lands, with its preposition."""
    colour = _COLOUR_OF.get(place)
    if colour is not None:
        return Text("in_village", {"colour": str(colour)})
    return Text("on_plank", {"plank": _pair(place)})


def _to(support: str) -> Text:
    """Return where a plank or a way ends, with its preposition."""
    colour = _COLOUR_OF.get(support)
    if colour is not None:
        return Text("to_village", {"colour": str(colour)})
    return Text("to_stone", {"stone": support})


def _where(stone: str) -> str:
    return "island" if stone in _ISLANDS else "water"


def _the_stone(stone: str) -> Text:
    return Text("the_stone", {"where": _where(stone), "stone": stone})


def _beginning(seat: SeatSetup) -> Text:
    """Return a seat's colour and destination. Hand and reserve follow from the colours in play and stay out of the line."""
    return Text(
        "seat_begins",
        {
            "seat": SEAT.arg(seat.seat),
            "colour": _colour(seat.colour),
            "destination": _to(seat.destination),
        },
    )


def _round_limit(rounds: int | None) -> Arg:
    if rounds is None:
        return NONE
    return "never" if rounds == NO_ROUND_LIMIT else Text("counted.round", {"rounds": rounds})


def _first(pair: LayPlank | PlankLaid) -> str:
    """Return the end of a plank that its name begins with: never a village, since a plank joins no two of them."""
    return plank_id(pair.a, pair.b).split("~")[0]


def _second(pair: LayPlank | PlankLaid) -> Text:
    return _to(plank_id(pair.a, pair.b).split("~")[-1])


CARD: Final = components(Card)
COLOUR: Final = Word(_colour, ("colour",))
VILLAGES: Final = components(_COLOUR_OF)
SUPPORT: Final = Word(_support, VILLAGES.keys)
PLACE: Final = Word(_place, ("plank_place", "on_plank", "in_village", *VILLAGES.keys))
"""With the keys of a place that somebody lands on (`_there`)."""
PLANK_NAME: Final = Word(_pair)
_AS_IT_IS: Final = Word(str)

TEXTS: Final = Texts(
    package="engine.river_dragons.text",
    words={
        Colour: COLOUR,
        EndReason: _AS_IT_IS,
        FallReason: named("reason", FallReason),
        IslandId: _AS_IT_IS,
        LossReason: named("reason", LossReason),
        Place: PLACE,
        Plank: Word(_the_plank, ("the_plank",)),
        tuple[Plank, ...]: Word(lambda planks: several(planks, Word(_plank)), ("plank",)),
        PlankId: PLANK_NAME,
        Region: Word(lambda _: NONE),  # a region is drawn, not told
        SeatSetup: Word(_beginning, ("seat_begins", "seat", "colour", "to_village", "to_stone")),
        SupportId: Word(_the_stone, ("the_stone",)),
        Variant: _AS_IT_IS,
        VillageId: VILLAGES,
        int | None: Word(_round_limit, ("counted.round",)),  # no other number of an event may be absent
    },
    more={
        StonePlaced: {
            "stone": lambda placed: placed.stone,
            "where": lambda placed: _where(placed.stone),
            "x": lambda placed: str(placed.x),
            "y": lambda placed: str(placed.y),
        },
        PlankLaid: {"a": _first, "b": _second},
        PawnJumped: {"to_place": lambda jumped: _there(jumped.to_place)},
        PlaceStoneAt: {"x": lambda stone: str(stone.x), "y": lambda stone: str(stone.y)},
        LayPlank: {"a": _first, "b": _second},
        Jump: {"to": lambda jump: _there(jump.to)},
    },
    facts={
        "card": CARD,
        "colour": COLOUR,
        "colours": COLOUR,
        "from_place": PLACE,
        "place": PLACE,
        "plank": PLANK_NAME,
        "planks": PLANK_NAME,
        "seat": SEAT,
        "support": SUPPORT,
        "supports": SUPPORT,
        "village": SUPPORT,
    },
    decisions=tuple(Decision),
    ends=tuple(EndReason),
    groups=tuple(Group),
    components=(*Card, *Colour, *_COLOUR_OF, *Stage, *PARTS),
    described=tuple(Card),
)
