"""Which columns an audit can check, and why not the others. A new column must be put into one of the two."""

from __future__ import annotations

from typing import Final

COVERED: Final = {
    "matches": (
        *("id", "tenant", "game", "rules_version", "seats", "options", "secret", "commitment", "created_at"),
        *("status", "version", "seats_to_act", "outcome", "updated_at", "paused_by"),
        *("forked_from", "rematch_of", "visibility", "start", "undo_rule"),
    ),
    "moves": (
        *(
            "match_id",
            "seq",
            "seat",
            "request_id",
            "request",
            "events",
            "previous_hash",
            "hash",
            "recorded_at",
        ),
    ),
    "seats": ("match_id", "seat", "tenant", "match_open", "state", "joined_by"),
    "clocks": ("match_id", "seat", "left_us", "deadline_at", "spent", "time_outs", "resting"),
    "snapshots": ("match_id", "version", "rules_version", "state", "state_hash"),
    "events": (
        *("match_id", "tenant", "type", "version", "seat", "player", "to_act", "outcome", "recorded_at"),
        *("transaction", "number"),
    ),
}

_CHOSEN: Final = "was chosen when the match was made, and is in no row of its log"
_CHANGES: Final = "changes without a row of the log"
NOT_COVERED: Final = {
    ("matches", "active_minute"): "computed by Postgres from updated_at",
    ("matches", "bot_pace_ms"): _CHOSEN,
    ("matches", "clock"): _CHOSEN + "; a kind that is none is named",
    ("matches", "request_id"): _CHOSEN,
    ("matches", "revocations"): _CHANGES,
    ("matches", "seats_left_out"): _CHOSEN
    + "; it is only held against the numbers of seats the game is made for",
    ("matches", "title"): _CHOSEN,
    ("matches", "undo_seconds"): _CHOSEN,
    ("matches", "watch_generation"): _CHANGES,
    ("clocks", "remind_at"): "is empty once the reminder is sent, which no row of the log tells",
    (
        "matches",
        "original_id",
    ): "empty but in imports; held against the match's own id, and what is hashed with it",
    ("seats", "account"): "whose limits count, and in no row of the log",
    ("seats", "bot"): _CHANGES,
    ("seats", "claimed_at"): _CHANGES,
    ("seats", "data"): _CHANGES,
    ("seats", "generation"): _CHANGES,
    ("seats", "invite_generation"): _CHANGES,
    ("seats", "name"): "is hashed into exports of ended matches, and in no row of the log",
    ("seats", "player"): "is hashed into exports of ended matches, and in no row of the log",
    ("seats", "ready"): _CHANGES,
    ("seats", "renamed"): _CHANGES,
    ("seats", "replaced"): "is hashed into exports of ended matches, and in no row of the log",
    (
        "seats",
        "erased",
    ): "is hashed into exports of ended matches, and in no row of the log; who is erased is not named",
    ("seats", "salt"): "is hashed into exports of ended matches, and in no row of the log",
    ("events", "id"): "is made up for the event",
    ("events", "endpoint_id"): "tells of an endpoint that may be gone",
    ("events", "proposal"): "tells of a proposal, whose rows in the log are checked",
    ("events", "replaced"): "tells who had a seat before, which is in no row of the log",
    ("events", "result"): "tells how a proposal ended, which may be without a row of the log",
}

NOT_OF_MATCHES: Final = {
    "alembic_version": "the schema",
    "schema_support": "the schema",
    "api_keys": "accounts",
    "deleted_matches": "ids of matches that are gone, for thirty days",
    "heartbeats": "a second old at most",
    "downtimes": "the database's own time, which no row keeps; clocks are held against them",
    "match_notes": "what the tenant notes about a match, in no row of the log",
    "proposals": "open for days at most, and derived: a row counts only while the match is at the version that it names",
    "forks": "how often somebody has forked a match, for the bound on it",
    "session_revocations": "accounts",
    "login_codes": "a day old at most",
    "tenants": "accounts",
    "vacations": "who is away by announcement; when a vacation began and ended at a match, rows of its log say",
    "recorded_events": "accounts",
    "seat_requests": "repeated requests to join, for as long as they may be repeated",
    "stuck_calls": "what rules did not return from; the matches themselves are not changed by it",
    "stream_tickets": "a minute old at most",
    "webhook_endpoints": "accounts",
    "webhook_deliveries": "on their way; the events themselves are checked",
    "webhook_lanes": "on their way; the events themselves are checked",
}
