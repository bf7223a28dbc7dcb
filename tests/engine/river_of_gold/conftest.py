"""MatchCache told in events, and matches played at random. Seats are letters: A is seat 0, and A plays first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import msgspec
import pytest

from engine.kernel.action_space import name_of
from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import PUBLIC, Seat, seat_audience
from engine.match.playout import Step as Played
from engine.match.replay import fold
from engine.river_of_gold.actions import (
    Build,
    ChooseGood,
    DeclineExchange,
    Deliver,
    DiscardCustomer,
    EndTurn,
    PlaceMarker,
    RiverOfGoldAction,
    Sail,
    SetDie,
    SpendFavor,
    TakeJourneyBonus,
    UseMerchant,
)
from engine.river_of_gold.box.board import RIVERS, SHORE_INDEX, SHORES
from engine.river_of_gold.box.buildings import tiles_of
from engine.river_of_gold.box.components import BuildingSet, Clan, Good, PatronMode, ShipId
from engine.river_of_gold.box.ids import BuildingId, CustomerId, MasteryId, PatronId, RegionTileId, ShoreId
from engine.river_of_gold.box.patrons import CLAN_OF
from engine.river_of_gold.changes import with_item
from engine.river_of_gold.event_parts import Direction, EndReason, Stack, VpSource
from engine.river_of_gold.events import MatchEnded, RiverOfGoldEvent, TurnStarted
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.rules.scoring import scores
from engine.river_of_gold.state import TALLY_INDEX, MasteryCard, Player, Site, State
from tests.engine.river_of_gold.answers import answers
from tests.engine.river_of_gold.matches import whole_match

LETTERS = "ABCD"
CLANS = {"A": Clan.CRAB, "B": Clan.MANTIS, "C": Clan.CRANE, "D": Clan.SCORPION}


def seat_of(letter: str) -> Seat:
    return Seat(LETTERS.index(letter))


def bag(text: str) -> tuple[int, int, int]:
    """Goods as `2S R P`: silk, rice, porcelain."""
    counts = {"S": 0, "R": 0, "P": 0}
    for part in text.split():
        counts[part[-1]] += int(part[:-1] or 1)
    return counts["S"], counts["R"], counts["P"]


def shore(number: int) -> ShoreId:
    return SHORES[number - 1]


# Actions, as short as the rulebook's examples tell them


def build(number: int, tile: str) -> Build:
    return Build(shore=shore(number), building=BuildingId(tile))


def sail(ship: str, distance: int) -> Sail:
    return Sail(ship=ShipId(ship), distance=distance)


def deliver(card: str) -> Deliver:
    return Deliver(customer=CustomerId(card))


def discard(card: str) -> DiscardCustomer:
    return DiscardCustomer(customer=CustomerId(card))


def good(kind: str) -> ChooseGood:
    return ChooseGood(good=Good(kind))


def bonus(kind: str | None = None) -> TakeJourneyBonus:
    """3 koku, or the good."""
    return TakeJourneyBonus(good=None if kind is None else Good(kind))


def use(card: str, kind: str | None = None) -> UseMerchant:
    return UseMerchant(customer=CustomerId(card), good=None if kind is None else Good(kind))


def mark(number: int) -> PlaceMarker:
    return PlaceMarker(shore=shore(number))


UP, DOWN = SpendFavor(direction=Direction.UP), SpendFavor(direction=Direction.DOWN)
END = EndTurn()
DECLINE = DeclineExchange()


def set_die(face: int) -> SetDie:
    return SetDie(face=face)


@dataclass(frozen=True)
class Story:
    """A table, built up piece by piece. Every method gives a new story."""

    state: State
    events: tuple[RiverOfGoldEvent, ...] = ()
    """What the last move caused."""

    # given

    def told(self, *events: RiverOfGoldEvent) -> Story:
        """Add events to the past."""
        return replace(self, state=fold(GAME, events, self.state), events=())

    def with_state(self, **fields: Any) -> Story:
        return replace(self, state=msgspec.structs.replace(self.state, **fields), events=())

    def with_player(self, letter: str, **fields: Any) -> Story:
        """Change a player: `koku=9, favor=1, limit=3, die=4, royal=0 …`"""
        seat = seat_of(letter)
        player = msgspec.structs.replace(self.state.players[seat], **fields)
        return self.with_state(players=with_item(self.state.players, seat, player))

    def goods(self, letter: str, text: str) -> Story:
        """Exactly these goods: `2S R P`."""
        return self.with_player(letter, goods=bag(text))

    def influence(self, letter: str, **spaces: int) -> Story:
        """Markers on tracks: `r4=0, r2=12`; the other tracks stay."""
        story = self
        for region, space in spaces.items():
            tracks = story.player(letter).tracks
            story = story.with_player(letter, tracks=with_item(tracks, int(region[1:]) - 1, space))
        return story

    def ships(self, letter: str, upstream: int, midstream: int, royal: str | None = None) -> Story:
        """River spaces by number; one of the ships may be the royal one."""
        which = None if royal is None else ["upstream", "midstream"].index(royal)
        return self.with_player(letter, ships=(upstream - 1, midstream - 1), royal=which)

    def hand(self, letter: str, *cards: str) -> Story:
        """Exactly these cards; what is held no longer goes back into the deck, what is held now leaves deck and discards."""
        held = self.player(letter).hand
        wanted = tuple(CustomerId(card) for card in cards)
        deck = sorted({*self.state.deck, *held} - {*wanted})
        discards = tuple(card for card in self.state.discards if card not in wanted)
        return self.with_state(deck=tuple(deck), discards=discards).with_player(letter, hand=wanted)

    def delivered(self, letter: str, *cards: str) -> Story:
        """Exactly these delivered customers, without what their delivery brought."""
        wanted = tuple(CustomerId(card) for card in cards)
        deck = sorted({*self.state.deck, *self.player(letter).delivered} - {*wanted})
        return self.with_state(deck=tuple(deck)).with_player(letter, delivered=wanted)

    def patron(self, letter: str, name: str) -> Story:
        """`hyobu`, `kachiko` …: the clan comes with it."""
        patron = next(each for each in PatronId if each.value.endswith(name))
        return self.with_player(letter, patron=patron, clan=CLAN_OF[patron])

    def building(self, number: int, tile: str, owners: str = "") -> Story:
        """A tile on a shore space; `owners` are letters, the first-placed marker first, such as `AB` or `AA`."""
        site = Site(BuildingId(tile), tuple(seat_of(letter) for letter in owners))
        story = self._without_tile(BuildingId(tile))
        return story.with_state(sites=with_item(story.state.sites, number - 1, site))

    def empty(self, *numbers: int) -> Story:
        """Nothing on these shore spaces."""
        story = self
        for number in numbers:
            story = story.with_state(sites=with_item(story.state.sites, number - 1, None))
        return story

    def row(self, *tiles: str | None) -> Story:
        """The four slots from the start to the end; None is open. Tiles that lay there are unseen again."""
        story = self
        for tile in tiles:
            if tile is not None:
                story = story._without_tile(BuildingId(tile))
        wanted = tuple(None if tile is None else BuildingId(tile) for tile in tiles)
        unseen = {*story.state.unseen_1, *story.state.row} & {*tiles_of(BuildingSet.ERA_1)} - {*wanted}
        return story.with_state(row=wanted, unseen_1=tuple(sorted(unseen)))

    def _without_tile(self, tile: BuildingId) -> Story:
        """Take a tile from wherever it is; in the row or on top of a stack an unseen one takes its place."""
        state = self.state
        sites = tuple(None if site is not None and site.building is tile else site for site in state.sites)
        story = self.with_state(
            unseen_1=tuple(each for each in state.unseen_1 if each is not tile),
            unseen_2=tuple(each for each in state.unseen_2 if each is not tile),
            sites=sites,
        )
        if tile in state.row:
            first, *rest = story.state.unseen_1
            row = tuple(first if each is tile else each for each in state.row)
            story = story.with_state(row=row, unseen_1=tuple(rest))
        for name, unseen in (("era_1", "unseen_1"), ("era_2", "unseen_2")):
            stack: Stack = getattr(story.state, name)
            if stack.top is tile:
                top, *rest = getattr(story.state, unseen)
                story = story.with_state(
                    **{name: msgspec.structs.replace(stack, top=top), unseen: tuple(rest)}
                )
        return story

    def stacks(self, era_1: int, era_2: int) -> Story:
        """So many tiles left, the tops included."""
        story = self
        for name, unseen, left in (("era_1", "unseen_1", era_1), ("era_2", "unseen_2", era_2)):
            tiles = getattr(story.state, unseen)
            top = getattr(story.state, name).top
            if left and top is None:
                top, tiles = tiles[0], tiles[1:]
            elif not left and top is not None:
                top, tiles = None, tuple(sorted((*tiles, top)))
            story = story.with_state(**{name: Stack(top=top, left=left), unseen: tiles})
        return story

    def region_tile(self, region: int, number: int) -> Story:
        """`region_tile_<number>` lies in the region; the two tiles change places."""
        tile = RegionTileId(f"region_tile_{number}")
        tiles = list(self.state.region_tiles)
        at = tiles.index(tile)
        tiles[at], tiles[region - 1] = tiles[region - 1], tile
        return self.with_state(region_tiles=tuple(tiles))

    def masteries(self, *names: str, **claims: str) -> Story:
        """The masteries in play: `"void", "air"`, or with claims: `void="BC"`, the highest slot first."""
        cards = [
            *(MasteryCard(MasteryId(f"mastery_{name}")) for name in names),
            *(
                MasteryCard(MasteryId(f"mastery_{name}"), tuple(seat_of(letter) for letter in by))
                for name, by in claims.items()
            ),
        ]
        return self.with_state(masteries=tuple(cards))

    def deck(self, *cards: str, discards: Sequence[str] = ()) -> Story:
        """The deck and the discards are exactly these cards."""
        return self.with_state(
            deck=tuple(sorted(CustomerId(card) for card in cards)),
            discards=tuple(CustomerId(card) for card in discards),
        )

    def turn_of(self, letter: str) -> Story:
        """It is this player's turn now."""
        started = TurnStarted(seat=seat_of(letter), turn=self.state.turn + 1)
        return self.told(started)

    def last_turns(self, letters: str) -> Story:
        """The end was triggered, and these still have a turn to begin."""
        return self.with_state(last_turns=tuple(seat_of(letter) for letter in letters))

    # when

    def by(self, letter: str, action: RiverOfGoldAction, luck: Sequence[int] | None = None) -> Story:
        """The seat does something; `luck` are the numbers drawn, any numbers if not given."""
        chance = SeededChance(bytes(32), self.state.clock) if luck is None else ScriptedChance(luck)
        events = GAME.decide(self.state, seat_of(letter), action, chance)
        assert luck is None or chance.rest == []  # type: ignore[union-attr]
        return replace(self, state=fold(GAME, events, self.state), events=events)

    def plays(self, letter: str, action: RiverOfGoldAction, luck: Sequence[int] | None = None) -> Story:
        """The seat does something that is listed, or described by a template."""
        assert action in answers(self.state, seat_of(letter)), (name_of(action), self.waiting)
        return self.by(letter, action, luck)

    def leaves(self, letter: str) -> Story:
        events = GAME.leave(self.state, seat_of(letter), SeededChance(bytes(32), 99))
        return replace(self, state=fold(GAME, events, self.state), events=events)

    # then

    def refuses(
        self, letter: str, action: RiverOfGoldAction, code: StrEnum, rule: str, /, **facts: Any
    ) -> None:
        """The seat tries something that is refused, with this code, paragraph and facts; nothing changes."""
        before = encode(self.state)
        with pytest.raises(RuleViolation) as refused:
            GAME.decide(self.state, seat_of(letter), action, ScriptedChance())
        assert encode(self.state) == before
        assert (refused.value.code, refused.value.rule) == (code, rule)
        assert facts.items() <= refused.value.facts.items(), refused.value.facts
        assert action not in GAME.legal_actions(self.state, seat_of(letter)).actions

    def legal(self, letter: str) -> set[str]:
        """The names of the legal actions, those that a template describes included."""
        return {name_of(action) for action in answers(self.state, seat_of(letter))}

    @property
    def lines(self) -> list[str]:
        """The names of the events of the last move, with their fields."""
        return [name_of(event) for event in self.events]

    @property
    def waiting(self) -> list[str]:
        """Who is waited for: `A turn`."""
        return [f"{LETTERS[each.seat]} {each.decision}" for each in GAME.pending(self.state)]

    def player(self, letter: str) -> Player:
        return self.state.players[seat_of(letter)]

    def view(self, letter: str | None = None) -> Any:
        """What a seat sees, or the public."""
        return GAME.view(self.state, PUBLIC if letter is None else seat_audience(seat_of(letter)))

    def gained(self, letter: str) -> dict[str, int]:
        """What the last move brought a seat, added up: koku, goods, favor, VP; only what is not 0."""
        total: dict[str, int] = {}
        for event in self.events:
            if getattr(event, "seat", None) != seat_of(letter):
                continue
            gains = getattr(event, "gains", None)
            if gains is not None:
                for name in gains.__struct_fields__:
                    total[name] = total.get(name, 0) + getattr(gains, name)
            elif hasattr(event, "vp"):
                total["vp"] = total.get("vp", 0) + event.vp
        return {name: number for name, number in total.items() if number}

    def owners(self, number: int) -> str:
        """Whose markers lie on the building of a shore space: `AB`."""
        site = self.state.sites[number - 1]
        return "" if site is None else "".join(LETTERS[seat] for seat in site.markers)

    def river(self, letter: str) -> tuple[str, ...]:
        """Where the ships are: `river_03`, `river_09`."""
        return tuple(RIVERS[space].value for space in self.player(letter).ships)

    def vp(self, letter: str, source: VpSource | None = None) -> int:
        """VP so far, all or those from one source."""
        player = self.player(letter)
        return player.vp if source is None else player.tally[TALLY_INDEX[source]]

    def score(self, letter: str) -> dict[str, int]:
        """The lines of the final score: source -> points; the match must be over."""
        outcome = GAME.outcome(self.state)
        assert outcome is not None, self.waiting
        return {line.reason: line.points for line in outcome.results[seat_of(letter)].breakdown}

    def finish(self) -> Story:
        """Final scoring of the table as it is."""
        ended = MatchEnded(reason=EndReason.LAST_TURNS_PLAYED, scores=scores(self.state))
        return self.told(ended)


