"""Would these tests see it? Faults planted on purpose, each of which must be found. planted.py does it with whole processes."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from starlette.requests import Request

import gateway.http.bodies
from gateway.http.bodies import MAX_BODY_BYTES, read_body
from gateway.problems.document import ProblemError
from tests.proofs.hostile.decoders_of_gateway import bodies, request
from tests.proofs.hostile.decoding import Decoder, TooSlowError
from tests.proofs.hostile.planted import FOUND_BY, SAYS
from tests.proofs.hostile.planted_gateway import ENDLESS, FAULTS
from tests.proofs.hostile.strategies import hostile

PIECE = b" " * 16_384
JSON = [(b"content-type", b"application/json")]


def endless(taken: list[int]) -> Request:
    """A request whose body does not end; more than ten times what may be is a failure."""
    asked = request(headers=JSON)

    async def receive() -> dict[str, object]:
        taken.append(len(PIECE))
        assert sum(taken) <= 10 * MAX_BODY_BYTES, "a body is read without bound"
        return {"type": "http.request", "body": PIECE, "more_body": True}

    asked._receive = receive
    return asked


async def must_be_left_in_time() -> None:
    taken: list[int] = []
    with pytest.raises(ProblemError):
        await read_body(endless(taken))
    assert sum(taken) <= MAX_BODY_BYTES + len(PIECE)


def must_stand(decoder: Decoder) -> None:
    """Feed a decoder as test_decoders.py does."""

    @settings(
        max_examples=150,
        phases=[Phase.generate],  # what is found need not be small
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=hostile(decoder.seeds))
    def feed(data: bytes) -> None:
        decoder.feed(data)

    feed()


async def test_a_body_without_end_is_left_in_time() -> None:
    await must_be_left_in_time()


async def test_a_reader_without_a_bound_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway.http.bodies, "MAX_BODY_BYTES", ENDLESS)
    with pytest.raises(AssertionError, match="without bound"):
        await must_be_left_in_time()


def test_a_fault_over_lone_surrogates_is_found() -> None:
    """Python's own JSON reads them, and whoever writes them down fails."""

    def read(data: bytes) -> object:
        return json.dumps(json.loads(data, parse_int=str), ensure_ascii=False).encode()

    careless = Decoder("careless", read, (ValueError, RecursionError), bodies()[0].seeds)
    narrow = Decoder(
        "narrow", read, (json.JSONDecodeError, UnicodeDecodeError, RecursionError), careless.seeds
    )
    must_stand(careless)  # a UnicodeEncodeError is a ValueError: refused by mere chance
    with pytest.raises(UnicodeEncodeError):
        must_stand(narrow)


def test_work_without_measure_is_found() -> None:
    def read(data: bytes) -> object:
        return sum(1 for _ in itertools.islice(itertools.count(), 3_000_000 if b"9" * 1_000 in data else 0))

    slow = Decoder("slow", read, (), (b'{"a":1}',), cpu_seconds=0.02)
    with pytest.raises(TooSlowError):
        must_stand(slow)


def test_every_planted_fault_has_an_attack_that_finds_it() -> None:
    assert FOUND_BY.keys() == FAULTS.keys() == SAYS.keys()
