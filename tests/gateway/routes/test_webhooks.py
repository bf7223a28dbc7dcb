"""Webhook endpoints and the event feed over REST, as a platform uses them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import httpx
import jsonschema
import pytest
from receivers import Received, ReceiverAnswer, receiving
from standardwebhooks import Webhook

from services.movelog.events import EventType
from tests.gateway.conftest import World
from tests.gateway.routes.test_accounts import reason
from tests.gateway.table import Caller, Platform

ENDPOINTS = "/v1/webhooks/endpoints"
NOBODY = "http://127.0.0.1:9/hooks"


@pytest.fixture
def tenant(world: World, operator: Platform) -> Iterator[Caller]:
    """A new tenant with a key for its webhooks and matches."""
    name = f"t{uuid4().hex[:12]}"
    assert operator.post("/v1/tenants", json={"tenant": name}).status_code == 201
    scopes = ["matches:write", "webhooks:write"]
    issued = operator.post(f"/v1/tenants/{name}/keys", json={"scopes": scopes})
    assert issued.status_code == 201, issued.text
    with Caller(world.url, issued.json()["secret"]) as caller:
        yield caller


def created(tenant: Caller, **fields: Any) -> dict[str, Any]:
    answer = tenant.post(ENDPOINTS, json={"url": NOBODY, "event_types": ["match.ended"]} | fields)
    assert answer.status_code == 201, answer.text
    return answer.json()


def a_match(tenant: Caller) -> str:
    answer = tenant.post("/v1/matches", json={"game": "river_dragons", "seats": 2})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["match"]["match_id"])


async def eventually(look: Callable[[], Any]) -> Any:
    """Look again until there is something."""
    for _ in range(100):
        if found := await asyncio.to_thread(look):
            return found
        await asyncio.sleep(0.1)
    raise AssertionError("it does not come")


async def test_a_match_that_begins_is_told_to_an_endpoint(tenant: Caller) -> None:
    async with receiving() as receiver:
        given = created(tenant, url=receiver.url, event_types=["match.started", "turn.started"])
        match = await asyncio.to_thread(a_match, tenant)
        received = await receiver.until(3)
        assert [one.type for one in received] == ["match.started", "turn.started", "turn.started"]
        for one in received:
            told = Webhook(given["secret"]).verify(one.body, one.headers)
            assert told["data"]["match_id"] == match
        place = f"{ENDPOINTS}/{given['endpoint']['endpoint_id']}"
        found = await eventually(
            lambda: (
                (page := tenant.get(f"{place}/deliveries?state=delivered").json()["deliveries"])[2:] and page
            )
        )
        assert {one["match_id"] for one in found} == {match}
        assert [one["attempts"][0]["status"] for one in found] == [204] * 3
        assert {one["event_id"] for one in found} == {one.headers["webhook-id"] for one in received}


async def test_what_failed_is_seen_and_sent_again(tenant: Caller) -> None:
    async with receiving() as receiver:
        receiver.answer = lambda _: ReceiverAnswer(500)
        given = created(tenant, url=receiver.url)["endpoint"]
        place = f"{ENDPOINTS}/{given['endpoint_id']}"
        sent = tenant.post(f"{place}/test")
        assert sent.status_code == 202
        (first,) = await receiver.until(1)
        waiting = await eventually(
            lambda: [one for one in tenant.get(f"{place}/deliveries").json()["deliveries"] if one["attempts"]]
        )
        assert waiting[0]["attempts"][0]["status"] == 500
        assert waiting[0]["next_attempt_at"] is not None
        assert (await asyncio.to_thread(tenant.get, place)).json()["failing_since"] is not None
        receiver.answer = lambda _: ReceiverAnswer()
        again = tenant.post(f"{place}/deliveries/{sent.json()['event_id']}/resend")
        assert (again.status_code, again.json()) == (202, {"count": 1})
        repeated: Received = (await receiver.until(2))[1]
        assert (repeated.body, repeated.headers["webhook-id"]) == (first.body, first.headers["webhook-id"])


def test_an_endpoint_is_looked_after(tenant: Caller) -> None:
    given = created(tenant, description="lobby")
    endpoint = given["endpoint"]
    place = f"{ENDPOINTS}/{endpoint['endpoint_id']}"
    assert given["secret"].startswith("whsec_")
    assert tenant.get(ENDPOINTS).json() == {"endpoints": [endpoint]}
    assert tenant.get(place).json() == endpoint
    off = tenant.patch(place, json={"enabled": False, "event_types": ["turn.started"]}).json()
    assert (off["state"], off["event_types"], off["description"]) == ("disabled", ["turn.started"], "lobby")
    assert reason(tenant.post(f"{place}/test"), 409) == "ENDPOINT_DISABLED"
    assert tenant.patch(place, json={"enabled": True}).json()["disabled_at"] is None
    rotated = tenant.post(f"{place}/rotate", json={"grace_seconds": 60})
    assert rotated.status_code == 201
    assert rotated.json()["secret"] != given["secret"]
    assert rotated.json()["endpoint"]["old_secret_expires_at"] is not None
    resent = tenant.post(f"{place}/resend", json={"since": "2026-01-31T12:00:00Z", "failed_only": True})
    assert (resent.status_code, resent.json()) == (202, {"count": 0})
    for wrong, pointer in (
        ({"since": "0001-01-01T00:00:00+01:00"}, "/since"),
        ({"since": "2026-01-31T12:00:00Z", "until": "9999-12-31T23:59:59-01:00"}, "/until"),
    ):
        refused = tenant.post(f"{place}/resend", json=wrong)
        assert reason(refused, 400) == "MALFORMED_REQUEST"
        assert [part["pointer"] for part in refused.json()["errors"]] == [pointer]
    assert tenant.delete(place).status_code == 204
    assert reason(tenant.get(place), 404) == "ENDPOINT_NOT_FOUND"
    assert reason(tenant.get(f"{ENDPOINTS}/garbage"), 404) == "ENDPOINT_NOT_FOUND"


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"url": "https://169.254.169.254/latest"}, "/url"),
        ({"url": "gopher://example.com/"}, "/url"),
        ({"url": "https://example.com/" + "x" * 2_000}, "/url"),
        ({"event_types": []}, "/event_types"),
        ({"event_types": ["everything"]}, "/event_types/0"),
        ({"description": "x" * 101}, "/description"),
        ({"secret": "whsec_mine"}, "/secret"),
    ],
)
def test_what_no_endpoint_can_have_is_pointed_at(tenant: Caller, wrong: dict[str, Any], pointer: str) -> None:
    answer = tenant.post(ENDPOINTS, json={"url": NOBODY, "event_types": ["match.ended"]} | wrong)
    assert reason(answer, 400) == "MALFORMED_REQUEST"
    assert pointer in answer.text


@pytest.mark.parametrize("body", [{"url": None}, {"enabled": "yes"}, {"event_types": [None]}])
def test_a_change_that_cannot_be_is_refused(tenant: Caller, body: dict[str, Any]) -> None:
    place = f"{ENDPOINTS}/{created(tenant)['endpoint']['endpoint_id']}"
    assert reason(tenant.patch(place, json=body), 400) == "MALFORMED_REQUEST"


def test_events_are_pulled_from_cursor_to_cursor(tenant: Caller) -> None:
    assert reason(tenant.get("/v1/events"), 409) == "FEED_OFF"
    types = ["match.created", "turn.started"]
    kept = tenant.put("/v1/events/recording", json={"event_types": types})
    assert (kept.status_code, kept.json()) == (200, {"event_types": types})
    assert tenant.get("/v1/events/recording").json() == {"event_types": types}
    start = tenant.get("/v1/events").json()
    match = a_match(tenant)
    events: list[dict[str, Any]] = []
    cursor = start["cursor"]
    while len(events) < 3:
        page = tenant.get("/v1/events", params={"after": cursor, "limit": 2, "wait": "5s"})
        assert page.status_code == 200, page.text
        assert len(page.json()["events"]) in {1, 2}
        events += page.json()["events"]
        cursor = page.json()["cursor"]
    assert [event["type"] for event in events] == [
        "foldtable.match.created.v1",
        "foldtable.turn.started.v1",
        "foldtable.turn.started.v1",
    ]
    assert {event["source"] for event in events} == {f"/v1/matches/{match}"}
    assert reason(tenant.get("/v1/events?after=guess"), 400) == "PAGE_TOKEN_INVALID"
    assert reason(tenant.get("/v1/events?wait=31s"), 400) == "MALFORMED_REQUEST"


def test_the_document_says_what_endpoints_are_sent(document: dict[str, Any]) -> None:
    assert document["webhooks"].keys() == {kind.value for kind in EventType}
    for name, described in document["webhooks"].items():
        operation = described["post"]
        (example,) = operation["requestBody"]["content"]["application/cloudevents+json"]["examples"].values()
        assert example["value"]["type"] == f"foldtable.{name}.v1"
    known = document["components"]["schemas"]["CreateEndpointRequest"]["properties"]["event_types"]
    assert set(known["items"]["enum"]) == {kind.value for kind in EventType}


@pytest.fixture
def document(anybody: httpx.Client) -> dict[str, Any]:
    return anybody.get("/openapi.json").json()


async def test_what_is_sent_fits_the_schema_that_is_published(
    tenant: Caller, document: dict[str, Any]
) -> None:
    schema = {"$ref": "#/components/schemas/CloudEvent", "components": document["components"]}
    async with receiving() as receiver:
        created(tenant, url=receiver.url, event_types=[kind.value for kind in EventType])
        match = await asyncio.to_thread(a_match, tenant)
        ended = await asyncio.to_thread(tenant.post, f"/v1/matches/{match}/resign", json={"seat": 0})
        assert ended.status_code == 200, ended.text
        received = await receiver.until(6)
    assert {one.type for one in received} >= {"match.created", "match.started", "move.applied", "match.ended"}
    for one in received:
        jsonschema.Draft202012Validator(schema).validate(json.loads(one.body))
