"""JSON that parsers read differently is found wherever it is, and nothing else is."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.errors import Unreadable
from services.process.i_json import MAX_DEPTH, fault_of
from services.rpc.json_payloads import check_json, must_be_alike_for_all
from services.rpc.refusals import Refused

FAULTS = {
    b'{"a":1,"a":1}': ("DUPLICATE_NAME", "$.a"),
    b'[{"a":1},{"b":{"c":[0,{"d":1,"e":2,"d":3}]}}]': ("DUPLICATE_NAME", "$[1].b.c[1].d"),
    b'{"a":1 ,"b":2, "a" \n\t: 3}': ("DUPLICATE_NAME", "$.a"),
    b'{"x":"y",":":1,":":2}': ("DUPLICATE_NAME", "$.:"),
    b'{"\\u0061":1,"a":2}': ("DUPLICATE_NAME", "$.a"),
    '{"é":1,"\\u00e9":2}'.encode(): ("DUPLICATE_NAME", "$.é"),
    b'{"n":9007199254740992}': ("OUT_OF_RANGE", "$.n"),
    b'{"n":-9007199254740992}': ("OUT_OF_RANGE", "$.n"),
    b'{"n":' + b"1" * 5_000 + b"}": ("OUT_OF_RANGE", "$.n"),
    b"[0,1e309]": ("OUT_OF_RANGE", "$[1]"),
    b"[-1E+400]": ("OUT_OF_RANGE", "$[0]"),
    b"[0,[1E400]]": ("OUT_OF_RANGE", "$[1][0]"),
    b"-2.5E309": ("OUT_OF_RANGE", "$"),
    b"1e0000400": ("OUT_OF_RANGE", "$"),
    b'{"s":"\\ud800"}': ("NOT_TEXT", "$.s"),
    b'{"s":"\\uDC00\\uD800"}': ("NOT_TEXT", "$.s"),
    b'{"s":"\\ud83d\\\\ude00"}': ("NOT_TEXT", "$.s"),
    b'{"s":"\\ufffe"}': ("NOT_TEXT", "$.s"),
    b'{"s":"\\ud83f\\udffe"}': ("NOT_TEXT", "$.s"),
    '{"s":"\ufdd0"}'.encode(): ("NOT_TEXT", "$.s"),
    '{"s":"\U0010ffff"}'.encode(): ("NOT_TEXT", "$.s"),
    b'{"a":{"\\ud800":1}}': ("NOT_TEXT", "$.a"),
}
ALIKE = (
    b"{}",
    b"null",
    b'{"a":9007199254740991,"b":-9007199254740991,"c":0.12345678901234567890,"d":1.5e300,"e":1e-400}',
    b'[{"a":1},{"a":2},{"a":{"a":{"a":3}}}]',
    b'{"s":"\\ud83d\\ude00","t":"\\\\ud800","u":"\\ufffd","v":"\\uFF01"}',
    '{"name":"👨‍👩‍👧","other":"می‌خواهم"}'.encode(),
    b'{"id":"12345678901234567890","hex":"1e400"}',
    b'  \r\n{"a":1}  ',
)


@pytest.mark.parametrize("text", FAULTS)
def test_what_parsers_read_differently_is_refused_with_its_place(text: bytes) -> None:
    fault = fault_of(text)
    assert fault is not None
    assert (fault.code, fault.path) == FAULTS[text]
    assert fault.what.isprintable()
    with pytest.raises(Refused) as refusal:
        must_be_alike_for_all(text, "$.data")
    assert refusal.value.field == "$.data" + FAULTS[text][1][1:]


@pytest.mark.parametrize("text", ALIKE)
def test_what_all_parsers_read_alike_is_taken(text: bytes) -> None:
    assert fault_of(text) is None
    check_json(text)


@pytest.mark.parametrize(
    "text", [b"", b"{", b'{"a":1', b'{"a":1,"a":', b"\xff", b"\xef\xbb\xbf{}", b'"\\ud8', b"nul"]
)
def test_what_is_no_json_is_left_to_its_decoder(text: bytes) -> None:
    fault_of(text)


def test_what_is_nested_too_deeply_is_refused() -> None:
    check_json(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    with pytest.raises(Unreadable, match="nested deeper"):
        check_json(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1))


def test_a_pointer_escapes_what_rfc_6901_escapes() -> None:
    fault = fault_of(b'{"a/b":[{"~":1,"~":2}]}')
    assert fault is not None
    assert fault.pointer == "/a~1b/0/~0"


NAMES = st.sampled_from(["a", "b", ":", "é", '"', "\\"])
VALUES = st.recursive(
    st.none()
    | st.sampled_from([0, 2**53 - 1, -(2**53) + 1, 2**53, 10**30, 0.5, 1e20])
    | st.text(st.characters(codec="utf-8"), max_size=3)
    | st.sampled_from(["\ud800", "\U0001f600", ":", '":"']),
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(NAMES, inner), max_size=3).map(tuple),
    max_leaves=12,
)


def written(value: Any, *, ascii_only: bool) -> str:
    """Write JSON whose objects are tuples of members."""
    match value:
        case tuple():
            members = (
                f"{json.dumps(name, ensure_ascii=ascii_only)}: {written(one, ascii_only=ascii_only)}"
                for name, one in value
            )
            return "{" + " ,".join(members) + "}"
        case list():
            return "[" + ",".join(written(one, ascii_only=ascii_only) for one in value) + "]"
        case _:
            return json.dumps(value, ensure_ascii=ascii_only)


def is_alike(value: Any) -> bool:
    """Say the same as `fault_of` from the value, without any cleverness."""
    match value:
        case tuple():
            names = [name for name, _ in value]
            return len(names) == len(set(names)) and all(is_alike(one) for _, one in value)
        case list():
            return all(map(is_alike, value))
        case bool() | None:
            return True
        case int():
            return abs(value) < 2**53
        case str():
            return not any(
                "\ud800" <= sign <= "\udfff" or "\ufdd0" <= sign <= "\ufdef" or ord(sign) & 0xFFFE == 0xFFFE
                for sign in value
            )
        case _:
            return bool(abs(value) <= sys.float_info.max)


@given(VALUES, st.booleans())
def test_the_fast_way_finds_what_the_slow_way_finds(value: Any, ascii_only: bool) -> None:
    try:
        text = written(value, ascii_only=ascii_only).encode()
    except UnicodeEncodeError:  # a surrogate that is not escaped is no UTF-8
        text = written(value, ascii_only=True).encode()
    assert (fault_of(text) is None) == is_alike(value)
