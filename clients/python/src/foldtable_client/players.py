"""Sessions with which a platform's own pages act for its players, and codes for links that sign them in."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any, Literal

from foldtable_client import types
from foldtable_client.problems import json_of
from foldtable_client.sending import Sender

Scope = Literal["read", "play", "join", "create"]


class AsyncPlayers:
    """The players of a tenant; for clients with the tenant's key. Only `redeem` needs none."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    async def session(
        self, player: str, scopes: list[Scope] | None = None, *, hours: float | None = None
    ) -> types.PlayerSession:
        """Issue a session: a client with its `token` plays at all seats of the player.

        `scopes`: what it permits; None: everything. `hours`: how long it is valid; None: 24.
        """
        asked: types.CreatePlayerSessionRequest = {"player": player, "hours": hours}
        if scopes is not None:
            asked["scopes"] = list(scopes)
        return await self._post("/v1/player-sessions", asked)

    async def login_code(
        self,
        player: str,
        scopes: list[Scope] | None = None,
        *,
        hours: float | None = None,
        valid_seconds: int | None = None,
    ) -> types.LoginCode:
        """Make a code for a link: whoever opens it redeems the `code`, once, for a session of the player.

        `hours`: how long that session is valid; None: 24. `valid_seconds`: how long the code is; None: 600.
        """
        asked: types.CreateLoginCodeRequest = {
            "player": player,
            "hours": hours,
            "valid_seconds": valid_seconds,
        }
        if scopes is not None:
            asked["scopes"] = list(scopes)
        return await self._post("/v1/login-codes", asked)

    async def redeem(self, code: str) -> types.PlayerSession:
        """Exchange a login code for the session; this works once. No credential is needed.

        It is not sent again after an answer was lost: the code may be used up.
        """
        return json_of(
            await self._sender.send("POST", "/v1/login-codes/redeem", body={"code": code}, repeatable=False)
        )

    async def revoke(self, player: str | None = None) -> types.RevokedSessions:
        """End all sessions of a player, or of all players, and their login codes; those issued later are valid."""
        return await self._post("/v1/player-sessions/revoke", {"player": player})

    async def revoke_everything(self, player: str, page_token: str = "") -> types.RevokedPlayer:
        """End all sessions and login codes of a player, and the tokens of all the player's seats and invites to them.

        What is issued later is valid. A player of thousands of matches takes several calls: pass the `next_page_token` of each
        to the next, until it is empty.
        """
        return await self._post("/v1/players/revoke", {"player": player, "page_token": page_token})

    async def erase(self, player: str) -> types.ErasedPlayer:
        """Erase everything that is kept of a player: whoever reads the matches finds nobody in the player's place.

        A player of hundreds of matches takes several calls: repeat it until the answer says `done`.
        """
        return await self._post("/v1/players/erase", {"player": player})

    async def kept(self, player: str) -> AsyncGenerator[types.PlayerRecord]:
        """Yield everything that is kept of a player, record by record; what it did in a match, the export of the match has."""
        answer = await self._sender.send(
            "GET", "/v1/players/export", params={"player": player}, repeatable=True
        )
        for line in answer.content.split(b"\n")[
            :-1
        ]:  # not `splitlines`: a name may have what Unicode calls the end of a line
            yield json.loads(line)

    async def _post(self, path: str, body: Any) -> Any:
        """Post what has the same effect however often it arrives: a second session or code is as good as the first."""
        return json_of(await self._sender.send("POST", path, body=body, repeatable=True))
