"""Sessions with which a platform's own pages act for its players."""

from __future__ import annotations

from typing import Any, Literal

from foldtable_client import types
from foldtable_client.sending import Sender

Scope = Literal["read", "play", "join", "create"]


class Players:
    """The players of a tenant; for clients with the tenant's key."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def session(
        self, player: str, scopes: list[Scope] | None = None, *, hours: float | None = None
    ) -> types.PlayerSession:
        """Issue a session: a client with its `token` plays at all seats of the player.

        `scopes`: what it permits; None: everything. `hours`: how long it is valid; None: 24.
        """
        asked: types.CreatePlayerSessionRequest = {"player": player, "hours": hours}
        if scopes is not None:
            asked["scopes"] = list(scopes)
        return self._post("/v1/player-sessions", asked)

    def revoke(self, player: str | None = None) -> types.RevokedSessions:
        """End all sessions of a player, or of all players; those issued later are valid."""
        return self._post("/v1/player-sessions/revoke", {"player": player})

    def _post(self, path: str, body: Any) -> Any:
        """Post what has the same effect however often it arrives: a second session is as good as the first."""
        return self._sender.send("POST", path, body=body, repeatable=True).json()
