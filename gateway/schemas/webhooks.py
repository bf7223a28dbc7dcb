"""Webhook endpoints, deliveries to them, and the feed of events."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from pydantic import Field

from gateway.schemas.fields import (
    SECOND,
    GameId,
    Instant,
    Link,
    MatchId,
    PlayerId,
    ProposalKind,
    RawMetadata,
    Reference,
    SeatNumber,
    Title,
    VersionNumber,
    WaitTime,
)
from gateway.schemas.inputs import ABSENT, WHOLE, Moment, PageQuery, QueryParameters, RequestBody, like
from services.process.bounds import MAX_LABEL, MAX_SECRET_GRACE, MAX_URL

EventTypeName = Literal[
    "match.created",
    "match.started",
    "match.ended",
    "match.deleted",
    "match.paused",
    "match.resumed",
    "seat.joined",
    "seat.left",
    "seat.replaced",
    "move.applied",
    "turn.started",
    "consent.asked",
    "consent.settled",
    "deadline.near",
    "endpoint.disabled",
]
EventTypes = Annotated[list[EventTypeName], Meta(min_length=1, max_length=20, examples=[["turn.started"]])]
EndpointId = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
EventId = Annotated[
    str,
    Meta(description="An event's id: the header `webhook-id`.", extra_json_schema={"format": "uuid"}),
]
Url = Annotated[str, Meta(max_length=MAX_URL, examples=["https://example.com/hooks/foldtable"])]
Description = Annotated[str, Meta(max_length=MAX_LABEL, examples=["lobby"])]


class CreateEndpointRequest(RequestBody):
    """A new webhook endpoint."""

    url: Annotated[str, like(Url)]
    event_types: Annotated[list[EventTypeName], like(EventTypes)]
    description: Annotated[str, like(Description)] = ""


class UpdateEndpointRequest(RequestBody):
    """What to change; what is absent stays as it is."""

    url: Annotated[str, like(Url)] = ABSENT
    event_types: Annotated[list[EventTypeName], like(EventTypes)] = ABSENT
    description: Annotated[str, like(Description)] = ABSENT
    enabled: bool = ABSENT


class RotateSecretRequest(RequestBody):
    """A new secret."""

    grace_seconds: Annotated[int | None, Field(ge=0, le=MAX_SECRET_GRACE // SECOND)] = None


class ResendRequest(RequestBody):
    """Which events to send again."""

    since: Moment
    until: Annotated[Moment | None, Field(description="Only events up to this time; absent: up to now.")] = (
        None
    )
    failed_only: bool = False


class SetEventRecordingRequest(RequestBody):
    """Which types of events are kept for the feed."""

    event_types: Annotated[list[EventTypeName], Field(max_length=20)]


class DeliveriesQuery(PageQuery):
    """Filters of a list of deliveries."""

    state: Annotated[
        Literal["pending", "delivered", "failed"] | None,
        Field(description="Only deliveries with this status."),
    ] = None


class EventsQuery(QueryParameters):
    """Where to begin in the feed, and how many events to return."""

    after: Annotated[
        str,
        Field(
            max_length=512,
            description="`cursor` of the previous response; absent: from the oldest event that is kept.",
        ),
    ] = ""
    limit: Annotated[
        int,
        Field(ge=0, le=2**31 - 1, description="At most this many; 0 means 100; values above 1000 mean 1000."),
        WHOLE,
    ] = 0
    wait: Annotated[
        Annotated[str, like(WaitTime)] | None,
        Field(description="If there is no event yet, wait this long for one: at most `30s`."),
    ] = None


class Endpoint(Struct, frozen=True, kw_only=True):
    """A webhook endpoint, without its secret."""

    endpoint_id: EndpointId
    url: Url
    description: Description
    event_types: list[EventTypeName]
    state: Literal["enabled", "disabled", "failed"]
    disabled_reason: str | None
    disabled_at: Instant | None
    created_at: Instant
    failing_since: Instant | None
    old_secret_expires_at: Instant | None


class EndpointList(Struct, frozen=True, kw_only=True):
    """A tenant's webhook endpoints, oldest first."""

    endpoints: list[Endpoint]


