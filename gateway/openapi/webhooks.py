"""The events sent to webhook endpoints, as the `webhooks` of the OpenAPI document."""

from __future__ import annotations

from typing import Any, Final

from gateway.openapi.parameters import SCHEMAS, JSONObject

WEBHOOK_EVENTS: Final = "webhook events"
"""Their tag: not that of the operations of endpoints, or generators of clients write one class over the other."""
_MATCH: Final = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"
_ENDPOINT: Final = "9d0f7a44-6f0b-4c84-8a39-6f7d3e5b1c20"
_MEANINGS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "match.created": (
        "A match was created. No `seat.joined` is sent for seats that were assigned at its creation.",
        {},
    ),
    "match.started": ("A match has begun.", {"version": 1, "to_act": [0]}),
    "match.ended": ("A match is over.", {"version": 87, "to_act": [], "outcome": {"reason": "finished"}}),
    "seat.joined": ("Somebody has taken a seat.", {"seat": 1, "player": "ruth"}),
    "seat.left": ("Somebody has left a seat before the start.", {"seat": 1, "player": "ruth"}),
    "seat.replaced": (
        "Another player has a seat of a running match; moves after `version` are that player's. `to_act` says whose turn it is.",
        {"version": 12, "to_act": [1], "seat": 1, "player": "cleo", "replaced_player": "ruth"},
    ),
    "move.applied": (
        "A move was made, or taken back.",
        {"version": 12, "to_act": [1], "seat": 0, "player": "ada"},
    ),
    "turn.started": (
        "A seat must act that did not have to act before; one event for each such seat.",
        {"version": 12, "to_act": [1], "seat": 1, "player": "ruth"},
    ),
    "consent.asked": (
        "A seat has to answer a proposal; one event for each such seat.",
        {"version": 12, "to_act": [1], "seat": 1, "player": "ruth", "proposal": "undo"},
    ),
    "consent.settled": (
        "A proposal waits for nobody any more; `seat` is the one that made it.",
        {
            "version": 13,
            "to_act": [1],
            "seat": 0,
            "player": "ada",
            "proposal": "undo",
            "result": "refused",
        },
    ),
    "match.deleted": (
        "A match was deleted. Nothing but its id and its last version is known any more; its earlier events are gone.",
        {"version": 12},
    ),
    "match.paused": (
        "A match is paused: nobody has to act. `seat` is the one that asked for it; without one, the tenant did.",
        {"version": 14, "to_act": []},
    ),
    "match.resumed": ("A pause is over.", {"version": 15, "to_act": [1]}),
    "deadline.near": (
        "A seat's time will be up soon, as the clock's `remind_before_seconds` says.",
        {
            "version": 12,
            "to_act": [1],
            "seat": 1,
            "player": "ruth",
            "deadline": "2026-01-31T12:00:00.000000Z",
        },
    ),
    "endpoint.disabled": (
        "A webhook endpoint was disabled after failed deliveries; sent to the tenant's other endpoints.",
        {},
    ),
}
_HEADERS: Final = {
    "webhook-id": "The event's id, the same in every attempt. If you have processed it before, answer 2xx and ignore it.",
    "webhook-timestamp": "Time of this attempt, in seconds since 1970. Refuse requests older than five minutes.",
    "webhook-signature": "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`; while a secret is being replaced, two "
    "of them with a space in between.",
}


def webhook_descriptions() -> JSONObject:
    """Return a webhook for every type of event."""
    return {name: {"post": _described(name, *meaning)} for name, meaning in _MEANINGS.items()}


def _described(name: str, meaning: str, data: dict[str, Any]) -> JSONObject:
    return {
        "operationId": f"on_{name.replace('.', '_')}",
        "summary": name,
        "description": f"{meaning} Sent to endpoints that subscribe to `{name}`, signed by Standard Webhooks 1.0. The events "
        "of one match arrive in order.",
        "tags": [WEBHOOK_EVENTS],
        "parameters": [
            {
                "name": header,
                "in": "header",
                "required": True,
                "description": text,
                "schema": {"type": "string"},
            }
            for header, text in _HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {
                "application/cloudevents+json": {
                    "schema": {"$ref": SCHEMAS.format(name="CloudEvent")},
                    "examples": {name: {"value": _example(name, data)}},
                }
            },
        },
        "responses": {
            "2XX": {"description": "The event was received."},
            "410": {"description": "Send no more events: the endpoint is disabled."},
            "default": {
                "description": "Delivery is attempted again, at growing intervals, for three days. Redirects are not followed."
            },
        },
    }


def _example_data(name: str, of_match: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    match name:
        case "endpoint.disabled":
            return {"endpoint_id": _ENDPOINT}
        case "match.deleted":
            return {"match_id": _MATCH, **data}
        case _:
            return {**of_match, **data}


def _example(name: str, data: dict[str, Any]) -> JSONObject:
    of_match = {
        "match_id": _MATCH,
        "game": "river_dragons",
        "version": 0,
        "to_act": [],
        "players": ["ada", "ruth"],
        "title": "Friday night",
        "reference": "spring/round-3/board-12",
    }
    is_match = name != "endpoint.disabled"
    event: JSONObject = {
        "specversion": "1.0",
        "id": "4f6f1d0c-51f5-4bd0-9b0f-2f0e7a2f3c55",
        "source": f"/v1/matches/{_MATCH}" if is_match else f"/v1/webhooks/endpoints/{_ENDPOINT}",
        "type": f"foldtable.{name}.v1",
        "time": "2026-01-31T12:00:00.123456Z",
        "datacontenttype": "application/json",
        "data": _example_data(name, of_match, data),
    }
    if "seat" in data:
        event["subject"] = f"seats/{data['seat']}"
    return event
