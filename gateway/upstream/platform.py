"""The channel to the platform service: accounts, listings, feeds. Running matches do not need it."""

from __future__ import annotations

from typing import Final

from foldtable.platform.v1 import platform_service_pb2_grpc, webhook_service_pb2_grpc
from gateway.problems.document import ProblemError
from gateway.upstream.channel import open_channel
from gateway.upstream.rules import Asked, Method, Reply, call
from gateway.upstream.targets import read_target
from gateway.upstream.tls import ClientTls

_SERVICE: Final = "foldtable.platform.v1.PlatformService"
_WEBHOOKS: Final = "foldtable.platform.v1.WebhookService"
_SAFE_TO_REPEAT: Final = tuple(
    f"{service}/{method}"
    for service, methods in {
        _SERVICE: (
            "DescribeCredential",
            "ListTenants",
            "GetTenant",
            "ListKeys",
            "ListMatches",
            "ListVacations",
        ),
        _WEBHOOKS: ("ListEndpoints", "GetEndpoint", "ListDeliveries", "GetEventRecording", "ReadEvents"),
    }.items()
    for method in methods
)
_OUR_WORDS: Final = {"RULES_UNAVAILABLE": "PLATFORM_UNAVAILABLE", "RULES_TIMEOUT": "PLATFORM_TIMEOUT"}


class PlatformClient:
    """One channel and its stub. Calls are spread over the replicas behind one name."""

    def __init__(self, address: str, *, tls: ClientTls | None = None) -> None:
        self.address = address
        self._channel = open_channel(
            read_target(address), service=_SERVICE, safe_to_repeat=_SAFE_TO_REPEAT, tls=tls
        )
        self.stub = platform_service_pb2_grpc.PlatformServiceStub(self._channel)
        self.webhooks = webhook_service_pb2_grpc.WebhookServiceStub(self._channel)

    def connect(self) -> None:
        """Begin to connect, so that the first request does not have to wait for it."""
        self._channel.get_state(try_to_connect=True)

    async def close(self) -> None:
        """Close the channel; open calls fail."""
        await self._channel.close()


async def call_platform(
    method: Method[Asked, Reply],
    request: Asked,
    *,
    seconds: float,
    metadata: tuple[tuple[str, str], ...] = (),
    in_query: bool = False,
) -> Reply:
    """Make a unary call with a deadline. Raises ProblemError if it is refused, as `upstream.rules.call` does."""
    try:
        return await call(method, request, seconds=seconds, metadata=metadata, in_query=in_query)
    except ProblemError as problem:
        raise of_the_platform(problem) from None


def of_the_platform(problem: ProblemError) -> ProblemError:
    """Return the problem with a reason that names the platform service, if the transport failed or timed out."""
    own = _OUR_WORDS.get(problem.reason.name)
    return problem if own is None else ProblemError(own, headers=problem.headers)
