"""Records to canonical bytes and back; what is unreadable says where."""

from __future__ import annotations

import pytest

from engine.kernel.codec import Codec, encode
from engine.kernel.errors import Unreadable


def test_the_same_record_gives_the_same_bytes(pebbles) -> None:
    """Fields in the order of declaration, tag first, no white space."""
    (begun,) = pebbles.event_codec.decode_many(b'[ {"seats":2,"first":1, "goal":7, "type":"begun"} ]')
    assert encode(begun) == b'{"type":"begun","goal":7,"first":1,"seats":2}'
    assert encode((begun, begun)) == b"[" + encode(begun) + b"," + encode(begun) + b"]"


def test_mappings_are_sorted_by_key() -> None:
    assert encode({"b": 1, "a": 2}) == b'{"a":2,"b":1}'


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        (b'{"type":"heap","pebbles":"many"}', "$.pebbles"),
        (b'{"type":"heap"}', "$.pebbles"),
        (b'{"type":"fly","pebbles":1}', "$.type"),
        (b'{"type":"heap","pebbles":1,"extra":0}', "$.extra"),
        (b'{"pebbles":1}', "$.type"),
        (b"[]", "$"),
        (b"", "$"),
        (b"{", "$"),
        (b'{"type":"heap","pebbles":1.5}', "$.pebbles"),
        (b'"\xff"', "$"),
    ],
)
def test_what_is_no_action_is_unreadable_and_says_where(pebbles, data, pointer) -> None:
    with pytest.raises(Unreadable) as error:
        pebbles.action_codec.decode(data)
    assert error.value.pointer == pointer
    assert error.value.detail
    assert "$" not in error.value.detail


def test_a_culprit_within_a_list_is_named(pebbles) -> None:
    with pytest.raises(Unreadable) as error:
        Codec(tuple[pebbles.types.action, ...]).decode(
            b'[{"type":"heap","pebbles":1},{"type":"heap","pebbles":null}]'
        )
    assert error.value.pointer == "$[1].pebbles"


def test_nesting_without_end_is_unreadable_not_a_crash(pebbles) -> None:
    deep = b'{"type":"heap","pebbles":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    with pytest.raises(Unreadable):
        pebbles.action_codec.decode(deep)


def test_old_shapes_are_lifted(pebbles) -> None:
    """A retired tag, in a list and alone."""
    old = b'{"type":"piled","who":1,"n":3}'
    new = pebbles.event_codec.decode(b'{"type":"heaped","seat":1,"pebbles":3}')
    assert pebbles.event_codec.decode(old) == new
    assert pebbles.event_codec.decode_many(b"[" + old + b"," + encode(new) + b"]") == (new, new)


def test_a_field_added_later_has_its_default_in_old_events(pebbles) -> None:
    assert pebbles.event_codec.decode(b'{"type":"heaped","seat":1,"pebbles":3}').found == 0


def test_a_lifted_event_that_is_still_wrong_is_unreadable(pebbles) -> None:
    with pytest.raises(Unreadable) as error:
        pebbles.event_codec.decode(b'{"type":"piled","who":1,"n":"many"}')
    assert error.value.pointer == "$.pebbles"


@pytest.mark.parametrize("data", [b"{", b'"text"', b"[1]", b'{"type":"unheard"}'])
def test_bytes_that_are_no_event_are_unreadable_with_upcasters_too(pebbles, data) -> None:
    with pytest.raises(Unreadable):
        pebbles.event_codec.decode(data)
    with pytest.raises(Unreadable):
        pebbles.event_codec.decode_many(data)
