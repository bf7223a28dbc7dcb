"""Rows of the mapping table: what does not exist."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problems.rows.row import row

ROWS: Final = (
    row(
        "MATCH_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such match",
        "The match does not exist, or belongs to another tenant; the response is the same in both cases.",
    ),
    row(
        "GAME_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such game",
        "The server does not serve this game, or no longer serves the game of this match, which stays in the log. "
        "`GET /v1/games` lists what can be played.",
    ),
    row(
        "NO_OPEN_MATCH",
        StatusCode.NOT_FOUND,
        404,
        "No open match fits this player",
        "Try again later, relax the conditions, or have a match created with `create_if_none`.",
    ),
    row(
        "VERSION_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "The match has no such version",
        "Versions run from 1, the start, to the match's `version`.",
    ),
    row(
        "PROBLEM_NOT_FOUND",
        None,
        404,
        "No such problem type",
        "`GET /problems` lists every reason this API uses.",
    ),
    row(
        "ROUTE_NOT_FOUND",
        None,
        404,
        "Nothing is served under this path",
        "`GET /openapi.json` lists every path. Paths do not end with a slash.",
    ),
)
