"""MatchCache told in events, and matches played at random."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from engine.kernel.action_space import name_of
from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.match.playout import Step as Played
from engine.match.replay import fold
from engine.river_dragons.actions import RiverDragonsAction, SubmitProgram
from engine.river_dragons.box.board import ISLAND_STONES
from engine.river_dragons.box.components import COLOURS_IN_PLAY, Card, Colour, Plank, Variant, plank_id
from engine.river_dragons.errors import Code
from engine.river_dragons.events import (
    FirstPlayerPassed,
    MatchStarted,
    PawnStepped,
    PlankLaid,
    PlankLost,
    PlankRemoved,
    ProgramSubmitted,
    RiverDragonsEvent,
    RoundStarted,
    StonePlaced,
)
from engine.river_dragons.game import GAME
from engine.river_dragons.options import NoLimit, RiverDragonsOptions
from engine.river_dragons.phases import Programming
from engine.river_dragons.state import State
from tests.engine.river_dragons.matches import whole_match

NO_LUCK = ScriptedChance()
_PLANK = re.compile(r"(?P<colour>\w+)-(?P<size>\d) (?P<a>I\d\d|S\d+|V-\w+)-(?P<b>I\d\d|S\d+|V-\w+)")
_FILLER = (Card.PLANK1, Card.STONE1, Card.STONE2, Card.PLANK2, Card.REMOVE, Card.JUMP)
"""Cards for whom the story does not care about; `plank1` first, because it always asks."""


@dataclass(frozen=True)
class Story:
    """A match as the events so far tell it. Every method gives a new story."""

    state: State
    events: tuple[RiverDragonsEvent, ...] = ()
    """What the last move caused."""

    def seat(self, colour: str) -> Seat:
        return Seat(self.state.colours.index(Colour(colour)))

    def told(self, *events: RiverDragonsEvent) -> Story:
        """Add events to the past."""
        return replace(self, state=fold(GAME, events, self.state), events=())

    def stones(self, names: str) -> Story:
        """Stones on islands: `I07 I16`."""
        story = self
        for name in names.split():
            stone = ISLAND_STONES[name]
            story = story.stone_at(name, stone.x, stone.y)
        return story

    def stone_at(self, name: str, x: int, y: int) -> Story:
        """A stone anywhere, for the expert side."""
        return self.told(StonePlaced(seat=Seat(0), stone=name, x=x, y=y, supply=self.state.supply - 1))

    def planks(self, *laid: str) -> Story:
        """Planks on the board: `red-5 I07-I16`; laid by whoever has them."""
        story = self
        for text in laid:
            found = _PLANK.fullmatch(text)
            assert found, text
            plank = Plank(colour=Colour(found["colour"]), size=int(found["size"]))
            a, b = sorted((found["a"], found["b"]))
            owner = next(seat for seat, kept in enumerate(story.state.reserves) if plank in kept)
            story = story.told(PlankLaid(seat=Seat(owner), id=plank_id(a, b), plank=plank, a=a, b=b))
        return story

    def pawn(self, colour: str, place: str) -> Story:
        """A pawn on a plank or in a village: `I07-I16`, `V-red`."""
        seat = self.seat(colour)
        here = self.state.pawns[seat]
        return self.told(PawnStepped(seat=seat, from_place=here, to_place=_place(place)))

    def reserve(self, colour: str, planks: str) -> Story:
        """The reserve of a seat as said: `red-1 red-2 blue-3`; own planks not named are out of the game."""
        seat, story = self.seat(colour), self
        wanted = {
            Plank(colour=Colour(name), size=int(size))
            for name, size in (text.split("-") for text in planks.split())
        }
        for plank in story.state.reserves[seat]:
            if plank not in wanted:
                story = story.told(PlankLost(seat=seat, plank=plank))
        for plank in sorted(wanted - set(story.state.reserves[seat]), key=lambda each: each.size):
            text = f"{plank.colour}-{plank.size} I01-I02"
            story = story.planks(text).told(PlankRemoved(seat=seat, id="I01~I02", plank=plank))
        return story

    def programming(self) -> Story:
        """Everybody is asked for a program; a table just told in events is in the middle of nothing."""
        if isinstance(self.state.phase, Programming):
            return self
        first_player = self.state.first_player
        return self.told(RoundStarted(round=self.state.round, first_player=first_player))

    def programs(self, **cards: str) -> Story:
        """A round where everybody has submitted but the last named colour, who now does: `red="move1 jump …"`."""
        assert cards
        told = {self.seat(colour): _program(text) for colour, text in cards.items()}
        last = self.seat(tuple(cards)[-1])
        story = self.programming()
        for seat in story.state.present:
            if seat != last:
                program = told.get(seat, _FILLER[:5])
                story = story.told(ProgramSubmitted(seat=seat, cards=program))
        return story.plays(tuple(cards)[-1], SubmitProgram(cards=told[last]))

    def executes(self, colour: str, card: str) -> Story:
        """The seat, first in the round, reveals the card in slot 1; all others show `plank1`."""
        story = replace(self, state=fold(GAME, [_first(self, colour)], self.state))
        return story.programs(**{colour: card})

    def plays(self, colour: str, action: RiverDragonsAction) -> Story:
        """The seat does something legal."""
        events = GAME.decide(self.state, self.seat(colour), action, NO_LUCK)
        return replace(self, state=fold(GAME, events, self.state), events=events)

    def leaves(self, colour: str) -> Story:
        events = GAME.leave(self.state, self.seat(colour), NO_LUCK)
        return replace(self, state=fold(GAME, events, self.state), events=events)

    def refusal(self, colour: str, action: RiverDragonsAction) -> RuleViolation:
        """The seat tries something that is refused; nothing changes."""
        before = encode(self.state)
        with pytest.raises(RuleViolation) as refused:
            GAME.decide(self.state, self.seat(colour), action, NO_LUCK)
        assert encode(self.state) == before
        return refused.value

    def refuses(
        self, colour: str, action: RiverDragonsAction, code: StrEnum, rule: str, /, **facts: Any
    ) -> None:
        """The seat tries something that is refused, with this code, paragraph and facts; one part of the action is named."""
        refusal = self.refusal(colour, action)
        if isinstance(code, Code):
            assert (refusal.field is None) == (code is Code.ALREADY_SUBMITTED)
        assert (refusal.code, refusal.rule) == (code, rule)
        assert facts.items() <= refusal.facts.items(), refusal.facts
        assert action not in GAME.legal_actions(self.state, self.seat(colour)).actions

    def legal(self, colour: str) -> set[str]:
        """The names of the listed actions."""
        listed = GAME.legal_actions(self.state, self.seat(colour))
        assert not listed.templates
        return {name_of(action) for action in listed.actions}

    @property
    def lines(self) -> list[str]:
        """The names of the events of the last move, with their fields."""
        return [name_of(event) for event in self.events]

    @property
    def waiting(self) -> list[str]:
        """Who is waited for: `red step`."""
        return [f"{self.state.colours[each.seat]} {each.decision}" for each in GAME.pending(self.state)]

    def place(self, colour: str) -> str:
        return self.state.pawns[self.seat(colour)]

    def sizes(self, colour: str) -> str:
        """The reserve, own colour not named: `1 2 blue-3`."""
        seat = self.seat(colour)
        return " ".join(
            str(plank.size) if plank.colour == colour else f"{plank.colour}-{plank.size}"
            for plank in self.state.reserves[seat]
        )


def _place(text: str) -> str:
    if text.startswith("V-"):
        return text
    found = _PLANK.fullmatch(f"red-1 {text}")
    assert found, text
    return plank_id(found["a"], found["b"])


def _program(text: str) -> tuple[Card, ...]:
    """Fill up with cards that are not named."""
    cards = tuple(Card(name) for name in text.split())
    filler = tuple(card for card in _FILLER if card not in cards)
    return (*cards, *filler)[:5]


def _first(story: Story, colour: str) -> RiverDragonsEvent:
    return FirstPlayerPassed(from_seat=story.state.first_player, to_seat=story.seat(colour))


def begin(
    players: int = 6,
    variant: Variant = Variant.ISLANDS,
    order: str = "",
    first: str = "",
    rules: str = GAME.rules_version,
    round_limit: int | NoLimit | UnsetType = UNSET,
) -> Story:
    """A match whose clockwise order is that of the seats, or as told in colours; everybody is to program."""
    options = RiverDragonsOptions(variant=variant, round_limit=round_limit)
    started = next(
        event
        for event in GAME.by(rules).start(options, players, SeededChance(bytes(32), 1))
        if isinstance(event, MatchStarted)
    )
    colours = COLOURS_IN_PLAY[players]
    named = tuple(Seat(colours.index(Colour(name))) for name in order.split()) or tuple(
        Seat(seat) for seat in range(players)
    )
    first_player = Seat(colours.index(Colour(first))) if first else named[0]
    told = msgspec.structs.replace(started, order=named, first_player=first_player)
    return Story(fold(GAME, [told, RoundStarted(round=1, first_player=first_player)]))


@pytest.fixture
def a_match() -> Callable[..., Story]:
    return begin


@pytest.fixture(scope="session")
def play() -> Callable[..., Iterator[Played]]:
    return whole_match
