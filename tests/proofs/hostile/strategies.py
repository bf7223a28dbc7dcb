"""How good input is made into bad: by hand-picked nastiness at any place, by swapping, cutting and doubling parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

Choose = Callable[[int], int]
"""Gives a number below another: drawn by hypothesis, by chance, or by a fuzzer."""

NASTY_VALUES: Final = (
    b"1e400",
    b"-1e400",
    b"1e-400",
    b"9" * 5_000,
    b"-" + b"9" * 5_000,
    b"NaN",
    b"Infinity",
    b"-0",
    b"1.5",
    b"01",
    b"-1",
    b"0",
    b"63",
    b"64",
    b"1000",
    b"2147483648",
    b"9223372036854775807",
    b"9223372036854775808",
    b"18446744073709551616",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b'""',
    b'"9"',
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b'"\\u0000"',
    b'"\xed\xa0\x80"',  # a surrogate, as UTF-8 must not have it
    b'"\xc0\xaf"',  # an overlong slash
    b'"\xf5\x80\x80\x80"',  # beyond Unicode
    b'"\xe2\x80\xae"',  # right to left from here on
    b'"' + b"a" * 5_000 + b'"',
    b'{"type":"a","type":"b"}',
    b"[" * 100 + b"]" * 100,
    b"[" * 5_000 + b"]" * 5_000,
    b'{"a":' * 2_000 + b"1" + b"}" * 2_000,
    b"[" * 5_000,
)
"""What may stand where a value of JSON stood."""
NASTY_BYTES: Final = (
    b"\xef\xbb\xbf",  # a byte order mark
    b"\x00",
    b"\r\n\r\n",
    b"\xff\xfe",
    b"\xc0\x80",
    b"%00",
    b"%ff%fe",
    b"%ed%a0%80",
    b"&" * 100,
    b"=" * 3,
    b"\xc2\xb2",  # a superscript: a digit to some
    b"\xd9\xa3",  # an Arabic digit
    b'"',
    b"\\",
    b",",
    b"/../",
    b"@",
    b"#",
    b"\xe2\x80\xa8",
    b"9" * 5_000,
    b"a" * 70_000,
    b" " * 5_000,
    b"\xff" * 10,  # a varint without end
    b"\x0a\xff\xff\xff\xff\x0f",  # a field of four gigabytes
    b"\x0b" * 200,  # groups within groups
)
"""What may stand anywhere."""
MAX_EDITS: Final = 3
_VALUES: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|\{\}|\[\]')
_MAX_VALUES: Final = 4_000
"""Of a long document only the first so many are spoiled one by one."""


def spoiled(choose: Choose, seeds: tuple[bytes, ...]) -> bytes:
    """Make a bad input of a good one."""
    data = seeds[choose(len(seeds))] if seeds else b""
    for _ in range(1 + choose(MAX_EDITS)):
        data = _EDITS[choose(len(_EDITS))](choose, data)
    return data


def _nasty_value(choose: Choose, data: bytes) -> bytes:
    return _in_place_of_a_value(choose, data, NASTY_VALUES[choose(len(NASTY_VALUES))])


def _another_value(choose: Choose, data: bytes) -> bytes:
    """Swap in a value that stands elsewhere: of the right type perhaps, and yet wrong."""
    found = _values(data)
    if not found:
        return data
    return _in_place_of_a_value(choose, data, found[choose(len(found))][0])


def _in_place_of_a_value(choose: Choose, data: bytes, other: bytes) -> bytes:
    found = _values(data)
    if not found:
        return other
    place = found[choose(len(found))]
    return data[: place.start()] + other + data[place.end() :]


def _values(data: bytes) -> list[re.Match[bytes]]:
    return [found for found, _ in zip(_VALUES.finditer(data), range(_MAX_VALUES), strict=False)]


def _nasty_bytes(choose: Choose, data: bytes) -> bytes:
    at = choose(len(data) + 1)
    return data[:at] + NASTY_BYTES[choose(len(NASTY_BYTES))] + data[at:]


def _cut(choose: Choose, data: bytes) -> bytes:
    start = choose(len(data) + 1)
    return data[:start] + data[start + choose(len(data) - start + 1) :]


def _doubled(choose: Choose, data: bytes) -> bytes:
    """Repeat a part: keys and elements come twice."""
    start = choose(len(data) + 1)
    end = start + choose(min(200, len(data) - start) + 1)
    return data[:end] + data[start:]


def _flipped(choose: Choose, data: bytes) -> bytes:
    if not data:
        return bytes([choose(256)])
    at = choose(len(data))
    return data[:at] + bytes([choose(256)]) + data[at + 1 :]


_EDITS: Final = (_nasty_value, _nasty_value, _another_value, _nasty_bytes, _cut, _doubled, _flipped)


@st.composite
def hostile(draw: st.DrawFn, seeds: tuple[bytes, ...]) -> bytes:
    """Bad input, made of good input or of nothing at all."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=200))
    return spoiled(lambda below: draw(st.integers(0, below - 1)), seeds)
