"""A gRPC service as a table: the name of each of its calls, and the function that serves it.

The contract says which calls there are, what they take and give, and which of them are streams, so that a table holds nothing
but functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass

from services.identity.callers import Callers, Context, authorization_of

Function: TypeAlias = Callable[..., Any]
"""Takes the request, or those of a stream, and the caller's `authorization`. Returns the response, or an iterator of them."""


@dataclass(frozen=True)
class WithContext:
    """A function that takes the call's context, too."""

    function: Function


ServiceTable: TypeAlias = Mapping[str, Function | WithContext]

_HANDLERS: Final = {
    (False, False): grpc.unary_unary_rpc_method_handler,
    (False, True): grpc.unary_stream_rpc_method_handler,
    (True, False): grpc.stream_unary_rpc_method_handler,
    (True, True): grpc.stream_stream_rpc_method_handler,
}


def add_service(server: Any, service: ServiceDescriptor, table: ServiceTable) -> None:
    """Serve a service with the server of an RpcServer, which calls functions of any kind. Raises ValueError unless the table has exactly the calls of the contract."""
    if different := table.keys() ^ {method.name for method in service.methods}:
        raise ValueError(f"{service.full_name} and its table differ: {', '.join(sorted(different))}")
    handlers = {method.name: _handler(method, table[method.name]) for method in service.methods}
    generic = grpc.method_handlers_generic_handler(service.full_name, handlers)
    server.add_generic_rpc_handlers((generic,))
    server.add_registered_method_handlers(service.full_name, handlers)


def with_caller(callers: Callers, functions: Mapping[str, Function]) -> ServiceTable:
    """Return a table of functions that take the caller, who is authenticated first, and the request."""

    def authenticated(function: Function) -> Function:
        async def served(request: Any, authorization: str | None) -> Any:
            return await function(await callers.authenticate(authorization), request)

        return served

    return {name: authenticated(function) for name, function in functions.items()}


def _handler(method: MethodDescriptor, function: Function | WithContext) -> Any:
    make = _HANDLERS[method.client_streaming, method.server_streaming]
    return make(
        _served(function),
        request_deserializer=GetMessageClass(method.input_type).FromString,
        response_serializer=GetMessageClass(method.output_type).SerializeToString,
    )


def _served(function: Function | WithContext) -> Callable[[Any, Context], Any]:
    if isinstance(function, WithContext):
        with_context = function.function
        return lambda request, context: with_context(request, authorization_of(context), context)
    return lambda request, context: function(request, authorization_of(context))
