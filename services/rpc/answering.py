"""Turns exceptions into the responses to failed calls, in one place for every method, unary or stream."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from typing import Any, Final

import grpc
import structlog
from prometheus_client import Counter, Histogram

from services.movelog.failures import LogUnavailable, MatchUnknown
from services.postgres.database import DatabaseUnavailable
from services.process.reasons import Reason
from services.process.structured_logs import is_debugging, without_message
from services.process.tracing import begin_call, current
from services.rpc.bounded_calls import Turns, in_turn
from services.rpc.reading import each_whole, reader, whole
from services.rpc.refusals import Refused, match_not_found, to_trailing_status

CALLS: Final = Counter("foldtable_rpc_total", "RPCs by method and status code.", ["method", "code"])
SECONDS: Final = Histogram(
    "foldtable_rpc_seconds",
    "Time to answer an RPC; streams are not in it.",
    ["method"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
NO_RETRY: Final = ("grpc-retry-pushback-ms", "-1")
"""Metadata that stops gRPC's retries, because the server itself has waited already."""
_log: Final = structlog.get_logger("foldtable.rpc")


def refusal_of(error: Exception, method: str) -> Refused:
    """Return the refusal for an error. An internal error is logged, and reported to the caller without any detail."""
    match error:
        case Refused():
            if is_debugging():
                _log.debug("refused", method=method, reason=error.reason.value)
            return error
        case MatchUnknown():
            return match_not_found()
        case LogUnavailable() | DatabaseUnavailable():
            _log.warning("log unavailable", method=method, error=str(error))
            return Refused(
                Reason.LOG_UNAVAILABLE, "the log cannot be reached now; repeat with the same request id"
            )
        case _:
            _log.error("internal error", method=method, **without_message(error))
            trace = current()
            return Refused(
                Reason.INTERNAL,
                "this is our mistake; it has been logged",
                metadata={} if trace is None else {"trace_id": trace.trace_id},
            )


class Answering(grpc.aio.ServerInterceptor):
    """Turns exceptions into rich statuses, and counts and times every call."""

    def __init__(
        self, *, in_turns: Mapping[str, Turns] | None = None, closed: Collection[str] = frozenset()
    ) -> None:
        """`in_turns` bounds unary methods, by their full names; those in `closed` are not served."""
        self._in_turns = in_turns or {}
        self._closed = closed
        self.called = asyncio.Event()
        """Set with the first call of a service of ours."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        if method in self._closed:
            return None  # gRPC answers UNIMPLEMENTED
        if handler is None or not method.startswith("/foldtable."):
            return handler
        self.called.set()
        read = reader(handler.request_deserializer)
        write = handler.response_serializer
        if handler.unary_unary is not None and (turns := self._in_turns.get(method)) is not None:
            return grpc.stream_unary_rpc_method_handler(
                _unary(in_turn(handler.unary_unary, turns), method, each_whole), read, write
            )
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(
                _unary(handler.unary_unary, method, whole), read, write
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                _stream(handler.unary_stream, method, whole), read, write
            )
        if handler.stream_stream is not None:
            return grpc.stream_stream_rpc_method_handler(
                _stream(handler.stream_stream, method, each_whole), read, write
            )
        if handler.stream_unary is not None:
            return grpc.stream_unary_rpc_method_handler(
                _unary(handler.stream_unary, method, each_whole), read, write
            )
        return handler


def _unary(behaviour: Any, method: str, taken: Callable[[Any], Any]) -> Any:
    async def answer(request: Any, context: Any) -> Any:
        begun = time.perf_counter()
        begin_call(context.invocation_metadata())
        if is_debugging():
            _log.debug("received", method=method)
        code = grpc.StatusCode.OK
        try:
            return await behaviour(taken(request), context)
        except asyncio.CancelledError:
            code = grpc.StatusCode.CANCELLED
            raise
        except Exception as error:  # noqa: BLE001 - every failure becomes a status here, and only here
            refused = refusal_of(error, method)
            code = refused.code
            _let_go(error)
            await _abort(context, refused)
        finally:
            SECONDS.labels(method).observe(time.perf_counter() - begun)
            CALLS.labels(method, code.name).inc()
            del request, context  # see _let_go

    return answer


def _stream(behaviour: Any, method: str, taken: Callable[[Any], Any]) -> Any:
    async def answer(request: Any, context: Any) -> AsyncIterator[Any]:
        begin_call(context.invocation_metadata())
        if is_debugging():
            _log.debug("received", method=method)
        code = grpc.StatusCode.OK
        try:
            async for response in behaviour(taken(request), context):
                yield response
        except asyncio.CancelledError:
            code = grpc.StatusCode.CANCELLED
            raise
        except Exception as error:  # noqa: BLE001 - as above
            refused = refusal_of(error, method)
            code = refused.code
            _let_go(error)
            await _abort(context, refused)
        finally:
            CALLS.labels(method, code.name).inc()
            del request, context  # see _let_go

    return answer


def _let_go(error: Exception) -> None:
    """Free what the frames that raised an error hold, such as a large request.

    An error and the frame that handles it refer to each other. So do the error by which a call ends, its context, and the frames
    between, which therefore give up what they were given. Otherwise all of it would wait for the garbage collector, which runs
    rarely.
    """
    error.__traceback__ = error.__cause__ = error.__context__ = None


async def _abort(context: Any, refused: Refused) -> None:
    """End the call. All replicas share the database, so retrying at another would only waste the caller's time (gRFC A6)."""
    status = to_trailing_status(refused)
    pushback = (NO_RETRY,) if refused.code is grpc.StatusCode.UNAVAILABLE else ()
    try:
        await context.abort(
            refused.code,
            status.message,
            trailing_metadata=(("grpc-status-details-bin", status.SerializeToString()), *pushback),
        )
    finally:
        del context  # see _let_go
