"""npm boardgame.io: its `LobbyClient`, unmodified, takes a match from an empty table to the next one."""

from __future__ import annotations

import pytest

from engine.registry import GAMES
from tests.support.node import printed_by
from tests.support.several_of_each import Several


@pytest.mark.parametrize("game", GAMES)
def test_the_lobby_client_runs_the_whole_life_of_a_match(stack: Several, game: str) -> None:
    told = printed_by("boardgame_io_lobby.mjs", GATEWAY=stack.urls[0], KEY=stack.key, GAME=game)
    assert told["refusals"] == {
        "taken": "HTTP status 409: SEAT_TAKEN",
        "notHis": "HTTP status 403: SEAT_FORBIDDEN",
        "noKey": "HTTP status 401: TOKEN_MISSING",
        "unknown": "HTTP status 404: MATCH_NOT_FOUND",
        "noGame": "HTTP status 404: GAME_NOT_FOUND",
        "nothing": "HTTP status 400: MALFORMED_REQUEST",
        "longName": "HTTP status 400: MALFORMED_REQUEST",
        "muchData": "HTTP status 400: MALFORMED_REQUEST",
    }
    with stack.client(stack.key) as client:
        match = client.get(f"/v1/matches/{told['matchID']}").json()
        assert (match["status"], match["visibility"]) == ("ended", "public")
        following = client.get(f"/v1/matches/{told['nextMatchID']}").json()
        assert [seat["name"] for seat in following["seats"]] == ["Ada", ""]
