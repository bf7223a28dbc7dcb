"""Asking for something, once: over REST at a gateway, or over gRPC at a rules server. What came of it is written down."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

import grpc
import httpx
import msgspec

from foldtable.matches.v1 import match_pb2, match_service_pb2, match_service_pb2_grpc, play_pb2
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, Payload
from tests.proofs.faults.answers import read_error, read_rest, unknown
from tests.proofs.faults.notes import Answered, AttemptOutcome, Notebook, Sent, What, canonical, now
from tests.proofs.faults.system import System

QUICK_RECONNECTS: Final = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
)
WITH_WORDS: Final = 6
"""One move in so many asks a gateway for words, and so is served through the web framework."""


@dataclass(frozen=True)
class Wish:
    """What somebody wants: the same wish may be sent several times."""

    match: str
    game: str
    what: What
    seat: int | None
    token: str = field(repr=False)
    request_id: str
    body: bytes = b""
    """Of a move: its action, as JSON."""
    expected: int | None = None


class Doors:
    """Every way in: a client of each gateway, a channel to each rules server."""

    def __init__(self, system: System, notebook: Notebook) -> None:
        self._notebook = notebook
        self.system = system
        self.newest: dict[str, int] = {}
        """Of each match, the newest version that anybody was acknowledged."""
        self._moves = count(1)
        self.rest = {
            part.name: httpx.AsyncClient(
                base_url=f"http://{part.address}",
                timeout=None,
                trust_env=False,
                verify=False,
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=64),
            )
            for part in system.gateways
        }
        self._channels = {
            part.name: grpc.aio.insecure_channel(part.address, options=QUICK_RECONNECTS)
            for part in system.rules
        }
        self.rpc = {
            name: match_service_pb2_grpc.MatchServiceStub(channel) for name, channel in self._channels.items()
        }

    async def close(self) -> None:
        """Hang up."""
        for client in self.rest.values():
            await client.aclose()
        for channel in self._channels.values():
            await channel.close()

    async def ask(self, wish: Wish, via: str, seconds: float, manner: str) -> Answered:
        """Send a wish, wait at most so long for its answer, and write both down."""
        attempt = self._notebook.next_attempt()
        self._notebook.add(
            Sent(
                at=now(),
                attempt=attempt,
                match=wish.match,
                game=wish.game,
                what=wish.what,
                seat=wish.seat,
                request_id=wish.request_id,
                body=canonical(wish.body) if wish.body else "",
                expected=wish.expected,
                via=via,
                manner=manner,
            )
        )
        try:
            async with asyncio.timeout(seconds):
                found = await (self._post if via in self.rest else self._act)(wish, via)
        except TimeoutError:
            found = unknown("timeout")
        answered = Answered(at=now(), attempt=attempt, **found)
        self._notebook.add(answered)
        if answered.outcome is AttemptOutcome.ACKNOWLEDGED:
            self.newest[wish.match] = max(answered.version, self.newest.get(wish.match, 0))
        return answered

    async def _post(self, wish: Wish, via: str) -> dict[str, Any]:
        body: dict[str, Any] = {}
        if wish.expected is not None:
            body["expected_version"] = wish.expected
        if wish.what is What.MOVE:
            body["action"] = msgspec.Raw(wish.body)
        path = {What.MOVE: "moves", What.RESIGN: "resign", What.ABORT: "abort"}[wish.what]
        headers = {
            "authorization": f"Bearer {wish.token}",
            "content-type": "application/json",
            "idempotency-key": f'"{wish.request_id}"',
        }
        if wish.what is What.MOVE and next(self._moves) % WITH_WORDS == 0:
            path += "?lang=fr"
        try:
            answer = await self.rest[via].post(
                f"/v1/matches/{wish.match}/{path}", content=msgspec.json.encode(body), headers=headers
            )
        except httpx.TransportError as broken:
            return unknown(type(broken).__name__)
        return read_rest(answer)

    async def _act(self, wish: Wish, via: str) -> dict[str, Any]:
        metadata = (("authorization", f"Bearer {wish.token}"),)
        stub = self.rpc[via]
        try:
            if wish.what is What.MOVE:
                accepted = await stub.Act(
                    play_pb2.ActRequest(
                        match_id=wish.match,
                        request_id=wish.request_id,
                        expected_version=wish.expected,
                        action=Payload(json=wish.body),
                        form=PAYLOAD_FORM_JSON,
                    ),
                    metadata=metadata,
                )
            else:
                resigned = await stub.ResignSeat(
                    match_service_pb2.ResignSeatRequest(
                        match_id=wish.match, request_id=wish.request_id, form=PAYLOAD_FORM_JSON
                    ),
                    metadata=metadata,
                )
                accepted = resigned.result
        except grpc.aio.AioRpcError as error:
            return read_error(error)
        return {
            "outcome": AttemptOutcome.ACKNOWLEDGED,
            "version": accepted.version,
            "events": canonical(accepted.events.json),
            "to_act": tuple(accepted.to_act),
            "ended": accepted.status == match_pb2.MATCH_STATUS_ENDED,
            "replayed": accepted.replayed,
        }
