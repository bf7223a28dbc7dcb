"""The Python client applies what has changed in a table, and notices what is for another table."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given

from foldtable_client import patched
from gateway.http.json_patch import difference
from tests.gateway.http.test_json_patch import OBJECTS, same

TABLE: Any = {"version": 7, "pending": ["a", "b"], "a/b~": {"x": None}}


@given(OBJECTS, OBJECTS)
def test_what_the_gateway_finds_different_leads_to_the_new_table(before: Any, after: Any) -> None:
    untouched = copy.deepcopy(before)
    assert same(patched(before, difference(before, after)), after)
    assert same(before, untouched), "who drew the old table may still have it"


@pytest.mark.parametrize(
    ("operation", "changed"),
    [
        ({"op": "replace", "path": "", "value": {}}, {}),
        ({"op": "add", "path": "/pending/-", "value": "c"}, {**TABLE, "pending": ["a", "b", "c"]}),
        ({"op": "add", "path": "/pending/0", "value": "c"}, {**TABLE, "pending": ["c", "a", "b"]}),
        ({"op": "remove", "path": "/a~1b~0/x"}, {**TABLE, "a/b~": {}}),
    ],
)
def test_examples(operation: dict[str, Any], changed: Any) -> None:
    assert patched(TABLE, [operation]) == changed


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "replace", "path": "/view", "value": 1},
        {"op": "remove", "path": "/view"},
        {"op": "remove", "path": ""},
        {"op": "add", "path": "/view/x", "value": 1},
        {"op": "add", "path": "/version/x", "value": 1},
        {"op": "add", "path": "/pending/3", "value": 1},
        {"op": "replace", "path": "/pending/2", "value": 1},
        {"op": "replace", "path": "/pending/-", "value": 1},
        {"op": "replace", "path": "/pending/01", "value": 1},
        {"op": "replace", "path": "version", "value": 1},
        {"op": "move", "from": "/version", "path": "/view"},
    ],
    ids=str,
)
def test_a_patch_that_cannot_be_applied_is_refused(operation: dict[str, Any]) -> None:
    untouched = copy.deepcopy(TABLE)
    with pytest.raises(ValueError, match=r"another table|whole table|JSON Pointer|is none of"):
        patched(TABLE, [operation])
    assert untouched == TABLE
