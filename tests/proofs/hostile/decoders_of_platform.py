"""Everything the platform service reads: keys, tokens, cursors, endpoints' addresses and what their receivers answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final
from uuid import UUID

from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor

from foldtable.matches.v1 import match_service_pb2
from foldtable.platform.v1 import platform_service_pb2, webhook_service_pb2
from foldtable.rules.v1 import rules_service_pb2
from foldtable_client.events import EventReader
from services.identity.callers import credential_of
from services.identity.key_format import is_well_formed
from services.identity.match_tokens import TokenReader, TokenRefused
from services.platform.accounts.keys import _place
from services.platform.directory.listing import _read_position
from services.rpc.cursors import cursor, read_cursor
from services.rpc.reading import reader, whole
from services.rpc.refusals import Refused
from services.rules.forgetting.api import _place as _record_place
from services.webhooks.api.deliveries import _number
from services.webhooks.api.event_feed import _begin
from services.webhooks.posting import _retry_after
from services.webhooks.urls import check_url
from tests.proofs.hostile.decoders_of_gateway import PRIVATE, tokens
from tests.proofs.hostile.decoding import Decoder

REFUSED: Final = (Refused,)
SERVICES: Final = (
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"],
    platform_service_pb2.DESCRIPTOR.services_by_name["PlatformService"],
    webhook_service_pb2.DESCRIPTOR.services_by_name["WebhookService"],
)
_MATCH: Final = UUID("01890000-0000-7000-8000-000000000000")
_QUESTION: Final = ("ours", "all")


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: read(data.decode("utf-8", "replace"))


def _forged(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """Whoever asks can also forge a cursor: its mark is no secret, and what stands in it comes from outside, too."""
    return _text(lambda position: read(read_cursor(cursor(position, _QUESTION), _QUESTION)))


def _events(position: str) -> object:
    return _begin(cursor(position, _QUESTION), _QUESTION)


@cache
def credentials() -> tuple[Decoder, ...]:
    """Return what reads credentials, wherever they come from."""
    checked = TokenReader(PRIVATE.public_key())
    return (
        Decoder("token", _text(checked.read), (TokenRefused,), tokens()),
        Decoder("key", _text(is_well_formed), (), tokens()),
        Decoder("credential", _text(credential_of), REFUSED, tuple(b"Bearer " + one for one in tokens())),
    )


@cache
def cursors() -> tuple[Decoder, ...]:
    """Return what reads positions: opaque ones as they come, and what stands in a forged one."""
    return (
        Decoder(
            "cursor",
            _text(lambda text: read_cursor(text, _QUESTION)),
            REFUSED,
            (cursor("7", _QUESTION).encode(),),
        ),
        Decoder("cursor.forged", _forged(lambda position: position), REFUSED, (b"7",)),
        Decoder("cursor.events", _text(_events), REFUSED, (b"12 34", b"12 34 " + b"0f" * 16)),
        Decoder("cursor.kept", _forged(_record_place), REFUSED, (b"0 1", f"2 {_MATCH}".encode())),
        Decoder("cursor.keys", _forged(_place), REFUSED, (f"2026-01-31T12:00:00+00:00 {_MATCH}".encode(),)),
        Decoder("cursor.deliveries", _forged(_number), REFUSED, (b"34",)),
        Decoder("cursor.matches", _forged(_read_position), REFUSED, (f"{_MATCH} 29497680".encode(),)),
    )


@cache
def outside() -> tuple[Decoder, ...]:
    """Return what reads endpoints' addresses, and answers of servers that are not ours."""
    urls = (b"https://example.org/hooks", b"https://[2001:db8::1]:8443/h?x=1", b"http://127.0.0.1:9/")
    dates = (b"120", b"Wed, 21 Oct 2026 07:28:00 GMT", b"Wed, 21 Oct 2026 07:28:00 +0130")
    return (
        Decoder("webhook.url", _text(lambda url: check_url(url, loopback=False)), (ValueError,), urls),
        Decoder(
            "webhook.url.loopback", _text(lambda url: check_url(url, loopback=True)), (ValueError,), urls
        ),
        Decoder("webhook.retry_after", _retry_after, (), dates),
        Decoder("events.lines", _lines, (UnicodeDecodeError,), (b"id: 1\ndata: {}\n\n: ping\n\n",)),
    )


def _lines(data: bytes) -> object:
    reader = EventReader()
    return [event for start in range(0, len(data), 7) for event in reader.read(data[start : start + 7])]


def methods() -> dict[str, MethodDescriptor]:
    """Return every RPC of ours."""
    return {f"{service.name}/{method.name}": method for service in SERVICES for method in service.methods}


@cache
def messages() -> tuple[Decoder, ...]:
    """Return what reads the request of every RPC off the wire."""
    return tuple(
        Decoder(f"message.{name.replace('/', '.')}", _message(method), REFUSED, (_some(method),))
        for name, method in methods().items()
    )


def _message(method: MethodDescriptor) -> Callable[[bytes], object]:
    read: Any = reader(message_factory.GetMessageClass(method.input_type).FromString)
    return lambda data: whole(read(data))


def _some(method: MethodDescriptor) -> bytes:
    """Return a request with something in every text."""
    message = message_factory.GetMessageClass(method.input_type)()
    for field in method.input_type.fields:
        if (
            field.cpp_type == field.CPPTYPE_STRING
            and not field.is_repeated
            and field.type == field.TYPE_STRING
        ):
            setattr(message, field.name, "a")
    return message.SerializeToString()
