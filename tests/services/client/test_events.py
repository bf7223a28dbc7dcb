"""Event streams over asyncio: they come back after the last event, wait as they are told, and say why they end."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager

import httpx
import pytest

from foldtable_client import ProblemError, Unreachable, streams
from foldtable_client.events import ServerEvent
from services.client.rest import Rest

PATH = "/v1/feed"


class Pieces(httpx.AsyncByteStream):
    """A body in pieces, perhaps with a bad end."""

    def __init__(self, *pieces: bytes, cut_off: bool = False) -> None:
        self._pieces, self._cut_off = pieces, cut_off
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece
        if self._cut_off:
            raise httpx.ReadError("cut off")

    async def aclose(self) -> None:
        self.closed = True


class Scripted(httpx.AsyncBaseTransport):
    """Answers as told, one answer after the other, and remembers what was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.last_ids: list[str | None] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.last_ids.append(request.headers.get("last-event-id"))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was slept, which here takes no time."""
    told: list[float] = []

    async def sleep(seconds: float) -> None:
        told.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return told


def client(*answers: httpx.Response | Exception, retry_for: float = 60) -> tuple[Scripted, Rest]:
    server, rest = Scripted(*answers), Rest("http://table.test", "ft_dev_key", retry_for=retry_for)
    rest._client = httpx.AsyncClient(base_url="http://table.test", transport=server)
    return server, rest


def event(number: int) -> bytes:
    return f"event: match.updated\r\nid: {number}\r\ndata: {number}\r\n\r\n".encode()


def stream(*pieces: bytes, cut_off: bool = False) -> httpx.Response:
    return httpx.Response(200, stream=Pieces(*pieces, cut_off=cut_off))


def later(**headers: str) -> httpx.Response:
    return httpx.Response(503, json={"reason": "LOG_UNAVAILABLE"}, headers=headers)


async def test_a_stream_that_is_cut_anywhere_goes_on_where_it_was(slept: list[float]) -> None:
    whole = event(1) + event(2)
    for cut in range(len(whole)):
        seen = 0 if cut < len(event(1)) else 1
        server, rest = client(
            stream(whole[:cut], cut_off=True),
            httpx.ConnectError("nobody there"),
            stream(*[event(1), event(2)][seen:]),
            httpx.Response(204),
        )
        async with rest:
            told = [each async for each in rest.events(PATH)]
        assert told == [ServerEvent("match.updated", str(n), str(n)) for n in (1, 2)]
        assert server.last_ids == [None, str(seen) if seen else None, str(seen) if seen else None, "2"]
        assert rest.repeated == 3


async def test_it_comes_back_when_the_server_says_and_soon_after_a_stream_that_held(
    slept: list[float],
) -> None:
    _, rest = client(stream(event(1)), later(**{"Retry-After": "7"}), stream(), httpx.Response(204))
    async with rest:
        assert [each.id async for each in rest.events(PATH)] == ["1"]
    after_an_end, after_later, after_another_end = slept
    assert after_later >= 7
    assert max(after_an_end, after_another_end) <= streams.RETURN_SECONDS


async def test_patience_ends_where_nothing_holds_and_may_be_without_end(slept: list[float]) -> None:
    _, rest = client(later(**{"Retry-After": "61"}))
    async with rest:
        with pytest.raises(Unreachable, match="GET /v1/feed: 503"):
            await anext(rest.events(PATH))
    _, rest = client(later(**{"Retry-After": "61"}), httpx.Response(204))
    async with rest:
        assert [each async for each in rest.events(PATH, retry_for=math.inf)] == []


async def test_a_stream_that_is_refused_says_why(slept: list[float]) -> None:
    refused = httpx.Response(401, json={"reason": "TOKEN_INVALID", "detail": "no"})
    _, rest = client(stream(event(1)), refused)
    async with rest:
        following = rest.events(PATH)
        assert (await anext(following)).id == "1"
        with pytest.raises(ProblemError, match="TOKEN_INVALID"):
            await anext(following)


async def test_it_is_known_whether_a_connection_is_open(slept: list[float]) -> None:
    told: list[str] = []

    @contextmanager
    def while_open() -> Iterator[None]:
        told.append("open")
        yield
        told.append("closed")

    _, rest = client(later(), stream(event(1)), stream(event(2)), httpx.Response(204))
    async with rest:
        async for each in rest.events(PATH, while_open=while_open):
            told += [each.id]
    assert told == ["open", "1", "closed", "open", "2", "closed"]


async def test_a_stream_that_is_let_go_is_closed() -> None:
    endless = Pieces(event(1), event(2))
    _, rest = client(httpx.Response(200, stream=endless))
    async with rest, aclosing(rest.events(PATH)) as following:
        await anext(following)
        await following.aclose()
        assert endless.closed
