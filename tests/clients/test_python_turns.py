"""`wait_for_turn` and `play` of the Python client lose no turn, whatever happens between two requests."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import httpx
import pytest

from foldtable_client import Client, RefusedByTheRules, choices, repeating
from foldtable_client.types import LegalActionsAnswer, Table
from tests.support.running_system import System

pytestmark = pytest.mark.slow
GAME = "al_rashid"
PATIENT_SECONDS = 60
"""A turn that takes longer to be noticed was lost."""


class Between(httpx.HTTPTransport):
    """A network on which something happens right after a request was answered, before the client reads the answer."""

    def __init__(self, number: int, happens: Callable[[], Any]) -> None:
        super().__init__()
        self._left = number
        self._happens = happens

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = super().handle_request(request)
        answer.read()
        self._left -= 1
        if self._left == 0:
            self._happens()
        answer.headers.pop("content-encoding", None)  # it has been decoded
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


class Cut(httpx.HTTPTransport):
    """A network that breaks at every second request: before it is sent, or after it was carried out."""

    def __init__(self) -> None:
        super().__init__()
        self._asked = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._asked += 1
        if self._asked % 4 == 1:
            raise httpx.ConnectError("no line")
        answer = super().handle_request(request)
        if self._asked % 4 == 3:
            answer.read()
            raise httpx.ReadError("cut off")
        return answer


@pytest.fixture
def tenant(system: System):
    with Client(system.address, system.key) as client:
        yield client


def a_match(tenant: Client, seats: int = 2) -> tuple[str, list[str]]:
    """Create a match; return its id and the tokens of its seats."""
    created = tenant.create_match(game=GAME, seats=seats)
    return created["match"]["match_id"], [one["token"] for one in created["seat_tokens"]]


def the_other_seat(tenant: Client, match: str) -> int:
    """Return the seat of a match of two that is not waited for; luck says who begins."""
    return 1 - tenant.match(match)["to_act"][0]


def any_action(turn: LegalActionsAnswer) -> Any:
    return random.choice(turn["actions"] or turn["samples"])


def listed_action(table: Table) -> Any:
    """Choose an action that is listed; where there are only templates, `any_of` asks for samples."""
    legal = table["legal"]
    assert legal is not None
    return random.choice(legal["actions"])


def any_of(player: Client, match: str) -> Callable[[Table], Any]:
    """Return what chooses at random, also where there are only templates."""

    def choose(table: Table) -> Any:
        legal = table["legal"]
        assert legal is not None
        return random.choice(legal["actions"] or player.legal_actions(match, samples=1)["samples"])

    return choose


def until_turn_of(tenant: Client, match: str, seat: int) -> int:
    """Make random moves for everybody else until a seat must decide; return the version."""
    told = tenant.match(match)
    version, to_act = told["version"], told["to_act"]
    while seat not in to_act:
        legal = tenant.legal_actions(match, seat=to_act[0], samples=1)
        made = tenant.move(match, any_action(legal), version=legal["version"], seat=to_act[0])
        version, to_act = made["version"], made["to_act"]
    return version


def the_old_way(client: Client, match: str) -> None:
    """Look, and follow if it is not our turn: the snapshot does not say whose turn it is, so this waits for ever."""
    legal = client.legal_actions(match)
    if legal["pending"] is None:
        for event in client.follow(match):
            if legal["seat"] in (getattr(event, "to_act", None) or ()):
                return


def wait(client: Client, match: str) -> Table:
    return client.wait_for_turn(match)


def within(seconds: float, work: Callable[[], Any]) -> Any:
    """Return what some work returns; TimeoutError if it takes longer. The thread of a lost turn dies with the tests."""
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(work()), daemon=True)
    thread.start()
    thread.join(seconds)
    if not answers:
        raise TimeoutError(f"the turn was not noticed within {seconds} s")
    return answers[0]


@pytest.mark.parametrize(("number", "timeout"), [(1, 60.0), (2, 1.5), (3, 1.5)])
def test_a_move_between_two_requests_is_noticed(
    system: System, tenant: Client, number: int, timeout: float
) -> None:
    """The first request looks, the second waits and finds nothing, the third looks again.

    A wait lasts two thirds of the time-out, and the first is not over within our patience: it must not even begin.
    """
    match, tokens = a_match(tenant)
    seat, moved = the_other_seat(tenant, match), list[int]()
    between = Between(number, lambda: moved.append(until_turn_of(tenant, match, seat)))
    with Client(system.address, tokens[seat], timeout=timeout, transport=between) as player:
        turn = within(PATIENT_SECONDS, lambda: wait(player, match))
    assert turn["version"] == moved[0]
    assert choices(turn) != []


def test_the_way_without_it_does_lose_a_turn_at_that_moment(system: System, tenant: Client) -> None:
    """So the tests of this file would notice."""
    match, tokens = a_match(tenant)
    seat = the_other_seat(tenant, match)
    between = Between(1, lambda: until_turn_of(tenant, match, seat))
    with Client(system.address, tokens[seat], transport=between) as player:
        thread = threading.Thread(target=the_old_way, args=(player, match), daemon=True)
        thread.start()
        thread.join(3)
        assert thread.is_alive(), "the turn was noticed"
        tenant.abort(match)  # ends the stream, and with it the thread
        thread.join(20)
        assert not thread.is_alive()


def test_a_move_during_the_wait_is_noticed_at_once(system: System, tenant: Client) -> None:
    match, tokens = a_match(tenant)
    seat = the_other_seat(tenant, match)
    with Client(system.address, tokens[seat]) as player, ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(wait, player, match)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=1)
        moved = until_turn_of(tenant, match, seat)
        assert waiting.result(timeout=5)["version"] == moved


def test_a_known_version_saves_looking_and_loses_nothing(system: System, tenant: Client) -> None:
    match, tokens = a_match(tenant)
    known, seat = tenant.match(match)["version"], the_other_seat(tenant, match)
    moved = until_turn_of(tenant, match, seat)
    with Client(system.address, tokens[seat]) as player:
        turn = within(PATIENT_SECONDS, lambda: player.wait_for_turn(match, since=known))
    assert turn["version"] == moved


def test_a_match_that_waits_for_players_begins(tenant: Client) -> None:
    match = tenant.create_match(game=GAME, seats=2, open_seats=True)["match"]["match_id"]
    with ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(tenant.wait_for_turn, match, seat=seat) for seat in (0, 1)]
        for _ in range(2):
            tenant.join(match)
        began = next(as_completed(waiting, timeout=PATIENT_SECONDS)).result()
        tenant.abort(match)
        ends = [one.result(timeout=PATIENT_SECONDS) for one in waiting]
    assert began["version"] == 1
    assert sorted(end["match"]["status"] for end in ends) == ["ended", "running"], "luck chose one to begin"


def test_the_end_is_noticed_while_waiting(system: System, tenant: Client) -> None:
    match, tokens = a_match(tenant)
    seat = the_other_seat(tenant, match)
    between = Between(1, lambda: tenant.resign(match, seat=1 - seat))
    with Client(system.address, tokens[seat], transport=between) as player:
        last = within(PATIENT_SECONDS, lambda: wait(player, match))
    assert (last["match"]["status"], choices(last)) == ("ended", [])


def test_a_move_that_came_too_late_is_decided_again(system: System, tenant: Client) -> None:
    """While this player thinks one of the others leaves, and then the last one, which ends the match."""
    match, tokens = a_match(tenant, seats=3)
    seat = tenant.match(match)["to_act"][0]
    others = [other for other in range(3) if other != seat]
    leaving, decided = iter(others), list[int]()

    def choose(table: Table) -> Any:
        decided.append(table["version"])
        tenant.resign(match, seat=next(leaving))
        return listed_action(table)

    with Client(system.address, tokens[seat]) as player:
        ended = within(PATIENT_SECONDS, lambda: player.play(match, choose))
    assert (ended["match"]["status"], decided) == ("ended", [1, 2])
    assert [move["seat"] for move in tenant.moves(match, after=1)] == others


def test_a_move_that_is_wrong_is_not_tried_for_ever(system: System, tenant: Client) -> None:
    match, tokens = a_match(tenant)
    seat = 1 - the_other_seat(tenant, match)
    with Client(system.address, tokens[seat]) as player, pytest.raises(RefusedByTheRules):
        player.play(match, lambda _: {"type": "end_turn"})
    assert tenant.match(match)["version"] == 1


def test_who_may_act_for_several_seats_has_to_name_one(tenant: Client) -> None:
    match, _ = a_match(tenant)
    with pytest.raises(ValueError, match="name the seat"):
        tenant.wait_for_turn(match)


def test_two_bots_play_many_matches_to_their_ends(
    system: System, tenant: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each over a network that breaks at every second request."""
    monkeypatch.setattr(repeating, "FIRST_PAUSE_SECONDS", 0.001)
    matches = [a_match(tenant) for _ in range(4)]

    def bot(match: str, token: str) -> str:
        with Client(system.address, token, transport=Cut()) as player:
            return player.play(match, any_of(player, match))["match"]["status"]

    with ThreadPoolExecutor(2 * len(matches)) as threads:
        playing = [threads.submit(bot, match, token) for match, tokens in matches for token in tokens]
        assert [one.result(timeout=100) for one in playing] == ["ended"] * len(playing)
    assert all(tenant.verify(match)["ok"] for match, _ in matches)
