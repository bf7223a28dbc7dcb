"""One stream for several matches: each event says whose it is, and where each match continues."""

from __future__ import annotations

import json
from typing import Any

import grpc
import pytest

from gateway.access.auth import Caller
from gateway.access.stream_slots import StreamSlots
from gateway.http.sse import events_in
from gateway.live.match_part import MatchPart
from gateway.live.several_matches import SeveralMatchesStream
from gateway.problems.document import ProblemError
from gateway.server.event_connection import EventConnection
from tests.gateway.live.conftest import Client, Here, until
from tests.gateway.small_server import SmallServer

ONE, OTHER = "01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002"


async def read(
    here: Here, client: Client, *, after: int | None = 0, has_table: bool = False
) -> SeveralMatchesStream:
    parts = tuple(
        [
            MatchPart(
                await here.subscribe(f"Bearer {match}", match=match, has_table=has_table),
                after=after,
                seconds=2,
            )
            for match in (ONE, OTHER)
        ]
    )
    stream = SeveralMatchesStream(here.open_streams, here.slots.take(Caller("Bearer one", None)), parts)
    client.connection = EventConnection(client, here.connections, is_full=False)
    stream.begin(client.connection, b"")
    return stream


def told(client: Client) -> list[dict[str, Any]]:
    """The data of every event, with its name and id."""
    found = []
    for block in client.text.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in fields:
            found.append({"event": fields["event"], "id": fields.get("id"), **json.loads(fields["data"])})
    return found


async def test_each_event_says_which_match_it_is_of(server: SmallServer, here: Here, client: Client) -> None:
    """The small server has one match, whatever it is called: both move."""
    await read(here, client)
    server.move_on()
    await until(lambda: len(told(client)) == 2)
    assert [(one["match_id"], one["version"]) for one in told(client)] == [(ONE, 1), (OTHER, 1)]
    assert [one["id"] for one in told(client)] == ["1.0", "1.1"]


async def test_a_table_names_its_match_once(server: SmallServer, here: Here, client: Client) -> None:
    await read(here, client, has_table=True)
    server.move_on()
    await until(lambda: sum(one["version"] == 1 for one in told(client)) == 4)
    assert {one["match_id"] for one in told(client)} == {ONE, OTHER}
    tables = [block for block in client.text.split(b"\n\n") if b"event: table\n" in block]
    assert len(tables) == 2
    for block in tables:
        data = block.partition(b"data: ")[2]
        assert data.startswith(b'{"match_id":')
        assert data.count(b',"match_id":') == 0


async def test_one_match_that_is_no_longer_allowed_does_not_end_the_other(
    server: SmallServer, here: Here, client: Client
) -> None:
    stream = await read(here, client)
    assert server.subscriptions is not None
    server.subscriptions.refuse_credential(f"Bearer {ONE}", grpc.StatusCode.PERMISSION_DENIED)
    await until(lambda: told(client))
    assert (told(client)[0]["event"], told(client)[0]["match_id"]) == ("revoked", ONE)
    server.move_on()
    await until(lambda: len(told(client)) == 2)
    assert told(client)[1]["match_id"] == OTHER
    server.subscriptions.refuse_credential(f"Bearer {OTHER}", grpc.StatusCode.PERMISSION_DENIED)
    await until(lambda: client.closed)
    assert not stream.is_open
    assert here.slots._open == 0


async def test_the_stream_ends_with_the_last_match(server: SmallServer, here: Here, client: Client) -> None:
    await read(here, client)
    server.move_on()
    server.end_match()
    await until(lambda: client.closed)
    assert [one["event"] for one in told(client)] == ["move.applied", "match.ended"] * 2 or [
        one["event"] for one in told(client)
    ].count("match.ended") == 2
    assert client.chunks.endswith(b"0\r\n\r\n"), "the answer is whole"


async def test_missed_moves_of_each_match_are_read_from_the_log(
    server: SmallServer, here: Here, client: Client
) -> None:
    server.moves = 130
    await read(here, client, after=10)
    await until(lambda: len(told(client)) == 240)
    for match in (ONE, OTHER):
        assert [one["version"] for one in told(client) if one["match_id"] == match] == list(range(11, 131))
    assert told(client)[-1]["id"] == "130.130"


async def test_events_are_taken_out_of_their_frames() -> None:
    assert list(events_in(b"3\r\nabc\r\na\r\n0123456789\r\n")) == [b"abc", b"0123456789"]


async def test_a_stream_of_several_counts_as_many() -> None:
    slots = StreamSlots(10, per_credential=5, per_seat=5)
    caller = Caller("Bearer one", None)
    slot = slots.take(caller, matches=4)
    with pytest.raises(ProblemError):
        slots.take(caller, matches=2)
    slots.take(caller)
    with pytest.raises(ProblemError):
        slots.take(Caller("Bearer other", None), matches=6)
    slot.free()
    slot.free()
    assert slots._open == 1
