"""The demo's judge: everything seen must be what the log says, and every kind of lie is noticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from engine.registry import game as registered_game
from services.cli.demo.comparison import Replayed, differences, plain
from services.client.follower import Follower, SeenMove
from services.movelog.export.format import read_document
from tests.support.match_documents import a_match, document_of


@pytest.fixture(scope="module")
def replayed() -> Replayed:
    return Replayed(registered_game("river_dragons"), read_document(document_of(*a_match())))


def an_honest_follower(replayed: Replayed, audience: Audience, *, since: int = 1) -> Follower:
    """What a follower would have seen who came at a version and stayed to the end."""
    follower = Follower("http://nowhere", "a token", "a match", audience)
    follower.snapshot_version = since
    follower.snapshot = replayed.view(since, audience)
    follower.moves = [
        SeenMove(version, replayed.seats[version - 1], replayed.events(version, audience))
        for version in range(since + 1, replayed.version + 1)
    ]
    return follower


@pytest.mark.parametrize("audience", [PUBLIC, REFEREE, seat_audience(Seat(1))], ids=lambda one: one.kind)
@pytest.mark.parametrize("since", [1, 17])
def test_an_honest_stream_agrees(replayed: Replayed, audience: Audience, since: int) -> None:
    assert list(differences(an_honest_follower(replayed, audience, since=since), replayed)) == []


def drop(follower: Follower) -> None:
    del follower.moves[6]


def double(follower: Follower) -> None:
    follower.moves.insert(6, follower.moves[6])


def cut_off(follower: Follower) -> None:
    follower.moves.pop()


def go_on(follower: Follower) -> None:
    follower.moves.append(replace(follower.moves[-1], version=follower.moves[-1].version + 1))


def change_events(follower: Follower) -> None:
    follower.moves[6] = replace(follower.moves[6], events=[])


def change_seat(follower: Follower) -> None:
    follower.moves[6] = replace(follower.moves[6], seat=None)


def change_snapshot(follower: Follower) -> None:
    follower.snapshot = {**follower.snapshot, "supply": 99}


def forget_snapshot(follower: Follower) -> None:
    follower.snapshot = None


def reset(follower: Follower) -> None:
    follower.resets = 1


LIES = [drop, double, cut_off, go_on, change_events, change_seat, change_snapshot, forget_snapshot, reset]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_a_lie_of_the_stream_is_noticed(replayed: Replayed, lie: Callable[[Follower], None]) -> None:
    follower = an_honest_follower(replayed, PUBLIC)
    lie(follower)
    assert list(differences(follower, replayed))


def test_a_stream_that_shows_too_much_is_noticed(replayed: Replayed) -> None:
    """What only a referee may see, told to the public."""
    follower = an_honest_follower(replayed, REFEREE)
    follower.audience = PUBLIC
    follower.snapshot = replayed.view(follower.snapshot_version, PUBLIC)
    assert list(differences(follower, replayed))


def test_a_view_is_compared_as_a_client_reads_it(replayed: Replayed) -> None:
    assert plain((Seat(1), "two")) == [1, "two"]
    assert isinstance(replayed.view(1, PUBLIC)["villages"], list)
