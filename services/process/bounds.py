"""The bounds of what callers send. The gateway describes them and refuses early; the services decide."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

# ── texts, in code points ──────────────────────────────────────────────────────────────────────────

MAX_PLAYER: Final = 64
"""The platform's own id of a player."""
MAX_NAME: Final = 100
"""A player's name."""
MAX_TITLE: Final = 100
"""A match's title."""
MAX_REFERENCE: Final = 128
"""A platform's own reference of a match."""
MAX_METADATA_NAME: Final = 64
"""A name in a platform's metadata about a match."""
MAX_LABEL: Final = 100
"""The label of an API key, the description of a webhook endpoint."""
MAX_REQUEST_ID: Final = 64
MAX_BOT_NAME: Final = 32
MAX_URL: Final = 2_000
MAX_SEED: Final = 64
MAX_TOKEN: Final = 2_048
"""A signed token, or any other credential."""

# ── JSON ───────────────────────────────────────────────────────────────────────────────────────────

MAX_METADATA: Final = 4_096
"""Bytes of a platform's metadata about a match, without white space."""
MAX_METADATA_NAMES: Final = 64
"""Names in the metadata's outermost object."""
MAX_METADATA_LEVELS: Final = 8
"""Levels of objects and arrays in one another in metadata."""
MAX_METADATA_FILTERS: Final = 8
"""Names that a list of matches is filtered by."""

# ── numbers ────────────────────────────────────────────────────────────────────────────────────────

MAX_BATCH: Final = 500
"""New matches of one request."""
MAX_STATES: Final = 16
"""Determinizations of one request."""
MAX_SAMPLES: Final = 100
"""Legal actions drawn at random."""
MAX_AWAY_AFTER: Final = 10
"""Time-outs in a row after which a seat is away."""
MAX_VACATION_DAYS: Final = 31
"""Days of a month for which a player may announce vacations."""

# ── times ──────────────────────────────────────────────────────────────────────────────────────────

MAX_CLOCK: Final = timedelta(days=30)
"""A decision's time, or the budget."""
MAX_INCREMENT: Final = timedelta(days=1)
MAX_UNATTENDED: Final = timedelta(days=365)
"""How long a match goes on that all players have left."""
MAX_UNDO_TIMEOUT: Final = timedelta(days=30)
MAX_BOT_PACE: Final = timedelta(seconds=30)
MAX_TOKEN_LIFETIME: Final = timedelta(days=366)
"""An invite, or a watcher's token."""
MAX_SESSION_LIFETIME: Final = timedelta(days=30)
MAX_CODE_VALIDITY: Final = timedelta(hours=24)
"""A login code."""
MAX_KEY_GRACE: Final = timedelta(days=30)
"""How long a replaced API key goes on."""
MAX_SECRET_GRACE: Final = timedelta(days=7)
"""How long a replaced secret of a webhook endpoint goes on."""
MIN_VACATION: Final = timedelta(minutes=1)
MAX_VACATION: Final = timedelta(days=366)
"""How long a vacation lasts."""
MAX_VACATION_AHEAD: Final = timedelta(days=366)
"""How long before it begins a vacation is announced."""
MAX_WAIT: Final = timedelta(seconds=30)
"""How long a request may wait for an event or a move."""
