"""The dependencies of operations: the caller, and the services that are called.

Path parameters are in `http/path_parameters`, the `Idempotency-Key` header in `http/idempotency`, pages in `schemas/inputs`.
All are coroutines, because FastAPI runs plain functions in threads.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import Depends
from fastapi.security import APIKeyQuery, HTTPBearer
from starlette.requests import Request

from foldtable.matches.v1 import match_pb2, match_service_pb2_grpc
from foldtable.matches.v1.match_service_pb2 import GetMatchRequest
from foldtable.platform.v1 import platform_service_pb2_grpc, webhook_service_pb2_grpc
from gateway.access import auth
from gateway.context import Gateway, gateway_of, trace_of
from gateway.http.path_parameters import MatchId
from gateway.problems.document import ProblemError
from gateway.telemetry.tracing import Trace
from gateway.upstream import platform as upstream
from gateway.upstream.rules import Asked, Method, Reply, RulesServer, call, call_any

_API_KEY: Final = HTTPBearer(
    scheme_name="apiKey",
    bearerFormat="ft_…",
    description="A tenant's API key. It allows everything its scopes name, on the tenant's own matches.",
    auto_error=False,
)
_MATCH_TOKEN: Final = HTTPBearer(
    scheme_name="matchToken",
    bearerFormat="JWT",
    description="A token for one match. It plays and reads as its seat, reads as a spectator or as the referee, "
    "or takes the seat it invites to.",
    auto_error=False,
)
_SESSION: Final = HTTPBearer(
    scheme_name="playerSession",
    bearerFormat="JWT",
    description="A session of one player. It acts in the player's seats within its scopes, lists and follows the player's "
    "matches, and reads the tenant's public ones.",
    auto_error=False,
)
STREAM_TICKET: Final[Any] = Depends(
    APIKeyQuery(
        name="ticket",
        scheme_name="streamTicket",
        description="A ticket for one stream, once: for an `EventSource`, which cannot send headers.",
        auto_error=False,
    )
)
"""In the document of a stream: a ticket stands in for a credential."""


async def _gateway(request: Request) -> Gateway:
    return gateway_of(request)


async def _trace(request: Request) -> Trace:
    return trace_of(request)


GatewayParts = Annotated[Gateway, Depends(_gateway)]
"""The parts of this process."""
RequestTrace = Annotated[Trace, Depends(_trace)]
"""The ids of this request."""


def _authenticated(authenticate: Callable[[auth.Authenticator, Request], auth.Caller]) -> Any:
    """Return a dependency that authenticates, and ends before the response is sent.

    The outcome of the request shows whether its API key is valid, which only a service can decide.
    """

    async def authenticated(
        request: Request,
        gateway: GatewayParts,
        _key: Annotated[object, Depends(_API_KEY)],
        _token: Annotated[object, Depends(_MATCH_TOKEN)],
        _session: Annotated[object, Depends(_SESSION)],
    ) -> AsyncIterator[auth.Caller]:
        caller = authenticate(gateway.authenticator, request)
        try:
            yield caller
        except ProblemError as problem:
            gateway.admission.learn(request, problem.status)
            raise
        gateway.admission.learn(request, 200)

    return Depends(authenticated, scope="function")


CALLER: Final = _authenticated(auth.Authenticator.caller)
Caller = Annotated[auth.Caller, CALLER]
"""The caller, with an API key or a match token; 401 without either."""


READER: Final = _authenticated(auth.Authenticator.reader)
Reader = Annotated[auth.Caller, READER]
"""The caller of a read that a match may allow to anybody; 401 if a credential was sent that cannot be valid. Without one, the
rules server decides whether the match is for anybody."""


async def _tenant_caller(caller: Caller) -> auth.Caller:
    if not caller.is_key:
        raise ProblemError("TENANT_ONLY")
    return caller


TenantCaller = Annotated[auth.Caller, Depends(_tenant_caller, scope="function")]
"""The caller, with an API key; 403 with a token."""


async def _account_caller(caller: Caller) -> auth.Caller:
    if caller.claims is not None:
        raise ProblemError("TENANT_ONLY")
    return caller


AccountCaller = Annotated[auth.Caller, Depends(_account_caller, scope="function")]
"""The caller, with an API key or a session; 403 with a match token."""


@dataclass(frozen=True)
class PlatformCalls:
    """Calls to the platform service on behalf of the caller."""

    accounts: platform_service_pb2_grpc.PlatformServiceAsyncStub
    webhooks: webhook_service_pb2_grpc.WebhookServiceAsyncStub
    metadata: tuple[tuple[str, str], ...]
    read_seconds: float
    write_seconds: float

    async def read(
        self, method: Method[Asked, Reply], message: Asked, *, in_query: bool = True, waits: int = 0
    ) -> Reply:
        """Call a method that reads. Raises ProblemError as `call_platform` does.

        `in_query`: the message was filled from path and query, not from the body. `waits`: seconds the service may wait
        before it has something to report.
        """
        return await upstream.call_platform(
            method, message, seconds=self.read_seconds + waits, metadata=self.metadata, in_query=in_query
        )

    async def write(self, method: Method[Asked, Reply], message: Asked, *, in_query: bool = False) -> Reply:
        """Call a method that changes something. Like `read`, but the message was filled from the body."""
        return await upstream.call_platform(
            method, message, seconds=self.write_seconds, metadata=self.metadata, in_query=in_query
        )


async def _platform(gateway: GatewayParts, trace: RequestTrace, caller: Caller) -> PlatformCalls:
    return PlatformCalls(
        accounts=gateway.platform.stub,
        webhooks=gateway.platform.webhooks,
        metadata=trace.metadata(caller.authorization),
        read_seconds=gateway.settings.read_deadline_seconds,
        write_seconds=gateway.settings.move_deadline_seconds,
    )


Platform = Annotated[PlatformCalls, Depends(_platform, scope="function")]
"""Calls to the platform service on behalf of the caller, whom the service authenticates."""


@dataclass(frozen=True)
class RulesCalls:
    """Calls to the rules servers on behalf of the caller."""

    caller: auth.Caller
    _gateway: Gateway
    _trace: Trace

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The caller's credential and the request's ids."""
        return self._trace.metadata(self.caller.authorization)

    def server_of_game(self, game: str) -> RulesServer:
        """Return the server of a game. A game without a route gets any server, so that only those who may play learn the routes."""
        servers = self._gateway.servers
        return servers.of_game(game) if servers.serves(game) else servers.likeliest_first[0]

    async def read(self, method: Method[Asked, Reply], message: Asked, *, in_query: bool = True) -> Reply:
        """Call a method that reads. Raises ProblemError as `upstream.rules.call` does.

        `in_query`: the message was filled from path and query, not from the body.
        """
        return await call(
            method,
            message,
            seconds=self._gateway.settings.read_deadline_seconds,
            metadata=self.metadata,
            in_query=in_query,
        )

    async def write(
        self,
        method: Method[Asked, Reply],
        message: Asked,
        *,
        conditional: bool = False,
        in_query: bool = False,
    ) -> Reply:
        """Call a method that changes something. Like `read`, but the message was filled from the body.

        `conditional`: the version came from If-Match.
        """
        return await call(
            method,
            message,
            seconds=self._gateway.settings.move_deadline_seconds,
            metadata=self.metadata,
            conditional=conditional,
            in_query=in_query,
        )

    async def write_anywhere(
        self,
        method: Callable[[match_service_pb2_grpc.MatchServiceAsyncStub], Method[Asked, Reply]],
        message: Asked,
    ) -> Reply:
        """Call a method that every server answers alike, wherever one can be reached. Raises ProblemError as `call_any` does."""
        return await call_any(
            [method(server.matches) for server in self._gateway.servers.likeliest_first],
            message,
            seconds=self._gateway.settings.move_deadline_seconds,
            metadata=self.metadata,
        )

    def remember(self, match: match_pb2.Match) -> None:
        """Remember which game a match belongs to; only for a match that the caller was allowed to see."""
        self._gateway.directory.remember(self.caller, match)


