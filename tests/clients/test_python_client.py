"""The Python client plays a whole match against the real stack, as its README shows it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from foldtable_client import (
    Client,
    MatchEnded,
    ProblemError,
    RefusedByTheRules,
    StreamEvent,
    VersionConflict,
)
from foldtable_client.seen_views import MAX_VIEWS, Eyes, SeenViews
from foldtable_client.types import CreatedMatch
from tests.docs.client_types import written_modules
from tests.support.running_system import System

pytestmark = pytest.mark.slow
GAME = "river_dragons"


@pytest.fixture
def tenant(system: System):
    with Client(system.address, system.key, retry_for=20) as client:
        yield client


def a_match(tenant: Client, seats: int = 2) -> tuple[str, CreatedMatch]:
    created = tenant.create_match(game=GAME, seats=seats)
    return created["match"]["match_id"], created


def play(client: Client, match: str) -> int:
    """Play every seat with random legal actions to the end; give the last version."""
    told = client.match(match)
    version, to_act = told["version"], told["to_act"]
    while to_act:
        legal = client.legal_actions(match, seat=to_act[0], samples=1)
        made = client.move(match, legal["samples"][0], version=legal["version"], seat=to_act[0])
        version, to_act = made["version"], made["to_act"]
    return version


def test_a_whole_match_is_played_followed_and_verified(tenant: Client) -> None:
    match, _ = a_match(tenant)

    def listen() -> list[StreamEvent]:
        return list(tenant.follow(match, audience="public"))

    with ThreadPoolExecutor(1) as thread:
        heard = thread.submit(listen)
        last = play(tenant, match)
        snapshot, *moves, end = heard.result(timeout=30)
    assert [move.version for move in moves] == list(range(snapshot.version + 1, last + 1))
    assert end == MatchEnded(last, match)
    logged = list(tenant.moves(match, after=snapshot.version, audience="public"))
    assert [move["events"] for move in logged] == [move.events for move in moves]
    assert tenant.verify(match)["ok"]
    assert tenant.match(match)["outcome"] is not None


class Cutting(httpx.HTTPTransport):
    """A network that lets an event of a stream through, or so many, and then breaks."""

    def __init__(self, events: int = 1) -> None:
        super().__init__()
        self._events = events

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.headers["accept-encoding"] = "identity"  # where an event ends could not be seen otherwise
        answer = super().handle_request(request)
        if "/stream" in request.url.path and answer.status_code == httpx.codes.OK:
            answer.stream = FewEvents(answer.stream, self._events)
        return answer


class FewEvents(httpx.SyncByteStream):
    def __init__(self, whole: Any, left: int) -> None:
        self._whole = whole
        self._left = left

    def __iter__(self) -> Iterator[bytes]:
        told = b""
        for chunk in self._whole:
            *events, told = (told + chunk).split(b"\n\n")
            for event in events:
                yield event + b"\n\n"
                self._left -= b"data:" in event
                if self._left == 0:
                    raise httpx.ReadError("cut off")

    def close(self) -> None:
        self._whole.close()


@pytest.mark.usefixtures("slept")
def test_a_stream_that_is_cut_at_every_event_misses_nothing(system: System, tenant: Client) -> None:
    match, _ = a_match(tenant)
    for _ in range(8):
        legal = tenant.legal_actions(match, seat=tenant.match(match)["to_act"][0], samples=1)
        tenant.move(match, legal["samples"][0], version=legal["version"], seat=legal["seat"])
    last = tenant.resign(match, seat=0)["version"]
    with Client(system.address, system.key, transport=Cutting()) as unlucky:
        told = list(unlucky.follow(match, after_version=1))
    assert [event.version for event in told] == [*range(2, last + 1), last]
    assert isinstance(told[-1], MatchEnded)


def test_a_player_plays_with_the_token_of_a_seat(system: System, tenant: Client) -> None:
    match, created = a_match(tenant)
    with Client(system.address, created["seat_tokens"][1]["token"]) as player:
        assert player.credential()["seat"] == 1
        legal = player.legal_actions(match, samples=1)
        made = player.move(match, legal["samples"][0], version=legal["version"])
        assert player.newer_view(match, made["version"]) is None
        newer = player.newer_view(match, legal["version"])
        assert newer is not None
        assert newer["version"] == made["version"]
        assert newer["audience"] == {"kind": "seat", "seat": 1}


def test_a_view_is_transferred_once_for_each_pair_of_eyes(system: System) -> None:
    statuses: list[int] = []

    class Counting(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            answer = super().handle_request(request)
            statuses.append(answer.status_code)
            return answer

    with Client(system.address, system.key, transport=Counting()) as tenant:
        match, _ = a_match(tenant)
        version = tenant.match(match)["version"]
        statuses.clear()
        for seat in (0, 1, 0, 1):
            assert tenant.newer_view(match, version, seat=seat) is None
        assert statuses == [200, 200, 304, 304]
        first = tenant.newer_view(match, version - 1, seat=0)
        assert first is not None
        assert first["audience"] == {"kind": "seat", "seat": 0}
        tenant.resign(match, seat=0)
        newer = tenant.newer_view(match, version, seat=0)
        assert newer is not None
        assert newer["version"] == version + 1


def test_of_many_views_the_oldest_is_forgotten() -> None:
    seen = SeenViews()
    for number in range(MAX_VIEWS + 1):
        seen.remember(Eyes(f"match-{number}", None, None), 1, f'"v:1;a={number}"')
    assert seen.tag_of(Eyes("match-0", None, None), 1) == ""
    assert seen.tag_of(Eyes("match-1", None, None), 1) == '"v:1;a=1"'
    assert seen.tag_of(Eyes("match-1", None, None), 2) == ""


def test_the_rules_refuse_with_their_paragraph_and_with_what_is_legal(tenant: Client) -> None:
    match, _ = a_match(tenant)
    twice = {"type": "submit_program", "cards": ["stone1", "stone1", "move1", "stone2", "plank2"]}
    for attempt in (tenant.move, tenant.rehearse):
        with pytest.raises(RefusedByTheRules) as refused:
            attempt(match, twice, version=1, seat=0)
        assert (refused.value.reason, refused.value.rule) == ("CARD_TWICE", "5")
        assert refused.value.legal_actions is not None
        assert refused.value.facts == {"card": "stone1", "slot": 2}


def test_a_move_that_is_rehearsed_is_not_made(tenant: Client) -> None:
    match, _ = a_match(tenant)
    legal = tenant.legal_actions(match, seat=0, samples=1)
    judged = tenant.rehearse(match, legal["samples"][0], version=legal["version"], seat=0)
    assert (judged["dry_run"], judged["legal"]) == (True, True)
    assert tenant.match(match)["version"] == legal["version"]


def test_who_looked_too_early_is_told_what_was_missed(tenant: Client) -> None:
    match, _ = a_match(tenant)
    for seat in (0, 1):
        legal = tenant.legal_actions(match, seat=seat, samples=1)
        tenant.move(match, legal["samples"][0], version=legal["version"], seat=seat)
    late = tenant.match(match)
    legal = tenant.legal_actions(match, seat=late["to_act"][0], samples=1)
    with pytest.raises(VersionConflict) as refused:
        tenant.move(match, legal["samples"][0], version=1, seat=late["to_act"][0])
    assert refused.value.current_version == late["version"]
    assert [move["version"] for move in refused.value.missed] == list(range(2, late["version"] + 1))


def test_what_was_carried_out_is_answered_again_to_the_same_request_id(tenant: Client) -> None:
    """A caller that was interrupted asks again, and learns what has become of it; nothing happens twice."""
    match, created = a_match(tenant)
    seat = created["match"]["to_act"][0]
    action = tenant.legal_actions(match, seat=seat, samples=1)["samples"][0]
    first, again = (
        tenant.move(match, action, version=1, seat=seat, request_id="a move that nobody guesses")
        for _ in range(2)
    )
    assert (first["version"], again["version"], tenant.match(match)["version"]) == (2, 2, 2)
    left, left_again = (tenant.resign(match, seat=0, request_id="and this") for _ in range(2))
    assert left == left_again
    with pytest.raises(ProblemError) as refused:
        tenant.resign(match, seat=1, request_id="and this")
    assert refused.value.status == 422


def test_lists_are_read_page_by_page(tenant: Client) -> None:
    mine = {a_match(tenant)[0] for _ in range(3)}
    found = [match["match_id"] for match in tenant.matches(game=GAME, visibility="any", page_size=1)]
    assert mine <= set(found)
    assert len(found) == len(set(found))


def test_what_the_api_refuses_is_an_exception_with_its_reason(system: System, tenant: Client) -> None:
    with pytest.raises(ProblemError, match="404 MATCH_NOT_FOUND"):
        tenant.match("00000000-0000-7000-8000-000000000000")
    with Client(system.address, "nonsense") as nobody, pytest.raises(ProblemError) as refused:
        nobody.credential()
    assert (refused.value.status, refused.value.reason) == (401, "TOKEN_INVALID")


def test_the_client_s_types_are_written_from_the_document_that_is_served() -> None:
    stale = [path.name for path, source in written_modules().items() if path.read_text() != source]
    assert stale == [], "run `make docs`"
