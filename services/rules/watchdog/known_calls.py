"""Calls that concern no match: the watchdog knows them by their content."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from google.protobuf.descriptor import ServiceDescriptor

from services.rules.marks import about, of_request


def known_by_content(servicer: Any, service: ServiceDescriptor) -> Any:
    """Return a servicer with its unary methods known by what they are called with."""
    for method in service.methods:
        if not method.client_streaming and not method.server_streaming:
            setattr(servicer, method.name, _known(method.name, getattr(servicer, method.name)))
    return servicer


def _known(name: str, method: Callable[[Any, Any], Awaitable[Any]]) -> Callable[[Any, Any], Awaitable[Any]]:
    async def known(request: Any, context: Any) -> Any:
        with about(of_request(name, request.SerializeToString(deterministic=True))):
            return await method(request, context)

    return known
