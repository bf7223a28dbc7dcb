"""The Python client replays matches: every version as single reads return it, also where connections break."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from foldtable_client import Client, ProblemError, ReplayedVersion, Unreachable, repeating, sending
from tests.clients.test_python_tables import a_match, move
from tests.support.our_games import OUR_GAMES
from tests.support.running_system import System

MATCH = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"
NAME = "Ada\u2028\x85Ñ"
"""Characters that Python takes for line breaks, and JSON does not."""


@pytest.fixture
def tenant(system: System) -> Iterator[Client]:
    with Client(system.address, system.key) as client:
        yield client


@pytest.mark.slow
@pytest.mark.parametrize("game", OUR_GAMES)
def test_every_version_is_what_single_reads_return(tenant: Client, game: str) -> None:
    """Also where a move was taken back, in the games whose first move can be."""
    match = a_match(tenant, game)
    move(tenant, match)
    state = tenant.undo_state(match, seat=0)
    if state["free_to"] < state["version"]:
        tenant.undo(match, state["free_to"], version=state["version"], seat=0)
    for _ in range(12):
        move(tenant, match)
    for eyes in ({"seat": 0}, {"audience": "public"}):
        versions = list(tenant.replay(match, lang="it", **eyes))  # type: ignore[arg-type]
        now = tenant.table(match, lang="it", **eyes)  # type: ignore[arg-type]
        assert [one.version for one in versions] == list(range(1, now["version"] + 1))
        for version, made, table in versions:
            assert table["view"] == tenant.view(match, at=version, **eyes)["view"]  # type: ignore[arg-type]
            assert made["version"] == version
        last = versions[-1].table
        assert (last["view"], last["pieces"], last["pending"]) == (now["view"], now["pieces"], now["pending"])
        assert versions[-1].move.get("event_texts")
    part = list(tenant.replay(match, seat=0, first=4, last=6))
    assert [one.version for one in part] == [4, 5, 6]
    assert part[0].table["view"] == tenant.view(match, seat=0, at=4)["view"]


# ── what happens on the way ────────────────────────────────────────────────────────────────────────


def lines(first: int, last: int = 3) -> list[bytes]:
    """Return the answer to somebody who asks for the versions from `first` on."""
    steps: list[dict[str, Any]] = [
        {"version": first, "move": {}, "table": {"view": {"at": first, "name": NAME}, "pieces": {"a": {}}}}
    ]
    for version in range(first + 1, last + 1):
        patch = [{"op": "replace", "path": "/view/at", "value": version}]
        steps.append({"version": version, "move": {}, "patch": patch})
    return [json.dumps(step, ensure_ascii=False).encode() + b"\n" for step in steps]


class Cut(httpx.SyncByteStream):
    """Sends some bytes, seven at a time, then breaks."""

    def __init__(self, sent: bytes) -> None:
        self._sent = sent

    def __iter__(self) -> Iterator[bytes]:
        yield from (self._sent[start : start + 7] for start in range(0, len(self._sent), 7))
        raise httpx.ReadError("cut off")


def replay(answer: Callable[[httpx.Request], httpx.Response], **asked: Any) -> Iterator[ReplayedVersion]:
    transport = httpx.MockTransport(answer)
    return Client("http://table.test", "ft_dev_key", transport=transport).replay(MATCH, **asked)


@pytest.mark.usefixtures("slept")
def test_wherever_it_is_cut_it_goes_on_there() -> None:
    whole = b"".join(lines(1))
    for cut in range(len(whole) + 1):
        seen = whole[:cut].count(b"\n")
        answers: list[httpx.Response] = [
            httpx.Response(200, content=b"".join(lines(max(1, seen)))),
            httpx.Response(503),
            httpx.Response(200, stream=Cut(whole[:cut])),
        ]
        asked: list[str | None] = []

        def answer(
            request: httpx.Request,
            answers: list[httpx.Response] = answers,
            asked: list[str | None] = asked,
        ) -> httpx.Response:
            asked.append(request.url.params.get("from"))
            return answers.pop()

        versions = [(one.version, one.table["view"]) for one in replay(answer)]
        assert versions == [(version, {"at": version, "name": NAME}) for version in (1, 2, 3)]
        again = str(seen) if seen else None
        assert asked == [None, again, again]


def test_tables_share_what_has_not_changed_and_stay_as_they_are() -> None:
    first, second, third = replay(lambda _: httpx.Response(200, content=b"".join(lines(1))))
    assert [one.table["view"] for one in (first, second, third)] == [
        {"at": version, "name": NAME} for version in (1, 2, 3)
    ]
    assert first.table["pieces"] is second.table["pieces"] is third.table["pieces"]


def test_a_replay_asks_for_lines_of_tables_and_only_for_what_was_said() -> None:
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, content=b"".join(lines(2)))

    list(replay(answer, seat=1, lang="fr", first=2))
    (request,) = requests
    assert request.headers["accept"] == "application/x-ndjson"
    assert request.url.path == f"/v1/matches/{MATCH}/replay"
    assert dict(request.url.params) == {"what": "tables", "seat": "1", "lang": "fr", "from": "2"}


def test_a_refusal_is_raised_at_once(slept: list[float]) -> None:
    refusal = {"reason": "SEAT_FORBIDDEN", "detail": "no"}
    with pytest.raises(ProblemError) as refused:
        next(replay(lambda _: httpx.Response(403, json=refusal)))
    assert (refused.value.reason, slept) == ("SEAT_FORBIDDEN", [])


def test_patience_counts_from_the_last_version_that_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever shows a replay slowly, or over a bad line, is not told that nobody answers."""
    now = 0.0

    def pass_time(seconds: float) -> None:
        nonlocal now
        now += seconds

    async def sleep(seconds: float) -> None:
        pass_time(seconds)

    monkeypatch.setattr(repeating, "monotonic", lambda: now)
    monkeypatch.setattr(sending, "sleep", sleep)

    def answer(request: httpx.Request) -> httpx.Response:
        """Send one version more than the client has, after most of its patience."""
        pass_time(45)
        has = int(request.url.params.get("from", 0))
        two = b"".join(lines(has or 1)[: 2 if has else 1])
        return httpx.Response(200, content=two) if has == 2 else httpx.Response(200, stream=Cut(two))

    shown = []
    for one in replay(answer):
        shown.append(one.version)
        pass_time(100)
    assert shown == [1, 2, 3]


def test_patience_ends_where_nothing_comes(slept: list[float]) -> None:
    client = Client(
        "http://table.test",
        "ft_dev_key",
        retry_for=1,
        transport=httpx.MockTransport(lambda _: httpx.Response(429, headers={"retry-after": "5"})),
    )
    with pytest.raises(Unreachable):
        next(client.replay(MATCH))
    assert slept == []
    with pytest.raises(ValueError, match="is not an id"):
        client.replay("a/b")
