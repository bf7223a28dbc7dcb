"""Every column in which something of a player stands, and what happens to it when the player is erased.

A column of the database is in one of the two tables here, or is of a table in NOTHING_PERSONAL; a test fails for a new one
that is not. What is not in the database is in docs/trust/personal-data.md.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Fate(StrEnum):
    """What erasing a player does to a value."""

    EMPTIED = "emptied"
    """The row stays, since others need it; the value goes."""
    DELETED = "deleted"
    """The row goes."""
    PLATFORM = "platform"
    """The platform wrote it, about the match or about itself, and may have written a name into it: it changes it with the API."""
    EXPIRES = "expires"
    """It is a digest or sealed, leads back to nobody, and goes by itself."""


OF_PLAYERS: Final[dict[tuple[str, str], Fate]] = {
    ("seats", "player"): Fate.EMPTIED,
    ("seats", "name"): Fate.EMPTIED,
    ("seats", "data"): Fate.EMPTIED,
    ("seats", "account"): Fate.EMPTIED,
    ("seats", "salt"): Fate.EMPTIED,
    ("seats", "replaced"): Fate.EMPTIED,
    ("events", "player"): Fate.EMPTIED,
    ("events", "replaced"): Fate.EMPTIED,
    ("seat_requests", "mark"): Fate.EMPTIED,
    ("vacations", "player"): Fate.DELETED,
    ("login_codes", "player"): Fate.DELETED,
    ("forks", "account"): Fate.DELETED,
    ("session_revocations", "player"): Fate.EXPIRES,
    ("stream_tickets", "sealed"): Fate.EXPIRES,
}
"""Values that are, or contain, the id, the name or the data of a player."""
WRITTEN_BY_PLATFORMS: Final[dict[tuple[str, str], str]] = {
    ("matches", "title"): "PATCH /v1/matches/{match_id}",
    ("match_notes", "reference"): "PATCH /v1/matches/{match_id}",
    ("match_notes", "metadata"): "PATCH /v1/matches/{match_id}",
    ("matches", "request_id"): "DELETE /v1/matches/{match_id}",
    ("moves", "request_id"): "DELETE /v1/matches/{match_id}",
    ("seat_requests", "request_id"): "gone after 30 days",
    ("seats", "bot"): "POST /v1/matches/{match_id}/seats/{seat}/bot",
    ("tenants", "id"): "the operator",
    ("api_keys", "label"): "DELETE /v1/keys/{key_id}",
    ("webhook_endpoints", "description"): "PATCH /v1/webhooks/endpoints/{endpoint_id}",
    ("webhook_endpoints", "url"): "PATCH /v1/webhooks/endpoints/{endpoint_id}",
}
"""Texts of a platform's own, in which it may have named somebody, and where it changes or deletes them. Those of request ids are
hashed into the log, so they go with their match only."""
