"""The blocking client: the methods of AsyncClient, which wait."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import TracebackType
from typing import Self

import httpx

from foldtable_client import types
from foldtable_client.async_client import AsyncClient
from foldtable_client.background import Background, Call, background
from foldtable_client.blocking import blocking, each, waited_for
from foldtable_client.blocking_transport import InThreads
from foldtable_client.own_threads import in_own_thread
from foldtable_client.players import AsyncPlayers
from foldtable_client.stopping import Stop
from foldtable_client.turns import Choose


class Client:
    """The API with one credential: a tenant's key, a player's session, or a token of one match. Safe to share between threads.

    Without a credential it reads what anybody may: the games, and the public matches of tenants that allow it.
    Every method may raise ProblemError (the API refused), Unreachable (no answer within `retry_for`), Closed (this client was
    closed meanwhile), Stopped (see `until`), and ValueError for an invalid id; then nothing was sent.
    `request_id`: one of your own, hard to guess, to ask again later: what has been carried out gets the first answer again.
    """

    def __init__(
        self,
        address: str,
        credential: str = "",
        *,
        retry_for: float = 60.0,
        timeout: float = 15.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`credential`: none for what anybody may read. `retry_for`: seconds to keep trying one request; `timeout`: seconds to
        wait for one answer.

        Raises ValueError if the address or the credential is malformed.
        """
        self._connections = _Connections(
            address, credential, retry_for=retry_for, timeout=timeout, transport=transport
        )
        self._stop: Stop | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, from any thread. Calls that wait at this moment raise Closed in theirs, and so does every later one.

        Where the collector of garbage calls this in the thread that does the work, they are closed soon after.
        """
        closing = self._declared.aclose()
        if background().is_here:
            Call(closing)
        else:
            waited_for(closing, None)

    def until(self, stop: Stop) -> Self:
        """Return this client with the same connections, but each call ends with Stopped as soon as `stop` is set.

        What iterates ends in the thread that reads it, at the event it waits for.
        """
        until = copy.copy(self)
        until.__dict__["_stop"] = stop
        return until

    @property
    def _declared(self) -> AsyncClient:
        return self._connections.client()

    @property
    def players(self) -> Players:
        """Sessions and login codes of a tenant's players."""
        return Players(self._declared.players, self._stop)

    # ── any route ──────────────────────────────────────────────────────────────────────────────────

    get = blocking(AsyncClient.get)
    pages = each(AsyncClient.pages)
    post = blocking(AsyncClient.post)
    patch = blocking(AsyncClient.patch)
    credential = blocking(AsyncClient.credential)

    # ── what can be played ─────────────────────────────────────────────────────────────────────────

    games = blocking(AsyncClient.games)
    game = blocking(AsyncClient.game)
    layout = blocking(AsyncClient.layout)

    # ── matches ────────────────────────────────────────────────────────────────────────────────────

    create_match = blocking(AsyncClient.create_match)
    create_matches = blocking(AsyncClient.create_matches)
    match = blocking(AsyncClient.match)
    matches = each(AsyncClient.matches)
    join = blocking(AsyncClient.join)
    quick_join = blocking(AsyncClient.quick_join)
    leave = blocking(AsyncClient.leave)
    update_seat = blocking(AsyncClient.update_seat)
    replace_player = blocking(AsyncClient.replace_player)
    ask_to_replace = blocking(AsyncClient.ask_to_replace)
    answer_replacement = blocking(AsyncClient.answer_replacement)
    start = blocking(AsyncClient.start)
    rematch = blocking(AsyncClient.rematch)
    fork = blocking(AsyncClient.fork)

    # ── vacations ──────────────────────────────────────────────────────────────────────────────────

    announce_vacation = blocking(AsyncClient.announce_vacation)
    vacations = each(AsyncClient.vacations)
    cancel_vacation = blocking(AsyncClient.cancel_vacation)

    # ── playing ────────────────────────────────────────────────────────────────────────────────────

    legal_actions = blocking(AsyncClient.legal_actions)
    move = blocking(AsyncClient.move)
    wait_for_turn = blocking(AsyncClient.wait_for_turn)
    poll = blocking(AsyncClient.poll)
    rehearse = blocking(AsyncClient.rehearse)
    resign = blocking(AsyncClient.resign)
    abort = blocking(AsyncClient.abort)
    answer_abort = blocking(AsyncClient.answer_abort)
    pause = blocking(AsyncClient.pause)
    answer_pause = blocking(AsyncClient.answer_pause)
    resume = blocking(AsyncClient.resume)
    add_time = blocking(AsyncClient.add_time)
    undo_state = blocking(AsyncClient.undo_state)
    undo = blocking(AsyncClient.undo)
    answer_undo = blocking(AsyncClient.answer_undo)
    redo = blocking(AsyncClient.redo)

    def play(
        self, match_id: str, choose: Choose, *, seat: int | None = None, lang: str | None = None
    ) -> types.Table:
        """Play a seat to the end of the match: `choose` is given the table and returns the action to make. Return the last table.

        `choose` is called in a thread of its own, so that this call can end while it thinks; what it returns later is dropped.
        A move that came too late, because somebody or the clock was faster, is decided again on the newest table.
        Raises RefusedByTheRules or another ProblemError if a move was refused for any other reason, ValueError as
        `wait_for_turn` does, and what `choose` raises.
        """

        async def chosen(table: types.Table) -> types.Action:
            return await in_own_thread(lambda: choose(table))

        return waited_for(self._declared.play(match_id, chosen, seat=seat, lang=lang), self._stop)

    # ── looking ────────────────────────────────────────────────────────────────────────────────────

    table = blocking(AsyncClient.table)
    newer_table = blocking(AsyncClient.newer_table)
    view = blocking(AsyncClient.view)
    newer_view = blocking(AsyncClient.newer_view)
    moves = each(AsyncClient.moves)
    export = blocking(AsyncClient.export)
    delete = blocking(AsyncClient.delete)
    verify = blocking(AsyncClient.verify)

    # ── following and replaying ────────────────────────────────────────────────────────────────────

    follow = each(AsyncClient.follow)
    follow_matches = each(AsyncClient.follow_matches)
    follow_table = each(AsyncClient.follow_table)
    follow_tables = each(AsyncClient.follow_tables)
    replay = each(AsyncClient.replay)
    feed = each(AsyncClient.feed)


