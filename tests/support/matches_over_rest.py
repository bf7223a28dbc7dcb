"""Matches that are made at a running system over REST."""

from __future__ import annotations

from tests.support.running_system import System


def play(system: System, game: str, moves: int) -> str:
    """Create a match of two and make moves; give its id."""
    with system.client() as client:
        created = client.post("/v1/matches", json={"game": game, "seats": 2})
        assert created.status_code == 201, created.text
        match_id: str = created.json()["match"]["match_id"]
        path = f"/v1/matches/{match_id}"
        for _ in range(moves):
            seat = client.get(path).json()["to_act"][0]
            legal = client.get(f"{path}/legal-actions", params={"seat": seat, "samples": 1}).json()
            body = {"seat": seat, "action": legal["samples"][0], "expected_version": legal["version"]}
            assert client.post(f"{path}/moves", json=body).status_code == 200
        return match_id
