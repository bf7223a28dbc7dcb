"""Clients that follow a match to its end through whatever happens, each in its own way. For tests; used by name.

They do what the documentation tells clients to do: remember the last version, and after a break come back with it,
wherever somebody answers.
"""

from __future__ import annotations

import json
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final

import grpc
import httpx

from foldtable.matches.v1 import match_service_pb2_grpc
from foldtable.matches.v1.match_service_pb2 import WatchMatchRequest
from foldtable.rules.v1.table_pb2 import Audience

PAUSE_SECONDS: Final = 0.1
"""Between a break and the next attempt."""
AWAY: Final = frozenset({502, 503, 504})
Event = tuple[str, str, str]
"""Name, id, data."""


def events_of(response: httpx.Response) -> Iterator[Event]:
    """Give server-sent events as they come (WHATWG HTML §9.2); one that was cut off is not given."""
    name, last_id, data = "", "", ""
    for line in response.iter_lines():
        field, _, value = line.partition(": ")
        if not line:
            if data:
                yield name, last_id, data
            name, data = "", ""
        elif field == "event":
            name = value
        elif field == "id":
            last_id = value
        elif field == "data":
            data = value


class Follower(ABC):
    """Follows a match in a thread of its own."""

    def __init__(self, name: str, places: list[str], credential: str, match_id: str) -> None:
        """`places` are tried in turn, the first one first."""
        self.name = name
        self.versions: list[int] = []
        """What it was told, as it was told."""
        self.breaks = 0
        self.failure: BaseException | None = None
        self.path = f"/v1/matches/{match_id}"
        self._places = places
        self._credential = credential
        self._match_id = match_id
        self._stopping = False
        self._thread = threading.Thread(target=self._follow, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def join(self, seconds: float) -> None:
        """Wait until it has seen the end of the match; AssertionError."""
        self._thread.join(seconds)
        self._stopping = True
        assert self.failure is None, f"{self.name}: {self.failure!r}"
        assert not self._thread.is_alive(), f"{self.name} has got no further than {self.versions[-1:]}"

    @property
    def last(self) -> int:
        return self.versions[-1] if self.versions else 0

    def _follow(self) -> None:
        try:
            while not self._stopping:
                place = self._places[self.breaks % len(self._places)]
                try:
                    if self._listen(place):
                        return
                except (httpx.TransportError, grpc.RpcError, ConnectionError):
                    pass  # a break is what this is about; the next place is tried
                self.breaks += 1
                time.sleep(PAUSE_SECONDS)
        except BaseException as error:  # noqa: BLE001 - told where the test waits for the follower
            self.failure = error

    @abstractmethod
    def _listen(self, place: str) -> bool:
        """Follow from one place; True at the end of the match, False or an error after a break."""

    def _client(self, place: str) -> httpx.Client:
        headers = {"authorization": f"Bearer {self._credential}"}
        return httpx.Client(base_url=place, headers=headers, timeout=20, verify=False, trust_env=False)


class StreamFollower(Follower):
    """By server-sent events."""

    def _listen(self, place: str) -> bool:
        headers = {"last-event-id": str(self.last)}
        with (
            self._client(place) as client,
            client.stream("GET", f"{self.path}/stream", headers=headers) as response,
        ):
            if response.status_code == 204:
                return True
            if response.status_code in AWAY:
                return False
            assert response.status_code == 200, response.read()
            for name, number, _ in events_of(response):
                if name == "move.applied":
                    self.versions.append(int(number))
                elif name == "match.ended":
                    return True
                else:
                    assert name in {"drain", "lagged"}, f"a follower who knows a version got {name}"
        return False


class PollFollower(Follower):
    """By long polls."""

    def _listen(self, place: str) -> bool:
        with self._client(place) as client:
            while not self._stopping:
                answer = client.get(f"{self.path}/moves", params={"after": self.last, "wait": "5s"})
                if answer.status_code in AWAY:
                    return False
                assert answer.status_code == 200, answer.text
                page = answer.json()
                self.versions += [move["version"] for move in page["moves"]]
                if page["status"] == "ended" and self.last == page["version"]:
                    return True
        return False


class WatchFollower(Follower):
    """By gRPC; its places are rules servers."""

    def _listen(self, place: str) -> bool:
        request = WatchMatchRequest(
            match_id=self._match_id,
            audience=Audience(kind=Audience.KIND_PUBLIC),
            after_version=self.last,
        )
        with grpc.insecure_channel(place) as channel:
            stub = match_service_pb2_grpc.MatchServiceStub(channel)
            metadata = [("authorization", f"Bearer {self._credential}")]
            for update in stub.WatchMatch(request, metadata=metadata):
                assert update.WhichOneof("update") == "move", "a follower who knows a version gets moves"
                self.versions.append(update.move.version)
        return True  # without an error it ends with the match


class FeedFollower(Follower):
    """By the tenant's feed, which tells where the match is, not each move."""

    def __init__(self, name: str, places: list[str], credential: str, match_id: str) -> None:
        super().__init__(name, places, credential, match_id)
        self.status = ""
        self._last_id = ""

    def _listen(self, place: str) -> bool:
        headers = {"last-event-id": self._last_id} if self._last_id else {}
        with self._client(place) as client, client.stream("GET", "/v1/feed", headers=headers) as response:
            if response.status_code in AWAY:
                return False
            assert response.status_code == 200, response.read()
            for name, number, data in events_of(response):
                self._last_id = number or self._last_id
                if name == "match.updated" and (told := json.loads(data))["match_id"] == self._match_id:
                    self.versions.append(told["version"])
                    self.status = told["status"]
                    if self.status == "ended":
                        return True
        return False
