"""The client: one method per thing a platform, a player or a bot does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Literal, Self, Unpack
from uuid import uuid4

import httpx

from foldtable_client import types
from foldtable_client.headers import idempotency_key
from foldtable_client.paths import match_path, segment
from foldtable_client.sending import Sender
from foldtable_client.streams import FeedEvent, StreamEvent, follow, match_events
from foldtable_client.turns import LONGEST_POLL_SECONDS, Choose, play, wait_for_turn

Kind = Literal["seat", "public", "referee"]


class Client:
    """The API with one credential: a tenant's key, or a token of one match. Safe to share between threads.

    Every method may raise ProblemError (the API refused), Unreachable (no answer within `patience`), and ValueError
    for an invalid id; then nothing was sent.
    """

    def __init__(
        self,
        address: str,
        credential: str = "",
        *,
        patience: float = 60.0,
        timeout: float = 15.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`patience`: seconds to keep trying one request; `timeout`: seconds to wait for one answer.

        Raises ValueError if the credential is malformed.
        """
        self._sender = Sender(address, credential, patience=patience, timeout=timeout, transport=transport)
        self._poll_seconds = max(
            0, min(LONGEST_POLL_SECONDS, int(timeout * 2 / 3))
        )  # answered before `timeout`

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._sender.http.close()

    # ── any route ──────────────────────────────────────────────────────────────────────────────────

    def get(self, path: str, **parameters: Any) -> Any:
        """Return the answer of a route; parameters that are None are left out."""
        return self._sender.send("GET", path, params=parameters, repeatable=True).json()

    def pages(self, path: str, items: str, **parameters: Any) -> Iterator[Any]:
        """Yield every item of a list, page by page as they are used; `items` names the list in a page."""
        token: str | None = None
        while token != "":
            page = self.get(path, **parameters, page_token=token)
            yield from page[items]
            token = page["next_page_token"]

    def post(
        self,
        path: str,
        body: Any = None,
        *,
        version: int | None = None,
        once: bool = False,
        **parameters: Any,
    ) -> Any:
        """Post a body. `version`: the version it was decided on. `once`: the route takes an `Idempotency-Key`."""
        headers = {} if version is None else {"If-Match": f'"v:{version}"'}
        in_body = body.get("request_id") if isinstance(body, dict) else None
        if once:
            headers["Idempotency-Key"] = idempotency_key(str(uuid4()) if in_body is None else in_body)
        sent = {} if body is None else body
        return self._sender.send(
            "POST", path, params=parameters, body=sent, headers=headers, repeatable=once
        ).json()

    def patch(self, path: str, body: Any) -> Any:
        """Change what the body names. Repeating it has no further effect, so it is retried."""
        return self._sender.send("PATCH", path, body=body, repeatable=True).json()

    def credential(self) -> types.Credential:
        """Return what this client's credential allows."""
        return self.get("/v1/token")

    # ── what can be played ─────────────────────────────────────────────────────────────────────────

    def games(self) -> list[types.GameSummary]:
        """Return the catalogue."""
        return self.get("/v1/games")["games"]

    def game(self, game: str) -> types.GameDescription:
        """Describe a game: components, refusals, and the JSON Schemas of all its messages."""
        return self.get(f"/v1/games/{segment(game)}")

    # ── matches ────────────────────────────────────────────────────────────────────────────────────

    def create_match(self, **plan: Unpack[types.CreateMatchRequest]) -> types.CreatedMatch:
        """Create a match; the answer has a token for each seat that was handed out."""
        return self.post("/v1/matches", plan, once=True)

    def match(self, match_id: str) -> types.Match:
        """Return a match without its state."""
        return self.get(match_path(match_id))

    def matches(self, **filters: str | int | bool) -> Iterator[types.Match]:
        """Return the tenant's matches; filters as in the lobby: `game`, `status`, `player`, `waiting_for`, …"""
        return self.pages("/v1/matches", "matches", **filters)

    def join(self, match_id: str, **wish: Unpack[types.JoinRequest]) -> types.JoinedMatch:
        """Take a free seat; with an invite as the credential, the invite's seat."""
        return self.post(f"{match_path(match_id)}/join", wish, once=True)

    def quick_join(self, **wish: Unpack[types.QuickJoinRequest]) -> types.JoinedMatch:
        """Take a seat at any public match that waits for players."""
        return self.post("/v1/matches/quick-join", wish, once=True)

    def leave(self, match_id: str, *, seat: int | None = None) -> types.Match:
        """Give up a seat before the start."""
        return self.post(f"{match_path(match_id)}/leave", _seated({}, seat))

    def update_seat(self, match_id: str, seat: int, **change: Unpack[types.UpdateSeatRequest]) -> types.Match:
        """Change the name of who sits at a seat, or the data beside it; what is left out stays as it was."""
        return self.patch(f"{match_path(match_id)}/seats/{segment(seat)}", change)

    def start(self, match_id: str) -> types.Match:
        """Begin a match that starts on demand."""
        return self.post(f"{match_path(match_id)}/start")

    def rematch(self, match_id: str) -> types.FollowingMatch:
        """Play again: the match that follows, the same for everybody who asks."""
        return self.post(f"{match_path(match_id)}/rematch")

    def fork(self, match_id: str, **plan: Unpack[types.ForkRequest]) -> types.CreatedMatch:
        """Begin a new match from a state of this one; what its maker could not know is dealt again."""
        return self.post(f"{match_path(match_id)}/fork", plan, once=True)

    # ── playing ────────────────────────────────────────────────────────────────────────────────────

    def legal_actions(
        self, match_id: str, *, seat: int | None = None, samples: int = 0
    ) -> types.LegalActionsAnswer:
        """Return everything a seat may do now; `samples`: how many legal actions to draw at random."""
        return self.get(f"{match_path(match_id)}/legal-actions", seat=seat, samples=samples)

    def move(
        self, match_id: str, action: types.Action, *, version: int, seat: int | None = None
    ) -> types.MoveAnswer:
        """Make a move that was decided on a version. It is made once, even if it is sent several times.

        Raises VersionConflict if the match has moved on, RefusedByTheRules (`reason`, `rule`, `legal_actions`) if it is illegal.
        """
        body = _seated({"action": action}, seat)
        return self.post(f"{match_path(match_id)}/moves", body, version=version, once=True)

    def wait_for_turn(
        self, match_id: str, *, seat: int | None = None, since: int | None = None, samples: int = 1
    ) -> types.LegalActionsAnswer | None:
        """Wait until a seat must decide something; return what it may do, or None once the match is over.

        The answer's `version` is the one to decide on. No turn is lost, whatever happens between this call and others.
        `since`: a version at which the seat has nothing to decide, if one is known; it saves a request.
        """
        return wait_for_turn(
            self, match_id, seat=seat, since=since, samples=samples, poll_seconds=self._poll_seconds
        )

    def play(
        self, match_id: str, choose: Choose, *, seat: int | None = None, samples: int = 1
    ) -> types.Match:
        """Play a seat to the end of the match: `choose` is given the legal actions and returns the one to make.

        A move that came too late, because somebody or the clock was faster, is decided again on the new state.
        Raises RefusedByTheRules or another ProblemError if a move was refused for any other reason.
        """
        return play(self, match_id, choose, seat=seat, samples=samples, poll_seconds=self._poll_seconds)

    def poll(self, match_id: str, *, after: int, seconds: int) -> Literal["ended", "running", "waiting"]:
        """Wait until the match has moved on after a version, for so many seconds at most; return its status."""
        path = f"{match_path(match_id)}/moves"
        return self.get(path, after=after, wait=f"{seconds}s", page_size=1)["status"]

    def rehearse(
        self, match_id: str, action: types.Action, *, version: int, seat: int | None = None
    ) -> types.MoveRehearsed:
        """Have a move judged without making it; refused exactly as the move would be."""
        body = _seated({"action": action}, seat)
        return self.post(f"{match_path(match_id)}/moves", body, version=version, once=True, dry_run=True)

    def resign(self, match_id: str, *, seat: int | None = None) -> types.MoveAnswer:
        """Leave for good, whoever's turn it is."""
        return self.post(f"{match_path(match_id)}/resign", _seated({}, seat), once=True)

    def abort(self, match_id: str, *, seat: int | None = None) -> types.MoveAnswer:
        """Call the match off, as the tenant; or as a seat ask the others to agree."""
        return self.post(f"{match_path(match_id)}/abort", _seated({}, seat), once=True)

    def answer_abort(self, match_id: str, *, accept: bool, seat: int | None = None) -> types.MoveAnswer:
        """Accept or refuse a proposal to call the match off."""
        return self.post(f"{match_path(match_id)}/abort/answer", _seated({"accept": accept}, seat), once=True)

    def undo_state(self, match_id: str, *, seat: int | None = None) -> types.UndoState:
        """Return what a seat may take back, why not further, and who is asked."""
        return self.get(f"{match_path(match_id)}/undo", seat=seat)

    def undo(self, match_id: str, to: int, *, version: int, seat: int | None = None) -> types.MoveAnswer:
        """Go back to the state after move `to`, or ask the others to agree."""
        return self.post(
            f"{match_path(match_id)}/undo", _seated({"to": to}, seat), version=version, once=True
        )

    def answer_undo(
        self, match_id: str, *, accept: bool, version: int, seat: int | None = None
    ) -> types.MoveAnswer:
        """Accept or refuse a proposal to take moves back."""
        body = _seated({"accept": accept}, seat)
        return self.post(f"{match_path(match_id)}/undo/answer", body, version=version, once=True)

    def redo(self, match_id: str, *, version: int, seat: int | None = None) -> types.MoveAnswer:
        """Put back what was taken back last."""
        return self.post(f"{match_path(match_id)}/redo", _seated({}, seat), version=version, once=True)

    # ── looking ────────────────────────────────────────────────────────────────────────────────────

    def view(
        self, match_id: str, *, seat: int | None = None, audience: Kind | None = None, at: int | None = None
    ) -> types.ViewAnswer:
        """Return the view now, or after move `at`."""
        return self.get(f"{match_path(match_id)}/view", seat=seat, audience=audience, at=at)

    def newer_view(
        self, match_id: str, version: int, *, seat: int | None = None, audience: Kind | None = None
    ) -> types.ViewAnswer | None:
        """Return the view if it has changed since `version`; else None, and no view is transferred."""
        answer = self._sender.send(
            "GET",
            f"{match_path(match_id)}/view",
            params={"seat": seat, "audience": audience},
            headers={"If-None-Match": f'"v:{version}"'},
            repeatable=True,
        )
        return None if answer.status_code == httpx.codes.NOT_MODIFIED else answer.json()

    def moves(
        self, match_id: str, *, after: int = 0, seat: int | None = None, audience: Kind | None = None
    ) -> Iterator[types.Move]:
        """Return the log after a version, oldest first, as an audience may see it."""
        return self.pages(f"{match_path(match_id)}/moves", "moves", after=after, seat=seat, audience=audience)

    def follow(
        self,
        match_id: str,
        *,
        after_version: int | None = None,
        seat: int | None = None,
        audience: Kind | None = None,
    ) -> Iterator[StreamEvent]:
        """Follow a match to its end: a snapshot (unless `after_version` is given), then every move, without gaps."""
        asked = {"after_version": after_version, "seat": seat, "audience": audience}
        return match_events(self._sender, f"{match_path(match_id)}/stream", asked)

    def feed(self, player: str | None = None) -> Iterator[FeedEvent]:
        """Follow all matches of a player, or of the tenant; it has no end."""
        for event in follow(self._sender, "/v1/feed", {"player": player}):
            if event.kind in {"snapshot", "match.updated"}:
                yield FeedEvent(event.kind, json.loads(event.data))

    def export(self, match_id: str, *, seat: int | None = None, audience: Kind | None = None) -> Any:
        """Return the whole match as one document, to be checked with `foldtable verify`."""
        return self.get(f"{match_path(match_id)}/export", seat=seat, audience=audience)

    def verify(self, match_id: str) -> types.Verification:
        """Have the server check hashes, draws and decisions of a match."""
        return self.get(f"{match_path(match_id)}/verify")


def _seated(body: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """Name the acting seat, which a seat token may leave out."""
    return body if seat is None else {**body, "seat": seat}
