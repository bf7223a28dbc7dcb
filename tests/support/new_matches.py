"""A match as a log takes it before its first move: for tests of what is kept and told, not of rules."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from services.movelog.records import Match


def new_match(**given: Any) -> Match:
    """Return a match of an invented game; what is not given stands for anything."""
    secret = given.get("secret", secrets.token_bytes(32))
    now = datetime.now(UTC)
    unless_given = {
        "id": uuid4(),
        "tenant": "harbour-platform",
        "game": "harbour",
        "rules_version": "1.0.0",
        "seats": 4,
        "options": b'{"board":"base"}',
        "secret": secret,
        "commitment": hashlib.sha256(secret).digest(),
        "created_at": now,
        "updated_at": now,
    }
    return Match(**unless_given | given)
