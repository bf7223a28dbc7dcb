"""What players read: events, buttons, refusals and descriptions. What a whole match says is in its transcripts."""

from __future__ import annotations

import pytest

from engine.kernel.errors import Fact, RuleViolation
from engine.kernel.outcome import Outcome
from engine.kernel.seats import Seat
from engine.kernel.text.text import Text
from engine.kernel.text.texts import LANGUAGES
from engine.river_of_gold.actions import (
    Build,
    ExchangeGoods,
    RiverOfGoldAction,
    Sail,
    SellGoods,
    SpendFavor,
    TakeJourneyBonus,
    UseMerchant,
)
from engine.river_of_gold.box.buildings import BUILDING
from engine.river_of_gold.box.components import BuildingSet, Good, Goods, ShipId
from engine.river_of_gold.box.customers import CUSTOMER
from engine.river_of_gold.box.ids import BuildingId, CustomerId, MasteryId, PatronId, RiverId, ShoreId
from engine.river_of_gold.errors import Code
from engine.river_of_gold.event_parts import (
    Choice,
    ChoiceKind,
    ChoiceSource,
    Direction,
    Gains,
    InfluenceSource,
)
from engine.river_of_gold.events import ChoiceOpened, DeckReshuffled, RiverOfGoldEvent, RowRefilled, SeatLeft
from engine.river_of_gold.gain_events import (
    GoodChosen,
    InfluenceGained,
    MarkerPlaced,
    MerchantUsed,
    MonkRewarded,
    OwnerRewarded,
    RoyalShipLaunched,
    ShipSailed,
    VisitorRewarded,
)
from engine.river_of_gold.game import GAME
from engine.river_of_gold.templates import BuildTemplate, SellGoodsTemplate
from engine.river_of_gold.text.texts import TEXTS
from services.texts.formatting import sentence

SEAT_0, SEAT_1, SEAT_2 = Seat(0), Seat(1), Seat(2)
INFLUENCE = InfluenceGained(
    seat=SEAT_2, region=4, from_space=3, to_space=5, source=InfluenceSource.BUILDING_BONUS
)
OWNER = OwnerRewarded(
    seat=SEAT_0,
    shore=ShoreId.SHORE_18,
    building=BuildingId.ERA1_SHRINE_5,
    gains=Gains(koku=1, vp=1),
    emperor=False,
)


def read(text: Text, language: str = "en") -> str:
    """Return the sentence, with plain spaces for those that do not break a line."""
    return sentence(GAME, language, text).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            DeckReshuffled(customers=(CustomerId.MONK_1, CustomerId.MONK_2)),
            "The discard pile becomes the new customer deck: 2 cards.",
        ),
        (
            ShipSailed(
                seat=SEAT_2,
                ship=ShipId.UPSTREAM,
                royal=True,
                distance=1,
                from_space=RiverId.RIVER_14,
                to_space=RiverId.RIVER_01,
                completed=True,
            ),
            "Seat 2 sails the royal ship 1 space to river space 1.",
        ),
        (
            VisitorRewarded(seat=SEAT_2, shore=ShoreId.SHORE_04, building=None, gains=Gains()),
            "Seat 2 visits: empty space, shore space 4; gains nothing.",
        ),
        (
            ChoiceOpened(
                choice=Choice(
                    seat=SEAT_0, kind=ChoiceKind.GOOD, source=ChoiceSource.VISITOR, shore=ShoreId.SHORE_27
                )
            ),
            "Seat 0 has to choose a good: visit, shore space 27.",
        ),
        (
            GoodChosen(seat=SEAT_0, good=Good.RICE, source=ChoiceSource.TRACK, region=5),
            "Seat 0 takes 1 rice: influence track, Uebe Marshes.",
        ),
        (
            MerchantUsed(
                seat=SEAT_1, customer=CustomerId.MERCHANT_4, sold=Goods(porcelain=3), gains=Gains(koku=14)
            ),
            "Seat 1 uses: Merchant (Kitsune Woods); sells 3 porcelain; gains 14 koku.",
        ),
        (
            MonkRewarded(seat=SEAT_0, customer=CustomerId.MONK_5, favor_limit=4, favor=1),
            "Seat 0 gains 1 divine favor; the limit is now 4: Monk (Uebe Marshes).",
        ),
        (
            RoyalShipLaunched(seat=SEAT_1, ship=ShipId.UPSTREAM),
            "Seat 1 launches the royal ship in place of the upstream ship.",
        ),
        (
            MarkerPlaced(
                seat=SEAT_0,
                shore=ShoreId.SHORE_01,
                building=BuildingId.ERA1_MARKET_1,
                customer=CustomerId.MONK_5,
            ),
            "Seat 0 places a second marker: Market (Era 1), shore space 1; Monk (Uebe Marshes).",
        ),
        (
            RowRefilled(building=BuildingId.ERA1_PORT_1, era=BuildingSet.ERA_1, stack=None, emptied=True),
            "New in the building row: Port (Era 1), the last tile of its stack.",
        ),
        (
            RowRefilled(building=None, era=None, stack=None, emptied=False),
            "The building row slides; no new tile.",
        ),
        (
            SeatLeft(seat=SEAT_0, customers=(CustomerId.ELDER_3,)),
            "Seat 0 leaves for good; discarded: Elder (Three Man Alliance Plain).",
        ),
    ],
)
def test_events(event: RiverOfGoldEvent, expected: str) -> None:
    assert read(TEXTS.event(event)) == expected


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            INFLUENCE,
            (
                "Seat 2 gains 2 influence (Kitsune Woods): space 3 to 5.",
                "Giocatore 2 ottiene 2 influenza (Bosco delle Kitsune): da casella 3 a 5.",
                "Joueur 2 gagne 2 influences (Forêt Kitsune) : de la case 3 à la case 5.",
                "Gracz 2 otrzymuje 2 punkty wpływu (Las Kitsune): z pola 3 na pole 5.",
            ),
        ),
        (
            OWNER,
            (
                "Owner reward for Seat 0: 1 koku, 1 VP.",
                "Ricompensa di proprietà per Giocatore 0: 1 koku, 1 PV.",
                "Cadeau au propriétaire pour Joueur 0 : 1 koku, 1 PV.",
                "Nagroda dla właściciela, Gracz 0: 1 koku, 1 PZ.",
            ),
        ),
    ],
)
def test_events_in_four_languages(event: RiverOfGoldEvent, expected: tuple[str, ...]) -> None:
    text = TEXTS.event(event)
    assert tuple(read(text, language) for language in LANGUAGES) == expected


