"""The events that endpoints and feeds receive: CloudEvents 1.0, structured JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec

from services.movelog.events import Event, EventType

CONTENT_TYPE: Final = "application/cloudevents+json"
_ABOUT_THE_MATCH: Final = frozenset({EventType.MATCH_CREATED, EventType.MATCH_STARTED, EventType.MATCH_ENDED})
"""Types with the metadata, which may be long; the others have the reference only."""
TEST: Final = "endpoint.test"
"""The type of test events, which cannot be subscribed to."""


class CloudEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """https://github.com/cloudevents/spec, version 1.0.2."""

    specversion: str
    id: str
    source: str
    type: str
    subject: str = ""
    time: datetime
    datacontenttype: str
    data: dict[str, Any]


def cloud_event(event: Event) -> bytes:
    """Return an event's JSON: the same bytes at every attempt to deliver it, while the match keeps its title, its players and its
    notes, and no clock starts or stops.
    """
    return msgspec.json.encode(
        CloudEvent(
            specversion="1.0",
            id=str(event.id),
            source=_source(event),
            type=f"foldtable.{event.type}.v1",
            subject="" if event.seat is None else f"seats/{event.seat}",
            time=event.recorded_at.astimezone(UTC),
            datacontenttype="application/json",
            data=_data(event),
        )
    )


def _source(event: Event) -> str:
    if event.match_id is not None:
        return f"/v1/matches/{event.match_id}"
    return f"/v1/webhooks/endpoints/{event.endpoint_id}"


def _data(event: Event) -> dict[str, Any]:
    """Return ids and the match's standing. For anything else the receiver reads the match, with a credential that permits it."""
    if event.match_id is None:
        return {"endpoint_id": _id(event.endpoint_id)}
    if event.type == EventType.MATCH_DELETED:
        return {"match_id": str(event.match_id), "version": event.version}  # nothing else is known of it
    data: dict[str, Any] = {
        "match_id": str(event.match_id),
        "game": event.game,
        "version": event.version,
        "to_act": event.to_act,
        "players": event.players,
        "title": event.title,
        "reference": event.reference,
    }
    if event.type in _ABOUT_THE_MATCH:
        data["metadata"] = msgspec.Raw(event.metadata)
    if event.deadline is not None:
        data["deadline"] = event.deadline.astimezone(UTC)
    if event.seat is not None:
        data |= {"seat": event.seat, "player": event.player}
    if event.type == EventType.SEAT_REPLACED:
        data["replaced_player"] = event.replaced
    if event.proposal:
        data["proposal"] = event.proposal
    if event.result:
        data["result"] = event.result
    if event.outcome is not None:
        data["outcome"] = msgspec.Raw(event.outcome)
    return data


def _id(value: UUID | None) -> str:
    return "" if value is None else str(value)
