"""kill -9 of gateways and rules servers under a match that is streamed: nobody misses a version, nobody gets one twice.

Bots play over REST with request ids; everybody else follows, each in another way and from another place. Every gateway
and every rules server is killed once and started again, and the match goes on meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.followers import (
    AWAY,
    FeedFollower,
    Follower,
    PollFollower,
    StreamFollower,
    WatchFollower,
    events_of,
)
from tests.support.several_of_each import Several, several_of_each

pytestmark = pytest.mark.slow

SEATS = 3
MOVES_BEFORE = 8
"""Made before each killing; a random match has some hundreds."""
MOVES_WHILE_AWAY = 12
"""Made while a process is away, before it is waited for."""
PATIENCE_SECONDS = 20.0


@pytest.fixture(scope="module")
def victims(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Several]:
    """Processes of our own: they will be harmed."""
    folder = tmp_path_factory.mktemp("streamed")
    with several_of_each(postgres_url, template_database, folder) as several:
        yield several


class Bots:
    """Play for every seat, with its own token; after a failure the same request goes to the other gateway."""

    def __init__(self, several: Several, created: dict[str, Any]) -> None:
        self.match_id: str = created["match"]["match_id"]
        self.acknowledged: list[int] = []
        self.repeats = 0
        self._tokens = [given["token"] for given in created["seat_tokens"]]
        self._clients = [several.client(None, gateway=number) for number in range(len(several.urls))]
        self._turn = 0

    def close(self) -> None:
        for client in self._clients:
            client.close()

    def play(self, moves: int) -> None:
        """Make so many moves."""
        for _ in range(moves):
            match = self._ask("GET", "", 0).json()
            assert match["to_act"], "the match was over before the harm was done"
            seat = match["to_act"][0]
            legal = self._ask("GET", "/legal-actions?samples=1", seat).json()
            key = f'"{seat}-{legal["version"]}"'
            made = self._ask(
                "POST",
                "/moves",
                seat,
                json={"action": legal["samples"][0], "expected_version": legal["version"]},
                headers={"idempotency-key": key},
            )
            self.acknowledged.append(made.json()["version"])

    def end(self) -> None:
        """Resign for everybody but the last: so the match ends at a known place."""
        for seat in range(len(self._tokens) - 1):
            headers = {"idempotency-key": f'"{seat}-resigns"'}
            made = self._ask("POST", "/resign", seat, json={}, headers=headers)
            self.acknowledged.append(made.json()["version"])
            if made.json()["status"] == "ended":
                return

    def _ask(self, method: str, what: str, seat: int, **more: Any) -> httpx.Response:
        """Ask until somebody answers; what is refused for another reason than a break fails the test."""
        headers = more.pop("headers", {}) | {"authorization": f"Bearer {self._tokens[seat]}"}
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            self._turn += 1
            client = self._clients[self._turn % len(self._clients)]
            try:
                answer = client.request(method, f"/v1/matches/{self.match_id}{what}", headers=headers, **more)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code not in AWAY:
                assert answer.is_success, answer.text
                return answer
            assert time.monotonic() < deadline, "nobody answers any more"
            self.repeats += 1
            time.sleep(0.05)


def new_match(several: Several, game: str, seats: int) -> dict[str, Any]:
    """Create a match, once, however long the servers of the test before take to come back."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    headers = {"idempotency-key": f'"{uuid4()}"'}
    with several.client(several.key) as tenant:
        while True:
            answer = tenant.post("/v1/matches", json={"game": game, "seats": seats}, headers=headers)
            if answer.status_code not in AWAY:
                assert answer.is_success, answer.text
                created: dict[str, Any] = answer.json()
                return created
            assert time.monotonic() < deadline, "nobody creates a match"
            time.sleep(0.05)


def harm(bots: Bots, kill: Callable[[], None], start_again: Callable[[], None]) -> None:
    """Kill a process in the middle, play on without it, and go on once it is back."""
    bots.play(MOVES_BEFORE)
    kill()
    back = threading.Thread(target=start_again)
    back.start()
    bots.play(MOVES_WHILE_AWAY)
    back.join()


