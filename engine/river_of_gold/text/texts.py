"""The texts of River of Gold: how its records become keys and arguments of the catalogues in this folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from engine.kernel.text.text import NONE, Text
from engine.kernel.text.texts import Texts
from engine.kernel.text.words import SEAT, Arg, Word, named, several
from engine.river_of_gold.actions import Build, ExchangeGoods, SellGoods
from engine.river_of_gold.box.buildings import BUILDING
from engine.river_of_gold.box.components import (
    EXCHANGE_GOODS,
    REGIONS,
    ROW_SLOTS,
    BuildingSet,
    BuildingType,
    Clan,
    CustomerType,
    Good,
    Goods,
    PatronMode,
    Region,
    ShipId,
)
from engine.river_of_gold.box.customers import CUSTOMERS, Ongoing
from engine.river_of_gold.box.ids import (
    BuildingId,
    CustomerId,
    MasteryId,
    PatronId,
    RegionTileId,
    RiverId,
    ShoreId,
)
from engine.river_of_gold.event_parts import (
    ChoiceKind,
    ChoiceSource,
    Direction,
    EndReason,
    Gains,
    InfluenceSource,
    JourneyBonus,
    SeatScore,
    Step,
    VpSource,
)
from engine.river_of_gold.events import (
    ChoiceOpened,
    DeckReshuffled,
    EndTriggered,
    MatchEnded,
    SeatSetUp,
)
from engine.river_of_gold.gain_events import (
    BuildingBuilt,
    FavorSpent,
    GoodChosen,
    GoodsExchanged,
    InfluenceGained,
    KokuExchanged,
    MasteryClaimed,
    MonkRewarded,
    NobleRewarded,
    PatronRewarded,
    TrackRewarded,
    VisitorRewarded,
)
from engine.river_of_gold.layout.groups import ActionGroup
from engine.river_of_gold.layout.places import (
    CLAN,
    DELIVERED,
    DISCARDED_TILES,
    PATRON,
    PATRON_OFFERS,
    row_slot,
)
from engine.river_of_gold.phases import Decision
from engine.river_of_gold.state import Stage


def _counted(kind: str, number: int) -> Text:
    """Return `2 silk`."""
    return Text(f"counted.{kind}", {"number": number})


def _amounts(bag: msgspec.Struct) -> Arg:
    """Return `3 koku, 1 silk`: a text for each kind that there is any of."""
    kinds = bag.__struct_fields__
    return tuple(_counted(kind, number) for kind in kinds if (number := getattr(bag, kind))) or NONE


def _count(kind: str, field: str = "") -> Callable[[Any], Arg]:
    """Read a number of a record as so much of a kind; the field has the kind's name unless told."""
    return lambda record: _counted(kind, getattr(record, field or kind))


def _count_if_any(kind: str) -> Callable[[Any], Arg]:
    return lambda record: _counted(kind, number) if (number := getattr(record, kind)) else NONE


def _region(region: Region) -> Text:
    return Text(f"component.region_{region}")


def _region_of(record: Any) -> Arg:
    """A region is a plain number, so no type tells it from others."""
    return _region(record.region)


def _numbered(key: str) -> Word:
    """Return the word for spaces of the board, `shore_05` being number 5. The number is a name and no quantity, so it is a word."""
    return Word(lambda space: Text(key, {"number": str(int(space.rpartition("_")[2]))}), (key,))


_PLAIN: Final = Word(str)
"""Written by the message itself, which selects by it."""
_COUNTED: Final = tuple(f"counted.{kind}" for kind in (*Gains.__struct_fields__, "influence"))
_AMOUNTS: Final = Word(_amounts, _COUNTED)
_SHORE: Final = _numbered("shore_space")
_COMPONENT: Final = Word(lambda name: Text(f"component.{name}") if name else NONE)


def _place(record: Any) -> Arg:
    """Return where a choice comes from: a visited space, a track, or a customer."""
    if record.shore is not None:
        return _SHORE.arg(record.shore)
    if record.region is not None:
        return _region(record.region)
    customer = getattr(record, "customer", None)
    return NONE if customer is None else Text(f"component.{customer}")


def _score(score: SeatScore) -> Text:
    return Text("seat_score", {"seat": SEAT.arg(score.seat), "points": _counted("vp", score.score)})


def _winners(event: MatchEnded) -> Arg:
    return several([score.seat for score in event.scores if score.rank == 1], SEAT)


def _visited(event: VisitorRewarded) -> Arg:
    """The space says which tile it is, so its type is enough here."""
    return NONE if event.building is None else Text(f"component.{BUILDING[event.building].type}")


