"""The demo's judge: everything seen must be what the log says, and every kind of lie is noticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from engine.registry import game as registered_game
from services.cli.demo.comparison import Replayed, differences, plain
from services.client.match_subscriber import MatchSubscriber, SeenMove
from services.movelog.export.format import read_document
from tests.support.match_documents import a_match, document_of


@pytest.fixture(scope="module")
def replayed() -> Replayed:
    return Replayed(registered_game("river_dragons"), read_document(document_of(*a_match())))


def an_honest_subscriber(replayed: Replayed, audience: Audience, *, since: int = 1) -> MatchSubscriber:
    """What a subscriber would have seen who came at a version and stayed to the end."""
    subscriber = MatchSubscriber("http://nowhere", "a token", "a match", audience)
    subscriber.snapshot_version = since
    subscriber.snapshot = replayed.view(since, audience)
    subscriber.moves = [
        SeenMove(version, replayed.seats[version - 1], replayed.events(version, audience))
        for version in range(since + 1, replayed.version + 1)
    ]
    return subscriber


@pytest.mark.parametrize("audience", [PUBLIC, REFEREE, seat_audience(Seat(1))], ids=lambda one: one.kind)
@pytest.mark.parametrize("since", [1, 17])
def test_an_honest_stream_agrees(replayed: Replayed, audience: Audience, since: int) -> None:
    assert list(differences(an_honest_subscriber(replayed, audience, since=since), replayed)) == []


def drop(subscriber: MatchSubscriber) -> None:
    del subscriber.moves[6]


def double(subscriber: MatchSubscriber) -> None:
    subscriber.moves.insert(6, subscriber.moves[6])


def cut_off(subscriber: MatchSubscriber) -> None:
    subscriber.moves.pop()


def go_on(subscriber: MatchSubscriber) -> None:
    subscriber.moves.append(replace(subscriber.moves[-1], version=subscriber.moves[-1].version + 1))


def change_events(subscriber: MatchSubscriber) -> None:
    subscriber.moves[6] = replace(subscriber.moves[6], events=[])


def change_seat(subscriber: MatchSubscriber) -> None:
    subscriber.moves[6] = replace(subscriber.moves[6], seat=None)


def change_snapshot(subscriber: MatchSubscriber) -> None:
    subscriber.snapshot = {**subscriber.snapshot, "supply": 99}


def forget_snapshot(subscriber: MatchSubscriber) -> None:
    subscriber.snapshot = None


def reset(subscriber: MatchSubscriber) -> None:
    subscriber.resets = 1


LIES = [drop, double, cut_off, go_on, change_events, change_seat, change_snapshot, forget_snapshot, reset]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_a_lie_of_the_stream_is_noticed(replayed: Replayed, lie: Callable[[MatchSubscriber], None]) -> None:
    subscriber = an_honest_subscriber(replayed, PUBLIC)
    lie(subscriber)
    assert list(differences(subscriber, replayed))


def test_a_stream_that_shows_too_much_is_noticed(replayed: Replayed) -> None:
    """What only a referee may see, told to the public."""
    subscriber = an_honest_subscriber(replayed, REFEREE)
    subscriber.audience = PUBLIC
    subscriber.snapshot = replayed.view(subscriber.snapshot_version, PUBLIC)
    assert list(differences(subscriber, replayed))


def test_a_view_is_compared_as_a_client_reads_it(replayed: Replayed) -> None:
    assert plain((Seat(1), "two")) == [1, "two"]
    assert isinstance(replayed.view(1, PUBLIC)["villages"], list)
