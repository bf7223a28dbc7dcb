"""Which protobuf messages describe a type of REST: those it is made from, or made into.

Translators note it when they are made (`struct_of`, `message_of`); the OpenAPI document takes the comments of the contract for
what the types themselves leave unsaid.
"""

from __future__ import annotations

from typing import Any, Final

from google.protobuf.descriptor import Descriptor

_MESSAGES: Final[dict[type, tuple[Descriptor, ...]]] = {}


def described_by(shape: type, *messages: Any) -> None:
    """Note the descriptors of messages that describe a type; of several that have a field, the first counts."""
    known = _MESSAGES.get(shape, ())
    _MESSAGES[shape] = (*known, *(one for one in messages if one not in known))


def messages_of(shape: type) -> tuple[Descriptor, ...]:
    """Return the descriptors of the messages that describe a type, or the types that it is derived from."""
    return tuple(one for base in shape.__mro__ for one in _MESSAGES.get(base, ()))