def _goods_fact(fact: int | str) -> Arg:
    """Return a kind of goods there is not enough of; `SALE_WASTEFUL` gives a number instead."""
    return fact if isinstance(fact, int) else Text(f"good.{fact}")


SCORING_CARDS: Final = tuple(
    customer.id
    for customer in CUSTOMERS
    if customer.type not in {CustomerType.MONK, CustomerType.ELDER}  # §8.5 elders have lines of their own
)

TEXTS: Final = Texts(
    package="engine.river_of_gold.text",
    words={
        Good: Word(lambda good: _counted(good, 1), tuple(f"counted.{good}" for good in Good)),
        Goods: _AMOUNTS,
        Gains: _AMOUNTS,
        ShoreId: _SHORE,
        RiverId: _numbered("river_space"),
        PatronMode: named("option.patrons", PatronMode),
        Step: named("step", Step),
        Stage: named("stage", Stage),  # of the view
        ChoiceSource: named("source", ChoiceSource),
        SeatScore: Word(_score, ("seat_score",)),
        **dict.fromkeys((Direction, ShipId, ChoiceKind, InfluenceSource, EndReason), _PLAIN),
    },
    more={
        ExchangeGoods: {"give": lambda action: _counted(action.give, EXCHANGE_GOODS)},
        SellGoods: {"goods": _amounts},
        # Tiles of one type and era differ only in what they do
        Build: {"effect": lambda action: Text(f"component.{action.building}.text")},
        SeatSetUp: {"koku": _count("koku"), "favor": _count("favor")},
        DeckReshuffled: {"number": lambda event: len(event.customers)},
        FavorSpent: {"favor": _count("favor")},
        GoodsExchanged: {"given": lambda event: _counted(event.given, event.number)},
        KokuExchanged: {"koku": _count("koku"), "favor": _count("favor")},
        BuildingBuilt: {"koku": _count("koku"), "favor": _count_if_any("favor")},
        ChoiceOpened: {
            "seat": lambda event: SEAT.arg(event.choice.seat),
            "choice": lambda event: str(event.choice.kind),
            "source": lambda event: Text(f"source.{event.choice.source}"),
            "place": lambda event: _place(event.choice),
        },
        GoodChosen: {"place": _place},
        InfluenceGained: {
            "region": _region_of,
            "influence": lambda event: _counted("influence", event.to_space - event.from_space),
        },
        TrackRewarded: {"region": _region_of},
        VisitorRewarded: {"building": _visited},
        MonkRewarded: {"favor": _count("favor")},
        NobleRewarded: {"vp": _count("vp")},
        PatronRewarded: {"vp": _count("vp")},
        MasteryClaimed: {"vp": _count("vp")},
        EndTriggered: {"vp": _count_if_any("vp")},
        MatchEnded: {"winners": _winners},
    },
    facts={
        "shore": _SHORE,
        "region": Word(_region),
        "goods": Word(_goods_fact, named("good", Good).keys),
        **dict.fromkeys(
            ("building", "row", "patron", "offers", "clan", "customer", "bonus", "open"), _COMPONENT
        ),
    },
    decisions=tuple(Decision),
    scores=(
        *VpSource,
        *(f"{line}_{region}" for line in ("region", "elder") for region in REGIONS),
        "customers",
        *SCORING_CARDS,
    ),
    ends=tuple(EndReason),
    groups=tuple(ActionGroup),
    components=(
        *Good,
        *("koku", "influence", "favor", "favor_limit", "vp", "die"),
        *(f"region_{region}" for region in REGIONS),
        *("influence_track", "imperial_flower", "artisan_space", "elder_space", "merchant_space"),
        *ShipId,
        "royal_ship",
        *BuildingType,
        *BuildingSet,
        *BuildingId,
        *("building_row", "row_start", "row_end"),
        *CustomerType,
        *CustomerId,
        *Ongoing,
        *("customer_deck", "discard_pile", "hand"),
        JourneyBonus.KOKU_OR_GOOD,
        *MasteryId,
        *RegionTileId,
        *Clan,
        "clan_marker",
        *ShoreId,
        *RiverId,
        *(row_slot(slot) for slot in range(1, ROW_SLOTS + 1)),
        *(CLAN, PATRON, DELIVERED, DISCARDED_TILES, PATRON_OFFERS),
        *PatronId,
        *(f"{patron}.title" for patron in PatronId),
    ),
    described=(*BuildingId, *CustomerId, *MasteryId, *RegionTileId, *PatronId),
)
