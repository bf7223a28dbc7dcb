"""Who listens at a match, and the two ways of asking: over HTTP and over gRPC, to the byte."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import httpx
from google.protobuf.message import Message

from foldtable.rules.v1.table_pb2 import Audience as AudienceMessage
from tests.proofs.leaks.recording import RecordedPlace, Recording
from tests.proofs.leaks.twins import Twins

HEADERS: Final = "response headers"
TRAILERS: Final = "rpc status, trailers"
SERVICE: Final = "/foldtable.matches.v1.MatchService/"
_TIMES: Final = frozenset({"google.protobuf.Timestamp", "google.protobuf.Duration"})
_requests = itertools.count(1)


def number_requests_anew() -> None:
    """Begin with the same ids of requests and traces in every run."""
    global _requests  # noqa: PLW0603 - one count for every caller of a run
    _requests = itertools.count(1)


@dataclass(frozen=True)
class AtMatch:
    """A match that is played, and everybody's credentials."""

    number: int
    twins: Twins
    match_id: str
    seat_tokens: tuple[str, ...] = field(repr=False)
    spectator: str = field(repr=False)
    session: str = field(default="", repr=False)
    """That of the player whose seat listens, if one does."""

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match_id}"

    def player(self, seat: int) -> str:
        """Return who sits there; nobody sits at two matches."""
        return player(self.number, seat)


@dataclass(frozen=True)
class Listener:
    """An audience with its credential, and what it writes down."""

    match: AtMatch
    seat: int | None
    http: httpx.AsyncClient
    channel: grpc.aio.Channel
    recording: Recording
    by_session: bool = False
    """Whether the seat listens with its player's session, not with its token."""

    @property
    def name(self) -> str:
        if self.by_session:
            return f"player of seat {self.seat}"
        return "public" if self.seat is None else f"seat {self.seat}"

    @property
    def credential(self) -> str:
        if self.by_session:
            return self.match.session
        return self.match.spectator if self.seat is None else self.match.seat_tokens[self.seat]

    @property
    def audience(self) -> AudienceMessage:
        if self.seat is None:
            return AudienceMessage(kind=AudienceMessage.KIND_PUBLIC)
        return AudienceMessage(kind=AudienceMessage.KIND_SEAT, seat=self.seat)

    def hear(self, channel: str, version: int, what: str, content: bytes) -> None:
        place = RecordedPlace(channel, self.match.twins.game, self.match.number, self.name, version, what)
        self.recording.hear(place, content)

    # ── HTTP ───────────────────────────────────────────────────────────────────────────────────────

    async def ask(
        self,
        channel: str,
        version: int,
        method: str,
        path: str,
        *,
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> httpx.Response:
        """Ask over HTTP; write down the body under the channel, status and headers under theirs."""
        answer = await send(self.http, self.credential, method, path, headers=headers, **more)
        what = f"{method} {answer.request.url.raw_path.decode()}"
        self.hear(channel, version, what, answer.content)
        self.hear(HEADERS, version, what, head(answer, length=len(answer.content)))
        return answer

    async def get(self, channel: str, version: int, what: str, /, **query: Any) -> httpx.Response:
        """Ask for something of the match."""
        return await self.ask(channel, version, "GET", f"{self.match.path}/{what}", params=query)

    # ── gRPC ───────────────────────────────────────────────────────────────────────────────────────

    async def call(self, channel: str, version: int, method: str, request: Message, answer: Any) -> None:
        """Call an RPC; write down the bytes of the answer, and under their own channel status, details and metadata."""
        call = self.channel.unary_unary(
            SERVICE + method, request_serializer=type(request).SerializeToString, response_deserializer=bytes
        )(request, metadata=self.metadata, timeout=60)
        try:
            self.hear(channel, version, method, wire(await call, answer))
        except grpc.aio.AioRpcError as refused:
            self.hear(channel, version, method, (refused.details() or "").encode())
        status = [
            await call.code(),
            await call.details(),
            await call.initial_metadata(),
            await call.trailing_metadata(),
        ]
        self.hear(TRAILERS, version, method, repr([_plain(part) for part in status]).encode())

    @property
    def metadata(self) -> Sequence[tuple[str, str]]:
        return (("authorization", f"Bearer {self.credential}"),)


def player(match: int, seat: int) -> str:
    """Return the id of a player."""
    return f"player-{match}-{seat}"


async def send(
    http: httpx.AsyncClient,
    credential: str,
    method: str,
    path: str,
    *,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> httpx.Response:
    """Send a request whose ids are its number in the run."""
    number = next(_requests)
    ids = {"x-request-id": f"request-{number}", "traceparent": f"00-{number:032x}-{number:016x}-01"}
    bearer = {"authorization": f"Bearer {credential}"}
    return await http.request(method, path, headers={**bearer, **ids, **(headers or {})}, **more)


def head(answer: httpx.Response, *, length: int | None = None) -> bytes:
    """Return status and headers as they came; a true length is left to the body, which is compared itself."""
    lines = [name + b": " + value for name, value in answer.headers.raw]
    lines = [
        b"content-length: <true>" if line == b"content-length: %d" % (length or -1) else line
        for line in lines
    ]
    return b"\r\n".join([b"%d" % answer.status_code, *lines])


def wire(content: bytes, shape: Any) -> bytes:
    """Return an answer's bytes without what `pins` blots out of text: hashes of the chain, and times Postgres took."""
    message = shape.FromString(content)
    _blot(message)
    blank: bytes = message.SerializeToString(deterministic=True)
    return blank


def _blot(message: Message) -> None:
    for descriptor, value in message.ListFields():
        if descriptor.message_type is not None:
            for one in value if descriptor.is_repeated else (value,):
                _blot_inside(message, descriptor.name, one)
        elif descriptor.name == "hash":
            message.hash = bytes(len(value))


def _blot_inside(message: Message, name: str, one: Any) -> None:
    if not isinstance(one, Message):
        return
    if one.DESCRIPTOR.full_name in _TIMES:
        message.ClearField(name)
    else:
        _blot(one)


def _plain(part: Any) -> Any:
    return sorted(part) if isinstance(part, grpc.aio.Metadata) else part
