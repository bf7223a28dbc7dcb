"""GET /: somebody who knows the address only finds everything from here."""

from __future__ import annotations

import httpx


def test_the_front_door_leads_to_everything(anybody: httpx.Client) -> None:
    told = anybody.get("/").json()
    assert told["name"] == "Foldtable"
    for name in ("games", "openapi", "problems"):
        assert anybody.get(told["links"][name]).status_code == 200
    assert anybody.get(told["links"]["matches"]).status_code == 401  # for tenants


def test_the_front_door_takes_no_questions(anybody: httpx.Client) -> None:
    assert anybody.get("/", params={"page": 2}).json()["reason"] == "MALFORMED_REQUEST"
