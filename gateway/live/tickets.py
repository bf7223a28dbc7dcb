"""Stream tickets: issued and redeemed here; the platform service stores them in between.

A ticket is 256 random bits. Two values are derived from them: a name, under which the platform service stores the envelope,
and a key, which encrypts the envelope; neither can be computed from the other. The envelope holds the caller's own
credential and what the ticket is for. So a stream opened with a ticket ends when that credential loses its validity, like
any other stream.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from hashlib import sha256
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from foldtable.platform.v1.ticket_pb2 import CreateStreamTicketRequest, RedeemStreamTicketRequest
from foldtable.rules.v1.table_pb2 import Audience
from gateway.problems.document import ProblemError
from gateway.translate.struct_of import instant
from gateway.upstream.platform import PlatformClient, call_platform

PREFIX: Final = "st_"
SECRET_BYTES: Final = 32
_NAME: Final = b"foldtable stream ticket name"
_KEY: Final = b"foldtable stream ticket key"
_NONCE: Final = bytes(12)
"""A key encrypts only one envelope, so a constant nonce is never reused with the same key."""


class Envelope(msgspec.Struct, frozen=True, array_like=True):
    """The encrypted content of a ticket. Never log it."""

    authorization: str
    match_id: str | None
    """None: a feed."""
    kind: int = 0
    """Kind of audience; see `Audience.Kind`."""
    seat: int | None = None
    player: str = ""
    """The player of a feed; empty: the feed of the whole tenant."""
    matches: tuple[str, ...] = ()
    """The matches of a stream of several; empty: the ticket is for another stream."""
    last_event_id: str = ""
    """The last event of such a stream that the client has; empty: none."""

    def __repr__(self) -> str:
        return f"Envelope({self.match_id})"

    @classmethod
    def of_match(cls, authorization: str, match_id: str, audience: Audience) -> Envelope:
        """Return the envelope for a match's stream."""
        seat = audience.seat if audience.HasField("seat") else None
        return cls(authorization, match_id, int(audience.kind), seat)

    @property
    def audience(self) -> Audience:
        return Audience(kind=Audience.Kind.ValueType(self.kind), seat=self.seat)


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Envelope).decode


class Tickets:
    """Issues and redeems tickets."""

    def __init__(self, platform: PlatformClient, *, seconds: float) -> None:
        """`seconds` is the deadline of one call."""
        self._platform = platform
        self._seconds = seconds

    async def issue(self, envelope: Envelope, metadata: tuple[tuple[str, str], ...]) -> tuple[str, str]:
        """Return a new ticket and its expiry time. Raises ProblemError."""
        secret = secrets.token_bytes(SECRET_BYTES)
        kept = await call_platform(
            self._platform.stub.CreateStreamTicket,
            CreateStreamTicketRequest(hash=_name(secret), sealed=seal(secret, envelope)),
            seconds=self._seconds,
            metadata=metadata,
        )
        ticket = PREFIX + base64.urlsafe_b64encode(secret).decode().rstrip("=")
        return ticket, instant(kept.expire_time)

    async def redeem(self, ticket: str, metadata: tuple[tuple[str, str], ...]) -> Envelope:
        """Return the envelope of a ticket and invalidate the ticket. Raises ProblemError TICKET_INVALID."""
        secret = _secret_of(ticket)
        kept = await call_platform(
            self._platform.stub.RedeemStreamTicket,
            RedeemStreamTicketRequest(hash=_name(secret)),
            seconds=self._seconds,
            metadata=metadata,
        )
        return unseal(secret, kept.sealed)


def seal(secret: bytes, envelope: Envelope) -> bytes:
    """Encrypt an envelope so that only the ticket's secret decrypts it."""
    return ChaCha20Poly1305(_derived(secret, _KEY)).encrypt(_NONCE, _encode(envelope), None)


def unseal(secret: bytes, sealed: bytes) -> Envelope:
    """Decrypt an envelope. Raises ProblemError TICKET_INVALID if it belongs to another ticket."""
    try:
        return _decode(ChaCha20Poly1305(_derived(secret, _KEY)).decrypt(_NONCE, sealed, None))
    except (InvalidTag, msgspec.DecodeError):
        raise ProblemError("TICKET_INVALID") from None


def _secret_of(ticket: str) -> bytes:
    text = ticket.removeprefix(PREFIX)
    try:
        secret = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if len(secret) != SECRET_BYTES or not ticket.startswith(PREFIX):
        raise ProblemError("TICKET_INVALID")
    return secret


def _name(secret: bytes) -> bytes:
    return sha256(_derived(secret, _NAME)).digest()


def _derived(secret: bytes, purpose: bytes) -> bytes:
    """Return a key for one purpose (HKDF, RFC 5869)."""
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(secret)
