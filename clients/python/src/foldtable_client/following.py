"""Following matches live, their events or the newest table after each change; and replaying them from the start."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Literal

from foldtable_client import types
from foldtable_client.any_route import AnyRoute
from foldtable_client.match_events import (
    FeedEvent,
    MatchEnded,
    StreamEvent,
    TablePatched,
    TableShown,
    match_events,
)
from foldtable_client.patches import patched
from foldtable_client.paths import listed, match_path
from foldtable_client.replaying import ReplayedVersion, replayed
from foldtable_client.streams import follow

Kind = Literal["seat", "public", "referee"]


class Following(AnyRoute):
    """The part of the client that follows and replays matches. Every stream continues after an interruption, without gaps."""

    async def table(
        self,
        match_id: str,
        *,
        seat: int | None = None,
        audience: Kind | None = None,
        lang: str | None = None,
    ) -> types.Table:
        """Return all that a page draws: match, view, pieces, legal actions with hints, undo and clocks, at one version.

        `lang`: the language of the texts, or `keys`; None: no texts.
        """
        return await self.get(f"{match_path(match_id)}/table", seat=seat, audience=audience, lang=lang)

    def follow(
        self,
        match_id: str,
        *,
        after_version: int | None = None,
        seat: int | None = None,
        audience: Kind | None = None,
        lang: str | None = None,
        include_table: bool = False,
    ) -> AsyncGenerator[StreamEvent]:
        """Follow a match to its end: a snapshot (unless `after_version` is given), then every move, without gaps.

        `include_table`: with TableShown in place of snapshots, and TablePatched after each change.
        """
        asked = {
            "after_version": after_version,
            "seat": seat,
            "audience": audience,
            "lang": lang,
            "include": _included(include_table),
        }
        return match_events(self._sender, f"{match_path(match_id)}/stream", [match_id], asked)

    def follow_matches(
        self, match_ids: Sequence[str], *, lang: str | None = None, include_table: bool = False
    ) -> AsyncGenerator[StreamEvent]:
        """Follow up to 32 matches over one connection, each as the credential's own seat, or as the public, until all have ended.

        Each event has its `match_id`. After AccessRevoked, the others are followed.
        """
        asked = {"matches": listed(match_ids), "lang": lang, "include": _included(include_table)}
        return match_events(self._sender, "/v1/stream", match_ids, asked)

    def follow_table(
        self,
        match_id: str,
        *,
        seat: int | None = None,
        audience: Kind | None = None,
        lang: str | None = None,
    ) -> AsyncGenerator[types.Table]:
        """Yield the newest table now and after each change, until the match is over; the last one has its outcome."""
        events = self.follow(match_id, seat=seat, audience=audience, lang=lang, include_table=True)
        read = partial(self.table, seat=seat, audience=audience, lang=lang)
        return _newest_tables(events, read)

    def follow_tables(
        self, match_ids: Sequence[str], *, lang: str | None = None
    ) -> AsyncGenerator[types.Table]:
        """Yield the newest table of each of several matches now and after each change, until all are over."""
        events = self.follow_matches(match_ids, lang=lang, include_table=True)
        return _newest_tables(events, partial(self.table, lang=lang))

    def replay(
        self,
        match_id: str,
        *,
        seat: int | None = None,
        audience: Kind | None = None,
        lang: str | None = None,
        first: int | None = None,
        last: int | None = None,
    ) -> AsyncGenerator[ReplayedVersion]:
        """Yield every version with its move and what a page draws of it, as it arrives: all of them, or `first` to `last`.

        `lang`: with texts of events and decisions. A table is never changed afterwards, and shares what has not changed with
        the one before, so that all of them can be kept.
        """
        asked = {"what": "tables", "seat": seat, "audience": audience, "lang": lang}
        return replayed(self._sender, f"{match_path(match_id)}/replay", {**asked, "from": first, "to": last})

    async def feed(self, player: str | None = None) -> AsyncGenerator[FeedEvent]:
        """Follow all matches of a player, or of the tenant; with a session those of its player. It has no end."""
        async with aclosing(follow(self._sender, "/v1/feed", {"player": player})) as events:
            async for event in events:
                if event.kind in {"snapshot", "match.updated"}:
                    yield FeedEvent(event.kind, json.loads(event.data))


async def _newest_tables(
    events: AsyncGenerator[StreamEvent], read: Callable[[str], Awaitable[types.Table]]
) -> AsyncGenerator[types.Table]:
    """Yield the newest table of each match after each change; `read` reads the last one where the stream does not bring it.

    A stream that was cut between the last move and the table is not opened again: the server only says 204.
    """
    known: dict[str, types.Table] = {}
    async with aclosing(events):
        async for event in events:
            match event:
                case TableShown():
                    table = event.table
                case TablePatched():
                    table = patched(known[event.match_id], event.patch)
                case MatchEnded():
                    last = known.pop(event.match_id, None)
                    if last is None or last["match"]["status"] != "ended":
                        yield await read(event.match_id)
                    continue
                case _:
                    continue
            if table != known.get(event.match_id):  # after an interruption, it is sent again
                known[event.match_id] = table
                yield table


def _included(table: bool) -> str | None:
    return "table" if table else None