def begin(players: int = 3, *, rules: str = GAME.rules_version) -> Story:
    """A's first turn: die 1, everybody has 10 koku, no goods, favor 2 of 3, no cards in hand, ships on their starting spaces.

    Imperial markets lie as at the start; there are no starting tiles, the row and the tops of the stacks are fixed,
    the masteries are air, courts and earth, and region n has `region_tile_n`.
    """
    options = RiverOfGoldOptions(clans=tuple(CLANS[letter] for letter in LETTERS[:players]))
    state = fold(GAME, GAME.by(rules).start(options, players, SeededChance(bytes(32), 1)))
    sites = tuple(
        site if site is not None and site.building in tiles_of(BuildingSet.IMPERIAL_MARKET) else None
        for site in state.sites
    )
    markets = tiles_of(BuildingSet.IMPERIAL_MARKET)
    for number, market in zip((6, 17, 29), markets, strict=True):
        sites = with_item(sites, number - 1, Site(market))
    era_1, era_2 = tiles_of(BuildingSet.ERA_1), tiles_of(BuildingSet.ERA_2)
    story = Story(
        msgspec.structs.replace(
            state,
            order=tuple(Seat(seat) for seat in range(players)),
            active=Seat(0),
            sites=sites,
            row=era_1[-4:],
            era_1=msgspec.structs.replace(state.era_1, top=era_1[-5]),
            era_2=msgspec.structs.replace(state.era_2, top=era_2[-1]),
            unseen_1=era_1[:-5],
            unseen_2=era_2[:-1],
            deck=tuple(CustomerId),
            region_tiles=tuple(RegionTileId),
            masteries=tuple(MasteryCard(each) for each in tuple(MasteryId)[:3]),
        )
    )
    for letter in LETTERS[:players]:
        story = story.with_player(letter, koku=10, goods=(0, 0, 0), hand=(), ships=(0, 7), die=1)
    return story


def index_of(number: int) -> int:
    return SHORE_INDEX[shore(number)]


@pytest.fixture
def a_match() -> Callable[..., Story]:
    return begin


@pytest.fixture(scope="session")
def play() -> Callable[..., Iterator[Played]]:
    return whole_match


__all__ = ["DOWN", "END", "UP", "PatronMode", "Story", "begin"]
