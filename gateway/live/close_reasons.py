"""The last event of a stream that ends before its match or feed does. None of them changes the client's last event id."""

from __future__ import annotations

from gateway.http.sse import chunk, server_event
from gateway.schemas import events


def drain(version: int | None) -> bytes:
    """Return the event for a server that stops or cannot go on. The client may reconnect with its last id."""
    return chunk(server_event("drain", events.DrainData(version=version)))


def lagged(version: int | None) -> bytes:
    """Return the event for a client that read too slowly. It may reconnect with its last id."""
    return chunk(server_event("lagged", events.LaggedData(version=version)))


def revoked(reason: str) -> bytes:
    """Return the event for a credential that is no longer valid."""
    return chunk(server_event("revoked", events.RevokedData(reason=reason)))
