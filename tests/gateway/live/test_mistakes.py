"""A mistake of ours while one subscriber is served costs that subscriber its stream at most; the others are told everything."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import structlog

from gateway.live.feeds import _notify
from tests.gateway.live.conftest import Client, Here, until
from tests.gateway.small_server import SmallServer

OTHER = "01890000-0000-7000-8000-000000000001"


def mistaken(*_: Any) -> Any:
    raise ZeroDivisionError("a mistake of ours")


def errors(logs: list[Any]) -> list[tuple[str, str]]:
    return [(line["what"], line["kind"]) for line in logs if line["log_level"] == "error"]


async def test_a_subscriber_that_cannot_be_woken_keeps_nothing_from_the_others_of_its_match(
    server: SmallServer, here: Here, client: Client
) -> None:
    broken, another = Client(), Client()
    for one in (client, broken, another):
        await here.read(one)
    server.move_on()
    await until(lambda: client.versions == broken.versions == another.versions == [1])
    broken.write = mistaken  # type: ignore[method-assign]
    with structlog.testing.capture_logs() as logs:
        server.move_on()
        await until(lambda: client.versions == another.versions == [1, 2])
        server.move_on()
        await until(lambda: client.versions == another.versions == [1, 2, 3])
    assert ("subscriber to a match", "ZeroDivisionError") in errors(logs)
    assert server.follow_streams == 1


async def test_a_move_that_cannot_be_shown_ends_the_streams_of_its_match_alone(
    server: SmallServer, here: Here, client: Client
) -> None:
    other = Client()
    await here.read(client)
    part = await here.subscribe(match=OTHER)
    server.move_on()
    await until(lambda: client.versions == [1] and part.match.version == 1)

    def shown(move: Any) -> bytes:
        return mistaken() if move.version == 2 else b""

    with (
        structlog.testing.capture_logs() as logs,
        patch("gateway.upstream.subscriptions.subscribed_match.move_applied", shown),
    ):
        server.move_on()
        await until(lambda: client.closed and not here.open_streams)
    assert ("update of a match", "ZeroDivisionError") in errors(logs)
    assert server.follow_streams == 1, "the stream that all matches share goes on"
    server.moves = 2
    await here.read(other, after=2)
    server.move_on()
    await until(lambda: other.versions == [3])


async def test_when_this_process_stops_every_stream_ends_although_one_cannot(
    server: SmallServer, here: Here, client: Client
) -> None:
    broken = Client()
    for one in (broken, client):
        await here.read(one)
    broken.write = mistaken  # type: ignore[method-assign]
    with structlog.testing.capture_logs() as logs:
        here.open_streams.stop_all()
    assert [name for name, _ in client.events] == ["drain"]
    assert errors(logs) == [("end of an event stream", "ZeroDivisionError")]
    broken.reads = True
    del broken.write


def test_a_subscriber_to_a_feed_that_raises_an_error_keeps_nothing_from_the_next() -> None:
    told = []
    with structlog.testing.capture_logs() as logs:
        for call in (mistaken, lambda: told.append("the next")):
            _notify(call)
    assert (told, errors(logs)) == (["the next"], [("subscriber to a feed", "ZeroDivisionError")])
