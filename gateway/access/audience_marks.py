"""The mark in the entity tag of a response that differs by credential: whom it is for.

A cache that holds what one seat sees, and is asked for the same URL with the token of another seat, asks the gateway with
the tag that it has. Without a mark that tag would name the version alone, the answer would be 304, and the cache would show
one player the hand of another. A browser's cache does this even if the response has `Vary: Authorization`.

The mark is a digest of the caller and of the form of the response: nothing of the match's state goes into it, and nobody can
compute a credential from it. Every gateway makes the same one.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from foldtable.rules.v1.table_pb2 import Audience
from gateway.access.auth import Caller

MARK_BYTES: Final = 6
_PURPOSE: Final = b"foldtable.mark"


def audience_mark(caller: Caller, resource: str, *form: object) -> str:
    """Return the mark of what a caller gets; `form`: what else tells one response of the resource from another."""
    named = "\0".join(map(str, (resource, *form, *caller.identity)))
    return blake2b(named.encode(), digest_size=MARK_BYTES, person=_PURPOSE).hexdigest()


def of_audience(audience: Audience) -> tuple[int, int | None]:
    """Return an audience as a part of the form of a response."""
    return audience.kind, audience.seat if audience.HasField("seat") else None
