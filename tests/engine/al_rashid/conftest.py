"""MatchCache told in events, and matches played at random. Seats are letters: A is seat 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import msgspec
import pytest

from engine.al_rashid.actions import AlRashidAction, ResolveArea
from engine.al_rashid.box.areas import AREAS
from engine.al_rashid.box.components import Colour, Goods, Piece, goods_of
from engine.al_rashid.box.offices import OFFICE_INDEX
from engine.al_rashid.changes import with_player
from engine.al_rashid.event_parts import DrawnTile, PlacedTile
from engine.al_rashid.events import (
    AlRashidEvent,
    CrisisDrawn,
    MatchStarted,
    OwnTurnStarted,
    PiecePlaced,
    ResolutionStarted,
    RoundStarted,
    TurnStarted,
)
from engine.al_rashid.game import GAME
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.owner_events import (
    GoodsSwapped,
    InfluenceGained,
    MercenariesDrawn,
    NotesGained,
    PieceGained,
)
from engine.al_rashid.state import HeldOffice, State
from engine.kernel.action_space import name_of
from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.match.playout import Step as Played
from engine.match.replay import fold
from tests.engine.al_rashid.matches import whole_match

PIECES = {"P": Piece.PASHA, "M": Piece.MERCHANT, "S": Piece.SAGE}
GOODS = {"H": "hardwood", "P": "pottery", "M": "metals", "Sp": "spices", "Si": "silk"}


def seat_of(letter: str) -> Seat:
    return Seat("ABCDE".index(letter))


def bag(text: str) -> Goods:
    """Goods as the rulebook's examples write them: `H 2P Si`."""
    counts: dict[str, int] = {}
    for part in text.split():
        name = part.lstrip("0123456789")
        counts[GOODS[name]] = int(part[: -len(name)] or 1)
    return Goods(**counts)


def tiles(text: str) -> list[tuple[Colour, int]]:
    """`red 3, blue 2`."""
    pairs = (part.split() for part in text.split(",") if part.strip())
    return [(Colour(colour), int(value)) for colour, value in pairs]


