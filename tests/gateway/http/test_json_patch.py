"""What has changed between two documents leads from one to the other, and is small."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.http.json_patch import difference

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(2, 5) | st.text("ab/~", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text("ab/~", max_size=3), inner, max_size=4)
    ),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text("abc/~", max_size=3), JSON, max_size=5)


def patched(document: Any, patch: list[dict[str, Any]]) -> Any:
    """Apply a patch as RFC 6902 says, in the way that a page without a library does."""
    document = copy.deepcopy(document)
    for one in patch:
        *way, last = [name.replace("~1", "/").replace("~0", "~") for name in one["path"].split("/")[1:]]
        at = document
        for name in way:
            at = at[int(name)] if isinstance(at, list) else at[name]
        key: Any = int(last) if isinstance(at, list) else last
        match one["op"]:
            case "add" if isinstance(at, list):
                at.insert(key, one["value"])
            case "add" | "replace":
                assert one["op"] == "add" or key in at or isinstance(at, list)
                at[key] = one["value"]
            case "remove":
                del at[key]
            case other:
                raise AssertionError(other)
    return document


def same(one: Any, other: Any) -> bool:
    """Compare as JSON, in which `true` is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(OBJECTS, OBJECTS)
def test_a_patch_leads_from_one_document_to_the_other(before: Any, after: Any) -> None:
    assert same(patched(before, difference(before, after)), after)


@given(OBJECTS)
def test_equal_documents_have_no_difference(document: Any) -> None:
    assert difference(document, copy.deepcopy(document)) == []


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1}, {"a": 2}, [{"op": "replace", "path": "/a", "value": 2}]),
        ({"a": {"b": 2}}, {"a": {}}, [{"op": "replace", "path": "/a", "value": {}}]),
        ({"b": 2}, {}, [{"op": "remove", "path": "/b"}]),
        ({"a": [1, 2, 3, 4, 5]}, {"a": [1, 2, 4, 5]}, None),
        ({}, {"a/b~": None}, [{"op": "add", "path": "/a~1b~0", "value": None}]),
    ],
)
def test_examples(before: Any, after: Any, patch: list[dict[str, Any]] | None) -> None:
    found = difference(before, after)
    assert same(patched(before, found), after)
    if patch is not None:
        assert found == patch


def test_one_of_many_is_a_small_patch() -> None:
    before = {"pieces": {f"piece_{number}": {"place": "hand@0", "kind": "card"} for number in range(200)}}
    after = copy.deepcopy(before)
    after["pieces"]["piece_7"]["place"] = "table"
    assert difference(before, after) == [{"op": "replace", "path": "/pieces/piece_7/place", "value": "table"}]


def test_what_is_sent_as_a_whole_is_replaced_however_little_of_it_has_changed() -> None:
    before = {"match": {"version": 1, "clocks": {"as_of": "noon", "seats": [{"seat": 0, "left_seconds": 9}]}}}
    after = copy.deepcopy(before)
    after["match"]["clocks"]["as_of"] = "later"
    found = difference(before, after, as_a_whole=frozenset({"/match/clocks"}))
    assert found == [{"op": "replace", "path": "/match/clocks", "value": after["match"]["clocks"]}]
    assert len(difference(before, after)) == 1
    assert difference(before, copy.deepcopy(before), as_a_whole=frozenset({"/match/clocks"})) == []


def test_what_is_gone_is_removed_in_the_order_it_stood_in() -> None:
    """So that every process tells the same change in the same bytes."""
    before = {
        "zone": dict.fromkeys(("c", "a", "d", "b", "kept", "kept too", "and this", "and that", "too"), 1)
    }
    after = {"zone": {name: value for name, value in before["zone"].items() if len(name) > 1}}
    assert [one["path"][-1] for one in difference(before, after)] == ["c", "a", "d", "b"]
