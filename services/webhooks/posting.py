"""Sends one HTTP request: with limits on its time and on the size of the answer; no redirects, cookies or proxies."""

from __future__ import annotations

import asyncio
import ssl
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple, Self

import httpcore

from services.webhooks.connections import CONNECT_SECONDS, PrivateAddress, PublicNetwork

TOTAL_SECONDS: Final = 15.0
MAX_ANSWER_BYTES: Final = 16 * 1024
"""How much of an answer's body is read, so that its connection can be used again; the body itself is ignored."""
DRAIN_SECONDS: Final = 1.0
USER_AGENT: Final = "foldtable-webhooks"
GONE: Final = 410


class Posted(NamedTuple):
    """The result of a request."""

    status: int | None
    """None: no answer."""
    problem: str
    """Why there was no answer: one of `PROBLEMS`, or `secret_lost` if the worker could not sign; empty if there was one."""
    seconds: float
    retry_after: timedelta | None = None

    @property
    def arrived(self) -> bool:
        """Whether the endpoint has accepted the request. A redirect is a failure: it could lead anywhere."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether the endpoint answered 410 Gone, and so wants no more requests."""
        return self.status == GONE


PROBLEMS: Final = ("private_address", "connect_failed", "connect_timeout", "timeout", "broken_answer")


class Poster:
    """Sends requests. Belongs to one event loop."""

    def __init__(
        self,
        network: PublicNetwork,
        *,
        trust: ssl.SSLContext | None = None,
        connect_seconds: float = CONNECT_SECONDS,
        total_seconds: float = TOTAL_SECONDS,
    ) -> None:
        """`trust` holds the certificate authorities to trust; None: those that this machine trusts."""
        self._connect_seconds = connect_seconds
        self._total_seconds = total_seconds
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=trust or ssl.create_default_context(),
            max_connections=None,
            keepalive_expiry=10,
            network_backend=network,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.aclose()

    async def post(self, url: str, headers: dict[str, str], body: bytes) -> Posted:
        """Send a body with POST; a failure of the network or of the endpoint is in the result, and not raised."""
        began = time.monotonic()
        status, problem, retry_after = None, "", None
        try:
            async with asyncio.timeout(self._total_seconds):
                status, retry_after = await self._exchange(url, headers, body)
        except PrivateAddress:
            problem = "private_address"
        except (httpcore.ConnectTimeout, httpcore.PoolTimeout):
            problem = "connect_timeout"
        except (httpcore.TimeoutException, TimeoutError):
            problem = "timeout"
        except (httpcore.ConnectError, ssl.SSLError, OSError):
            problem = "connect_failed"
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, ValueError):
            problem = "broken_answer"
        return Posted(status, problem, time.monotonic() - began, retry_after)

    async def _exchange(self, url: str, headers: dict[str, str], body: bytes) -> tuple[int, timedelta | None]:
        timeouts = {
            "connect": self._connect_seconds,
            "read": self._total_seconds,
            "write": self._total_seconds,
            "pool": self._connect_seconds,
        }
        sent = [("user-agent", USER_AGENT), *headers.items()]
        async with self._pool.stream(
            "POST", url, headers=sent, content=body, extensions={"timeout": timeouts}
        ) as answer:
            await _drain(answer)
            after = next((value for name, value in answer.headers if name.lower() == b"retry-after"), b"")
            return answer.status, _retry_after(after)


async def _drain(answer: httpcore.Response) -> None:
    """Read a short answer to its end. Errors are ignored: the status has arrived, and only that counts."""
    read = 0
    with suppress(TimeoutError, httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError):
        async with asyncio.timeout(DRAIN_SECONDS):
            async for chunk in answer.aiter_stream():
                read += len(chunk)
                if read > MAX_ANSWER_BYTES:
                    return  # the caller closes the connection, since the answer was not read to its end


def _retry_after(value: bytes) -> timedelta | None:
    """Return how long the Retry-After header (RFC 9110 §10.2.3) asks to wait: it has seconds or a date; None for anything else."""
    text = value.decode("ascii", "replace").strip()
    if text.isdecimal() and len(text) <= 9:
        return timedelta(seconds=int(text))
    try:
        moment = parsedate_to_datetime(text)
        return max(moment - datetime.now(UTC), timedelta(0))
    except (ValueError, TypeError, OverflowError):  # OverflowError: a date that no calendar has
        return None
