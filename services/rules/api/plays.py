"""Making moves: one move a call, or many moves over one stream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from typing import Final

from prometheus_client import Counter

from engine.match.requests import Resign
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.matches.v1 import play_pb2
from services.identity.callers import Caller
from services.process.reasons import Reason
from services.rpc.drain import Drain
from services.rpc.refusals import Refused
from services.rules.api.answers import accepted, explain, version_required
from services.rules.match.access import MatchAccess, request_id
from services.rules.match.appending import Request
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.moves import make_move, rehearse
from services.rules.match.permissions import acting_seat, may_change
from services.rules.streams.play_stream import play
from services.rules.wire.forms import form_of
from services.rules.wire.payloads import payloads_of

MOVES: Final = Counter(
    "foldtable_moves", "Moves answered: accepted, repeated, stale, or refused otherwise.", ["answer"]
)
_ACCEPTED: Final = MOVES.labels("accepted")
_REPEATED: Final = MOVES.labels("repeated")
_STALE: Final = MOVES.labels("stale")
_REFUSED: Final = MOVES.labels("refused")


class Plays:
    """Serves moves of seats: actions of the game, and resigning."""

    def __init__(self, cache: MatchCache, access: MatchAccess, drain: Drain) -> None:
        self._cache = cache
        self._access = access
        self._drain = drain

    async def act(self, request: play_pb2.ActRequest, authorization: str | None) -> play_pb2.ActResponse:
        """Make a move, or only judge it (a dry run). Both the unary call and the stream call this."""
        try:
            answer = await self._act(request, authorization)
        except Refused as refused:
            _count_refusal(refused)
            raise
        if answer.replayed:
            _REPEATED.inc()
        elif not answer.dry_run:
            _ACCEPTED.inc()
        return answer

    async def _act(self, request: play_pb2.ActRequest, authorization: str | None) -> play_pb2.ActResponse:
        if not request.HasField("expected_version"):
            raise version_required()
        form = form_of(request)
        named = request.seat if request.HasField("seat") else None
        async with self._access.open(authorization, request.match_id, seat=named) as (caller, loaded):
            move = _move(caller, loaded, request)
            try:
                if request.dry_run:
                    version = await rehearse(self._cache, loaded, move)
                    return play_pb2.ActResponse(match_id=str(loaded.match.id), version=version, dry_run=True)
                answer = await make_move(self._cache, loaded, move)
            except Refused as refused:
                await explain(self._cache, loaded, refused, move, form)
                raise
            return await accepted(self._cache, loaded, answer, form)

    async def resign(self, request: pb.ResignSeatRequest, authorization: str | None) -> pb.ResignSeatResponse:
        """Resign a seat for good; without a version it applies whatever happened meanwhile."""
        form = form_of(request)
        named = request.seat if request.HasField("seat") else None
        async with self._access.open(authorization, request.match_id, seat=named) as (caller, loaded):
            may_change(caller)
            seat = acting_seat(caller, loaded.match, named)
            expected = request.expected_version if request.HasField("expected_version") else None
            move = Request(
                seat=seat,
                body=Resign(),
                request_id=request_id(request.request_id),
                expected_version=expected,
                caller=caller,
            )
            try:
                answer = await make_move(self._cache, loaded, move)
            except Refused as refused:
                await explain(self._cache, loaded, refused, move, form)
                raise
            return pb.ResignSeatResponse(result=await accepted(self._cache, loaded, answer, form))

    def stream(
        self, requests: AsyncIterator[play_pb2.PlayRequest], own: str | None
    ) -> AsyncIterator[play_pb2.PlayResponse]:
        """Answer the moves of a stream; a move without an authorization uses the stream's."""
        return play(requests, StreamedMoves(self, own), self._drain)


class StreamedMoves:
    """The moves of one stream, whose own authorization is that of the calls without one."""

    def __init__(self, plays: Plays, own: str | None) -> None:
        self._plays = plays
        self._own = own

    def act(self, call: play_pb2.PlayCall) -> Awaitable[play_pb2.ActResponse]:
        return self._plays.act(call.act, call.authorization or self._own)


def _move(caller: Caller, loaded: LoadedMatch, request: play_pb2.ActRequest) -> Request:
    """Return the move that a call asks for. Raises Refused for one that the caller may not make, and for one that cannot be read."""
    seat = acting_seat(caller, loaded.match, request.seat if request.HasField("seat") else None)
    return Request(
        seat=seat,
        body=payloads_of(loaded.game).read_action(request.action),
        request_id=request_id(request.request_id),
        expected_version=request.expected_version,
        caller=caller,
    )


def _count_refusal(refused: Refused) -> None:
    (_STALE if refused.reason is Reason.VERSION_CONFLICT else _REFUSED).inc()
