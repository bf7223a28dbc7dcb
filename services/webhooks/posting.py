"""Sends one HTTP request: with limits on its time and on the size of the answer; no redirects, cookies or proxies.

Every request has a connection of its own, which is closed when the answer is there. On a connection that is used again, bytes
that a receiver sends behind an answer would be taken for the answer to the next request; they can also arrive after that
request was sent, so no check finds them all.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import httpcore

from services.webhooks.certificates import Trust
from services.webhooks.connections import CONNECT_SECONDS, PrivateAddress, PublicNetwork, Unreachable

TOTAL_SECONDS: Final = 15.0
MAX_ANSWER_BYTES: Final = 16 * 1024
"""How much of an answer's body is read, so that its sender sees no error; the body itself is ignored."""
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


PROBLEMS: Final = (
    "private_address",
    "name_not_found",
    "connect_failed",
    "connect_timeout",
    "tls_failed",
    "certificate_expired",
    "certificate_wrong_name",
    "certificate_untrusted",
    "timeout",
    "broken_answer",
)


class _EarlyAnswer(Exception):  # noqa: N818 - never leaves this module
    """The receiver sent something before it was asked, or closed the connection."""


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
        self._network = network
        self._trust = Trust(trust)
        self._connect_seconds = connect_seconds
        self._total_seconds = total_seconds

    async def post(self, url: str, headers: dict[str, str], body: bytes) -> Posted:
        """Send a body with POST; a failure of the network or of the endpoint is in the result, and not raised."""
        began = time.monotonic()
        status, problem, retry_after = None, "", None
        try:
            async with asyncio.timeout(self._total_seconds):
                status, retry_after = await self._exchange(url, headers, body)
        except PrivateAddress:
            problem = "private_address"
        except Unreachable as error:
            problem = error.problem
        except (httpcore.TimeoutException, TimeoutError):
            problem = "timeout"
        except ssl.SSLError:  # with TLS 1.3 a server refuses a client only after the handshake
            problem = "tls_failed"
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError, _EarlyAnswer):
            problem = "broken_answer"
        return Posted(status, problem, time.monotonic() - began, retry_after)

    async def _exchange(self, url: str, headers: dict[str, str], body: bytes) -> tuple[int, timedelta | None]:
        parts = urlsplit(url)
        host, tls = parts.hostname or "", self._trust.context if parts.scheme == "https" else None
        port = parts.port or (80 if tls is None else 443)
        stream = await self._network.connect(host, port, tls, seconds=self._connect_seconds)
        try:
            if tls is None and stream.get_extra_info("is_readable"):  # with TLS, tickets come at any time
                raise _EarlyAnswer
            sent = [
                ("host", _host_header(parts.netloc, port, tls)),
                ("user-agent", USER_AGENT),
                *headers.items(),
            ]
            async with _speaking(stream, url).stream("POST", url, headers=sent, content=body) as answer:
                await _drain(answer)
                after = next((value for name, value in answer.headers if name.lower() == b"retry-after"), b"")
                return answer.status, _retry_after(after)
        finally:
            with suppress(OSError, httpcore.NetworkError):
                await stream.aclose()


def _speaking(
    stream: httpcore.AsyncNetworkStream, url: str
) -> httpcore.AsyncHTTP11Connection | httpcore.AsyncHTTP2Connection:
    """Return the protocol that TLS has agreed on."""
    tls = stream.get_extra_info("ssl_object")
    version = None if tls is None else tls.selected_alpn_protocol()
    spoken = httpcore.AsyncHTTP2Connection if version == "h2" else httpcore.AsyncHTTP11Connection
    return spoken(httpcore.URL(url).origin, stream)


def _host_header(netloc: str, port: int, tls: ssl.SSLContext | None) -> str:
    """Return the URL's host, with brackets if it is an IPv6 address, and without the scheme's own port."""
    usual = 80 if tls is None else 443
    return netloc.removesuffix(f":{port}") if port == usual else netloc


async def _drain(answer: httpcore.Response) -> None:
    """Read a short answer to its end. Errors are ignored: the status has arrived, and only that counts."""
    read = 0
    with suppress(TimeoutError, httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError):
        async with asyncio.timeout(DRAIN_SECONDS):
            async for chunk in answer.aiter_stream():
                read += len(chunk)
                if read > MAX_ANSWER_BYTES:
                    return


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
