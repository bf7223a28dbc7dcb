"""Sends requests, and sends them again where that is safe (repeating.py)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import httpx

from foldtable_client.headers import authorization
from foldtable_client.paths import require_path
from foldtable_client.repeating import Attempts

MAX_POLL_SECONDS: Final = 20


class Sender:
    """A connection to one API with one credential."""

    def __init__(
        self,
        address: str,
        credential: str,
        *,
        retry_for: float,
        timeout: float,
        transport: httpx.BaseTransport | None,
    ) -> None:
        self.retry_for = retry_for
        self.poll_seconds = max(0, min(MAX_POLL_SECONDS, int(timeout * 2 / 3)))
        """How long the server may keep a request waiting: it answers before `timeout`."""
        self.http = httpx.Client(
            base_url=address.rstrip("/"),
            headers=authorization(credential),
            timeout=timeout,
            transport=transport,
        )

    def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool,
    ) -> httpx.Response:
        """Return the answer, a success or 304. Raises ProblemError, Unreachable, ValueError for what is no path."""
        require_path(path)
        request = self.http.build_request(
            method, path, params=with_said(path, params or {}), json=body, headers=headers
        )
        attempts = Attempts(f"{method} {path}", retry_for=self.retry_for, repeatable=repeatable)
        while True:
            try:
                answer = self.http.send(request)
            except httpx.TransportError as error:
                pause = attempts.failed(error)
            else:
                later = attempts.answered(answer)
                if later is None:
                    return answer
                pause = later
            time.sleep(pause)


def with_said(path: str, parameters: Mapping[str, Any]) -> httpx.QueryParams | None:
    """Return the query: what the path has, and the parameters given; None if there are none.

    A path keeps its own query only if it is put together here: httpx puts any other in its place, an empty one too.
    """
    said = {name: value for name, value in parameters.items() if value is not None}
    return httpx.QueryParams(path.partition("?")[2]).merge(said) or None
