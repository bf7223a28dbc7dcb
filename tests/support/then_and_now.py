"""A match whose every view is kept as it was live, and asked for again afterwards in every way there is.

The match is played over gRPC at one rules server, with moves taken back, put back and refused among them; it is looked
at again at another rules server and through a gateway. For tests; used by name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from uuid import uuid4

import grpc
import httpx
import msgspec

from engine.match.commands import is_command_row
from engine.registry import game as registered_game
from foldtable.matches.v1 import history_pb2, lobby_pb2, undo_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1.payload_pb2 import Payload
from foldtable.rules.v1.table_pb2 import Audience
from tests.support.rules_stack import Player
from tests.support.several_of_each import Several

PUBLIC: Final = Audience(kind=Audience.KIND_PUBLIC)
REFEREE: Final = Audience(kind=Audience.KIND_REFEREE)
AT_ONCE: Final = 12
"""Calls under way while the past is looked at."""
FURTHEST: Final = 4
"""Versions that an undo goes back at most."""

_OPTIONS: Final = {"river_dragons": b'{"variant":"expert"}', "river_of_gold": b'{"patrons":"draft"}'}
"""What every second match is played with."""


@dataclass
class Counts:
    """What was compared, and what the matches were made of."""

    matches: int = 0
    versions: int = 0
    views: int = 0
    """Compared with the live one: single views and those of bulk replays."""
    rows: dict[str, int] = field(default_factory=dict)
    """System rows and resignations, by their first event."""

    def __str__(self) -> str:
        rows = ", ".join(f"{number} {name}" for name, number in sorted(self.rows.items()))
        return f"{self.matches} matches, {self.versions} versions, {self.views} views the same; {rows}"


@dataclass
class LiveMatch:
    """A match under way, and what was seen of it."""

    match_id: str
    seats: int
    choices: Random
    tenant: Player
    players: list[Player]
    spectator: Player
    elsewhere: list[Player]
    """The same callers at another rules server, the tenant last."""
    rest: list[httpx.AsyncClient]
    """The same callers at a gateway."""
    counts: Counts
    live: list[list[bytes]] = field(default_factory=list)
    """By version, then by audience: what was there right after the move."""

    @property
    def audiences(self) -> list[Audience]:
        seats = [Audience(kind=Audience.KIND_SEAT, seat=seat) for seat in range(self.seats)]
        return [*seats, PUBLIC, REFEREE]

    @property
    def version(self) -> int:
        return len(self.live)

    # ── playing ────────────────────────────────────────────────────────────────────────────────────

    async def play(self, moves: int) -> None:
        """Play so many rows, and let seats resign until it is over."""
        await self.look()
        match = await self.tenant.get(self.match_id)
        while match.to_act and self.version < moves:
            if self.version == 2 or (self.version > 2 and self.choices.random() < 0.15):
                await self.take_back()
            match = await self.tenant.get(self.match_id)
            if match.to_act:
                seat = self.choices.choice(match.to_act)
                await self.players[seat].any_move(self.match_id, seat)
                await self.look()
            match = await self.tenant.get(self.match_id)
        await self.check_while_it_runs()
        for seat in self.choices.sample(range(self.seats), self.seats):
            if (await self.tenant.get(self.match_id)).to_act:
                await self.players[seat].call("ResignSeat", pb.ResignSeatRequest(match_id=self.match_id))
                await self.look()

    async def take_back(self) -> None:
        """Ask to go back; let the others answer; now and then put back what was taken back."""
        seat = self.choices.randrange(self.seats)
        first = self.version == 2  # the match's first: taken back for certain, so that no match is without
        to = max(1, self.version - self.choices.randint(1, FURTHEST))
        asked = undo_pb2.UndoRequest(match_id=self.match_id, expected_version=self.version, to=to)
        if not await self._made(seat, "Undo", asked):
            return
        for other in range(self.seats):
            state = await self._undo_state(other)
            if other not in state.proposal.waiting:
                continue
            answer = undo_pb2.AnswerUndoRequest(
                match_id=self.match_id,
                expected_version=self.version,
                accept=first or self.choices.random() < 0.8,
            )
            await self._made(other, "AnswerUndo", answer)
        if self.choices.random() < 0.4 and (await self._undo_state(seat)).redo:
            back = undo_pb2.RedoRequest(match_id=self.match_id, expected_version=self.version)
            await self._made(seat, "Redo", back)

    async def _undo_state(self, seat: int) -> undo_pb2.GetUndoResponse:
        asked = undo_pb2.GetUndoRequest(match_id=self.match_id)
        state: undo_pb2.GetUndoResponse = await self.players[seat].call("GetUndo", asked)
        return state

    async def _made(self, seat: int, method: str, request: Any) -> bool:
        try:
            await self.players[seat].call(method, request)
        except grpc.aio.AioRpcError as refused:
            if refused.code() is not grpc.StatusCode.FAILED_PRECONDITION:
                raise
            return False
        await self.look()
        return True

    async def look(self) -> None:
        """Keep what every audience sees now: each seat with its own token."""
        callers = [*self.players, self.spectator, self.tenant]
        asked = zip(callers, self.audiences, strict=True)
        seen = await asyncio.gather(
            *(caller.view(self.match_id, audience=audience) for caller, audience in asked)
        )
        assert {view.version for view in seen} == {self.version + 1}
        self.live.append([view.view.json for view in seen])

    # ── looking back ───────────────────────────────────────────────────────────────────────────────

    async def check_while_it_runs(self) -> None:
        """Each seat, the public and the referee look back on what they saw, as they may while the match runs."""
        callers = [*range(self.seats), self.seats, self.seats + 1]
        await self._all(
            [self._bulk(caller, number) for number, caller in enumerate(callers)]
            + [self._lines(caller, number) for number, caller in enumerate(callers)]
        )

    async def check_when_it_is_over(self) -> None:
        """Everybody looks back with everybody's eyes, one version at a time and all at once."""
        asked: list[Coroutine[Any, Any, None]] = []
        for number in range(len(self.audiences)):
            for version in range(1, self.version + 1):
                caller = (number + version) % len(self.rest)
                asked += [self._single(caller, number, version), self._single_rest(caller, number, version)]
            caller = number % len(self.rest)
            asked += [self._bulk(caller, number), self._lines(caller, number), self._pages(caller, number)]
        await self._all(asked)

    async def _all(self, asked: list[Coroutine[Any, Any, None]]) -> None:
        turnstile = asyncio.Semaphore(AT_ONCE)

        async def one(call: Coroutine[Any, Any, None]) -> None:
            async with turnstile:
                await call

        async with asyncio.TaskGroup() as group:
            for call in asked:
                group.create_task(one(call))

    async def _single(self, caller: int, number: int, version: int) -> None:
        seen = await self.elsewhere[caller].view(
            self.match_id, audience=self.audiences[number], at_version=version
        )
        self._same(number, version, seen.view.json)

    async def _single_rest(self, caller: int, number: int, version: int) -> None:
        answer = await self._get(caller, "view", number, at=version)
        self._same(number, version, msgspec.json.decode(answer.content, type=_Seen).view)

    async def _bulk(self, caller: int, number: int) -> None:
        player = self.elsewhere[caller]
        request = history_pb2.ReplayMatchRequest(match_id=self.match_id, audience=self.audiences[number])
        parts = player.matches.ReplayMatch(request, metadata=player.metadata, timeout=60)
        steps = [part.step async for part in parts if part.HasField("step")]
        self._same_throughout(number, [(step.version, step.view.json) for step in steps])

    async def _lines(self, caller: int, number: int) -> None:
        answer = await self._get(caller, "replay", number, accept="application/x-ndjson")
        steps = [msgspec.json.decode(line, type=_ReplayStep) for line in answer.content.splitlines()]
        self._same_throughout(number, [(step.version, step.view) for step in steps])

    async def _pages(self, caller: int, number: int) -> None:
        steps: list[_ReplayStep] = []
        token = ""
        while not steps or token:
            answer = await self._get(
                caller, "replay", number, page_size=self.choices.randint(5, 50), page_token=token
            )
            page = msgspec.json.decode(answer.content, type=_Page)
            steps += page.steps
            token = page.next_page_token
        self._same_throughout(number, [(step.version, step.view) for step in steps])

    async def _get(
        self, caller: int, what: str, number: int, *, accept: str = "application/json", **query: Any
    ) -> httpx.Response:
        audience = self.audiences[number]
        eyes: dict[str, Any] = {"audience": Audience.Kind.Name(audience.kind).removeprefix("KIND_").lower()}
        if audience.HasField("seat"):
            eyes["seat"] = audience.seat
        path = f"/v1/matches/{self.match_id}/{what}"
        answer = await self.rest[caller].get(path, params=eyes | query, headers={"accept": accept})
        assert answer.status_code == 200, answer.text
        return answer

    def _same_throughout(self, number: int, steps: list[tuple[int, bytes]]) -> None:
        assert [version for version, _ in steps] == list(range(1, self.version + 1))
        for version, view in steps:
            self._same(number, version, view)

    def _same(self, number: int, version: int, view: bytes | msgspec.Raw) -> None:
        live = self.live[version - 1][number]
        assert bytes(view) == live, f"{self.match_id}, version {version}, {self.audiences[number]}"
        self.counts.views += 1

    async def count(self) -> None:
        """Say what the match was made of."""
        self.counts.matches += 1
        self.counts.versions += self.version
        for move in (await self.tenant.moves(self.match_id, page_size=1000)).moves:
            events = msgspec.json.decode(move.events.json)
            if is_command_row(move.events.json) or (events and events[0]["type"] == "seat_left"):
                name = events[-1]["type"] if is_command_row(move.events.json) else "seat_left"
                self.counts.rows[name] = self.counts.rows.get(name, 0) + 1


