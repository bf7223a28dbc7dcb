"""Requests over gRPC, spoiled: every field with every value of its type that somebody might not have thought of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from tests.proofs.hostile.strategies import Choose

TEXTS: Final = (
    "",
    "\x00",
    "a\x00b",
    "\u202e",
    "９",
    "²",
    "9" * 5_000,
    "a" * 100_000,
    "../../etc/passwd",
    "'; DROP TABLE moves; --",
    "{}",
    "\ufeff",
    "\U0010ffff",
    "%s%n",
    "-1",
    "1e400",
    "00000000-0000-0000-0000-000000000000",
)
_BYTES: Final = (
    b"",
    b"\x00",
    b"\xff" * 64,
    b"{" * 5_000,
    b"[" * 100_000,
    b"null",
    b'{"type":1e400}',
    b"9" * 5_000,
)
_DOUBLES: Final = (float("nan"), float("inf"), -0.0, 1e308)
_SIGNED_32: Final = (-(2**31), -1, 0, 63, 64, 99, 2**31 - 1)
_SIGNED_64: Final = (
    -(2**63),
    -62_135_596_801,
    -62_135_596_800,
    -1,
    253_402_300_799,
    253_402_300_800,
    2**63 - 1,
)
_UNSIGNED: Final = (0, 64, 2**31, 2**32 - 1)
MANY: Final = 2_000

_VALUES: Final[dict[int, tuple[Any, ...]]] = {
    FieldDescriptor.TYPE_STRING: TEXTS,
    FieldDescriptor.TYPE_BYTES: _BYTES,
    FieldDescriptor.TYPE_BOOL: (True, False),
    FieldDescriptor.TYPE_DOUBLE: _DOUBLES,
    FieldDescriptor.TYPE_INT32: _SIGNED_32,
    FieldDescriptor.TYPE_INT64: _SIGNED_64,
    FieldDescriptor.TYPE_UINT32: _UNSIGNED,
    FieldDescriptor.TYPE_UINT64: (*_UNSIGNED, 2**64 - 1),
    FieldDescriptor.TYPE_ENUM: (0, 1, 2, 99, -1),
}


def places(message: Message, depth: int = 4) -> Iterator[tuple[tuple[FieldDescriptor, ...], FieldDescriptor]]:
    """Yield every field a message can have, and the way to it, through messages it has or could have."""
    descriptor: Any = message.DESCRIPTOR
    yield from _places((), descriptor, depth)


def _places(
    way: tuple[FieldDescriptor, ...], descriptor: Any, depth: int
) -> Iterator[tuple[tuple[FieldDescriptor, ...], FieldDescriptor]]:
    for field in descriptor.fields:
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            if depth:
                yield from _places((*way, field), field.message_type, depth - 1)
        elif field.type in _VALUES:
            yield way, field


def spoil(choose: Choose, message: Message) -> None:
    """Put something nasty into one field."""
    found = list(places(message))
    if not found:
        return
    way, field = found[choose(len(found))]
    values = _VALUES[field.type]
    value = values[choose(len(values))]
    at = _reach(message, way)
    if at is None:
        return
    if field.is_repeated:
        getattr(at, field.name).extend([value] * (MANY if choose(2) and not _is_long(value) else 1))
    else:
        setattr(at, field.name, value)


def _is_long(value: Any) -> bool:
    return isinstance(value, str | bytes) and len(value) > 100


def _reach(message: Any, way: tuple[FieldDescriptor, ...]) -> Any:
    """Go to where a field is, and make on the way what is not there."""
    for step in way:
        inner = getattr(message, step.name)
        if step.message_type.GetOptions().map_entry:
            return None
        if step.is_repeated:
            inner = inner[0] if len(inner) else inner.add()
        else:
            inner.SetInParent()
        message = inner
    return message