class EndpointSecret(Struct, frozen=True, kw_only=True):
    """A webhook endpoint and its new secret."""

    endpoint: Endpoint
    secret: Annotated[str, Meta(examples=["whsec_…"])]


class Attempt(Struct, frozen=True, kw_only=True):
    started_at: Instant
    duration_ms: Annotated[int, Meta(ge=0, description="How long it took, in milliseconds.")]
    status: int | None
    problem: str | None


class Delivery(Struct, frozen=True, kw_only=True):
    event_id: EventId
    event_type: Annotated[str, Meta(examples=["turn.started"])]
    match_id: MatchId | None
    event_time: Instant
    state: Literal["pending", "delivered", "failed"]
    attempts: list[Attempt]
    next_attempt_at: Instant | None


class DeliveryList(Struct, frozen=True, kw_only=True):
    """A page of deliveries, newest first."""

    deliveries: list[Delivery]
    next_page_token: str


class ResendResult(Struct, frozen=True, kw_only=True):
    count: Annotated[int, Meta(ge=0)]


class EventRecording(Struct, frozen=True, kw_only=True):
    """Which types of events are kept for the feed."""

    event_types: list[EventTypeName]


class EventData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The content of an event: ids, the match's status, and what the platform itself notes about the match. Of the game it
    contains only what everybody in the match may see.
    """

    match_id: MatchId | UnsetType = UNSET
    game: GameId | UnsetType = UNSET
    version: VersionNumber | UnsetType = UNSET
    to_act: list[int] | UnsetType = UNSET
    seat: SeatNumber | UnsetType = UNSET
    player: PlayerId | UnsetType = UNSET
    players: (
        Annotated[
            list[str],
            Meta(
                description="The players' ids, by seat; empty for a seat without one. Like the title, the deadline and what the "
                "platform notes, as it is when the event is sent."
            ),
        ]
        | UnsetType
    ) = UNSET
    title: Title | UnsetType = UNSET
    deadline: (
        Annotated[
            Instant,
            Meta(
                description="When the time of the seat is up, or of the first seat whose clock runs; absent if none runs."
            ),
        ]
        | UnsetType
    ) = UNSET
    reference: (
        Annotated[
            Reference, Meta(description="The platform's own reference of the match; empty if it has none.")
        ]
        | UnsetType
    ) = UNSET
    metadata: (
        Annotated[
            RawMetadata,
            Meta(
                description="Only in `match.created`, `match.started` and `match.ended`: the platform's own metadata about the "
                "match."
            ),
        ]
        | UnsetType
    ) = UNSET
    outcome: (
        Annotated[dict[str, Any], Meta(description="Only in `match.ended`: the match's outcome.")] | UnsetType
    ) = UNSET
    endpoint_id: EndpointId | UnsetType = UNSET
    replaced_player: (
        Annotated[PlayerId, Meta(description="Only in `seat.replaced`: who had the seat before.")] | UnsetType
    ) = UNSET
    proposal: (
        Annotated[ProposalKind, Meta(description="Only in events of consent: what was proposed.")] | UnsetType
    ) = UNSET
    result: (
        Annotated[
            Literal["accepted", "refused", "moved", "ended", "expired"],
            Meta(
                description="Only in `consent.settled`: all agreed; one refused; a move or somebody's leaving came first; the match "
                "ended; or the time was up."
            ),
        ]
        | UnsetType
    ) = UNSET


class CloudEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """CloudEvents 1.0, structured JSON."""

    specversion: Annotated[Literal["1.0"], Meta(description="The version of CloudEvents.")]
    id: EventId
    source: Link
    type: Annotated[
        str,
        Meta(
            description="`foldtable.<type>.v1`, with a type that endpoints can subscribe to.",
            examples=["foldtable.turn.started.v1"],
        ),
    ]
    time: Annotated[Instant, Meta(description="When it happened.")]
    datacontenttype: Annotated[Literal["application/json"], Meta(description="What `data` is.")]
    data: EventData
    subject: Annotated[str, Meta(description="The seat it is about.", examples=["seats/1"])] = ""


RawCloudEvent = Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/CloudEvent"})]


class EventPage(Struct, frozen=True, kw_only=True):
    """Events in the order of the feed."""

    events: Annotated[list[RawCloudEvent], Meta(description="The events, in the order of the feed.")]
    cursor: str