def test_every_follower_is_told_every_version_once(victims: Several) -> None:
    gateways, rules, key = victims.urls, victims.rules_addresses, victims.key
    created = new_match(victims, "river_dragons", SEATS)
    bots = Bots(victims, created)
    seat = created["seat_tokens"][0]["token"]
    told_all: list[Follower] = [
        StreamFollower("stream of a seat at gateway 0", gateways, seat, bots.match_id),
        StreamFollower("stream of the public at gateway 1", gateways[::-1], key, bots.match_id),
        WatchFollower("watching at rules server 0", rules, key, bots.match_id),
        WatchFollower("watching at rules server 1", rules[::-1], seat, bots.match_id),
        PollFollower("long polls at gateway 0", gateways, seat, bots.match_id),
    ]
    feed = FeedFollower("feed at gateway 0", gateways, key, bots.match_id)
    followers = [*told_all, feed]
    for follower in followers:
        follower.start()
    for number in range(2):
        harm(bots, victims.gateways[number].kill, lambda n=number: victims.start_gateway_again(n))
        harm(bots, victims.rules[number].kill, lambda n=number: victims.start_rules_again(n))
    bots.end()
    bots.close()
    for follower in followers:
        follower.join(PATIENCE_SECONDS)

    with victims.client(key) as tenant:
        match = tenant.get(f"/v1/matches/{bots.match_id}").json()
        checked = tenant.get(f"/v1/matches/{bots.match_id}/verify").json()
    every = list(range(1, match["version"] + 1))
    assert match["status"] == "ended"
    assert bots.acknowledged == every[1:], "each acknowledged move is in the log, once, and no other"
    for follower in told_all:
        assert follower.versions == every, follower.name
    assert feed.versions == sorted(feed.versions)
    assert (feed.versions[-1], feed.status) == (match["version"], "ended")
    assert (checked["ok"], checked["difference"]) == (True, "")
    assert [follower.name for follower in followers if not follower.breaks] == [], "nobody was spared"
    assert bots.repeats > 0


def test_a_stream_cut_after_every_event_goes_on_elsewhere(victims: Several) -> None:
    """Each event comes from another gateway than the one before, while the match is played on."""
    created = new_match(victims, "al_rashid", 2)
    bots = Bots(victims, created)
    playing = threading.Thread(target=lambda: (bots.play(20), bots.end()))
    playing.start()
    cut = CutAfterEachEvent("cut streams", victims.urls, created["seat_tokens"][1]["token"], bots.match_id)
    cut.start()
    cut.join(PATIENCE_SECONDS)
    playing.join(PATIENCE_SECONDS)
    bots.close()
    assert cut.versions == list(range(1, bots.acknowledged[-1] + 1))
    assert cut.breaks >= len(cut.versions) - 1


class CutAfterEachEvent(StreamFollower):
    """Hangs up after every single event."""

    def _listen(self, place: str) -> bool:
        headers = {"last-event-id": str(self.last)}
        with (
            self._client(place) as client,
            client.stream("GET", f"{self.path}/stream", headers=headers) as response,
        ):
            if response.status_code == 204:
                return True
            return self._take_one(response)

    def _take_one(self, response: httpx.Response) -> bool:
        name, number, _ = next(events_of(response), ("", "", ""))
        if name == "move.applied":
            self.versions.append(int(number))
        return name == "match.ended"


def test_nothing_that_happened_was_an_error_nobody_expected(victims: Several) -> None:
    """Runs after the harm. What a client was told to try again is no such error; it tried again."""
    processes = [*victims.gateways, *victims.rules, victims.platform]
    logged = [line for process in processes for line in process.lines() if line.get("status") not in AWAY]
    assert [line for line in logged if line["level"] in {"error", "critical"} or "exception" in line] == []
