"""The pages that the gateway makes itself, in a browser: their policy forbids nothing that they need."""

from __future__ import annotations

import json

import pytest

from tests.support import node
from tests.support.chromium import chromium_environment
from tests.support.several_of_each import Several

STYLED = ("/problems?utm_source=x", "/problems/VERSION_CONFLICT", "/v1/games/river_of_gold/rules")


def test_pages_are_shown_without_a_complaint(stack: Several) -> None:
    paths = json.dumps([*STYLED, "/docs"])
    with chromium_environment() as where:
        told = node.printed_by("pages.mjs", GATEWAY=stack.urls[0], PATHS=paths, **where)
    if "unavailable" in told:
        pytest.skip(f"needs a Chromium that starts here: {told['unavailable']}")
    assert [path for path, page in told.items() if page["faults"]] == [], told
    assert {told[path]["width"] for path in STYLED} == {"896px"}, "the style applies: 56rem"
    assert told["/docs"]["title"] == "Foldtable API"
