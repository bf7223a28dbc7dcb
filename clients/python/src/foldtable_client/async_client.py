"""The client for asyncio: one method per thing a platform, a player or a bot does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, Unpack

import httpx

from foldtable_client import types
from foldtable_client.following import Following, Kind
from foldtable_client.headers import known_tag
from foldtable_client.paths import match_path, segment
from foldtable_client.players import AsyncPlayers
from foldtable_client.problems import json_of
from foldtable_client.seen_views import Eyes, SeenViews
from foldtable_client.turns import ChooseAsync, play, wait_for_turn


class TaggedTable(NamedTuple):
    """A table with its entity tag, by which the API knows whether the caller has the newest one."""

    table: types.Table
    etag: str


class AsyncClient(Following):
    """The API with one credential: a tenant's key, a player's session, or a token of one match. For one event loop.

    Without a credential it reads what anybody may: the games, and the public matches of tenants that allow it.
    Every method may raise ProblemError (the API refused), Unreachable (no answer within `retry_for`), Closed (this client was
    closed meanwhile), and ValueError for an invalid id; then nothing was sent. A task that is cancelled in a call ends at
    once, with its connection. What iterates ends with its generator: `async with aclosing(client.follow(…)) as events`.
    `request_id`: one of your own, hard to guess, to ask again later: what has been carried out gets the first answer again.
    """

    @cached_property
    def _views(self) -> SeenViews:
        return SeenViews()

    @property
    def players(self) -> AsyncPlayers:
        """Sessions and login codes of a tenant's players, and revoking all that one has."""
        return AsyncPlayers(self._sender)

    # ── what can be played ─────────────────────────────────────────────────────────────────────────

    async def games(self) -> list[types.GameSummary]:
        """Return the catalogue."""
        return (await self.get("/v1/games"))["games"]

    async def game(self, game: str) -> types.GameDescription:
        """Describe a game: components, refusals, and the JSON Schemas of all its messages."""
        return await self.get(f"/v1/games/{segment(game)}")

    async def layout(self, game: str) -> types.Layout:
        """Return where the things of a game are: its boards and mats, their places, and how seats are marked."""
        return await self.get(f"/v1/games/{segment(game)}/layout")

    # ── matches ────────────────────────────────────────────────────────────────────────────────────

    async def create_match(self, **plan: Unpack[types.CreateMatchRequest]) -> types.CreatedMatch:
        """Create a match; the answer has a token for each seat that was handed out."""
        return await self.post("/v1/matches", plan, once=True)

    async def create_matches(self, **plan: Unpack[types.CreateMatchesRequest]) -> types.CreatedMatches:
        """Create up to 500 matches at once, as the tenant: `all` of them or none, or `each` by itself, and then the answer has
        `created` or `problem` for each.
        """
        return await self.post("/v1/matches/batch", plan, once=True)

    async def match(self, match_id: str) -> types.Match:
        """Return a match without its state."""
        return await self.get(match_path(match_id))

    def matches(self, /, **filters: str | int | bool) -> AsyncGenerator[types.Match]:
        """Return the tenant's matches, or with a session the player's; filters as in the lobby: `game`, `status`, `player`, `waiting_for`, …"""
        return self.pages("/v1/matches", "matches", **filters)

    async def join(self, match_id: str, **wish: Unpack[types.JoinRequest]) -> types.JoinedMatch:
        """Take a free seat; with an invite as the credential, or `invite` in a session, the invite's seat."""
        return await self.post(f"{match_path(match_id)}/join", wish, once=True)

    async def quick_join(self, **wish: Unpack[types.QuickJoinRequest]) -> types.JoinedMatch:
        """Take a seat at any public match that waits for players."""
        return await self.post("/v1/matches/quick-join", wish, once=True)

    async def leave(self, match_id: str, *, seat: int | None = None) -> types.Match:
        """Give up a seat before the start."""
        return await self.post(f"{match_path(match_id)}/leave", _seated({}, seat))

    async def update_seat(
        self, match_id: str, seat: int, **change: Unpack[types.UpdateSeatRequest]
    ) -> types.Match:
        """Change the name of who sits at a seat, or the data beside it; what is left out stays as it was."""
        return await self.patch(f"{match_path(match_id)}/seats/{segment(seat)}", change)

    async def replace_player(
        self, match_id: str, seat: int, **who: Unpack[types.ReplacePlayerRequest]
    ) -> types.JoinedMatch:
        """Give a seat of a running match to another player, as the tenant; the answer has the new player's token.

        With `consent="table"` the others must have agreed (`ask_to_replace`).
        """
        return await self.post(f"{match_path(match_id)}/seats/{segment(seat)}/replace", who, once=True)

    async def ask_to_replace(
        self, match_id: str, seat: int, *, request_id: str | None = None
    ) -> types.MoveAnswer:
        """Ask the others whether another player may have a seat, as the tenant or as the seat itself."""
        path = f"{match_path(match_id)}/seats/{segment(seat)}/replace/ask"
        return await self.post(path, _seated({}, None, request_id), once=True)

    async def answer_replacement(
        self,
        match_id: str,
        *,
        accept: bool,
        version: int,
        seat: int | None = None,
        request_id: str | None = None,
    ) -> types.MoveAnswer:
        """Accept or refuse another player for a seat."""
        body = _seated({"accept": accept}, seat, request_id)
        return await self.post(f"{match_path(match_id)}/replace/answer", body, version=version, once=True)

    async def start(self, match_id: str) -> types.Match:
        """Begin a match that starts on demand."""
        return await self.post(f"{match_path(match_id)}/start")

    async def rematch(self, match_id: str) -> types.FollowingMatch:
        """Play again: the match that follows, the same for everybody who asks."""
        return await self.post(f"{match_path(match_id)}/rematch")

    async def fork(self, match_id: str, **plan: Unpack[types.ForkRequest]) -> types.CreatedMatch:
        """Begin a new match from a state of this one; what its maker could not know is dealt again."""
        return await self.post(f"{match_path(match_id)}/fork", plan, once=True)

    # ── vacations ──────────────────────────────────────────────────────────────────────────────────

    async def announce_vacation(self, **vacation: Unpack[types.AnnounceVacationRequest]) -> types.Vacation:
        """Announce that a player is away: `until` when, and `since` when, if not now. A tenant names the `player`."""
        return await self.post("/v1/vacations", vacation, once=True)

    def vacations(self, /, **filters: str | int | bool) -> AsyncGenerator[types.Vacation]:
        """Return the vacations that are not over, of the tenant's players or the session's; filters: `player`, `include_ended`."""
        return self.pages("/v1/vacations", "vacations", **filters)

    async def cancel_vacation(self, vacation_id: str) -> types.Vacation | None:
        """Cancel a vacation. Return it as it is now, over; None if it had not begun.

        It is not sent again after an answer was lost: the vacation may be cancelled.
        """
        path = f"/v1/vacations/{segment(vacation_id)}"
        cancelled: types.CancelledVacation = json_of(
            await self._sender.send("DELETE", path, repeatable=False)
        )
        return cancelled["vacation"]

    # ── playing ────────────────────────────────────────────────────────────────────────────────────

    async def legal_actions(
        self,
        match_id: str,
        *,
        seat: int | None = None,
        samples: int = 0,
        hints: bool | None = None,
        lang: str | None = None,
    ) -> types.LegalActionsAnswer:
        """Return everything a seat may do now; `samples`: how many legal actions to draw at random.

        `hints`: whether also how each action is presented to a person; a table always has that.
        """
        return await self.get(
            f"{match_path(match_id)}/legal-actions", seat=seat, samples=samples, hints=hints, lang=lang
        )

    async def move(
        self,
        match_id: str,
        action: types.Action,
        *,
        version: int,
        seat: int | None = None,
        include_table: bool = False,
        lang: str | None = None,
        request_id: str | None = None,
    ) -> types.MoveAnswer:
        """Make a move that was decided on a version. It is made once, even if it is sent several times.

        `include_table`: the answer has the `table` as the seat sees it then, or null if it could not be read.
        Raises VersionConflict if the match has moved on, RefusedByTheRules (`reason`, `rule`, `legal_actions`) if it is illegal.
        """
        return await self.post(
            f"{match_path(match_id)}/moves",
            _seated({"action": action}, seat, request_id),
            version=version,
            once=True,
            include="table" if include_table else None,
            lang=lang,
        )

    async def wait_for_turn(
        self, match_id: str, seat: int | None = None, *, lang: str | None = None, since: int | None = None
    ) -> types.Table:
        """Wait until a seat must decide something, or the match is over; return the table.

        `choices(table)` are what the seat may do; none once the match is over. The table's `version` is the one to decide on.
        No turn is lost, whatever happens between this call and others.
        `since`: a version at which the seat has nothing to decide, if one is known; it saves a request.
        Raises ValueError if no seat is named and the credential is no seat's own.
        """
        poll_seconds = self._sender.poll_seconds
        return await wait_for_turn(
            self, match_id, seat=seat, lang=lang, since=since, poll_seconds=poll_seconds
        )

    async def play(
        self, match_id: str, choose: ChooseAsync, *, seat: int | None = None, lang: str | None = None
    ) -> types.Table:
        """Play a seat to the end of the match: `choose` is given the table and returns the action to make. Return the last table.

        `choose` may be a coroutine function; one that is not, and thinks for long, keeps the event loop from anything else.

        A move that came too late, because somebody or the clock was faster, is decided again on the newest table.
        Raises RefusedByTheRules or another ProblemError if a move was refused for any other reason, ValueError as
        `wait_for_turn` does.
        """
        return await play(self, self._sender, match_id, choose, seat=seat, lang=lang)

    async def poll(
        self, match_id: str, *, after: int, seconds: int
    ) -> Literal["ended", "running", "waiting"]:
        """Wait until the match has moved on after a version, for so many seconds at most; return its status."""
        path = f"{match_path(match_id)}/moves"
        return (await self.get(path, after=after, wait=f"{seconds}s", page_size=1))["status"]

    async def rehearse(
        self, match_id: str, action: types.Action, *, version: int, seat: int | None = None
    ) -> types.MoveRehearsed:
        """Have a move judged without making it; refused exactly as the move would be."""
        body = _seated({"action": action}, seat)
        return await self.post(
            f"{match_path(match_id)}/moves", body, version=version, once=True, dry_run=True
        )

    async def resign(
        self, match_id: str, *, seat: int | None = None, request_id: str | None = None
    ) -> types.MoveAnswer:
        """Leave for good, whoever's turn it is."""
        return await self.post(f"{match_path(match_id)}/resign", _seated({}, seat, request_id), once=True)

    async def abort(
        self, match_id: str, *, seat: int | None = None, request_id: str | None = None
    ) -> types.MoveAnswer:
        """Call the match off, as the tenant; or as a seat ask the others to agree."""
        return await self.post(f"{match_path(match_id)}/abort", _seated({}, seat, request_id), once=True)

    async def answer_abort(
        self,
        match_id: str,
        *,
        accept: bool,
        version: int,
        seat: int | None = None,
        request_id: str | None = None,
    ) -> types.MoveAnswer:
        """Accept or refuse a proposal to call the match off."""
        body = _seated({"accept": accept}, seat, request_id)
        return await self.post(f"{match_path(match_id)}/abort/answer", body, version=version, once=True)

    async def pause(
        self, match_id: str, *, seat: int | None = None, request_id: str | None = None
    ) -> types.MoveAnswer:
        """Pause the match, as the tenant; or as a seat ask the others to agree."""
        return await self.post(f"{match_path(match_id)}/pause", _seated({}, seat, request_id), once=True)

    async def answer_pause(
        self,
        match_id: str,
        *,
        accept: bool,
        version: int,
        seat: int | None = None,
        request_id: str | None = None,
    ) -> types.MoveAnswer:
        """Accept or refuse a proposal to pause the match."""
        body = _seated({"accept": accept}, seat, request_id)
        return await self.post(f"{match_path(match_id)}/pause/answer", body, version=version, once=True)

    async def resume(
        self, match_id: str, *, seat: int | None = None, request_id: str | None = None
    ) -> types.MoveAnswer:
        """End a pause: as the tenant any, as a seat one that the seats agreed on."""
        return await self.post(f"{match_path(match_id)}/resume", _seated({}, seat, request_id), once=True)

    async def add_time(
        self,
        match_id: str,
        seats: Sequence[int],
        seconds: int,
        *,
        seat: int | None = None,
        request_id: str | None = None,
    ) -> types.MoveAnswer:
        """Give each of the seats that much more time: as the tenant any seats, as a seat only others."""
        body = _seated({"seats": list(seats), "seconds": seconds}, seat, request_id)
        return await self.post(f"{match_path(match_id)}/add-time", body, once=True)

    async def undo_state(self, match_id: str, *, seat: int | None = None) -> types.UndoState:
        """Return what a seat may take back, why not further, and who is asked."""
        return await self.get(f"{match_path(match_id)}/undo", seat=seat)

    async def undo(
        self,
        match_id: str,
        to: int,
        *,
        version: int,
        seat: int | None = None,
        request_id: str | None = None,
    ) -> types.MoveAnswer:
        """Go back to the state after move `to`, or ask the others to agree."""
        body = _seated({"to": to}, seat, request_id)
        return await self.post(f"{match_path(match_id)}/undo", body, version=version, once=True)

    async def answer_undo(
        self,
        match_id: str,
        *,
        accept: bool,
        version: int,
        seat: int | None = None,
        request_id: str | None = None,
    ) -> types.MoveAnswer:
        """Accept or refuse a proposal to take moves back."""
        body = _seated({"accept": accept}, seat, request_id)
        return await self.post(f"{match_path(match_id)}/undo/answer", body, version=version, once=True)

    async def redo(
        self, match_id: str, *, version: int, seat: int | None = None, request_id: str | None = None
    ) -> types.MoveAnswer:
        """Put back what was taken back last."""
        body = _seated({}, seat, request_id)
        return await self.post(f"{match_path(match_id)}/redo", body, version=version, once=True)

    # ── looking ────────────────────────────────────────────────────────────────────────────────────

    async def newer_table(
        self,
        match_id: str,
        etag: str = "",
        *,
        seat: int | None = None,
        audience: Kind | None = None,
        lang: str | None = None,
    ) -> TaggedTable | None:
        """Return the table with its entity tag; None if it still has the tag given, and then no table is transferred.

        The tag changes with the version, and with the seats, which change without one.
        """
        answer = await self._sender.send(
            "GET",
            f"{match_path(match_id)}/table",
            params={"seat": seat, "audience": audience, "lang": lang},
            headers=known_tag(etag),
            repeatable=True,
        )
        if answer.status_code == httpx.codes.NOT_MODIFIED:
            return None
        return TaggedTable(json_of(answer), answer.headers.get("etag", ""))

    async def view(
        self, match_id: str, *, seat: int | None = None, audience: Kind | None = None, at: int | None = None
    ) -> types.ViewAnswer:
        """Return the view now, or after move `at`."""
        return await self.get(f"{match_path(match_id)}/view", seat=seat, audience=audience, at=at)

    async def newer_view(
        self, match_id: str, version: int, *, seat: int | None = None, audience: Kind | None = None
    ) -> types.ViewAnswer | None:
        """Return the view if it has changed since `version`; else None.

        No view is transferred if this client got that version by this method.
        """
        eyes = Eyes(match_id, seat, audience)
        answer = await self._sender.send(
            "GET",
            f"{match_path(match_id)}/view",
            params={"seat": seat, "audience": audience},
            headers=known_tag(self._views.tag_of(eyes, version)),
            repeatable=True,
        )
        if answer.status_code == httpx.codes.NOT_MODIFIED:
            return None
        view: types.ViewAnswer = json_of(answer)
        self._views.remember(eyes, view["version"], answer.headers.get("etag", ""))
        return None if view["version"] == version else view

    def moves(
        self, match_id: str, *, after: int = 0, seat: int | None = None, audience: Kind | None = None
    ) -> AsyncGenerator[types.Move]:
        """Return the log after a version, oldest first, as an audience may see it."""
        return self.pages(f"{match_path(match_id)}/moves", "moves", after=after, seat=seat, audience=audience)

    async def export(self, match_id: str, *, seat: int | None = None, audience: Kind | None = None) -> Any:
        """Return the whole match as one document, to be checked with `foldtable verify`."""
        return await self.get(f"{match_path(match_id)}/export", seat=seat, audience=audience)

    async def delete(self, match_id: str) -> None:
        """Delete a match with everything that belongs to it, as the tenant. It cannot be undone; repeating it does no harm."""
        await self._sender.send("DELETE", match_path(match_id), repeatable=True)

    async def verify(self, match_id: str) -> types.Verification:
        """Have the server check hashes, draws and decisions of a match."""
        return await self.get(f"{match_path(match_id)}/verify")


def _seated(body: dict[str, Any], seat: int | None, request_id: str | None = None) -> dict[str, Any]:
    """Name the acting seat, which a seat token may leave out, and the request, which is random otherwise."""
    named = {"seat": seat, "request_id": request_id}
    return body | {name: value for name, value in named.items() if value is not None}
