"""What undo, abort, pause, replacement, added time and return have in common: a command is carried out for a seat, and built-in bots answer proposals."""

from __future__ import annotations

from typing import Any, Protocol

from engine.kernel.seats import Seat
from engine.match.commands import MatchCommand
from foldtable.matches.v1 import play_pb2
from foldtable.rules.v1 import payload_pb2
from services.identity.callers import Caller, TenantCaller
from services.rpc.refusals import Refused
from services.rules.api.answers import accepted, explain, version_required
from services.rules.match.access import MatchAccess, request_id
from services.rules.match.appending import Request
from services.rules.match.bot_consent import agree
from services.rules.match.commands import run_command
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import acting_seat, may_change
from services.rules.wire.forms import form_of


class CommandRequest(Protocol):
    """The fields that every command's request has."""

    match_id: str
    seat: int
    request_id: str
    expected_version: int
    form: payload_pb2.PayloadForm.ValueType
    language: str

    def HasField(self, name: Any, /) -> bool: ...  # noqa: N802 - protobuf names it


class Commands:
    """Carries out commands for callers."""

    def __init__(self, cache: MatchCache, access: MatchAccess) -> None:
        self._cache = cache
        self._access = access

    async def run_decided(
        self, request: CommandRequest, command: MatchCommand, authorization: str | None
    ) -> play_pb2.ActResponse:
        """Carry out a seat's command; the request must name the version it was decided on."""
        if not request.HasField("expected_version"):
            raise version_required()
        return await self.run(request, command, authorization)

    async def run(
        self,
        request: CommandRequest,
        command: MatchCommand,
        authorization: str | None,
        *,
        of_tenant: bool = False,
    ) -> play_pb2.ActResponse:
        """Carry out a seat's command. With `of_tenant`, a tenant that names no seat acts for itself."""
        named = request.seat if request.HasField("seat") else None
        async with self._access.open(authorization, request.match_id, seat=named) as (caller, loaded):
            may_change(caller)
            for_itself = of_tenant and named is None and isinstance(caller, TenantCaller)
            seat = None if for_itself else acting_seat(caller, loaded.match, named)
            return await self._run(caller, loaded, seat, command, request)

    async def _run(
        self,
        caller: Caller,
        loaded: LoadedMatch,
        seat: Seat | None,
        command: MatchCommand,
        request: CommandRequest,
    ) -> play_pb2.ActResponse:
        form = form_of(request)
        expected = request.expected_version if request.HasField("expected_version") else None
        asked = Request(
            seat=seat,
            body=command,
            request_id=request_id(request.request_id),
            expected_version=expected,
            caller=caller,
        )
        try:
            answer = await run_command(self._cache, loaded, asked)
        except Refused as refused:
            await explain(self._cache, loaded, refused, asked, form)
            raise
        message = await accepted(self._cache, loaded, answer, form)
        await agree(self._cache, loaded)
        return message
