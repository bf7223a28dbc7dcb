"""Records to canonical JSON bytes and back.

Canonical: fields in the order of their declaration, no white space, mappings sorted by key. The same
record always gives the same bytes, so bytes can be hashed and compared. Old shapes are lifted by
upcasters, one per retired tag or retired shape of a tag.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar

import msgspec

from engine.kernel.allowed import allowed_at
from engine.kernel.errors import Unreadable

T = TypeVar("T")

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Lifts a stored object of an old shape to the shape of today. It gets and gives the decoded JSON object."""

_ENCODER: Final = msgspec.json.Encoder(order="deterministic")
_FIELD: Final = re.compile(
    r"Object (?:(?P<unknown>contains unknown)|missing required) field `(?P<name>.*)`", re.DOTALL
)
_PLACE: Final = re.compile(r" - at `(?:key in )?(?P<pointer>\$[^`]*)`$")


def encode(record: Any) -> bytes:
    """Give the canonical JSON bytes of a struct, or of a tuple of them."""
    return _ENCODER.encode(record)


class Codec(Generic[T]):
    """Reads one type (often a tagged union) from JSON; `upcasters` are keyed by the tag they lift."""

    def __init__(self, shape: Any, *, upcasters: Mapping[str, Upcaster] | None = None) -> None:
        self._one = msgspec.json.Decoder(shape)
        self._shape = shape
        self._shapes: Any = tuple[shape, ...]
        self._many = msgspec.json.Decoder(self._shapes)
        self._upcasters = dict(upcasters or {})

    def __reduce__(self) -> tuple[Callable[..., Codec[T]], tuple[Any, Mapping[str, Upcaster]]]:
        """Pickle what it was made from: decoders cannot be pickled, and games go to other processes."""
        return _codec, (self._shape, self._upcasters)

    def decode(self, data: bytes) -> T:
        """Read one record; `Unreadable` names the culprit's place."""
        if self._upcasters:
            lifted: T = _lifted(data, self._shape, self._lift)
            return lifted
        record: T = _read(self._one, data, self._shape)
        return record

    def decode_many(self, data: bytes) -> tuple[T, ...]:
        """Read an array of records."""
        if self._upcasters:
            lifted: tuple[T, ...] = _lifted(data, self._shapes, self._lift_each)
            return lifted
        records: tuple[T, ...] = _read(self._many, data, self._shapes)
        return records

    def _lift(self, raw: Any) -> Any:
        if isinstance(raw, dict) and (lift := self._upcasters.get(raw.get("type", ""))):
            return lift(raw)
        return raw

    def _lift_each(self, raw: Any) -> Any:
        return [self._lift(item) for item in raw] if isinstance(raw, list) else raw


def _codec(shape: Any, upcasters: Mapping[str, Upcaster]) -> Codec[Any]:
    return Codec(shape, upcasters=upcasters)


def _lifted(data: bytes, shape: Any, lift: Callable[[Any], Any]) -> Any:
    try:
        return msgspec.convert(lift(msgspec.json.decode(data)), shape)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise unreadable(error, shape) from error


def _read(decoder: msgspec.json.Decoder[Any], data: bytes, shape: Any) -> Any:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise unreadable(error, shape) from error


def unreadable(error: Exception, shape: Any) -> Unreadable:
    """Split msgspec's message into what is wrong, where, and what would have been right."""
    text = str(error) if isinstance(error, msgspec.DecodeError) else "nested too deeply or not UTF-8"
    place = _PLACE.search(text)
    what, pointer = (text, "$") if place is None else (text[: place.start()], place["pointer"])
    if (named := _FIELD.fullmatch(what)) is not None:
        pointer = f"{pointer}.{named['name']}"
        what = "is not known here" if named["unknown"] else "is missing"
    elif allowed := allowed_at(shape, pointer):
        what = f"{what}; allowed: {', '.join(allowed)}"
    return Unreadable(what, pointer=pointer)