@pytest.mark.parametrize(
    ("action", "button", "log"),
    [
        (
            Build(shore=ShoreId.SHORE_16, building=BuildingId.ERA1_SHRINE_5),
            "Build: Shrine (Era 1), shore space 16. Building bonus: 2 influence; visitor: 2 VP; owner: 1 koku, 1 VP.",
            "Seat 2 builds: Shrine (Era 1), shore space 16.",
        ),
        (
            Sail(ship=ShipId.UPSTREAM, distance=1),
            "Sail the upstream ship 1 space",
            "Seat 2 sails the upstream ship 1 space.",
        ),
        (
            SpendFavor(direction=Direction.DOWN),
            "Spend 1 divine favor: die −1",
            "Seat 2 spends 1 divine favor: die −1.",
        ),
        (
            ExchangeGoods(give=Good.SILK, take=Good.RICE),
            "Exchange 2 silk for 1 rice",
            "Seat 2 exchanges 2 silk for 1 rice.",
        ),
        (TakeJourneyBonus(), "Take 3 koku", "Seat 2 takes 3 koku."),
        (TakeJourneyBonus(good=Good.SILK), "Take 1 silk", "Seat 2 takes 1 silk."),
        (
            UseMerchant(customer=CustomerId.MERCHANT_3, good=Good.RICE),
            "Use: Merchant (Three Man Alliance Plain), 1 rice",
            "Seat 2 uses: Merchant (Three Man Alliance Plain), 1 rice.",
        ),
        (SellGoods(silk=1, porcelain=2), "Sell 1 silk, 2 porcelain", "Seat 2 sells 1 silk, 2 porcelain."),
        (SellGoods(), "Sell nothing", "Seat 2 sells nothing."),
    ],
)
def test_actions(action: RiverOfGoldAction, button: str, log: str) -> None:
    assert read(TEXTS.action(action)) == button
    assert read(TEXTS.chosen(SEAT_2, action)) == log


def test_buttons_of_all_tiles_differ() -> None:
    """Tiles of one type and era have one name, so the button also tells what a tile does."""
    tiles = [each for each in BuildingId if each.startswith("era")]
    buttons = {read(TEXTS.action(Build(shore=ShoreId.SHORE_16, building=tile))) for tile in tiles}
    assert len(buttons) == len(tiles)


def test_templates() -> None:
    assert read(TEXTS.template(BuildTemplate(spaces=(), buildings=()))) == "Build"
    sale = SellGoodsTemplate(owned=Goods(silk=4), most=3, koku_each=5)
    assert read(TEXTS.template(sale)) == "Sell goods: at most 3, 5 koku each"


