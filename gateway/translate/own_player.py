"""Whose feed a session may have: that of its own player."""

from __future__ import annotations

from gateway.access.auth import SessionClaims
from gateway.problems.document import malformed


def own_feed(session: SessionClaims, player: str, **at: str) -> str:
    """Return the player of a session. Raises ProblemError MALFORMED_REQUEST if the request names another one.

    `at` says where it does, as the arguments of `malformed`.
    """
    if player not in {"", session.sub}:
        raise malformed("a session is for its own player; leave this out", code="CONTRADICTION", **at)
    return session.sub