async def _rules(gateway: GatewayParts, trace: RequestTrace, caller: Caller) -> RulesCalls:
    return RulesCalls(caller, gateway, trace)


Rules = Annotated[RulesCalls, Depends(_rules, scope="function")]
"""Calls to the rules servers on behalf of the caller, whom they authenticate."""


@dataclass(frozen=True)
class AskedMatch(RulesCalls):
    """The match in the path, and the rules server that serves it, on behalf of the caller."""

    match_id: str

    async def server(self) -> RulesServer:
        """Return the server of the match's game. Raises ProblemError as `Directory.server_of` does.

        This is not a separate dependency, so that a malformed body is refused before any service is called.
        """
        return await self._gateway.directory.server_of(self.match_id, self.caller, self._trace)

    async def server_for(self, invite: str) -> RulesServer:
        """Return the server for a request with an invite to the match, which its caller need not know otherwise."""
        try:
            claims = self._gateway.authenticator.read(f"Bearer {invite}").claims if invite else None
        except ProblemError:
            claims = None  # the rules server says what is wrong with it, if the caller may know of the match
        if claims is None or self.caller.session is None:
            return await self.server()
        return self.server_of_game(claims.game)

    async def find(self, language: str = "") -> match_pb2.Match:
        """Return the match without its state, with the texts of its outcome if a language is given. Raises ProblemError as
        `Directory.find` does.
        """
        if not language:
            return await self._gateway.directory.find(self.match_id, self.caller, self._trace)
        server = await self.server()  # only a server of the game has its texts
        asked = GetMatchRequest(match_id=self.match_id, language=language)
        return (await self.read(server.matches.GetMatch, asked)).match


async def _match(caller: Caller, match_id: MatchId, gateway: GatewayParts, trace: RequestTrace) -> AskedMatch:
    trace.match_id = match_id
    return AskedMatch(caller, gateway, trace, match_id)


MATCH: Final[Any] = Depends(_match, scope="function")
Match = Annotated[AskedMatch, MATCH]
"""The match that `{match_id}` names; 401 without a credential, 404 if the id is not a UUID."""


async def _tenants_match(match: Match) -> AskedMatch:
    if not match.caller.is_key:
        raise ProblemError("TENANT_ONLY")
    return match


TenantsMatch = Annotated[AskedMatch, Depends(_tenants_match, scope="function")]
"""As Match, for what only its tenant may do; 403 with a token, before anybody is asked for the match."""


async def _read_match(
    reader: Reader, match_id: MatchId, gateway: GatewayParts, trace: RequestTrace
) -> AskedMatch:
    trace.match_id = match_id
    return AskedMatch(reader, gateway, trace, match_id)


READ_MATCH: Final[Any] = Depends(_read_match, scope="function")
ReadMatch = Annotated[AskedMatch, READ_MATCH]
"""As Match, for a read that the match may allow to anybody: without a credential, the rules server decides."""
