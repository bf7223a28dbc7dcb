"""§2, §9 Setup: the board, the patrons, and then what every player starts with.

§2 Setup. The board is laid out for the number of players, everybody gets a clan, and then what a player starts with.
The seats of a match are counted from 0.

§2.1 The board. Three imperial markets and the starting tiles are placed at random: six starting tiles with 2 players,
three with 3, none with 4. The stack of era 1 begins with 12, 14 or 16 tiles for 2, 3 or 4 players, that of era 2 with
9, 11 or 13; other tiles go unseen to the box [A13].

§2.2 Scoring tiles and masteries. Every region gets a random scoring tile, and three of the six masteries are in play.
Their side for 2 players, or for 3 and 4, is used.

§2.3 Building row. Four tiles of era 1 lie in a row. Slot 1 is the start, next to the stacks; slot 4 is the end.

§2.4 Customer deck. The 30 customer cards are shuffled.

§2.5 First player, clans and ships. The first player is drawn; the order is clockwise from there. Everybody has a
clan: dealt at random, or named in the options [F13]. The two ships start on `river_01` and `river_08` and sail as far
as a die shows, one roll for each; this brings nothing.

§2.6 What a player starts with. Everybody has 2 favor with a limit of 3, one silk, one rice, one porcelain and two
customer cards. The first player in turn order has 7 koku, each later one 1 more than the one before.

§2.7 First dice. At the end of the setup every player rolls the die for the first turn, and everybody sees it [A1].
"""

from __future__ import annotations

from typing import TypeVar

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.rules_versions import recorded
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import ChoosePatron
from engine.river_of_gold.box.board import IMPERIAL, RIVERS, SHORE_SPACES, SHORES, START_RIVERS, downstream
from engine.river_of_gold.box.buildings import tiles_of
from engine.river_of_gold.box.components import (
    CLANS,
    ERA_1_COUNTS,
    ERA_2_COUNTS,
    FACES,
    FAVOR_LIMIT_START,
    HAND_SIZE,
    MASTERIES_IN_PLAY,
    ROW_SLOTS,
    START_FAVOR,
    START_GOODS,
    START_KOKU,
    BuildingSet,
    Clan,
    PatronMode,
    goods_of,
)
from engine.river_of_gold.box.ids import MasteryId, PatronId, RegionTileId
from engine.river_of_gold.box.patrons import CLAN_OF, KAIU, KAIU_KOKU, YORITOMO, YORITOMO_CARDS, patrons_of
from engine.river_of_gold.errors import Code
from engine.river_of_gold.event_parts import PlacedBuilding, Stack
from engine.river_of_gold.events import MatchStarted, PatronChosen, SeatSetUp
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.rules.cards import draw_cards
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import State

T = TypeVar("T")


def lay_out_table(
    options: RiverOfGoldOptions, seats: int, chance: Chance, rules_version: str
) -> MatchStarted:
    """§2.1 to §2.3 Return the setup without what players start with."""
    check_options(options, seats, rules_version)
    first = chance.below(seats)
    era_1 = _drawn(tiles_of(BuildingSet.ERA_1), ROW_SLOTS + 1, chance)
    (era_2_top,) = _drawn(tiles_of(BuildingSet.ERA_2), 1, chance)
    return MatchStarted(
        order=tuple(Seat((first + place) % seats) for place in range(seats)),
        patrons=options.patrons,
        offers=_offers(chance) if options.patrons is PatronMode.DRAFT else (),
        clans=() if options.patrons is PatronMode.DRAFT else _clans(options, seats, chance),
        buildings=_laid_out(seats, chance),
        region_tiles=chance.shuffled(RegionTileId),
        masteries=_drawn(tuple(MasteryId), MASTERIES_IN_PLAY, chance),
        row=era_1[:ROW_SLOTS],
        era_1=Stack(top=era_1[ROW_SLOTS], left=ERA_1_COUNTS[seats] - ROW_SLOTS),
        era_2=Stack(top=era_2_top, left=ERA_2_COUNTS[seats]),
        rules_version=recorded(rules_version),
    )


