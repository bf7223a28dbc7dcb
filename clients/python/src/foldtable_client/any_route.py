"""A connection with one credential, and requests to any route of the API."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx

from foldtable_client import types
from foldtable_client.headers import idempotency_key
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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`credential`: none for what anybody may read. `retry_for`: seconds to keep trying one request; `timeout`: seconds to
        wait for one answer.

        Raises ValueError if the credential is malformed.
        """
        self._sender = Sender(address, credential, retry_for=retry_for, timeout=timeout, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._sender.http.close()

    # ── any route ──────────────────────────────────────────────────────────────────────────────────

    def get(self, path: str, **parameters: Any) -> Any:
        """Return the answer of a route; parameters that are None are left out."""
        return self._sender.send("GET", path, params=parameters, repeatable=True).json()

    def pages(self, path: str, items: str, **parameters: Any) -> Iterator[Any]:
        """Yield every item of a list, page by page as they are used; `items` names the list in a page."""
        token: str | None = None
        while token != "":
            page = self.get(path, **parameters, page_token=token)
            yield from page[items]
            token = page["next_page_token"]

    def post(
        self,
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
        return self._sender.send(
            "POST", path, params=parameters, body=sent, headers=headers, repeatable=once
        ).json()

    def patch(self, path: str, body: Any) -> Any:
        """Change what the body names. Repeating it has no further effect, so it is retried."""
        return self._sender.send("PATCH", path, body=body, repeatable=True).json()

    def credential(self) -> types.Credential:
        """Return what this client's credential allows."""
        return self.get("/v1/token")