@dataclass(frozen=True)
class Story:
    """A match as the events so far tell it. Every method gives a new story."""

    state: State
    events: tuple[AlRashidEvent, ...] = ()
    """What the last move caused."""

    def told(self, *events: AlRashidEvent) -> Story:
        """Add events to the past."""
        return replace(self, state=fold(GAME, events, self.state), events=())

    def goods(self, **wanted: str) -> Story:
        """A player has exactly these goods: `A="H 2P"`."""
        story = self
        for letter, text in wanted.items():
            seat = seat_of(letter)
            has = goods_of(story.state.players[seat].goods)
            story = story.told(GoodsSwapped(seat=seat, given=has, taken=bag(text), source="told"))
        return story

    def board(self, area: str, stacks: str) -> Story:
        """Pieces in an area, from the left slot on: `A MS, B P`. They are not taken from the reserve."""
        story = self
        for text in stacks.split(","):
            letter, pieces = text.split()
            seat = seat_of(letter)
            for piece in (PIECES[each] for each in pieces):
                story = story.told(
                    PieceGained(seat=seat, piece=piece, source="told"),
                    PiecePlaced(seat=seat, piece=piece, area=area, held=False),
                )
        return story

    def family(self, letter: str, pieces: str) -> Story:
        """More pieces in the reserve."""
        gained = (PieceGained(seat=seat_of(letter), piece=PIECES[each], source="told") for each in pieces)
        return self.told(*gained)

    def hand(self, letter: str, text: str) -> Story:
        """More mercenaries in hand: `red 3, blue 2`."""
        drawn = tuple(DrawnTile(colour=colour, value=value) for colour, value in tiles(text))
        return self.told(MercenariesDrawn(seat=seat_of(letter), tiles=drawn))

    def mercenaries(self, territory: str, text: str) -> Story:
        """Face-down tiles on a territory."""
        first = self.state.next_tile
        laid = tuple(
            PlacedTile(id=first + n, territory=territory, colour=colour, value=value)
            for n, (colour, value) in enumerate(tiles(text))
        )
        return self.told(CrisisDrawn(crisis=f"told_{first}", tiles=laid))

    def notes(self, letter: str, number: int = 1) -> Story:
        return self.told(NotesGained(seat=seat_of(letter), notes=number, source="told"))

    def influence(self, letter: str, number: int) -> Story:
        return self.told(InfluenceGained(seat=seat_of(letter), markers=number, source="told"))

    def owns(self, letter: str, *offices: str) -> Story:
        """A player has bought offices earlier on."""
        state = self.state
        for office in offices:
            player = state.players[seat_of(letter)]
            held = (*player.offices, HeldOffice(office=office))
            index = OFFICE_INDEX[office]
            market = list(state.market)
            market[index] -= 1
            assert market[index] >= 0, office
            state = msgspec.structs.replace(
                state,
                market=tuple(market),
                players=with_player(state, seat_of(letter), msgspec.structs.replace(player, offices=held)),
            )
        return replace(self, state=state)

    def rounds(self, first: str = "") -> Story:
        """The resolution phase; it is the first player's own turn, or that of the one named.

        A sage of the last in the order stands far away, so that the phase goes on after any other area.
        """
        seat = seat_of(first) if first else self.state.order[0]
        story = self.board("abbasid_caliphate", f"{'ABCDE'[self.state.order[-1]]} S")
        return story.told(
            ResolutionStarted(manoeuvres=()),
            RoundStarted(round=1, order=self.state.order),
            OwnTurnStarted(seat=seat),
        )

    def resolve(self, area: str) -> Story:
        """The turn player names an area."""
        assert self.state.turn_of is not None
        return self.by(self.state.turn_of, ResolveArea(area=area))

    def by(self, seat: Seat, action: AlRashidAction, luck: Sequence[int] = ()) -> Story:
        chance = ScriptedChance(luck)
        events = GAME.decide(self.state, seat, action, chance)
        assert chance.rest == []
        return replace(self, state=fold(GAME, events, self.state), events=events)

    def plays(self, letter: str, action: AlRashidAction, luck: Sequence[int] = ()) -> Story:
        """The seat does something legal; `luck` are the numbers drawn."""
        listed = GAME.legal_actions(self.state, seat_of(letter))
        assert listed.templates or action in listed.actions, name_of(action)
        return self.by(seat_of(letter), action, luck)

    def leaves(self, letter: str) -> Story:
        events = GAME.leave(self.state, seat_of(letter), SeededChance(bytes(32), 99))
        return replace(self, state=fold(GAME, events, self.state), events=events)

    def refuses(self, letter: str, action: AlRashidAction, code: StrEnum, rule: str, /, **facts: Any) -> None:
        """The seat tries something that is refused, with this code, paragraph and facts; nothing changes."""
        before = encode(self.state)
        with pytest.raises(RuleViolation) as refused:
            GAME.decide(self.state, seat_of(letter), action, ScriptedChance())
        assert encode(self.state) == before
        assert (refused.value.code, refused.value.rule) == (code, rule)
        assert facts.items() <= refused.value.facts.items(), refused.value.facts
        assert action not in GAME.legal_actions(self.state, seat_of(letter)).actions

    def legal(self, letter: str) -> set[str]:
        """The names of the listed actions."""
        listed = GAME.legal_actions(self.state, seat_of(letter))
        return {name_of(action) for action in listed.actions}

    @property
    def lines(self) -> list[str]:
        """The names of the events of the last move, with their fields."""
        return [name_of(event) for event in self.events]

    @property
    def waiting(self) -> list[str]:
        """Who is waited for: `A visit`."""
        return [f"{'ABCDE'[each.seat]} {each.decision}" for each in GAME.pending(self.state)]

    def player(self, letter: str) -> Any:
        return self.state.players[seat_of(letter)]

    def has(self, letter: str) -> tuple[int, ...]:
        """A player's goods."""
        return self.player(letter).goods

    def stack(self, letter: str, area: str) -> str:
        """A player's pieces in an area: `MS`; empty for none."""
        stack = self.state.stack(area, seat_of(letter))
        counts = (0, 0, 0) if stack is None else stack.pieces
        return "".join(name * count for name, count in zip("PMS", counts, strict=True))

    def slots(self, area: str) -> str:
        """Who has which slot, from the left: `AC`."""
        return "".join("ABCDE"[stack.seat] for stack in self.state.areas[AREAS.index(area)])

    def order(self) -> str:
        return "".join("ABCDE"[seat] for seat in self.state.order)


def begin(players: int = 3, order: str = "ABCDE", *, rules: str = GAME.rules_version) -> Story:
    """Turn 1, everybody has a hand without tiles, no mercenaries on the board, nothing placed; no goods at all."""
    started = GAME.by(rules).start(AlRashidOptions(), players, SeededChance(bytes(32), 1))[0]
    assert isinstance(started, MatchStarted)
    seats = tuple(seat_of(letter) for letter in order[:players])
    story = Story(fold(GAME, [msgspec.structs.replace(started, order=seats)]))
    story = story.told(TurnStarted(turn=1, order=seats, diplomats=()))
    return story.goods(**dict.fromkeys("ABCDE"[:players], ""))


@pytest.fixture
def a_match() -> Callable[..., Story]:
    return begin


@pytest.fixture(scope="session")
def play() -> Callable[..., Iterator[Played]]:
    return whole_match
