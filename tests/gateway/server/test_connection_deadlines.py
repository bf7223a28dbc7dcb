"""How long a connection may keep the gateway waiting."""

from __future__ import annotations

import pytest

from gateway.server.deadlines import KEEP_ALIVE_SECONDS, STALL_BYTES, Awaited, ConnectionDeadlines, Times

TIMES = Times(head=10, body=60, rest=5, stall=30)


@pytest.mark.parametrize(
    ("awaited", "seconds"),
    [(Awaited.FIRST, 10), (Awaited.HEAD, 10), (Awaited.BODY, 60), (Awaited.REST, 5), (Awaited.NEXT, 75)],
)
def test_what_is_owed_must_come_in_time(awaited: Awaited, seconds: float) -> None:
    deadlines = ConnectionDeadlines(TIMES, now=0)
    deadlines.wait_for(awaited, now=100)
    assert not deadlines.is_over(100 + seconds)
    assert deadlines.is_over(100 + seconds + 1)


def test_an_idle_connection_is_kept_for_longer_than_clients_and_load_balancers_keep_theirs() -> None:
    """httpx lets go after 5 seconds, most load balancers after 60; who lets go first meets a request that is on its way."""
    assert KEEP_ALIVE_SECONDS > 60


def test_a_new_connection_owes_its_first_request() -> None:
    assert ConnectionDeadlines(TIMES, now=100).is_over(111)


def test_a_request_that_is_being_answered_may_take_as_long_as_it_takes() -> None:
    deadlines = ConnectionDeadlines(TIMES, now=0)
    deadlines.wait_for(Awaited.NOTHING, now=0)
    assert not deadlines.is_over(1e9)


def test_a_client_that_takes_nothing_is_given_up() -> None:
    deadlines = ConnectionDeadlines(TIMES, now=0)
    assert [deadlines.is_stalled(sent=7, unsent=100, now=second) for second in (0, 29, 30, 31)] == [
        *(False, False, False),
        True,
    ]


def test_a_client_that_takes_next_to_nothing_is_given_up_too() -> None:
    deadlines = ConnectionDeadlines(TIMES, now=0)
    assert not deadlines.is_stalled(sent=0, unsent=10**6, now=0)
    assert deadlines.is_stalled(sent=STALL_BYTES - 1, unsent=10**6, now=31)


def test_a_slow_client_that_goes_on_taking_is_waited_for() -> None:
    deadlines = ConnectionDeadlines(TIMES, now=0)
    for second in range(300):
        assert not deadlines.is_stalled(sent=second * 2_000, unsent=10**6, now=second)


def test_a_client_that_has_taken_everything_owes_nothing() -> None:
    """Also where there is something again at every look: that is a busy client."""
    deadlines = ConnectionDeadlines(TIMES, now=0)
    for second in range(0, 300, 20):
        assert not deadlines.is_stalled(sent=0, unsent=1, now=second)
        assert not deadlines.is_stalled(sent=1, unsent=0, now=second + 10)
