"""Rows of the mapping table: what cannot be read."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problem_rows.row import row

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
        "`action` does not fit the game's action schema. `errors` points at the part that is wrong.",
    ),
    row(
        "MALFORMED_OPTIONS",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The options cannot be read",
        "`options` does not fit the game's options schema. `errors` points at the part that is wrong.",
    ),
    row(
        "MALFORMED_STATE",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The state cannot be read",
        "A state given to the pure rules service is not one of this game's.",
    ),
    row(
        "STATE_MISMATCH",
        StatusCode.INVALID_ARGUMENT,
        400,
        "State and hash differ",
        "A state given to the pure rules service does not have the hash given with it.",
    ),
    row(
        "PAGE_TOKEN_INVALID",
        StatusCode.INVALID_ARGUMENT,
        400,
        "The page token is not valid",
        "Page tokens belong to one listing with its arguments. Begin again without `page_token`.",
    ),
    row(
        "IMPORT_BROKEN",
        StatusCode.INVALID_ARGUMENT,
        422,
        "The export does not agree with itself",
        "Nothing was imported. `errors` points at the first place that is wrong; `metadata` names move and event, what "
        "should stand there and what does.",
    ),
    row(
        "GAME_UNKNOWN",
        StatusCode.INVALID_ARGUMENT,
        400,
        "No such game is served here",
        "`game` is not in the catalogue. `GET /v1/games` lists what can be played.",
    ),
    row(
        "BOT_UNKNOWN",
        StatusCode.INVALID_ARGUMENT,
        400,
        "No bot of this level plays here",
        "`level` is none of the game's `bot_levels`, which `metadata.levels` lists. A bot of your own is named by `bot`.",
    ),
    row(
        "VERSION_REQUIRED",
        StatusCode.INVALID_ARGUMENT,
        428,
        "Say which version you decided on",
        "A move needs the version of the match it was decided on: `If-Match` or `expected_version`.",
    ),
)
