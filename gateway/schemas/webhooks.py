"""Webhook endpoints, deliveries to them, and the feed of events."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from pydantic import Field

from gateway.schemas.fields import (
    FREE_TEXT,
    GameId,
    Instant,
    Link,
    MatchId,
    PlayerId,
    SeatNumber,
    VersionNumber,
    WaitTime,
)
from gateway.schemas.inputs import ABSENT, WHOLE, Moment, PageQuery, QueryParameters, RequestBody, like

MAX_OLD_SECRET_SECONDS: Final = 7 * 24 * 3600

EventTypeName = Literal[
    "match.created",
    "match.started",
    "match.ended",
    "seat.joined",
    "seat.left",
    "move.applied",
    "turn.started",
    "consent.asked",
    "consent.settled",
    "endpoint.disabled",
]
EventTypes = Annotated[
    list[EventTypeName],
    Meta(
        min_length=1,
        max_length=20,
        description="The types of events sent to it.",
        examples=[["turn.started"]],
    ),
]
EndpointId = Annotated[
    str, Meta(description="A webhook endpoint's id.", extra_json_schema={"format": "uuid"})
]
EventId = Annotated[
    str,
    Meta(description="An event's id: the header `webhook-id`.", extra_json_schema={"format": "uuid"}),
]
Url = Annotated[
    str,
    Meta(
        max_length=2_000,
        description="Where events are posted: https, a host of the public Internet, no user and no fragment.",
        examples=["https://example.com/hooks/foldtable"],
    ),
]
Description = Annotated[
    str, Meta(max_length=100, description="A name chosen by its owner. " + FREE_TEXT, examples=["lobby"])
]


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
    enabled: Annotated[
        bool,
        Field(description="Whether events are sent to it; true also re-enables an endpoint that failed."),
    ] = ABSENT


class RotateSecretRequest(RequestBody):
    """A new secret."""

    grace_seconds: Annotated[
        int | None,
        Field(
            ge=0,
            le=MAX_OLD_SECRET_SECONDS,
            description="How long requests are signed with the old secret as well; absent: a day; 0: not at all.",
        ),
    ] = None


class ResendRequest(RequestBody):
    """Which events to send again."""

    since: Annotated[Moment, Field(description="Only events from this time on (RFC 3339).")]
    until: Annotated[Moment | None, Field(description="Only events up to this time; absent: up to now.")] = (
        None
    )
    failed_only: Annotated[bool, Field(description="Only events whose delivery failed for good.")] = False


class SetEventRecordingRequest(RequestBody):
    """Which types of events are kept for the feed."""

    event_types: Annotated[
        list[EventTypeName], Field(max_length=20, description="The types to keep; empty: the feed is off.")
    ]


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
    event_types: Annotated[list[EventTypeName], Meta(description="The types of events sent to it.")]
    state: Annotated[
        Literal["enabled", "disabled", "failed"],
        Meta(description="`disabled`: by its tenant; `failed`: because no delivery succeeded for too long."),
    ]
    disabled_reason: Annotated[str | None, Meta(description="Why it was disabled; null if it was not.")]
    disabled_at: Instant | None
    created_at: Instant
    failing_since: Annotated[
        Instant | None, Meta(description="Since when deliveries have failed; null: the last one succeeded.")
    ]
    old_secret_expires_at: Annotated[
        Instant | None, Meta(description="Until when requests are signed with the previous secret as well.")
    ]


class EndpointList(Struct, frozen=True, kw_only=True):
    """A tenant's webhook endpoints, oldest first."""

    endpoints: Annotated[list[Endpoint], Meta(description="The endpoints.")]


class EndpointSecret(Struct, frozen=True, kw_only=True):
    """A webhook endpoint and its new secret."""

    endpoint: Endpoint
    secret: Annotated[
        str,
        Meta(
            description="The secret that signs its requests. It is shown only this once.",
            examples=["whsec_…"],
        ),
    ]


class Attempt(Struct, frozen=True, kw_only=True):
    """One attempt to deliver an event."""

    started_at: Instant
    duration_ms: Annotated[int, Meta(ge=0, description="How long it took, in milliseconds.")]
    status: Annotated[int | None, Meta(description="The HTTP status; null: there was no response.")]
    problem: Annotated[
        str | None,
        Meta(
            description="Why there was no response, such as `connect_timeout`, `certificate_expired` or `broken_answer`. "
            "More words may come; the page about webhooks lists them."
        ),
    ]


class Delivery(Struct, frozen=True, kw_only=True):
    """The delivery of one event to one endpoint."""

    event_id: EventId
    event_type: Annotated[str, Meta(description="Its type.", examples=["turn.started"])]
    match_id: MatchId | None
    event_time: Instant
    state: Annotated[
        Literal["pending", "delivered", "failed"],
        Meta(description="Its status; `failed` means that no further attempt follows."),
    ]
    attempts: Annotated[list[Attempt], Meta(description="The latest attempts, oldest first.")]
    next_attempt_at: Annotated[
        Instant | None,
        Meta(
            description="When it is attempted next; null: never again, or after earlier events of its match."
        ),
    ]


class DeliveryList(Struct, frozen=True, kw_only=True):
    """A page of deliveries, newest first."""

    deliveries: Annotated[list[Delivery], Meta(description="The deliveries of this page.")]
    next_page_token: Annotated[str, Meta(description="Token of the next page; empty on the last page.")]


class ResendResult(Struct, frozen=True, kw_only=True):
    """The events that will be sent again."""

    count: Annotated[int, Meta(ge=0, description="Number of events; at most 10000 per request.")]


class EventRecording(Struct, frozen=True, kw_only=True):
    """Which types of events are kept for the feed."""

    event_types: Annotated[
        list[EventTypeName], Meta(description="Which types are kept; empty: the feed is off.")
    ]


class EventData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The content of an event: ids and the match's status. It contains only what everybody in the match may see."""

    match_id: MatchId | UnsetType = UNSET
    game: GameId | UnsetType = UNSET
    version: VersionNumber | UnsetType = UNSET
    to_act: Annotated[list[int], Meta(description="The seats that must act.")] | UnsetType = UNSET
    seat: SeatNumber | UnsetType = UNSET
    player: PlayerId | UnsetType = UNSET
    outcome: (
        Annotated[dict[str, Any], Meta(description="Only in `match.ended`: the match's outcome.")] | UnsetType
    ) = UNSET
    endpoint_id: EndpointId | UnsetType = UNSET
    proposal: (
        Annotated[Literal["undo", "abort"], Meta(description="Only in events of consent: what was proposed.")]
        | UnsetType
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
    time: Instant
    datacontenttype: Annotated[Literal["application/json"], Meta(description="What `data` is.")]
    data: EventData
    subject: Annotated[str, Meta(description="The seat it is about.", examples=["seats/1"])] = ""


RawCloudEvent = Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/CloudEvent"})]


class EventPage(Struct, frozen=True, kw_only=True):
    """Events in the order of the feed."""

    events: Annotated[list[RawCloudEvent], Meta(description="The events, in the order of the feed.")]
    cursor: Annotated[
        str,
        Meta(description="Pass it as `after` to get the next events; valid as long as events are kept."),
    ]
