"""Encoding of records as canonical JSON bytes, and decoding.

Canonical: fields in the order of their declaration, no white space, mappings sorted by key. The same
record always gives the same bytes, so bytes can be hashed and compared. Old shapes are converted by
upcasters, one per retired tag or retired shape of a tag.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar

import msgspec

from engine.kernel.allowed import allowed_at
from engine.kernel.errors import Unreadable

T = TypeVar("T")

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Converts a stored object of an old shape to the current shape. Its argument and result are decoded JSON objects."""

_ENCODER: Final = msgspec.json.Encoder(order="deterministic")
_FIELD: Final = re.compile(
    r"Object (?:(?P<unknown>contains unknown)|missing required) field `(?P<name>.*)`", re.DOTALL
)
_PATTERN: Final = re.compile(r"Expected `str` matching regex (?P<pattern>.*)", re.DOTALL)
_FORMS: Final[dict[str, str]] = {}
"""For patterns of strings, what such a string is."""
_PLACE: Final = re.compile(r" - at `(?:key in )?(?P<pointer>\$[^`]*)`$")


def encode(record: Any) -> bytes:
    """Return the canonical JSON bytes of a struct, or of a tuple of them."""
    return _ENCODER.encode(record)


class Codec(Generic[T]):
    """Reads one type (often a tagged union) from JSON. `upcasters` maps a tag to the function that converts its old shape."""

    def __init__(self, shape: Any, *, upcasters: Mapping[str, Upcaster] | None = None) -> None:
        self._one = msgspec.json.Decoder(shape)
        self._shape = shape
        self._shapes: Any = tuple[shape, ...]
        self._many = msgspec.json.Decoder(self._shapes)
        self._upcasters = dict(upcasters or {})

    def __reduce__(self) -> tuple[Callable[..., Codec[T]], tuple[Any, Mapping[str, Upcaster]]]:
        """Pickle the constructor's arguments: decoders cannot be pickled, and games are sent to other processes."""
        return _codec, (self._shape, self._upcasters)

    def decode(self, data: bytes) -> T:
        """Return one record. Raises `Unreadable`, which names the wrong place."""
        if self._upcasters:
            lifted: T = _lifted(data, self._shape, self._lift)
            return lifted
        record: T = _read(self._one, data, self._shape)
        return record

    def decode_many(self, data: bytes) -> tuple[T, ...]:
        """Return the records of an array. Raises `Unreadable`, which names the wrong place."""
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
    """Return the error for msgspec's message, split into what is wrong, where, and which values are allowed."""
    text = str(error) if isinstance(error, msgspec.DecodeError) else "nested too deeply or not UTF-8"
    place = _PLACE.search(text)
    what, pointer = (text, "$") if place is None else (text[: place.start()], place["pointer"])
    if (named := _FIELD.fullmatch(what)) is not None:
        pointer = f"{pointer}.{named['name']}"
        what = "is not known here" if named["unknown"] else "is missing"
    elif (wanted := _PATTERN.fullmatch(what)) is not None:
        what = f"must be {_words_of(literal_eval(wanted['pattern']))}"
    elif allowed := allowed_at(shape, pointer):
        what = f"{what}; allowed: {', '.join(allowed)}"
    return Unreadable(what, pointer=pointer)


def form(pattern: str, words: str) -> str:
    """Return the pattern of a string, for a `msgspec.Meta`. `words` says what it must be: errors show no regular expression."""
    _FORMS[pattern] = words
    return pattern


def _words_of(pattern: str) -> str:
    return _FORMS.get(pattern, "of another form")
