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
    """It goes by itself, soon. It is sealed, or a digest without a secret: nobody can read it, but whoever has the database can test a guess."""


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
    ("seat_requests", "request_id"): Fate.DELETED,
    ("matches", "request_id"): Fate.EMPTIED,
    ("vacations", "player"): Fate.DELETED,
    ("login_codes", "player"): Fate.DELETED,
    ("forks", "account"): Fate.DELETED,
    ("session_revocations", "player"): Fate.EXPIRES,
    ("stream_tickets", "sealed"): Fate.EXPIRES,
}
"""Values that are, or contain, the id, the name or the data of a player, or a digest of the id. Of request ids that are those of
sessions; the others are a platform's own texts: a match's goes with it, that of a seat after 30 days."""
WRITTEN_BY_PLATFORMS: Final[dict[tuple[str, str], str]] = {
    ("matches", "title"): "PATCH /v1/matches/{match_id}",
    ("match_notes", "reference"): "PATCH /v1/matches/{match_id}",
    ("match_notes", "metadata"): "PATCH /v1/matches/{match_id}",
    ("moves", "request_id"): "DELETE /v1/matches/{match_id}",
    ("seats", "bot"): "POST /v1/matches/{match_id}/seats/{seat}/bot",
    ("tenants", "id"): "the operator",
    ("api_keys", "label"): "DELETE /v1/keys/{key_id}",
    ("webhook_endpoints", "description"): "PATCH /v1/webhooks/endpoints/{endpoint_id}",
    ("webhook_endpoints", "url"): "PATCH /v1/webhooks/endpoints/{endpoint_id}",
}
"""Texts of a platform's own, in which it may have named somebody, and where it changes or deletes them. Those of request ids are
hashed into the log, so they go with their match only."""
NOTHING_PERSONAL: Final[dict[str, str]] = {
    "alembic_version": "version_num",
    "api_keys": "created_at expires_at hash id prefix replaces revoked_at scopes tenant",
    "clocks": "deadline_at left_us match_id remind_at resting seat spent time_outs",
    "deleted_matches": "deleted_at match_id tenant",
    "downtimes": "game rules_version since until",
    "events": (
        "endpoint_id id match_id number outcome proposal recorded_at result seat tenant to_act "
        "transaction type version"
    ),
    "forks": "made match_id",
    "heartbeats": "beat_at game rules_version",
    "login_codes": "expires_at generation hash lifetime scopes tenant",
    "match_notes": "changed match_id tenant",
    "matches": (
        "active_minute bot_pace_ms clock commitment created_at forked_from game id options original_id "
        "outcome paused_by rematch_of revocations rules_version seats seats_left_out seats_to_act secret "
        "start status tenant undo_rule undo_seconds updated_at version visibility watch_generation"
    ),
    "moves": "events hash match_id previous_hash recorded_at request seat seq",
    "proposals": "asked at_version expires_at kind match_id seat version",
    "recorded_events": "feed_types pruned_number pruned_transaction tenant types",
    "schema_support": "oldest_code",
    "seat_requests": "created_at match_id seat tenant",
    "seats": (
        "claimed_at erased generation invite_generation joined_by match_id match_open ready renamed seat "
        "state tenant"
    ),
    "session_revocations": "revocations tenant until",
    "snapshots": "match_id rules_version state state_hash version",
    "stream_tickets": "expires_at hash",
    "stuck_calls": "action digest distribution function game id lifted_at match_id recorded_at seat version",
    "tenants": "anonymous_read created_at vacation_days",
    "vacations": "by_tenant created_at id mark since tenant until",
    "webhook_deliveries": "attempts endpoint_id event lane state tries",
    "webhook_endpoints": (
        "created_at disabled_at disabled_reason failing_since id old_secret old_secret_until "
        "paused_until secret state tenant types"
    ),
    "webhook_lanes": "due_at endpoint_id lane lease",
}
"""The other columns: ids of matches, numbers, times, states, secrets and hashes, and what the rules and the server write. An action of a
game has no free text."""
