"""The pages that the gateway makes itself, in a browser: their policy forbids nothing that they need."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.web.conftest import CHROMIUM
from tests.support import node
from tests.support.several_of_each import Several

STYLED = ("/problems?utm_source=x", "/problems/VERSION_CONFLICT", "/v1/games/river_of_gold/rules")


def test_pages_are_shown_without_a_complaint(stack: Several, tmp_path: Path) -> None:
    where = {"GATEWAY": stack.urls[0], "HOME": str(tmp_path), "TMPDIR": str(tmp_path), "CHROMIUM": CHROMIUM}
    told = node.printed_by("pages.mjs", PATHS=json.dumps([*STYLED, "/docs"]), **where)
    if "unavailable" in told:
        pytest.skip(f"needs a Chromium that starts here: {told['unavailable']}")
    assert [path for path, page in told.items() if page["faults"]] == [], told
    assert {told[path]["width"] for path in STYLED} == {"896px"}, "the style applies: 56rem"
    assert told["/docs"]["title"] == "Foldtable API"
