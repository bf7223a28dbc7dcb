"""The last event of a stream that ends though there is more to tell. None moves the client's last id."""

from __future__ import annotations

from gateway.schemas import events
from gateway.server_events import chunk, server_event


def drain(version: int | None) -> bytes:
    """This server closes, or cannot go on: come back with the last id."""
    return chunk(server_event("drain", events.DrainData(version=version)))


def lagged(version: int | None) -> bytes:
    """The client read too slowly: come back with the last id."""
    return chunk(server_event("lagged", events.LaggedData(version=version)))


def revoked(reason: str) -> bytes:
    """The credential is no longer good."""
    return chunk(server_event("revoked", events.RevokedData(reason=reason)))
