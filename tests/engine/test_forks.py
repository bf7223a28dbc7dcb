"""Forks: at the table their maker knows, and a function of nothing else but luck of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.knowledge import audiences
from engine.kernel.seats import PUBLIC, REFEREE, Audience
from engine.match.commands import Forked, read_events, redact
from engine.match.folding import LoggedMove
from engine.match.forking import Fork, deal
from engine.match.playout import random_match
from engine.match.replay import decide_again, fold
from engine.match.requests import read_request, start_request
from engine.registry import game as registered_game
from tests.engine.knowledge_properties import luck, received
from tests.support.our_games import OUR_GAMES

MATCHES = 3
EVERY = 9
SECRET = b"\7" * 32
OF = "00000000-0000-7000-8000-000000000001"


def fork_of(game: AnyGame, seats: int, audience: Audience, version: int = 1) -> Fork:
    start = read_request(game, start_request(game.types.options(), seats))
    return Fork(of=OF, version=version, audience=audience, seats=seats, options=start.options)


def first_row(game: AnyGame, state: Any, fork: Fork) -> LoggedMove:
    events = deal(game, state, fork, SeededChance(SECRET, 1))
    return LoggedMove(seq=1, seat=None, request=encode(fork), events=encode(events))


def tables(game: AnyGame) -> Iterator[tuple[int, Any]]:
    """MatchCache of random matches, with the number of seats."""
    for number in range(MATCHES):
        seats = game.seat_counts[number % len(game.seat_counts)]
        secret = bytes([number]) * 32
        state = None
        for step, move in enumerate(
            random_match(game, game.types.options(), seats, secret, SeededChance(b"w" * 32, number))
        ):
            state = fold(game, move.events, state)
            if game.pending(state) and step % EVERY == number:
                yield seats, state


def leaks(game: AnyGame) -> Iterator[str]:
    """Compare forks of tables that an audience cannot tell apart; tell where they part."""
    for seats, state in tables(game):
        for audience in (*audiences(seats), REFEREE):
            twin = game.redeal(state, audience, luck(seats, 99))
            fork = fork_of(game, seats, audience)
            if first_row(game, state, fork) != first_row(game, twin, fork):
                yield f"{audience}"


@pytest.mark.parametrize("name", OUR_GAMES)
def test_a_fork_depends_on_nothing_its_maker_could_not_know(name: str) -> None:
    """Two matches that differ only in that have the same fork, byte for byte; what follows is decided from it."""
    assert list(leaks(registered_game(name))) == []


@pytest.mark.parametrize("name", OUR_GAMES)
def test_a_fork_that_copied_what_is_hidden_would_be_found(name: str) -> None:
    game = dataclasses.replace(registered_game(name), redeal=lambda state, audience, chance: state)
    assert list(_compared_with_truth(game, registered_game(name)))


def _compared_with_truth(forger: AnyGame, game: AnyGame) -> Iterator[str]:
    """As `leaks`, where the twin is dealt as the game should deal."""
    for seats, state in tables(game):
        for audience in audiences(seats):
            twin = game.redeal(state, audience, luck(seats, 99))
            fork = fork_of(game, seats, audience)
            if first_row(forger, state, fork) != first_row(forger, twin, fork):
                yield f"{audience}"


@pytest.mark.parametrize("name", OUR_GAMES)
def test_its_maker_is_at_the_table_it_knows_and_a_referee_at_the_very_same(name: str) -> None:
    game = registered_game(name)
    for seats, state in tables(game):
        for audience in (*audiences(seats), REFEREE):
            row = first_row(game, state, fork_of(game, seats, audience))
            dealt = fold(game, read_events(game, row.events))
            assert received(game, dealt, audience) == received(game, state, audience)
            assert dealt == state or not audience.sees_all()
            assert decide_again(game, (row,), SECRET) is None


@pytest.mark.parametrize("name", OUR_GAMES)
def test_only_a_referee_is_shown_the_row_s_table(name: str) -> None:
    game = registered_game(name)
    seats, state = next(tables(game))
    (event,) = read_events(game, first_row(game, state, fork_of(game, seats, PUBLIC)).events)
    assert redact(game, event, REFEREE) == event
    for audience in audiences(seats):
        shown = redact(game, event, audience)
        assert bytes(shown.state) == b"null"
        assert encode(state) not in encode(shown)
        with pytest.raises(Unreadable):
            fold(game, (shown,))
    assert "state" not in repr(event)


def test_where_nobody_has_anything_to_decide_there_is_nothing_to_fork() -> None:
    game = registered_game("al_rashid")
    *_, last = random_match(game, game.types.options(), 2, bytes(32), SeededChance(bytes(32), 0))
    state = None
    for move in random_match(game, game.types.options(), 2, bytes(32), SeededChance(bytes(32), 0)):
        state = fold(game, move.events, state)
    assert last.events
    with pytest.raises(RuleViolation) as refused:
        first_row(game, state, fork_of(game, 2, PUBLIC))
    assert refused.value.code is TableCode.NOTHING_TO_PLAY


@pytest.mark.parametrize(
    "forged",
    [
        b'"version":2',
        b'"audience":{"kind":"public","seat":null}',
        b'"of":"00000000-0000-7000-8000-000000000002"',
    ],
    ids=["version", "audience", "of"],
)
def test_a_first_row_that_does_not_fit_its_request_is_found(forged: bytes) -> None:
    game = registered_game("river_dragons")
    seats, state = next(tables(game))
    row = first_row(game, state, fork_of(game, seats, REFEREE))
    true = {
        b'"version":2': b'"version":1',
        b'"audience":{"kind":"public","seat":null}': b'"audience":{"kind":"referee","seat":null}',
    }.get(forged, b'"of":"%s"' % OF.encode())
    assert true in row.events
    changed = LoggedMove(seq=1, seat=None, request=row.request, events=row.events.replace(true, forged, 1))
    difference = decide_again(game, (changed,), SECRET)
    assert difference is not None
    assert (difference.seq, difference.place) == (1, "events")


def test_a_fork_row_is_known_by_its_tag() -> None:
    game = registered_game("river_dragons")
    seats, state = next(tables(game))
    (event,) = read_events(game, first_row(game, state, fork_of(game, seats, PUBLIC)).events)
    assert isinstance(event, Forked)
