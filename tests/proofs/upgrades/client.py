"""A platform that has been our customer since the first release: it speaks to whichever gateway it is given."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Final, Self
from uuid import uuid4

import httpx

WAIT_SECONDS: Final = 20.0
PASSING: Final = frozenset({429, 502, 503, 504})
"""What a repeat is the cure for; the request id makes it safe."""


class Refusal(Exception):  # noqa: N818 - the name says what happened
    """The gateway said no."""

    def __init__(self, answer: httpx.Response) -> None:
        document = answer.json() if "json" in answer.headers.get("content-type", "") else {}
        self.status = answer.status_code
        self.reason = str(document.get("reason", ""))
        super().__init__(
            f"{answer.request.method} {answer.request.url.path}: {answer.status_code} {answer.text[:300]}"
        )


class Client:
    """One key, one gateway."""

    def __init__(self, url: str, key: str) -> None:
        self._http = httpx.Client(
            base_url=f"{url}/v1", headers={"authorization": f"Bearer {key}"}, timeout=20, trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def get(self, path: str, **parameters: str | int) -> Any:
        """Return the JSON of an answer; Refusal."""
        return self.ask("GET", path, params=parameters).json()

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send something under a request id of its own, again until it was taken or refused; Refusal."""
        headers = {"idempotency-key": f'"{uuid4()}"'}
        return self.ask("POST", path, headers=headers, **({} if body is None else {"json": body})).json()

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request; Refusal."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            answer = self._http.request(method, path, **more)
            if answer.status_code not in PASSING or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        if not answer.is_success:
            raise Refusal(answer)
        return answer

    def create(self, game: str, seats: int = 2, **more: Any) -> str:
        """Create a match; give its id."""
        created = self.post("/matches", {"game": game, "seats": seats, **more})
        match_id: str = created["match"]["match_id"]
        return match_id

    def step(self, match_id: str) -> int | None:
        """Make any legal move for whoever has to; give the version it made, or None if the match does not go on."""
        match = self.get(f"/matches/{match_id}")
        if match["status"] != "running":
            return None
        seat = match["to_act"][0]
        legal = self.get(f"/matches/{match_id}/legal-actions", seat=seat, samples=1)
        body = {"action": legal["samples"][0], "expected_version": legal["version"], "seat": seat}
        version: int = self.post(f"/matches/{match_id}/moves", body)["version"]
        return version

    def play(self, match_id: str, most: int) -> None:
        """Make moves until there were enough or the match has ended."""
        for _ in range(most):
            if self.step(match_id) is None:
                return

    def resign(self, match_id: str, seat: int) -> None:
        """Have a seat leave for good."""
        self.post(f"/matches/{match_id}/resign", {"seat": seat})
