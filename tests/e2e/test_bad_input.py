"""Bad input over a real socket: the right status, a stable code, the place, and never a 500."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import pytest

from tests.support.running_system import System

pytestmark = pytest.mark.slow

PROGRAM = {"type": "submit_program", "cards": ["move1", "stone1", "plank1", "move2", "stone2"]}
SIX_CARDS = {"type": "submit_program", "cards": [*PROGRAM["cards"], "jump"]}


@pytest.fixture(scope="module")
def match(system: System) -> Any:
    with system.client() as client:
        return client.post("/v1/matches", json={"game": "river_dragons", "seats": 3}).json()


@pytest.fixture(scope="module")
def moves(match: Any) -> str:
    return f"/v1/matches/{match['match']['match_id']}/moves"


def post(
    system: System, path: str, body: Any, credential: str | None = None, **headers: str
) -> httpx.Response:
    with system.client(credential) as client:
        if isinstance(body, bytes):
            return client.post(path, content=body, headers={"Content-Type": "application/json", **headers})
        return client.post(path, json=body, headers=headers)


def refused(answer: httpx.Response, status: int, reason: str) -> Any:
    assert (answer.status_code, answer.json().get("reason")) == (status, reason), answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert problem["type"].endswith(f"/problems/{reason}")
    return problem


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"{", id="cut off"),
        pytest.param(b"", id="empty"),
        pytest.param(b"\xff\xfe", id="not UTF-8"),
        pytest.param(b"[" * 50_000, id="nested deeply"),
        pytest.param(b'"move"', id="not an object"),
        pytest.param({"action": PROGRAM, "expected_version": 1, "sneaky": True}, id="unknown field"),
        pytest.param({"action": PROGRAM, "expected_version": "one"}, id="wrong type"),
        pytest.param({"expected_version": 1}, id="no action"),
    ],
)
def test_a_malformed_body(system: System, match: Any, moves: str, body: Any) -> None:
    token = match["seat_tokens"][0]["token"]
    problem = refused(post(system, moves, body, token), 400, "MALFORMED_REQUEST")
    assert problem["errors"]


@pytest.mark.parametrize(
    ("action", "pointer"),
    [
        pytest.param({"type": "fly"}, "", id="unknown action"),
        pytest.param({**PROGRAM, "speed": 9}, "", id="unknown field"),
        pytest.param({"type": "submit_program", "cards": "all"}, "cards", id="wrong type"),
        pytest.param({"type": "submit_program", "cards": ["move9"]}, "cards", id="unknown card"),
    ],
)
def test_a_malformed_action_is_told_with_its_place(
    system: System, match: Any, moves: str, action: Any, pointer: str
) -> None:
    body = {"action": action, "expected_version": 1}
    problem = refused(post(system, moves, body, match["seat_tokens"][0]["token"]), 400, "MALFORMED_MOVE")
    assert any(pointer in error["pointer"] for error in problem["errors"])


def two_dragons(system: System, match_id: str, token: str) -> Any:
    """A program with two dragons of the seat's own hand."""
    with system.client(token) as client:
        legal = client.get(f"/v1/matches/{match_id}/legal-actions").json()
    hand = legal["templates"][0]["cards"]
    dragons = [card for card in hand if card.startswith("dragon")]
    return {"type": "submit_program", "cards": [*dragons[:2], "stone1", "plank1", "move1"]}


@pytest.mark.parametrize("mistake", ["two dragons", "six cards"])
def test_a_program_against_the_rules_is_told_with_its_paragraph(
    system: System, match: Any, moves: str, mistake: str
) -> None:
    token = match["seat_tokens"][0]["token"]
    action = SIX_CARDS if mistake == "six cards" else two_dragons(system, match["match"]["match_id"], token)
    answer = post(system, moves, {"action": action, "expected_version": 1}, token)
    assert answer.status_code == 422, answer.text
    problem = answer.json()
    assert problem["rule"].startswith("5")
    assert problem["field"].startswith("cards")
    assert problem["current_version"] == 1
    assert problem["legal_actions"]["templates"]


