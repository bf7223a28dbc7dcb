"""Who receives webhooks in a fault run takes what is signed, and writes down what is not."""

from __future__ import annotations

from random import Random

import httpx

from tests.proofs.faults.notes import Forged, Notebook, of_kind
from tests.proofs.faults.receiving import Endpoint
from tests.support.receivers import Received, Receiver

SECRET = "whsec_" + "c2VjcmV0" * 4


def gateway(request: httpx.Request) -> httpx.Response:
    """Return every endpoint the same secret."""
    return httpx.Response(201, json={"secret": SECRET})


async def test_a_webhook_with_a_bad_signature_is_refused_and_noted() -> None:
    notebook, receiver = Notebook(), Receiver()
    endpoint = Endpoint(receiver, notebook, Random(1))
    async with httpx.AsyncClient(transport=httpx.MockTransport(gateway), base_url="http://gateway") as client:
        await endpoint.register(client, "key")
    headers = {"webhook-id": "1", "webhook-timestamp": "1", "webhook-signature": "v1,bad"}
    assert receiver.answer(Received("/", headers, b"{}")).status == 400
    assert len(of_kind(notebook.notes, Forged)) == 1
    assert endpoint.arrived == 0
