"""The careful client: what fails for the moment is sent again, under the same request id; an answer is an answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable

import pytest

from foldtable_client import ProblemError, Unreachable
from services.client.rest import Rest

Answers = list[bytes]


def answer(status: str, body: bytes = b"{}", *, headers: bytes = b"") -> bytes:
    return b"HTTP/1.1 %b\r\n%bContent-Length: %d\r\nConnection: close\r\n\r\n%b" % (
        status.encode(),
        headers,
        len(body),
        body,
    )


class Gateway:
    """A server that gives prepared answers; an empty one closes the connection without a word."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.requests: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.requests.append(head)
        writer.write(self.answers.pop(0))
        await writer.drain()
        writer.close()


@pytest.fixture
async def gateway() -> AsyncIterator[Callable[[Answers], AsyncIterator[tuple[Gateway, Rest]]]]:
    servers = []

    async def start(answers: Answers) -> tuple[Gateway, Rest]:
        fake = Gateway(answers)
        server = await asyncio.start_server(fake.serve, "127.0.0.1", 0)
        servers.append(server)
        port = server.sockets[0].getsockname()[1]
        return fake, Rest(f"http://127.0.0.1:{port}", "ft_dev_secret", retry_for=5)

    yield start
    for server in servers:
        server.close()


async def test_503_and_a_lost_connection_are_repeated_with_the_same_request_id(gateway) -> None:
    fake, rest = await gateway([answer("503 Unavailable"), b"", answer("200 OK", b'{"version":7}')])
    async with rest:
        assert await rest.post("/moves", {}, request_id="one") == {"version": 7}
    assert rest.repeated == 2
    keys = [
        line
        for head in fake.requests
        for line in head.splitlines()
        if line.lower().startswith("idempotency-key")
    ]
    assert [key.lower() for key in keys] == ['idempotency-key: "one"'] * 3


async def test_a_client_retries_when_the_server_says(gateway) -> None:
    limited = answer("429 Too Many Requests", headers=b"Retry-After: 1\r\n")
    _, rest = await gateway([limited, answer("200 OK", b"7")])
    async with rest:
        begun = time.monotonic()
        assert await rest.get("/view") == 7
    assert time.monotonic() - begun >= 1.0
    assert rest.repeated == 1


async def test_nobody_waits_longer_than_patience_lasts(gateway) -> None:
    _, rest = await gateway([answer("429 Too Many Requests", headers=b"Retry-After: 600\r\n")])
    async with rest:
        with pytest.raises(Unreachable, match="429"):
            await rest.get("/view")


@pytest.mark.parametrize("status", ["400 Bad Request", "409 Conflict", "422 Unprocessable", "500 Oops"])
async def test_a_refusal_is_not_repeated(gateway, status: str) -> None:
    _, rest = await gateway([answer(status, b'{"reason":"BECAUSE","detail":"so"}')])
    async with rest:
        with pytest.raises(ProblemError) as refused:
            await rest.get("/view")
    assert refused.value.reason == "BECAUSE"
    assert refused.value.status == int(status[:3])
    assert rest.repeated == 0


async def test_an_error_without_a_problem_document_is_reported_as_it_is(gateway) -> None:
    _, rest = await gateway([answer("404 Not Found", b"<html>nothing here</html>")])
    async with rest:
        with pytest.raises(ProblemError, match="nothing here"):
            await rest.get("/view")


async def test_patience_has_an_end_and_the_key_is_in_no_message(gateway) -> None:
    _, rest = await gateway([answer("503 Unavailable")] * 50)
    rest.retry_for = 0.3
    async with rest:
        with pytest.raises(Unreachable) as gave_up:
            await rest.get("/view")
    assert "503" in str(gave_up.value)
    assert "ft_dev" not in str(gave_up.value)
