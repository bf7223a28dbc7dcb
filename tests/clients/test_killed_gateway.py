"""kill -9 of the gateway under the Python client: a match is played and followed as if nothing had happened."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from foldtable_client import Client, MatchEnded, StreamEvent
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow

KILLED_AFTER = (4, 11)
"""Versions, each well before the end of the match, after which the gateway is killed and started again."""
LAST = 16


@pytest.fixture
def victims(several: Several) -> Iterator[Several]:
    """Those of the session; one of them will be killed."""
    yield several
    several.start_what_ended()


class Killer:
    """Kills the gateway while the next request is on its way, and starts it again."""

    def __init__(self, victims: Several) -> None:
        self._victims = victims
        self._threads: list[threading.Thread] = []

    def strike(self) -> None:
        self._threads.append(threading.Thread(target=self._kill_and_start_again))
        self._threads[-1].start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(60)

    def _kill_and_start_again(self) -> None:
        self._victims.gateways[0].kill()
        self._victims.start_gateway_again(0)


def play(client: Client, match: str, killer: Killer) -> list[int]:
    """Play to a version, then resign; give the versions that were made."""
    made = [1]
    while made[-1] < LAST:
        if made[-1] in KILLED_AFTER:
            killer.strike()
        legal = client.legal_actions(match, seat=client.match(match)["to_act"][0], samples=1)
        answer = client.move(match, legal["samples"][0], version=legal["version"], seat=legal["seat"])
        made.append(answer["version"])
    killer.join()
    return [*made, client.resign(match, seat=0)["version"]]


def test_every_move_counts_once_and_every_version_is_heard_once(victims: Several) -> None:
    killer = Killer(victims)
    with Client(victims.urls[0], victims.key, retry_for=60) as client:
        match = client.create_match(game="al_rashid", seats=2)["match"]["match_id"]

        def listen() -> list[StreamEvent]:
            with Client(victims.urls[0], victims.key, retry_for=60) as follower:
                return list(follower.follow(match, after_version=1, audience="public"))

        with ThreadPoolExecutor(1) as thread:
            heard = thread.submit(listen)
            made = play(client, match, killer)
            *moves, end = heard.result(timeout=60)
        assert made == list(range(1, LAST + 2))
        assert [move.version for move in moves] == made[1:]
        assert end == MatchEnded(made[-1], match)
        assert client.verify(match)["ok"]
