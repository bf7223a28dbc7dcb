"""The texts of Al-Rashid: how its records become keys and arguments of the catalogues in this folder.

>>> from engine.al_rashid.actions import TakeSpoil
>>> TEXTS.action(TakeSpoil(good=Good.SILK)).args["good"]
Text(key='counted.silk', args={'count': 1})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from engine.al_rashid.actions import (
    DeclareAudience,
    DeclareVisit,
    NameColours,
    RemoveMercenary,
    TakeAll,
)
from engine.al_rashid.box.areas import AREAS, CRISES, GUILDS, PALACE_COLOURS
from engine.al_rashid.box.components import (
    COLOURS,
    GOODS,
    PIECES,
    TILE_VALUES,
    AreaId,
    Colour,
    Favor,
    Good,
    Goods,
    OfficeId,
    Piece,
    Service,
    Squad,
    bag_of,
    squad_of,
    tiles_of,
)
from engine.al_rashid.box.offices import OFFICE, OFFICES, Metric, OfficeKind
from engine.al_rashid.event_parts import (
    BackReason,
    DrawnTile,
    EndReason,
    MoveMeans,
    PlacedTile,
    PointSource,
    SeatScore,
    VisitStep,
)
from engine.al_rashid.events import (
    CrisisDrawn,
    Fought,
    MatchEnded,
    MatchStarted,
    MercenaryRemoved,
    PiecesTakenBack,
    StackRebuilt,
    TerritoriesRefilled,
    TerritoryPeeked,
    TilesRevealed,
)
from engine.al_rashid.layout.groups import ActionGroup
from engine.al_rashid.layout.ids import MERCENARY, STACK, TILE_KINDS
from engine.al_rashid.owner_events import (
    ColoursNamed,
    DishonorTaken,
    GoodsGained,
    GoodsSwapped,
    InfluenceGained,
    MercenariesDrawn,
    NotesGained,
    PieceGained,
    VisitDeclared,
)
from engine.al_rashid.phases import Decision
from engine.al_rashid.state import Part, Stage
from engine.al_rashid.templates import PayTemplate
from engine.kernel.text.text import NONE, Text
from engine.kernel.text.texts import Texts
from engine.kernel.text.words import SEAT, Arg, Word, components, named, several

CREDIT_NOTE: Final = "credit_note"
FLEE: Final = "flee"
"""The source of the dishonor of a flight (§9.2)."""
_PLAIN_SOURCES: Final = ("spy_moves", "recruit_mercenaries", "training", "benevolence")
"""Sources of gains and moves that are no names: inside a sentence they begin with a small letter."""

DESCRIBED: Final = (
    *AREAS,
    *PIECES,
    *Favor,
    *Service,
    "benevolence",
    *OFFICE,
    *OfficeKind,
    *CRISES,
    CREDIT_NOTE,
    "mercenary_tile",
    "influence_marker",
    "dishonor_marker",
)
"""What has a short text of what it does."""
COMPONENTS: Final = tuple(
    dict.fromkeys(
        map(
            str,
            (
                *DESCRIBED,
                *GOODS,
                *COLOURS,
                *PALACE_COLOURS.values(),
                *Metric,
                *Stage,
                *Part,
                *("common", "rare", "office", "service", "favor", "training", FLEE),
                *("crisis_tile", "office_tile", "reserve", "supply", "hand", "discards", "stack"),
                *("family", "dominance", "rank", "turn_order", "slot", "gold", "prestige_point"),
                *(
                    "held",
                    "goods",
                    "offices",
                    "markers",
                    "turn_track",
                    "turn_marker",
                    "next_order",
                    "resolved",
                ),
                *(*STACK.values(), *MERCENARY.values(), *TILE_KINDS),
            ),
        )
    )
)
"""What has a name: the box, the board, and the words of the view."""


def _counted(counts: Iterable[tuple[str, int]]) -> Arg:
    """Return `2 hardwood, 1 silk`."""
    return tuple(Text(f"counted.{name}", {"count": count}) for name, count in counts if count) or NONE


def _goods(bag: Goods) -> Arg:
    return _counted(zip(GOODS, bag_of(bag), strict=True))


def _tiles(squad: Squad) -> Arg:
    """Return `red 3, 2 × blue 4`."""
    kinds = ((colour, value) for colour in COLOURS for value in TILE_VALUES)
    return (
        tuple(
            Text(f"tile.{colour}", {"value": value, "count": count})
            for (colour, value), count in zip(kinds, tiles_of(squad), strict=True)
            if count
        )
        or NONE
    )


def _mercenaries(tiles: Iterable[DrawnTile | PlacedTile]) -> Arg:
    """Return tiles with their values if all of them are known, else how many there are of each colour."""
    lying = tuple(tiles)
    values = Counter((tile.colour, tile.value) for tile in lying if tile.value is not None)
    if values.total() < len(lying):
        colours = Counter(tile.colour for tile in lying)
        return _counted((colour, colours[colour]) for colour in COLOURS)
    return _tiles(squad_of(tuple(values[colour, value] for colour in COLOURS for value in TILE_VALUES)))


def _placed(tile: PlacedTile) -> Text:
    """Return `red mercenary on Sarmatia`, or `red 3 on Sarmatia` for who knows the value."""
    territory = _AREA.arg(tile.territory)
    if tile.value is None:
        return Text(f"placed.{tile.colour}", {"territory": territory})
    return Text(f"placed_known.{tile.colour}", {"value": tile.value, "territory": territory})


def _looked_at(event: TerritoryPeeked) -> Arg:
    """Return `red 3 (tile 5)`, since who looks may remove a tile by its id; for all others how many there are."""
    if any(tile.value is None for tile in event.tiles):
        return _mercenaries(event.tiles)
    return (
        tuple(
            Text(f"seen.{tile.colour}", {"value": tile.value, "id": str(tile.id)})
            for tile in event.tiles
            if tile.value is not None
        )
        or NONE
    )


def _colours(named_colours: NameColours | ColoursNamed) -> Arg:
    return _counted(((Colour.RED, named_colours.red), (Colour.BLUE, named_colours.blue)))


def _visit(visit: VisitDeclared | DeclareVisit | DeclareAudience) -> Arg:
    """Return the parts of a visit: service, office, favor, benevolence."""
    found: list[Text] = []
    match visit:
        case VisitDeclared(service=Service() as service):
            found.append(Text(f"visit.{service}"))
        case DeclareVisit(service=True):
            found.append(Text("visit.service"))
    if visit.office is not None:
        key = "visit.office_with_note" if visit.note else "visit.office"
        found.append(Text(key, {"office": _OFFICE.arg(visit.office)}))
    if not isinstance(visit, DeclareAudience) and visit.favor is not None:
        found.append(Text("visit.favor", {"favor": Text(f"component.{visit.favor}")}))
    if not isinstance(visit, DeclareVisit) and visit.benevolence is not None:
        found.append(Text("visit.benevolence", {"good": _GOOD.arg(visit.benevolence)}))
    return tuple(found) or NONE


def _pieces(event: PiecesTakenBack) -> Arg:
    return _counted(zip(PIECES, (event.pashas, event.merchants, event.sages), strict=True))


def _named_source(name: str) -> Text:
    """Return where a gain or a move comes from: an office, a favor, an area, a service."""
    return Text(f"source.{name}" if name in _PLAIN_SOURCES else f"component.{name}")


def _source(event: Any) -> Text:
    return _named_source(event.source)


def _cause(event: DishonorTaken) -> str:
    """Return `flee`, or why a visit or an office brings dishonor."""
    if event.source in GUILDS:
        return "no_primary"
    if event.source in AREAS:
        return "no_pasha"
    return FLEE if event.source == FLEE else "office"


def _winners(event: MatchEnded) -> list[SeatScore]:
    return [score for score in event.scores if score.rank == 1]


def _score(score: SeatScore) -> Text:
    return Text("final_score", {"seat": SEAT.arg(score.seat), "rank": score.rank, "points": score.score})


def _known(name: str) -> Arg:
    """Return the name of a component, or a name that a player made up as it is."""
    return Text(f"component.{name}") if name in COMPONENTS else name


def _items(fact: str | int) -> Arg:
    """Return the name of a good or of the credit note; one refusal has the number of items instead."""
    return fact if isinstance(fact, int) else _GOOD_NAMES.arg(fact)


_AREA: Final = components(AREAS)
_OFFICE: Final = components(OFFICE)
_GOOD: Final = Word(
    lambda good: Text(f"counted.{good}", {"count": 1}), tuple(f"counted.{good}" for good in GOODS)
)
_AS_IT_IS: Final = Word(str)
"""A word that messages select by."""
_SOURCE: Final = Word(_named_source, tuple(f"source.{name}" for name in _PLAIN_SOURCES))
_KNOWN: Final = Word(_known, tuple(f"component.{name}" for name in COMPONENTS))
_GOOD_NAMES: Final = named("good", (*GOODS, CREDIT_NOTE))


def _by_colour(*prefixes: str) -> tuple[str, ...]:
    return tuple(f"{prefix}.{colour}" for prefix in prefixes for colour in COLOURS)


TEXTS: Final = Texts(
    package="engine.al_rashid.text",
    words={
        AreaId: _AREA,
        OfficeId: _OFFICE,
        Good: _GOOD,
        Goods: Word(_goods, _GOOD.keys),
        Squad: Word(_tiles, _by_colour("tile")),
        Piece: named("piece", PIECES),
        Colour: _AS_IT_IS,
        VisitStep: _SOURCE,
        MoveMeans: _SOURCE,
        BackReason: _AS_IT_IS,
        EndReason: _AS_IT_IS,
        PlacedTile: Word(_placed, _by_colour("placed", "placed_known", "seen")),
        SeatScore: Word(_score, ("final_score",)),
        # No field has one of these types: here are the keys of what `more` composes.
        DrawnTile: Word(lambda tile: _mercenaries((tile,)), _by_colour("counted", "tile")),
        VisitDeclared: Word(
            _visit,
            (
                *(f"visit.{service}" for service in Service),
                *("visit.service", "visit.office", "visit.office_with_note"),
                *("visit.favor", "visit.benevolence"),
            ),
        ),
        PiecesTakenBack: Word(_pieces, tuple(f"counted.{piece}" for piece in PIECES)),
        TakeAll: named("all", GOODS),
    },
    more={
        # Lists that no message tells one by one are counted, so that a text stays short.
        MatchStarted: {
            "offices": lambda event: sum(stock.copies for stock in event.offices),
            "territories": lambda event: len(event.territories),
            "stacks": lambda event: sum(tiles_of(event.stacks)),
        },
        StackRebuilt: {"tiles": lambda event: sum(tiles_of(event.tiles))},
        TerritoriesRefilled: {"territories": lambda event: len(event.territories)},
        PayTemplate: {"bags": lambda template: len(template.bags)},
        CrisisDrawn: {"crisis": lambda event: Text(f"component.{event.crisis}")},
        MercenariesDrawn: {"tiles": lambda event: _mercenaries(event.tiles)},
        TilesRevealed: {"tiles": lambda event: _mercenaries(event.tiles)},
        Fought: {"beaten": lambda event: _mercenaries(event.beaten)},
        TerritoryPeeked: {"source": _source, "tiles": _looked_at},
        MercenaryRemoved: {"tile": lambda event: str(event.tile)},
        RemoveMercenary: {"tile": lambda action: str(action.tile)},
        ColoursNamed: {"mercenaries": _colours},
        NameColours: {"mercenaries": _colours},
        VisitDeclared: {"parts": _visit},
        DeclareVisit: {"parts": _visit},
        DeclareAudience: {"parts": _visit},
        PiecesTakenBack: {"pieces": _pieces},
        TakeAll: {"all": lambda action: Text(f"all.{action.good}")},
        GoodsSwapped: {"source": _source},
        GoodsGained: {"source": _source},
        NotesGained: {"source": _source},
        InfluenceGained: {"source": _source},
        PieceGained: {"source": _source},
        DishonorTaken: {"source": _source, "cause": _cause},
        MatchEnded: {
            "winners": lambda event: several((score.seat for score in _winners(event)), SEAT),
            "number": lambda event: len(_winners(event)),
            "points": lambda event: _winners(event)[0].score,
        },
    },
    facts={
        **dict.fromkeys(("area", "from_area", "to_area", "territory", "palace", "office", "favor"), _KNOWN),
        **dict.fromkeys(("good", "goods"), _GOOD_NAMES),
        "items": Word(_items, _GOOD_NAMES.keys),
        "piece": _AS_IT_IS,
        "colour": _AS_IT_IS,
        "tile": _AS_IT_IS,
        "seat": SEAT,
    },
    decisions=tuple(Decision),
    scores=(*PointSource, *(office.id for office in OFFICES)),
    ends=tuple(EndReason),
    groups=tuple(ActionGroup),
    components=COMPONENTS,
    described=tuple(map(str, DESCRIBED)),
)