class Players:
    """The players of a tenant; for clients with the tenant's key. Only `redeem` needs none."""

    def __init__(self, declared: AsyncPlayers, stop: Stop | None) -> None:
        self._declared = declared
        self._stop = stop

    session = blocking(AsyncPlayers.session)
    login_code = blocking(AsyncPlayers.login_code)
    redeem = blocking(AsyncPlayers.redeem)
    revoke = blocking(AsyncPlayers.revoke)
    revoke_everything = blocking(AsyncPlayers.revoke_everything)
    erase = blocking(AsyncPlayers.erase)
    kept = each(AsyncPlayers.kept)


class _Connections:
    """The connections of a blocking client. A forked process opens its own: its parent's belong to a thread that it does not have."""

    def __init__(
        self,
        address: str,
        credential: str,
        *,
        retry_for: float,
        timeout: float,
        transport: httpx.BaseTransport | None,
    ) -> None:
        self._make: Callable[[], AsyncClient] = lambda: AsyncClient(
            address,
            credential,
            retry_for=retry_for,
            timeout=timeout,
            transport=None if transport is None else InThreads(transport),
        )
        self._client = self._make()
        self._used_on: Background | None = None

    def client(self) -> AsyncClient:
        """Return the client whose connections are on this process's loop."""
        here = background()
        if self._used_on not in {None, here}:
            self._client = self._make()
            self._used_on = None
        if self._used_on is None:
            self._client._sender.close_when_forgotten(here.begin)  # noqa: SLF001 - what was asked for refers to it alone
        self._used_on = here
        return self._client
