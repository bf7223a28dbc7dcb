"""Matches for schemathesis to ask about: of every game, waiting, under way, with something to agree to, with a bot, over."""

from __future__ import annotations

from typing import Any, Final

import httpx

MOVES: Final = 4
"""Played before somebody is asked anything."""


def matches_to_ask_about(client: httpx.Client) -> list[str]:
    """Play them with a tenant's key; give their ids."""
    games = [game["game"] for game in client.get("/v1/games").raise_for_status().json()["games"]]
    makers = (
        _waiting,
        _under_way,
        _undo_proposed,
        _abort_proposed,
        _pause_proposed,
        _replacement_proposed,
        _paused,
        _with_a_bot,
        _over,
    )
    return [make(client, game) for game in games for make in makers]


def _create(client: httpx.Client, game: str, **more: Any) -> str:
    body = {"game": game, "seats": 2, "players": ["ada", "bob"], "visibility": "public", **more}
    match_id: str = client.post("/v1/matches", json=body).raise_for_status().json()["match"]["match_id"]
    return match_id


def _waiting(client: httpx.Client, game: str) -> str:
    seating = [{"kind": "closed", "player": "ada"}, {"kind": "open"}]
    return _create(client, game, players=[], seating=seating, start="on_demand")


def _under_way(client: httpx.Client, game: str) -> str:
    match_id = _create(client, game)
    for _ in range(MOVES):
        _move(client, match_id)
    return match_id


def _undo_proposed(client: httpx.Client, game: str) -> str:
    match_id = _under_way(client, game)
    body = {"to": 1, "expected_version": _version(client, match_id), "seat": 0}
    client.post(f"/v1/matches/{match_id}/undo", json=body).raise_for_status()
    return match_id


def _abort_proposed(client: httpx.Client, game: str) -> str:
    match_id = _under_way(client, game)
    client.post(f"/v1/matches/{match_id}/abort", json={"seat": 0}).raise_for_status()
    return match_id


def _pause_proposed(client: httpx.Client, game: str) -> str:
    match_id = _under_way(client, game)
    client.post(f"/v1/matches/{match_id}/pause", json={"seat": 0}).raise_for_status()
    return match_id


def _replacement_proposed(client: httpx.Client, game: str) -> str:
    match_id = _under_way(client, game)
    client.post(f"/v1/matches/{match_id}/seats/0/replace/ask").raise_for_status()
    return match_id


def _paused(client: httpx.Client, game: str) -> str:
    match_id = _under_way(client, game)
    client.post(f"/v1/matches/{match_id}/pause").raise_for_status()
    return match_id


def _with_a_bot(client: httpx.Client, game: str) -> str:
    match_id = _under_way(client, game)
    client.post(f"/v1/matches/{match_id}/seats/1/bot", json={"bot": "thinker"}).raise_for_status()
    return match_id


def _over(client: httpx.Client, game: str) -> str:
    match_id = _under_way(client, game)
    client.post(f"/v1/matches/{match_id}/resign", json={"seat": 0}).raise_for_status()
    return match_id


def _move(client: httpx.Client, match_id: str) -> None:
    seat = client.get(f"/v1/matches/{match_id}").raise_for_status().json()["to_act"][0]
    question = {"seat": seat, "samples": 1}
    legal = client.get(f"/v1/matches/{match_id}/legal-actions", params=question).raise_for_status().json()
    body = {"action": legal["samples"][0], "expected_version": legal["version"], "seat": seat}
    client.post(f"/v1/matches/{match_id}/moves", json=body).raise_for_status()


def _version(client: httpx.Client, match_id: str) -> int:
    version: int = client.get(f"/v1/matches/{match_id}").raise_for_status().json()["version"]
    return version