@pytest.mark.parametrize(
    ("code", "facts", "expected"),
    [
        (
            Code.GOODS_NOT_OWNED,
            {"goods": ("silk", "rice")},
            "You do not have enough of these goods: silk, rice.",
        ),
        (Code.GOOD_AT_CAP, {"good": "silk", "cap": 6}, "You cannot hold more silk: the most is 6."),
        (
            Code.SPACE_NOT_EMPTY,
            {"shore": "shore_16", "building": "era1_shrine_5"},
            "You cannot build there (shore space 16); a building stands there: Shrine (Era 1). Choose an empty space.",
        ),
        (
            Code.SPACE_UNAFFORDABLE,
            {"shore": "shore_05", "cost": 6, "koku": 1},
            "Building there (shore space 5) costs you 6 koku; you have 1.",
        ),
        (
            Code.DISTANCE_NOT_ALLOWED,
            {"distance": 2, "allowed": (4, 5, 6)},
            "The ship cannot sail 2 spaces. Possible: 4, 5, 6.",
        ),
        (
            Code.BONUS_NOT_OPEN,
            {"bonus": "koku_or_good", "open": ("merchant_3",)},
            "This journey does not, or no longer, bring this bonus: 3 koku or 1 good. Still open: Merchant (Three Man Alliance Plain).",
        ),
        (
            Code.SALE_WASTEFUL,
            {"goods": 5, "most": 2},
            "Of 5 goods you want to sell, only 2 would earn you koku: sell no more than that.",
        ),
        (
            Code.ORDER_NOT_PAYABLE,
            {"customer": "monk_1", "goods": ("silk",)},
            "Monk (Spine of the World) asks for more than you have. Not enough: silk.",
        ),
    ],
)
def test_refusals(code: Code, facts: dict[str, Fact], expected: str) -> None:
    assert read(TEXTS.refusal(RuleViolation(code, rule="1", **facts))) == expected


def test_a_refusal_in_four_languages() -> None:
    text = TEXTS.refusal(RuleViolation(Code.DISTANCE_NOT_ALLOWED, rule="5.1", distance=2, allowed=(4, 5, 6)))
    assert [read(text, language) for language in LANGUAGES] == [
        "The ship cannot sail 2 spaces. Possible: 4, 5, 6.",
        "La barca non può percorrere 2 caselle. Possibili: 4, 5, 6.",
        "Le Bateau ne peut pas avancer de 2 cases. Possible : 4, 5, 6.",
        "Statek nie może przepłynąć 2 pól. Możliwe: 4, 5, 6.",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            BuildingId.ERA1_MANOR_5,
            "Building bonus: 4 influence; visitor: 2 influence; owner: 1 koku for each delivered customer.",
        ),
        (BuildingId.START_PORT_1, "Visitor: 3 koku; nobody owns it."),
        (
            CustomerId.ARTISAN_4,
            (
                "Order: 2 silk. On delivery: 2 influence in the region; then your builds there cost 2 koku less; "
                "at the end 1 VP per 3 goods you hold."
            ),
        ),
        (
            CustomerId.NOBLE_2,
            (
                "Order: 2 silk, 2 porcelain. On delivery: the royal ship if it is your first noble, and 2 influence in the region; "
                "then whenever the royal ship sails: 1 koku more from each empty space visited; at the end 1 VP for each port you own."
            ),
        ),
        (MasteryId.MASTERY_VOID, "Have at least 1 influence in each of the 6 regions."),
        (
            PatronId.PATRON_KAKITA_RYOKU,
            "You may pay 1 divine favor to set your die to any face instead of rolling it.",
        ),
    ],
)
def test_descriptions(name: str, expected: str) -> None:
    assert read(Text(f"component.{name}.text")) == expected


@pytest.mark.parametrize("building", list(BuildingId))
def test_the_description_of_a_tile_has_its_numbers(building: BuildingId) -> None:
    tile, text = BUILDING[building], read(Text(f"component.{building}.text"))
    for reward, role in ((tile.visitor, "isitor: "), (tile.owner, "owner: ")):
        said = text.partition(role)[2].partition(";")[0]
        words = {
            "koku": reward.koku or (1 if reward.koku_per else 0),
            "divine favor": reward.favor,
            "VP": reward.vp,
            "influence": reward.influence,
        }
        words |= {good.value: getattr(reward, good) for good in Good}
        for word, number in words.items():
            assert (f"{number} {word}" in said) == bool(number), (text, word)
    assert (f"Building bonus: {tile.bonus} influence" in text) == bool(tile.bonus)


@pytest.mark.parametrize("customer", list(CustomerId))
def test_the_description_of_a_customer_has_its_order(customer: CustomerId) -> None:
    order = CUSTOMER[customer].order
    goods = ", ".join(f"{number} {good}" for good in Good if (number := getattr(order, good)))
    assert read(Text(f"component.{customer}.text")).startswith(f"Order: {goods}. ")


def test_the_end_names_the_winners() -> None:
    outcome = Outcome(reason="LAST_TURNS_PLAYED", rule="8.6", winners=(SEAT_0, SEAT_2), results=())
    assert [read(TEXTS.end(outcome), language) for language in LANGUAGES] == [
        "The last turns have been played. Victory: Seat 0, Seat 2.",
        "Gli ultimi turni sono stati giocati. Vittoria: Giocatore 0, Giocatore 2.",
        "Les derniers tours ont été joués. Victoire : Joueur 0, Joueur 2.",
        "Rozegrano ostatnie tury. Wygrana: Gracz 0, Gracz 2.",
    ]
