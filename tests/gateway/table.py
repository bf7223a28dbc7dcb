"""Callers, as the tests see them: a platform with its key, players with their seats' tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

import httpx

FIVE_CARDS = ["stone1", "stone2", "plank1", "move1", "jump"]
PROGRAM = {"type": "submit_program", "cards": FIVE_CARDS}


MARK = re.compile(r";a=[0-9a-f]{12}")
"""Whom a response is for, in its entity tag."""


def unmarked(tagged: httpx.Response | str) -> str:
    """Return an entity tag, that of a response, without the mark, which it must have."""
    etag = tagged if isinstance(tagged, str) else tagged.headers["etag"]
    tag, marks = MARK.subn("", etag)
    assert marks == 1, etag
    return tag


class Caller(httpx.Client):
    """Speaks REST with one credential."""

    def __init__(self, url: str, credential: str) -> None:
        # It is plain HTTP: loading certificates would take longer than most tests.
        # As it is: compression, which changes entity tags, has its own tests.
        headers = {"authorization": f"Bearer {credential}", "accept-encoding": "identity"}
        super().__init__(base_url=url, headers=headers, timeout=30, verify=False, trust_env=False)


class Player(Caller):
    """One seat of one match."""

    def __init__(self, url: str, match_id: str, seat: int, token: str) -> None:
        super().__init__(url, token)
        self.match_id = match_id
        self.seat = seat
        self.token = token

    def look(self, what: str, **query: Any) -> httpx.Response:
        return self.get(f"/v1/matches/{self.match_id}/{what}", params=query)

    def move(self, action: Any, version: int | None = None, **more: Any) -> httpx.Response:
        """Post a move; keyword `headers` are headers, the rest stands in the body."""
        headers = more.pop("headers", None)
        body = {"action": action, **more}
        if version is not None:
            body["expected_version"] = version
        return self.post(f"/v1/matches/{self.match_id}/moves", json=body, headers=headers)

    def any_move(self, **more: Any) -> httpx.Response:
        """Make any legal move."""
        legal = self.look("legal-actions", samples=1).json()
        return self.move(legal["samples"][0], legal["version"], **more)


class Platform(Caller):
    """A tenant."""

    def create(self, seats: int = 2, **more: Any) -> httpx.Response:
        return self.post("/v1/matches", json={"game": "river_dragons", "seats": seats, **more})

    def new_table(self, seats: int = 2, **more: Any) -> Table:
        answer = self.create(seats, **more)
        assert answer.status_code == 201, answer.text
        return Table(self, answer.json())

    @contextmanager
    def readable_by_anybody(self) -> Iterator[None]:
        """Let anybody read the tenant's public matches meanwhile: other tests share the tenant."""
        self.patch("/v1/tenant", json={"anonymous_read": True}).raise_for_status()
        try:
            yield
        finally:
            self.patch("/v1/tenant", json={"anonymous_read": False}).raise_for_status()


class Table:
    """A match and everybody at it."""

    def __init__(self, platform: Platform, created: dict[str, Any]) -> None:
        self.platform = platform
        self.match_id: str = created["match"]["match_id"]
        self.path = f"/v1/matches/{self.match_id}"
        url = str(platform.base_url)
        self.players = [
            Player(url, self.match_id, token["seat"], token["token"]) for token in created["seat_tokens"]
        ]

    def match(self) -> dict[str, Any]:
        answer = self.platform.get(self.path)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def play_on(self, moves: int) -> None:
        """Let whoever must act make any legal move, so many times or until the end."""
        for _ in range(moves):
            to_act = self.match()["to_act"]
            if not to_act:
                return
            answer = self.players[to_act[0]].any_move()
            assert answer.status_code == 200, answer.text

    def end(self) -> None:
        """Everybody but the last resigns, so the match is over."""
        for player in self.players[:-1]:
            answer = player.post(f"{self.path}/resign", json={})
            assert answer.status_code == 200, answer.text

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for player in self.players:
            player.close()
