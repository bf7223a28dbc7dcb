"""The proxy misbehaves as it is told, and behaves again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from tests.proofs.faults.proxy import Proxy

SOON = 5.0
NOT_SOON = 0.1


@asynccontextmanager
async def an_echo_behind(proxy: Proxy) -> AsyncIterator[list[bytes]]:
    """Serve an echo behind a proxy; give what has reached it."""
    heard: list[bytes] = []

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while line := await reader.readline():
                heard.append(line)
                writer.write(line)
        writer.transport.abort()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    proxy.lead_to(f"http://{host}:{port}")
    await proxy.start()
    yield heard
    await proxy.stop()
    server.close()


@asynccontextmanager
async def a_client_of(proxy: Proxy) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    yield reader, writer
    writer.transport.abort()
    await asyncio.sleep(0)  # its transport closes in the loop's next turn


async def say(connection: tuple[asyncio.StreamReader, asyncio.StreamWriter], word: bytes) -> bytes:
    """Send a line; give what comes back, nothing where the connection ends."""
    connection[1].write(word)
    try:
        return await asyncio.wait_for(connection[0].readline(), SOON)
    except ConnectionError:
        return b""


async def test_everything_goes_through_as_it_is() -> None:
    proxy = Proxy()
    async with an_echo_behind(proxy), a_client_of(proxy) as connection:
        assert await say(connection, b"one\n") == b"one\n"


async def test_what_is_cut_ends_and_who_comes_again_is_let_through() -> None:
    proxy = Proxy()
    async with an_echo_behind(proxy), a_client_of(proxy) as connection:
        await say(connection, b"one\n")
        proxy.cut()
        assert await say(connection, b"two\n") == b""
        async with a_client_of(proxy) as again:
            assert await say(again, b"three\n") == b"three\n"


async def test_lost_answers_are_answers_to_what_was_heard() -> None:
    proxy = Proxy()
    async with an_echo_behind(proxy) as heard, a_client_of(proxy) as connection:
        proxy.loses_answers = True
        assert await say(connection, b"one\n") == b""
        assert heard == [b"one\n"]


async def test_a_black_hole_holds_everything_back_until_it_is_healed() -> None:
    proxy = Proxy()
    async with an_echo_behind(proxy) as heard, a_client_of(proxy) as connection:
        await say(connection, b"one\n")
        proxy.swallow()
        asking = asyncio.create_task(say(connection, b"two\n"))
        await asyncio.sleep(NOT_SOON)
        assert heard == [b"one\n"]
        proxy.heal()
        assert await asking == b"two\n"


@pytest.mark.parametrize("somebody_is_there", [True, False])
async def test_nobody_is_let_through_where_it_refuses_or_nobody_is_there(somebody_is_there: bool) -> None:
    proxy = Proxy()
    async with an_echo_behind(proxy) as heard:
        if somebody_is_there:
            proxy.refuses = True
        else:
            proxy.lead_to("127.0.0.1:1")
        async with a_client_of(proxy) as connection:
            assert await say(connection, b"one\n") == b""
        assert heard == []
