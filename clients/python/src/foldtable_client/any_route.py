"""A connection with one credential, and requests to any route of the API."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Any, Self, cast
from uuid import uuid4

import httpx

from foldtable_client import types
from foldtable_client.headers import idempotency_key
from foldtable_client.problems import json_of
from foldtable_client.sending import Sender


class AnyRoute:
    """The API with one credential, or with none."""

    def __init__(
        self,
        address: str,
        credential: str = "",
        *,
        retry_for: float = 60.0,
        timeout: float = 15.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`credential`: none for what anybody may read. `retry_for`: seconds to keep trying one request; `timeout`: seconds to
        wait for one answer.

        Raises ValueError if the address or the credential is malformed.
        """
        self._sender = Sender(address, credential, retry_for=retry_for, timeout=timeout, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections. Every call that waits at this moment raises Closed, and so does every later one."""
        await self._sender.close()

    # ── any route ──────────────────────────────────────────────────────────────────────────────────

    async def get(self, /, path: str, **parameters: Any) -> Any:
        """Return the answer of a route; parameters that are None are left out."""
        return json_of(await self._sender.send("GET", path, params=parameters, repeatable=True))

    async def pages(self, /, path: str, items: str, **parameters: Any) -> AsyncGenerator[Any]:
        """Yield every item of a list, page by page as they are used; `items` names the list in a page."""
        token: str | None = None
        while token != "":
            page = await self.get(path, **parameters, page_token=token)
            for item in page[items]:
                yield item
            token = page["next_page_token"]

    async def post(
        self,
        /,
        path: str,
        body: Any = None,
        *,
        version: int | None = None,
        once: bool = False,
        **parameters: Any,
    ) -> Any:
        """Post a body. `version`: the version it was decided on. `once`: the route takes an `Idempotency-Key`."""
        headers = {} if version is None else {"If-Match": f'"v:{version}"'}
        in_body = body.get("request_id") if isinstance(body, dict) else None
        if once:
            headers["Idempotency-Key"] = idempotency_key(str(uuid4()) if in_body is None else in_body)
        sent = {} if body is None else body
        return json_of(
            await self._sender.send(
                "POST", path, params=parameters, body=sent, headers=headers, repeatable=once
            )
        )

    async def patch(self, path: str, body: Any) -> Any:
        """Change what the body names. Repeating it has no further effect, so it is retried."""
        return json_of(await self._sender.send("PATCH", path, body=body, repeatable=True))

    async def credential(self) -> types.Credential:
        """Return what this client's credential allows."""
        return cast("types.Credential", await self.get("/v1/token"))