def check_options(options: RiverOfGoldOptions, seats: int, _rules_version: str) -> None:
    """§2.5, §9.1 Raises RuleViolation if the clans contradict the number of seats, each other, or a draft."""
    clans = options.clans
    if not clans:
        return
    if options.patrons is PatronMode.DRAFT:
        raise RuleViolation(Code.CLANS_WITH_DRAFT, rule="9.1", field="clans")
    if len(clans) != seats:
        raise RuleViolation(Code.CLANS_WRONG_NUMBER, rule="2.5", field="clans", clans=len(clans), seats=seats)
    for place, clan in enumerate(clans):
        if clan in clans[:place]:
            raise RuleViolation(Code.CLAN_REPEATED, rule="2.5", field="clans", clan=clan.value)


def _drawn(items: tuple[T, ...], number: int, chance: Chance) -> tuple[T, ...]:
    """Draw this number of items at random, one after another."""
    rest = list(items)
    return tuple([rest.pop(chance.below(len(rest))) for _ in range(number)])


def _clans(options: RiverOfGoldOptions, seats: int, chance: Chance) -> tuple[Clan, ...]:
    return options.clans or _drawn(CLANS, seats, chance)


def _offers(chance: Chance) -> tuple[PatronId, ...]:
    """§9.1 Draw one patron of each clan."""
    return tuple([patron for clan in CLANS for patron in _drawn(patrons_of(clan), 1, chance)])


def _laid_out(seats: int, chance: Chance) -> tuple[PlacedBuilding, ...]:
    """§2.1 Place the imperial markets, and starting tiles on the spaces marked for this number of players."""
    marked = [shore for shore, space in enumerate(SHORE_SPACES) if seats in space.starting_tile]
    markets = chance.shuffled(tiles_of(BuildingSet.IMPERIAL_MARKET))
    starting = _drawn(tiles_of(BuildingSet.STARTING), len(marked), chance)
    return tuple(
        PlacedBuilding(shore=SHORES[at], building=tile)
        for at, tile in zip((*IMPERIAL, *marked), (*markets, *starting), strict=True)
    )


def offers(state: State, seat: Seat) -> tuple[PatronId, ...]:
    """§9.1, §9.2 Return the patrons a seat may take: what is left of the open ones, or the two of its clan."""
    clan = state.players[seat].clan
    return state.offers if clan is None else patrons_of(clan)


def choose_patron(turn: Turn, seat: Seat, action: ChoosePatron) -> None:
    """§9.1, §9.2"""
    open_to = offers(turn.state, seat)
    if action.patron not in open_to:
        raise RuleViolation(
            Code.PATRON_NOT_OFFERED,
            rule="9.1" if turn.state.patrons is PatronMode.DRAFT else "9.2",
            field="patron",
            patron=action.patron.value,
            offers=tuple(patron.value for patron in open_to),
        )
    turn.record(PatronChosen(seat=seat, patron=action.patron, clan=CLAN_OF[action.patron]))


def set_up_players(turn: Turn, chance: Chance) -> None:
    """§2.5, §2.6 Set up the players in turn order. The ships' moves give nothing."""
    for place, seat in enumerate(turn.state.order):
        if seat in turn.state.left:
            continue
        _set_up(turn, seat, START_KOKU[place], chance)


def _set_up(turn: Turn, seat: Seat, koku: int, chance: Chance) -> None:
    player = turn.state.players[seat]
    if player.clan is None:
        raise TypeError("a player is set up once the clan is known")
    rolls = [FACES[chance.below(len(FACES))] for _ in START_RIVERS]
    upstream, midstream = (
        downstream(river, roll)[0] for river, roll in zip(START_RIVERS, rolls, strict=True)
    )
    turn.record(
        SeatSetUp(
            seat=seat,
            clan=player.clan,
            patron=player.patron,
            koku=koku + (KAIU_KOKU if player.patron is KAIU else 0),
            goods=goods_of(START_GOODS),
            favor=START_FAVOR,
            favor_limit=FAVOR_LIMIT_START,
            upstream_roll=rolls[0],
            midstream_roll=rolls[1],
            upstream=RIVERS[upstream],
            midstream=RIVERS[midstream],
        )
    )
    draw_cards(turn, seat, HAND_SIZE + (YORITOMO_CARDS if player.patron is YORITOMO else 0), chance)