def test_a_move_at_the_wrong_moment(system: System, match: Any, moves: str) -> None:
    body = {"action": {"type": "place_stone", "island": "I01"}, "expected_version": 1}
    answer = post(system, moves, body, match["seat_tokens"][0]["token"])
    refused(answer, 422, "WRONG_DECISION")


def test_a_move_without_a_version(system: System, match: Any, moves: str) -> None:
    answer = post(system, moves, {"action": PROGRAM}, match["seat_tokens"][0]["token"])
    refused(answer, 428, "VERSION_REQUIRED")


def test_a_seat_cannot_act_or_look_as_another(system: System, match: Any, moves: str) -> None:
    token = match["seat_tokens"][0]["token"]
    refused(
        post(system, moves, {"action": PROGRAM, "expected_version": 1, "seat": 1}, token),
        403,
        "SEAT_FORBIDDEN",
    )
    with system.client(token) as client:
        view = moves.replace("/moves", "/view")
        refused(client.get(view, params={"seat": 1}), 403, "SEAT_FORBIDDEN")
        refused(client.get(view, params={"audience": "referee"}), 403, "SEAT_FORBIDDEN")


def test_no_credential_a_wrong_one_and_somebody_elses(system: System, match: Any) -> None:
    path = f"/v1/matches/{match['match']['match_id']}/view"
    with httpx.Client(base_url=system.address, trust_env=False) as nobody:
        answer = nobody.get(path)
        refused(answer, 401, "TOKEN_MISSING")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    for credential in ("ft_dev_forged", match["seat_tokens"][0]["token"][:-4] + "AAAA"):
        with system.client(credential) as stranger:
            refused(stranger.get(path), 401, "TOKEN_INVALID")


def test_an_unknown_match_game_route_and_method(system: System, moves: str) -> None:
    with system.client() as client:
        refused(client.get(f"/v1/matches/{UUID(int=7)}"), 404, "MATCH_NOT_FOUND")
        refused(client.get("/v1/games/harbour"), 404, "GAME_NOT_FOUND")
        refused(client.get("/v1/harbours"), 404, "ROUTE_NOT_FOUND")
        refused(client.put(moves), 405, "METHOD_NOT_ALLOWED")
        refused(client.get(moves.replace("/moves", "/view"), params={"at": 99}), 404, "VERSION_NOT_FOUND")


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        pytest.param({"game": "harbour", "seats": 2}, 400, "GAME_UNKNOWN", id="unknown game"),
        pytest.param({"game": "river_dragons", "seats": 7}, 422, "SEAT_COUNT", id="seven players"),
        pytest.param(
            {"game": "river_dragons", "seats": 2, "options": {"variant": "lake"}},
            400,
            "MALFORMED_OPTIONS",
            id="unknown variant",
        ),
        pytest.param(
            {"game": "river_dragons", "seats": 2, "options": {"cheat": True}},
            400,
            "MALFORMED_OPTIONS",
            id="unknown option",
        ),
    ],
)
def test_a_match_that_cannot_be(system: System, body: Any, status: int, reason: str) -> None:
    refused(post(system, "/v1/matches", body), status, reason)


def test_a_body_too_large_and_of_the_wrong_kind(system: System, moves: str) -> None:
    refused(post(system, moves, b'"' + b"x" * 3_000_000 + b'"'), 413, "BODY_TOO_LARGE")
    refused(post(system, moves, b"a=b", **{"Content-Type": "text/plain"}), 415, "UNSUPPORTED_MEDIA_TYPE")


def test_none_of_it_was_our_fault(system: System) -> None:
    """Runs last in this file: no server wrote down an error of its own."""
    for name in ("gateway", "rules"):
        lines = system.log(name)
        assert lines
        assert [line for line in lines if line.get("level") in {"error", "critical"}] == []
        assert [line for line in lines if str(line.get("status", "")).startswith("5")] == []
