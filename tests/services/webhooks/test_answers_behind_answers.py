"""A delivery stands as delivered only by the answer to its own request, whatever a neighbour at the same origin sends."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from receivers import Receiver, ReceiverAnswer

from services.webhooks.connections import PublicNetwork
from services.webhooks.deliveries import Delivery
from services.webhooks.endpoints import Endpoint
from services.webhooks.posting import Poster
from services.webhooks.schedule import Schedule

CHUNKS = b"2\r\nok\r\n0\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
REFUSED = ReceiverAnswer(500)
PATIENT = Schedule((timedelta(milliseconds=300),) * 9)

POISON = {
    "a second answer": ReceiverAnswer(204, behind=OK),
    "a second answer, a little later": ReceiverAnswer(204, behind=OK, behind_after=0.03),
    "a second answer, later": ReceiverAnswer(200, behind=OK, behind_after=0.2),
    "a hundred answers": ReceiverAnswer(204, behind=OK * 100),
    "204 with a body that is an answer": ReceiverAnswer(204, {"content-length": str(len(OK))}, body=OK),
    "304 with a body that is an answer": ReceiverAnswer(304, {"content-length": str(len(OK))}, body=OK),
    "a body that is longer than it says": ReceiverAnswer(200, {"content-length": "2"}, body=b"ok" + OK),
    "chunks, and an answer behind the last": ReceiverAnswer(
        200, {"transfer-encoding": "chunked"}, body=CHUNKS + OK
    ),
    "interim answers, and a second answer": ReceiverAnswer(
        200, behind=b"HTTP/1.1 103 Early Hints\r\n\r\n" + OK
    ),
    "an answer, and half of another": ReceiverAnswer(200, behind=OK[:20]),
    "an answer that never ends": ReceiverAnswer(200, endless=True),
}


def answering(poison: ReceiverAnswer) -> Any:
    """Poison for those who post to /poison, and a refusal for everybody else."""
    return lambda request: poison if request.path == "/poison" else REFUSED


async def tried(telling: Any, endpoint: Endpoint, deliveries: int) -> list[Delivery]:
    """Wait until there are so many deliveries to an endpoint, each of them tried."""
    async with asyncio.timeout(20):
        while True:
            found: list[Delivery] = await telling.deliveries(endpoint)
            if len(found) >= deliveries and all(one.attempts for one in found):
                return found
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("poison", POISON.values(), ids=POISON)
@pytest.mark.parametrize("neighbour", ["acme", "globex"], ids=["same tenant", "another tenant"])
async def test_what_one_endpoint_sends_behind_its_answer_delivers_nothing_to_another(
    telling: Any, receiver: Receiver, neighbour: str, poison: ReceiverAnswer
) -> None:
    """Given two endpoints at one origin, one of which refuses everything."""
    receiver.answer = answering(poison)
    origin = receiver.url.removesuffix("/hooks")
    await telling.endpoint(f"{origin}/poison")
    refusing, _ = await telling.endpoint(f"{origin}/refusing", tenant=neighbour)

    async with telling.worker(schedule=PATIENT):
        for _ in range(6):  # the two are asked in turn, and at once
            await telling.played(1)
            await asyncio.sleep(0.05)
            await telling.played(1, tenant=neighbour)
            await asyncio.sleep(0.05)
        told = await tried(telling, refusing, deliveries=6)

    assert {one.state for one in told} <= {"pending", "failed"}
    assert {attempt.status for one in told for attempt in one.attempts} == {500}


async def test_an_answer_that_is_there_before_the_request_is_none(receiver: Receiver) -> None:
    class Leisurely(PublicNetwork):
        async def connect(self, *asked: Any, **more: Any) -> Any:
            stream = await super().connect(*asked, **more)
            await asyncio.sleep(0.1)
            return stream

    receiver.greeting = OK
    posted = await Poster(Leisurely(loopback=True)).post(receiver.url, {}, b"{}")
    assert (posted.status, posted.problem) == (None, "broken_answer")


async def test_no_connection_carries_a_second_request(telling: Any, receiver: Receiver) -> None:
    await telling.endpoint(receiver.url)
    async with telling.worker():
        await telling.played(5)
        await receiver.until(5)
    assert receiver.connections == len(receiver.received)
