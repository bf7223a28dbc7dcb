"""Taking back over REST: undo, consent, redo, and what is told of them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.gateway.table import PROGRAM, Platform, unmarked


def post(platform: Platform, match_id: str, path: str, version: int | None, **body: Any) -> Any:
    headers = {} if version is None else {"if-match": f'"v:{version}"'}
    return platform.post(f"/v1/matches/{match_id}/{path}", json=body, headers=headers)


@pytest.fixture
def match_id(platform: Platform) -> str:
    """Of a match in which seat 0 has given its program."""
    created = platform.create(2).json()["match"]["match_id"]
    assert post(platform, created, "moves", 1, seat=0, action=PROGRAM).status_code == 200
    return str(created)


def test_an_undo_is_a_move_and_get_undo_says_how_far_it_may_go(platform: Platform, match_id: str) -> None:
    told = platform.get(f"/v1/matches/{match_id}/undo", params={"seat": 0}).json()
    assert told == {
        "match_id": match_id,
        "version": 2,
        "seat": 0,
        "rule": "consent",
        "free_to": 1,
        "obstacle": {"reason": "NOTHING_TO_UNDO", "version": 1},
        "earliest": 1,
        "refusal": None,
        "redo": False,
        "proposal": None,
    }
    undone = post(platform, match_id, "undo", 2, seat=0, to=1)
    assert (undone.status_code, unmarked(undone)) == (200, '"v:3"')
    assert undone.json()["events"] == [{"type": "move_undone", "seat": 0, "to": 1}]
    moves = platform.get(f"/v1/matches/{match_id}/moves", params={"audience": "referee"}).json()["moves"]
    assert (len(moves), moves[2]["action"]) == (3, {"type": "undo", "to": 1})
    redone = post(platform, match_id, "redo", 3, seat=0)
    assert redone.json()["events"] == [{"type": "move_redone", "seat": 0, "to": 2}]


def test_the_others_are_asked_and_answer(platform: Platform, match_id: str) -> None:
    assert post(platform, match_id, "moves", 2, seat=1, action=PROGRAM).status_code == 200
    assert post(platform, match_id, "undo", 3, seat=0, to=1).json()["events"][0]["type"] == "undo_proposed"
    proposal = platform.get(f"/v1/matches/{match_id}/undo", params={"seat": 1}).json()["proposal"]
    assert (proposal["seat"], proposal["to"], proposal["accepted"], proposal["waiting"]) == (0, 1, [], [1])
    answered = post(platform, match_id, "undo/answer", 4, seat=1, accept=True)
    assert [event["type"] for event in answered.json()["events"]] == ["undo_answered", "move_undone"]
    assert sorted(answered.json()["to_act"]) == [0, 1]


def test_an_undo_can_be_repeated_safely(platform: Platform, match_id: str) -> None:
    headers = {"if-match": '"v:2"', "idempotency-key": f'"{uuid4()}"'}
    first, again = (
        platform.post(f"/v1/matches/{match_id}/undo", json={"seat": 0, "to": 1}, headers=headers)
        for _ in range(2)
    )
    assert first.json() == again.json()
    assert again.headers["idempotent-replayed"] == "true"


@pytest.mark.parametrize(
    ("path", "version", "body", "status", "reason"),
    [
        ("undo", None, {"seat": 0, "to": 1}, 428, "VERSION_REQUIRED"),
        ("undo", 1, {"seat": 0, "to": 1}, 412, "VERSION_CONFLICT"),
        ("undo", 2, {"seat": 0, "to": 0}, 400, "MALFORMED_REQUEST"),
        ("undo", 2, {"seat": 0, "to": 2}, 422, "NOTHING_TO_UNDO"),
        ("undo", 2, {"seat": 0, "to": 7}, 422, "UNDO_NOT_ALLOWED"),
        ("redo", 2, {"seat": 0}, 422, "NOTHING_TO_REDO"),
        ("undo/answer", 2, {"seat": 1, "accept": True}, 409, "NO_PROPOSAL"),
        ("undo/answer", 2, {"seat": 1}, 400, "MALFORMED_REQUEST"),
    ],
)
def test_every_refusal_has_its_status(
    platform: Platform, match_id: str, path: str, version: int | None, body: Any, status: int, reason: str
) -> None:
    refused = post(platform, match_id, path, version, **body)
    assert (refused.status_code, refused.json()["reason"]) == (status, reason)


def test_a_match_may_allow_less(platform: Platform) -> None:
    created = platform.create(2, undo="none", undo_timeout_seconds=60).json()["match"]
    assert (created["undo"], created["undo_timeout_seconds"]) == ("none", 60)
    match_id = created["match_id"]
    post(platform, match_id, "moves", 1, seat=0, action=PROGRAM)
    refused = post(platform, match_id, "undo", 2, seat=0, to=1)
    assert refused.json()["facts"] == {"reason": "SWITCHED_OFF"}
    assert platform.create(2, undo="sometimes").status_code == 400
