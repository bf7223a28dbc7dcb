"""One run: every pair's truth, or every pair's twin, is played in a fresh system while the audience listens to all of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final

import grpc
import httpx
import msgspec

from foldtable.matches.v1 import match_service_pb2_grpc, play_pb2
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED, Payload
from tests.proofs.leaks import asking
from tests.proofs.leaks.behind import listening_behind, record_events, write_down_directory, write_down_events
from tests.proofs.leaks.following import Followed, followed
from tests.proofs.leaks.listeners import AtMatch, Listener, number_requests_anew, player, send, wire
from tests.proofs.leaks.pins import Pins, pinned
from tests.proofs.leaks.planted import Plant, planted
from tests.proofs.leaks.recording import Comparison, Recording, compare
from tests.proofs.leaks.system import System, http_client, running
from tests.proofs.leaks.twins import Row, Twins, altered_luck
from tests.support.ways import Ways

CLOSE_LOOKS: Final = 3
"""Versions of a match, beside the very last, at which everything is asked; at the others what clients ask all the time."""
HOUR: Final = 3_600
PLAIN: Final[dict[str, str]] = {}
WITH_TABLE: Final = {"include": "table"}
"""What a move is asked for with: only its answer, or the table after it, too."""
USUAL_LEVEL: Final = "info"
"""The log level of `foldtable up`."""


class Run(Enum):
    TRUTH = "truth"
    TWIN = "twin"


@dataclass
class _Playing:
    system: System
    pins: Pins
    http: httpx.AsyncClient
    channel: grpc.aio.Channel
    recording: Recording
    run: Run
    close_looks: int

    # ── a whole match ──────────────────────────────────────────────────────────────────────────────

    async def play(self, number: int, twins: Twins) -> None:
        """Play a pair's match of this run, and listen as its audience does, and as the public."""
        match = await self._begin(number, twins)
        seats = [None] if twins.audience.seat is None else [twins.audience.seat, None]
        listeners = [Listener(match, seat, self.http, self.channel, self.recording) for seat in seats]
        if match.session:
            listeners.append(replace(listeners[0], by_session=True))
        async with AsyncExitStack() as stack:
            streams = [await stack.enter_async_context(followed(one, self.system.key)) for one in listeners]
            every = max(1, twins.versions // self.close_looks)
            for version in range(1, twins.versions + 1):
                if version > 1:
                    await self._move(match, twins.rows[version - 2], version)
                await self._listen(listeners, streams, version, closely=version % every == 0)
            last = await self._come_back(match, listeners, streams, twins.versions)
            await self._listen(listeners, streams, last, closely=True)
            for one, stream in zip(listeners, streams, strict=True):
                await stream.until(last, last=True)
                stream.write_down(last)
                await asking.meet_a_fault(one, last)
                if not one.by_session:  # its seat has as many forks as the other match's
                    await asking.fork(one, last)

    async def _begin(self, number: int, twins: Twins) -> AtMatch:
        self.pins.next_secret = twins.secret
        clock = {"kind": "per_move", "seconds": HOUR} if number % 2 else None
        body: dict[str, Any] = {
            "game": twins.game,
            "seats": twins.seats,
            "options": msgspec.Raw(twins.options),
            "players": [player(number, seat) for seat in range(twins.seats)],
            "visibility": "public",
            "clock": clock,
        }
        created = await self._sent(self.system.key, "/v1/matches", body)
        match_id = created["match"]["match_id"]
        watch = await self._sent(
            self.system.key, f"/v1/matches/{match_id}/watch-tokens", {"role": "spectator"}
        )
        tokens = tuple(given["token"] for given in created["seat_tokens"])
        session = ""
        if twins.audience.seat is not None:
            of_player = {"player": player(number, twins.audience.seat)}
            session = (await self._sent(self.system.key, "/v1/player-sessions", of_player))["token"]
        for token in tokens:  # who plays looks first: the servers know the token when it moves
            seen = await send(self.http, token, "GET", f"/v1/matches/{match_id}/view")
            assert seen.status_code == 200, seen.text
        return AtMatch(number, twins, match_id, tokens, watch["watch_token"]["token"], session)

    async def _listen(
        self, listeners: Sequence[Listener], streams: Sequence[Followed], version: int, *, closely: bool
    ) -> None:
        for one, stream in zip(listeners, streams, strict=True):
            await stream.until(version)
            await asking.look(one, version)
            if closely:
                await asking.look_closely(one, version)

    # ── moves ──────────────────────────────────────────────────────────────────────────────────────

    async def _move(self, match: AtMatch, row: Row, version: int) -> None:
        """Make a move, in each run its own; what the audience's own seat is answered is written down."""
        action = row.truth if self.run is Run.TRUTH else row.twin
        body = {"action": msgspec.Raw(action), "expected_version": version - 1}
        path = f"{match.path}/moves"
        if row.seat != match.twins.audience.seat:
            await self._sent(match.seat_tokens[row.seat], path, body, f"move-{match.number}-{version}")
            return
        mover = Listener(match, row.seat, self.http, self.channel, self.recording)
        if version % 2:
            await self._move_over_grpc(mover, action, version)
            return
        headers = {"content-type": "application/json", "idempotency-key": f"move-{match.number}-{version}"}
        ways: list[dict[str, str]] = [PLAIN, PLAIN, WITH_TABLE] if version % 4 else [WITH_TABLE, PLAIN, PLAIN]
        for query in ways:  # once, and twice again
            answer = await mover.ask(
                "own moves",
                version,
                "POST",
                path,
                content=msgspec.json.encode(body),
                headers=headers,
                params=query,
            )
            assert answer.status_code == 200, answer.text

    async def _move_over_grpc(self, mover: Listener, action: bytes, version: int) -> None:
        """Over the stream that a gateway sends moves through: first tried, then made."""
        stub = match_service_pb2_grpc.MatchServiceStub(self.channel)
        act = {
            "match_id": mover.match.match_id,
            "action": Payload(json=action),
            "expected_version": version - 1,
            "form": PAYLOAD_FORM_TYPED if version % 4 == 1 else PAYLOAD_FORM_JSON,
        }
        acts = [
            play_pb2.ActRequest(**act, dry_run=True),
            play_pb2.ActRequest(**act, request_id=f"move-{mover.match.number}-{version}"),
        ]
        stream = stub.Play(timeout=60)
        for number, one in enumerate(acts):
            call = play_pb2.PlayCall(call_id=number, authorization=f"Bearer {mover.credential}", act=one)
            await stream.write(play_pb2.PlayRequest(calls=[call]))
            response = await stream.read()
            mover.hear(
                "rpc play", version, f"Play {number}", wire(response.SerializeToString(), type(response))
            )
            assert all(reply.HasField("accepted") for reply in response.replies), response
        await stream.done_writing()
        assert await stream.read() is grpc.aio.EOF

    async def _come_back(
        self, match: AtMatch, listeners: Sequence[Listener], streams: Sequence[Followed], version: int
    ) -> int:
        """Ask to go back, and to call the match off; the others say no. Give the newest version."""
        seat = match.twins.audience.seat or 0
        for what in ("undo", "abort"):
            body = {"to": max(1, version - 2)} if what == "undo" else {}
            body["expected_version"] = version
            one = Listener(match, seat, self.http, self.channel, self.recording)
            path = f"{match.path}/{what}"
            if match.twins.audience.seat is None:
                answer = await send(self.http, one.credential, "POST", path, json=body)
            else:
                answer = await one.ask(what, version, "POST", path, json=body)
            if answer.status_code != 200:
                continue
            version += 1
            await self._listen(listeners, streams, version, closely=False)
            if await self._say_no(match, seat, what, version):
                version += 1
                await self._listen(listeners, streams, version, closely=False)
        return version

    async def _say_no(self, match: AtMatch, asked_by: int, what: str, version: int) -> bool:
        """Let another seat refuse what is proposed, if anything is; tell whether it was."""
        for seat in range(match.twins.seats):
            if seat != asked_by:
                path = f"{match.path}/{what}/answer"
                body = {"accept": False, "expected_version": version}
                answer = await send(self.http, match.seat_tokens[seat], "POST", path, json=body)
                return answer.status_code == 200
        return False

    async def _sent(self, credential: str, path: str, body: Any, request_id: str = "") -> dict[str, Any]:
        headers = {"content-type": "application/json"}
        if request_id:
            headers["idempotency-key"] = request_id
        content = msgspec.json.encode(body)
        answer = await send(self.http, credential, "POST", path, content=content, headers=headers)
        assert answer.status_code in {200, 201}, answer.text
        given: dict[str, Any] = answer.json()
        return given


async def played(
    run: Run,
    pairs: Sequence[Twins],
    database_url: str,
    folder: Path,
    *,
    close_looks: int = CLOSE_LOOKS,
    plants: Sequence[Plant] = (),
    level: str = USUAL_LEVEL,
) -> Recording:
    """Play all pairs of one run on a fresh database; give what their audiences were told. The services log at this level."""
    recording = Recording()
    altered = {pair.secret: pair.altered for pair in pairs} if run is Run.TWIN else {}
    number_requests_anew()
    with planted(*plants), listening_behind(level) as behind, pinned() as pins, altered_luck(altered):
        async with (
            running(database_url, folder) as system,
            http_client(system) as http,
            grpc.aio.insecure_channel(system.rules_address) as channel,
        ):
            await record_events(system, http)
            playing = _Playing(system, pins, http, channel, recording, run, close_looks)
            for number, twins in enumerate(pairs):
                await playing.play(number, twins)
            await write_down_directory(system, http, recording)
            await write_down_events(system, http, recording)
        behind.write_down(recording)
    return recording


async def compared(
    pairs: Sequence[Twins],
    databases: Sequence[str],
    folder: Path,
    *,
    close_looks: int = CLOSE_LOOKS,
    plants: Sequence[Plant] = (),
    runs: tuple[Run, Run] = (Run.TRUTH, Run.TWIN),
    level: str = USUAL_LEVEL,
) -> Comparison:
    """Play all pairs twice, on a fresh database each time, and compare what their audiences were told.

    `plants` leak in either run, each time anew. Two runs of the same kind differ in nothing, leaks or no leaks.
    """
    before = Ways.of_this_process()
    truth, twin = [
        await played(run, pairs, database_url, folder, close_looks=close_looks, plants=plants, level=level)
        for run, database_url in zip(runs, databases, strict=True)
    ]
    found = compare(truth, twin)
    found.ways = Ways.of_this_process().since(before)
    return found
