"""Calling a match off over REST."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gateway.table import PROGRAM, Platform, unmarked


def post(platform: Platform, match_id: str, path: str, version: int | None = None, **body: Any) -> Any:
    headers = {} if version is None else {"if-match": f'"v:{version}"'}
    return platform.post(f"/v1/matches/{match_id}/{path}", json=body, headers=headers)


@pytest.fixture
def match_id(platform: Platform) -> str:
    return str(platform.create(2).json()["match"]["match_id"])


def test_the_tenant_needs_nobody(platform: Platform, match_id: str) -> None:
    aborted = platform.post(f"/v1/matches/{match_id}/abort")
    assert (aborted.status_code, unmarked(aborted)) == (200, '"v:2"')
    assert aborted.json()["events"] == [{"type": "match_aborted", "by": "tenant", "seat": None}]
    assert aborted.json()["outcome"] == {"reason": "ABORTED", "rule": "abort", "winners": [], "results": []}
    match = platform.get(f"/v1/matches/{match_id}").json()
    assert (match["status"], match["to_act"], match["outcome"]["reason"]) == ("ended", [], "ABORTED")
    assert match["secret"]
    listed = platform.get("/v1/matches", params={"status": "ended", "visibility": "any"}).json()["matches"]
    assert match_id in {one["match_id"] for one in listed}


def test_the_seats_agree(platform: Platform, match_id: str) -> None:
    assert post(platform, match_id, "abort", seat=0).json()["events"] == [
        {"type": "abort_proposed", "seat": 0}
    ]
    proposal = platform.get(f"/v1/matches/{match_id}/view").json()["proposal"]
    del proposal["expires_at"]
    assert proposal == {
        "kind": "abort",
        "version": 2,
        "seat": 0,
        "to": None,
        "accepted": [],
        "waiting": [1],
    }
    answered = post(platform, match_id, "abort/answer", 2, seat=1, accept=True).json()
    assert [event["type"] for event in answered["events"]] == ["abort_answered", "match_aborted"]
    assert answered["status"] == "ended"


def test_an_open_match_that_is_called_off_is_listed_as_open_no_longer(platform: Platform) -> None:
    match_id = platform.create(2, open_seats=True, visibility="public").json()["match"]["match_id"]
    wanted = {"open_seats": "true"}
    listed = platform.get("/v1/matches", params=wanted).json()["matches"]
    assert match_id in {one["match_id"] for one in listed}
    assert post(platform, match_id, "abort").json()["version"] == 1
    listed = platform.get("/v1/matches", params=wanted).json()["matches"]
    assert match_id not in {one["match_id"] for one in listed}
    refused = platform.get(f"/v1/matches/{match_id}/view")
    assert (refused.status_code, refused.json()["reason"]) == (409, "MATCH_NOT_STARTED")


def test_every_refusal_has_its_status(platform: Platform, match_id: str) -> None:
    def refused(path: str, version: int | None = None, **body: Any) -> tuple[int, str]:
        answer = post(platform, match_id, path, version, **body)
        return answer.status_code, answer.json()["reason"]

    assert refused("abort", 7, seat=0) == (412, "VERSION_CONFLICT")
    assert refused("abort/answer", 1, seat=0, accept=True) == (409, "NO_PROPOSAL")
    assert refused("abort/answer", 1, seat=0) == (400, "MALFORMED_REQUEST")
    assert refused("abort/answer", seat=0, accept=True) == (428, "VERSION_REQUIRED")
    post(platform, match_id, "abort", seat=0)
    assert refused("abort", seat=1) == (409, "PROPOSAL_OPEN")
    post(platform, match_id, "abort/answer", 2, seat=1, accept=False)
    assert refused("abort", seat=0) == (422, "ABORT_NOT_ALLOWED")
    post(platform, match_id, "abort")
    assert refused("moves", 4, seat=0, action=PROGRAM) == (409, "MATCH_OVER")
