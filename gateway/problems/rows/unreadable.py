"""Rows of the mapping table: requests that cannot be read."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problems.rows.row import row

ROWS: Final = (
    row(
        "MALFORMED_REQUEST",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The request cannot be read",
        "A part of the request is missing, unknown, of the wrong type or out of bounds. `errors` names each part.",
    ),
    row(
        "MALFORMED_MOVE",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The action cannot be read",
        "`action` does not match the game's action schema. `errors` names the part that is wrong.",
    ),
    row(
        "MALFORMED_OPTIONS",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The options cannot be read",
        "`options` does not match the game's options schema. `errors` names the part that is wrong.",
    ),
    row(
        "MALFORMED_STATE",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The state cannot be read",
        "The state sent to the pure rules service is not a state of this game.",
    ),
    row(
        "STATE_MISMATCH",
        StatusCode.INVALID_ARGUMENT,
        400,
        "State and hash do not match",
        "The state sent to the pure rules service does not have the hash that was sent with it.",
    ),
    row(
        "PAGE_TOKEN_INVALID",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The page token is not valid",
        "A page token is valid for one listing with the same arguments only. Begin again without `page_token`.",
    ),
    row(
        "IMPORT_BROKEN",
        StatusCode.INVALID_ARGUMENT,
        422,
        "The export contradicts itself",
        "Nothing was imported. `errors` names the first place that is wrong; `metadata` names the move and event, the "
        "expected value and the value found.",
    ),
    row(
        "GAME_UNKNOWN",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The server has no such game",
        "`game` is not in the catalogue. `GET /v1/games` lists what can be played.",
    ),
    row(
        "BOT_UNKNOWN",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The game has no bot of this level",
        "`level` is not among the game's `bot_levels`, which `metadata.levels` lists. Use `bot` to name a bot of your own.",
    ),
    row(
        "VERSION_REQUIRED",
        StatusCode.INVALID_ARGUMENT,
        428,
        "The version is missing",
        "A move must name the version of the match that it is based on: `If-Match` or `expected_version`.",
    ),
)
