"""Clients who act at the same moment, over real sockets: one move each, or a refusal that helps."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.running_system import System

pytestmark = pytest.mark.slow

PROGRAM = ["move1", "stone1", "plank1", "move2", "stone2"]


def a_match(system: System, seats: int) -> tuple[str, dict[int, str]]:
    """Create a match; give its id and every seat's token."""
    with system.client() as client:
        answer = client.post("/v1/matches", json={"game": "river_dragons", "seats": seats})
    assert answer.status_code == 201, answer.text
    created = answer.json()
    tokens = {given["seat"]: given["token"] for given in created["seat_tokens"]}
    return created["match"]["match_id"], tokens


def program_of(system: System, match_id: str, token: str) -> tuple[dict[str, Any], int]:
    """Return a legal program of a seat, and the version it was offered for."""
    with system.client(token) as client:
        legal = client.get(f"/v1/matches/{match_id}/legal-actions", params={"samples": 1}).json()
    return legal["samples"][0], legal["version"]


def submit(system: System, match_id: str, token: str, body: dict[str, Any], **headers: str) -> httpx.Response:
    with system.client(token) as client:
        return client.post(f"/v1/matches/{match_id}/moves", json=body, headers=headers)


def at_once(*calls: Any) -> list[httpx.Response]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def versions(system: System, match_id: str) -> list[int]:
    with system.client() as client:
        moves = client.get(f"/v1/matches/{match_id}/moves", params={"audience": "referee"}).json()["moves"]
    return [move["version"] for move in moves]


def test_the_same_request_id_twice_makes_one_move(system: System) -> None:
    match_id, tokens = a_match(system, 2)
    action, version = program_of(system, match_id, tokens[0])
    body = {"action": action, "expected_version": version}
    key = {"Idempotency-Key": f'"{uuid4()}"'}
    answers = at_once(*[lambda: submit(system, match_id, tokens[0], body, **key) for _ in range(4)])
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({answer.content for answer in answers}) == 1
    assert sum(answer.headers.get("Idempotent-Replayed") == "true" for answer in answers) == 3
    assert versions(system, match_id) == [1, 2]


def test_the_same_request_id_with_another_body_is_refused(system: System) -> None:
    match_id, tokens = a_match(system, 2)
    action, version = program_of(system, match_id, tokens[0])
    other = {**action, "cards": action["cards"][::-1]}
    key = {"Idempotency-Key": f'"{uuid4()}"'}
    first = submit(system, match_id, tokens[0], {"action": action, "expected_version": version}, **key)
    second = submit(system, match_id, tokens[0], {"action": other, "expected_version": version}, **key)
    assert first.status_code == 200
    assert (second.status_code, second.json()["reason"]) == (422, "REQUEST_ID_REUSED")


def a_decision_with_choices(system: System) -> tuple[str, dict[str, Any]]:
    """Play until one seat alone has at least two legal actions; give the match and what it may do."""
    match_id, _ = a_match(system, 2)
    with system.client() as client:
        while True:
            to_act = client.get(f"/v1/matches/{match_id}").json()["to_act"]
            query = {"seat": to_act[0], "samples": 1}
            legal = client.get(f"/v1/matches/{match_id}/legal-actions", params=query).json()
            if len(to_act) == 1 and len(legal["actions"]) > 1:
                return match_id, legal
            body = {
                "action": legal["samples"][0],
                "seat": to_act[0],
                "expected_version": legal["version"],
            }
            assert client.post(f"/v1/matches/{match_id}/moves", json=body).status_code == 200


def test_two_moves_at_one_version_one_wins_and_the_other_learns_what_changed(system: System) -> None:
    match_id, legal = a_decision_with_choices(system)
    etag = {"If-Match": f'"v:{legal["version"]}"'}
    bodies = [{"action": action, "seat": legal["seat"]} for action in legal["actions"][:2]]
    answers = at_once(
        *[lambda body=body: submit(system, match_id, system.key, body, **etag) for body in bodies]
    )
    won, lost = sorted(answers, key=lambda answer: answer.status_code)
    assert (won.status_code, lost.status_code) == (200, 412)
    problem = lost.json()
    assert lost.headers["Content-Type"] == "application/problem+json"
    assert problem["reason"] == "VERSION_CONFLICT"
    assert problem["current_version"] == won.json()["version"]
    assert [move["version"] for move in problem["missed"]] == [won.json()["version"]]
    assert problem["missed"][0]["events"] == won.json()["events"]


def test_all_six_seats_submit_their_programs_at_once_and_all_succeed(system: System) -> None:
    match_id, tokens = a_match(system, 6)
    programs = {seat: program_of(system, match_id, token) for seat, token in tokens.items()}
    calls = [
        lambda token=token, offer=programs[seat]: submit(
            system, match_id, token, {"action": offer[0], "expected_version": offer[1]}
        )
        for seat, token in tokens.items()
    ]
    answers = at_once(*calls)
    assert [answer.status_code for answer in answers] == [200] * 6, [answer.text for answer in answers]
    assert sorted(answer.json()["version"] for answer in answers) == [2, 3, 4, 5, 6, 7]
    assert versions(system, match_id)[:7] == [1, 2, 3, 4, 5, 6, 7]
