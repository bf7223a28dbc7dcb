"""Tables on a stream: after the moves that lead to them, the newest one only, and none twice."""

from __future__ import annotations

import pytest

from foldtable.matches.v1 import match_pb2
from tests.gateway.live.conftest import Client, Here, until
from tests.gateway.small_server import SmallServer


async def test_a_table_follows_each_move(server: SmallServer, here: Here, client: Client) -> None:
    await here.read(client, has_table=True)
    await until(lambda: client.events == [("table", "")])
    for _ in range(2):
        server.move_on()
        await until(lambda: client.events[-1] == ("table.patched", str(server.moves)))
    assert client.events[1:] == [
        ("move.applied", "1"),
        ("table.patched", "1"),
        ("move.applied", "2"),
        ("table.patched", "2"),
    ]


async def test_who_missed_moves_gets_them_first_and_then_one_table(
    server: SmallServer, here: Here, client: Client
) -> None:
    server.moves = 150
    await here.read(client, after=20, has_table=True)
    await until(lambda: ("table", "150") in client.events)
    tables = [event for event in client.events if event[0] == "table"]
    assert client.versions == list(range(21, 151))
    assert client.events.index(("table", "150")) == 130
    assert set(tables) == {("table", "150")}


async def test_who_waits_for_the_start_sees_the_seats_fill(
    server: SmallServer, here: Here, client: Client
) -> None:
    server.status = match_pb2.MATCH_STATUS_WAITING
    await here.read(client, after=None)
    await until(lambda: server.subscriptions is not None and server.subscriptions.listening)
    server.call_the_player("Ada")
    await until(lambda: client.events == [("seats.updated", "")])
    assert b'"name":"Ada"' in client.text
    server.status = match_pb2.MATCH_STATUS_RUNNING
    server.move_on()
    await until(lambda: ("snapshot", "1") in client.events)


async def test_a_slow_reader_gets_the_newest_table_only(
    server: SmallServer, here: Here, client: Client
) -> None:
    stream = await here.read(client, has_table=True)
    await until(lambda: client.events)
    client.reads = False
    server.move_on()
    await until(lambda: client.unread)
    server.move_on(5)
    server.call_the_player("Bo")
    await until(lambda: b'"name":"Bo"' in stream._part.subscription.match.news)
    client.read_on()
    await until(lambda: b'"name":"Bo"' in client.text)
    assert client.versions == [1, 2, 3, 4, 5, 6]
    assert [number for name, number in client.events if name == "table"][-1] == "6"
    tables = [event for event in client.events if event[0].startswith("table")]
    assert tables[0] == ("table", "")
    assert tables[-1] == ("table", "6"), "it missed some, so it gets the whole"
    assert len(tables) <= 3


async def test_readers_with_and_without_tables_do_not_share_a_topic(server: SmallServer, here: Here) -> None:
    with_tables, without = Client(), Client()
    await here.read(with_tables, has_table=True)
    await here.read(without)
    server.move_on()
    await until(lambda: with_tables.versions == without.versions == [1])
    await until(lambda: ("table.patched", "1") in with_tables.events)
    assert [name for name, _ in without.events] == ["move.applied"]


async def test_who_comes_later_begins_with_the_newest_table(server: SmallServer, here: Here) -> None:
    first, second = Client(), Client()
    await here.read(first, has_table=True)
    await until(lambda: first.events)
    server.move_on()
    await until(lambda: ("table.patched", "1") in first.events)
    await here.read(second, after=None, has_table=True)
    assert second.events == [("table", "1")]
    server.call_the_player("Ada")
    await until(lambda: len(first.events) == 4 and len(second.events) == 2)
    assert first.events[-1] == second.events[-1] == ("table.patched", "1")
    assert first.text.endswith(second.text.rpartition(b"id: ")[2]), "made once for both"


async def test_a_table_of_a_match_that_is_over_comes_before_its_end(
    server: SmallServer, here: Here, client: Client
) -> None:
    server.moves, server.status = 3, match_pb2.MATCH_STATUS_ENDED
    await here.read(client, after=None, has_table=True)
    await until(lambda: client.closed)
    assert client.events == [("table", "3"), ("match.ended", "3")]


async def test_an_equal_table_is_not_sent_again(server: SmallServer, here: Here, client: Client) -> None:
    await here.read(client, has_table=True)
    await until(lambda: client.events)
    server.call_the_player("")
    server.call_the_player("Ada")
    await until(lambda: b'"Ada"' in client.text)
    assert [name for name, _ in client.events] == ["table", "table.patched"]


async def test_the_table_comes_before_the_end_of_the_match(
    server: SmallServer, here: Here, client: Client
) -> None:
    await here.read(client, has_table=True)
    await until(lambda: client.events)
    server.move_on()
    server.end_match()
    await until(lambda: client.closed)
    assert [name for name, _ in client.events][-2:] == ["table.patched", "match.ended"]


@pytest.mark.parametrize("has_table", [True, False])
async def test_a_new_name_is_announced_in_a_running_match(
    server: SmallServer, here: Here, client: Client, *, has_table: bool
) -> None:
    await here.read(client, has_table=has_table)
    await until(lambda: server.subscriptions is not None and server.subscriptions.listening)
    server.move_on()
    await until(lambda: client.versions == [1])
    if has_table:
        await until(lambda: client.events[-1][0].startswith("table"))
    server.call_the_player("Ada")
    await until(lambda: b'"Ada"' in client.text)
    assert client.events[-1] == (("table.patched", "1") if has_table else ("seats.updated", ""))