class _Seen(msgspec.Struct):
    view: msgspec.Raw


class _ReplayStep(msgspec.Struct):
    version: int
    view: msgspec.Raw


class _Page(msgspec.Struct):
    steps: list[_ReplayStep]
    next_page_token: str


async def then_and_now(several: Several, game_id: str, seed: int, moves: int, counts: Counts) -> None:
    """Play one match and look back on it; AssertionError where a view is not what was live then."""
    choices = Random(f"{game_id} {seed}")
    seats = choices.choice(registered_game(game_id).seat_counts)
    options = _OPTIONS.get(game_id, b"") if seed % 2 else b""
    async with AsyncExitStack() as stack:

        def player(credential: str, server: int) -> Player:
            made = Player(several.rules_addresses[server], credential)
            stack.push_async_callback(made.channel.close)
            return made

        tenant = player(several.key, 0)
        asked = {"options": Payload(json=options)} if options else {}
        created = await tenant.create(seats, game=game_id, request_id=str(uuid4()), **asked)
        watch = lobby_pb2.IssueWatchTokenRequest(
            match_id=created.match.match_id, role=lobby_pb2.WATCH_ROLE_SPECTATOR
        )
        spectator = (await tenant.call("IssueWatchToken", watch)).token.token
        credentials = [*(token.token for token in created.tokens), spectator, several.key]
        rest = [
            await stack.enter_async_context(
                httpx.AsyncClient(
                    base_url=several.urls[seed % 2],
                    headers={"authorization": f"Bearer {credential}"},
                    timeout=60,
                    verify=False,  # it is plain HTTP: loading certificates would take longer than the match
                    trust_env=False,
                )
            )
            for credential in credentials
        ]
        match = LiveMatch(
            match_id=created.match.match_id,
            seats=seats,
            choices=choices,
            tenant=tenant,
            players=[player(token.token, 0) for token in created.tokens],
            spectator=player(spectator, 0),
            elsewhere=[player(credential, 1) for credential in credentials],
            rest=rest,
            counts=counts,
        )
        await match.play(moves)
        await match.check_when_it_is_over()
        await match.count()
