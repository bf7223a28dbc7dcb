"""The text of server-sent events, the drain that ends them, and how many there may be."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import Raw

from gateway.access.auth import Caller, MatchClaims, Role
from gateway.access.stream_slots import StreamSlots
from gateway.drain import Drain
from gateway.http.sse import chunk, server_event
from gateway.live.close_reasons import drain as drain_event
from gateway.live.close_reasons import lagged, revoked
from gateway.problems.document import ProblemError
from gateway.schemas.events import DrainData, SnapshotData


def test_an_event_has_its_version_as_id_and_its_data_on_one_line() -> None:
    data = SnapshotData(version=3, view=Raw(b'{"a":"\xc3\xa4"}'), clocks=None)
    assert server_event("snapshot", data, 3) == (
        b'id: 3\nevent: snapshot\ndata: {"version":3,"view":{"a":"\xc3\xa4"},"clocks":null}\n\n'
    )


def test_a_line_break_between_tokens_cannot_end_the_data() -> None:
    event = server_event("snapshot", SnapshotData(version=3, view=Raw(b'{\r\n"a":1\n}'), clocks=None), 3)
    assert event.splitlines()[2:] == [b'data: {"version":3,"view":{  "a":1 },"clocks":null}', b""]


def test_a_chunk_says_its_length() -> None:
    assert chunk(b"0123456789abcdef") == b"10\r\n0123456789abcdef\r\n"


def test_a_farewell_moves_no_id() -> None:
    """The browser would remember it, and ask for what comes after it."""
    assert server_event("drain", DrainData(version=3)) == b'event: drain\ndata: {"version":3}\n\n'
    for close_reason in (drain_event(3), lagged(3), revoked("TOKEN_EXPIRED")):
        assert b"\nid:" not in close_reason


async def test_readiness_goes_one_way() -> None:
    drain = Drain()
    assert drain.status == "starting"
    drain.start()
    assert drain.status == "ok"
    drain.begin()
    assert (drain.status, drain.begun) == ("draining", True)


async def test_a_drain_rings_every_bell_once() -> None:
    drain, rung = Drain(), []
    drain.on_begin(lambda: rung.append("one"))
    drain.on_begin(lambda: rung.append("two"))
    drain.begin()
    drain.begin()
    assert rung == [], "a signal's handler must not do the work itself"
    await asyncio.sleep(0)
    assert rung == ["one", "two"]


def test_the_streams_of_a_process_are_bounded() -> None:
    slots = StreamSlots(1, per_credential=9, per_seat=9)
    slot = slots.take(Caller("Bearer one", None))
    with pytest.raises(ProblemError) as refused:
        slots.take(Caller("Bearer two", None))
    assert refused.value.status == 429
    assert refused.value.members["metadata"]["bucket"] == "streams_of_process"
    slot.free()
    slots.take(Caller("Bearer two", None))


def test_the_streams_of_a_seat_are_bounded_whichever_of_its_tokens_they_are_of() -> None:
    slots = StreamSlots(9, per_credential=2, per_seat=1)

    def caller(name: str, role: Role, seat: int | None) -> Caller:
        return Caller(name, MatchClaims("match", "river_dragons", 0, 0, role, seat))

    slots.take(caller("Bearer one", "seat", 0))
    with pytest.raises(ProblemError) as refused:
        slots.take(caller("Bearer one anew", "seat", 0))
    assert refused.value.members["metadata"]["bucket"] == "streams_of_credential"
    slots.take(caller("Bearer two", "seat", 1))
    for _ in range(2):
        slots.take(caller("Bearer of an audience", "spectator", None))


def test_the_streams_of_a_credential_are_bounded() -> None:
    slots = StreamSlots(9, per_credential=2, per_seat=2)
    held = [slots.take(Caller("Bearer one", None)), slots.take(Caller("Bearer one", None))]
    with pytest.raises(ProblemError) as refused:
        slots.take(Caller("Bearer one", None))
    assert refused.value.members["metadata"]["bucket"] == "streams_of_credential"
    slots.take(Caller("Bearer two", None))
    held[0].free()
    held[0].free()
    slots.take(Caller("Bearer one", None))
    with pytest.raises(ProblemError):
        slots.take(Caller("Bearer one", None))
