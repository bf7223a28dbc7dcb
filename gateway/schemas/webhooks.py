"""Webhook endpoints, what is sent to them, and the feed of events."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from gateway.schemas.fields import GameId, Instant, Link, MatchId, PlayerId, SeatNumber, VersionNumber
from gateway.schemas.requests import Input

MAX_OLD_SECRET_SECONDS: Final = 7 * 24 * 3600
MAX_PAGE: Final = 2**31 - 1

EventTypeName = Literal[
    "match.created",
    "match.started",
    "match.ended",
    "seat.joined",
    "seat.left",
    "move.applied",
    "turn.started",
    "endpoint.disabled",
]
EventTypes = Annotated[
    list[EventTypeName],
    Meta(min_length=1, max_length=20, description="Of which types it is told.", examples=[["turn.started"]]),
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
Description = Annotated[str, Meta(max_length=100, description="What its owner calls it.", examples=["lobby"])]
Moment = Annotated[datetime, Meta(tz=True)]


class CreateEndpointRequest(Input, frozen=True, kw_only=True):
    """A new webhook endpoint."""

    url: Url
    event_types: EventTypes
    description: Description = ""


class UpdateEndpointRequest(Input, frozen=True, kw_only=True):
    """What to change; what is absent stays as it is."""

    url: Url | UnsetType = UNSET
    event_types: EventTypes | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    enabled: (
        Annotated[bool, Meta(description="Whether it is sent anything; true also revives one that failed.")]
        | UnsetType
    ) = UNSET


class RotateSecretRequest(Input, frozen=True, kw_only=True):
    """A new secret."""

    grace_seconds: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_OLD_SECRET_SECONDS)] | None,
        Meta(description="How long the old secret is signed with as well; absent: a day; 0: not at all."),
    ] = None


class ResendRequest(Input, frozen=True, kw_only=True):
    """What is to be sent again."""

    since: Annotated[Moment, Meta(description="From when on it happened (RFC 3339).")]
    until: Annotated[Moment | None, Meta(description="Until when; absent: until now.")] = None
    failed_only: Annotated[bool, Meta(description="Only what was given up.")] = False


class SetEventRecordingRequest(Input, frozen=True, kw_only=True):
    """What is kept for the feed."""

    event_types: Annotated[
        list[EventTypeName], Meta(max_length=20, description="Empty: the feed is switched off.")
    ]


class DeliveriesQuery(Input, frozen=True, kw_only=True):
    """Which deliveries."""

    state: Annotated[
        Literal["pending", "delivered", "failed"] | None, Meta(description="Only those that stand so.")
    ] = None
    page_size: Annotated[
        int, Meta(ge=0, le=MAX_PAGE, description="At most this many; 0: 100; more than 1000: 1000.")
    ] = 0
    page_token: Annotated[str, Meta(max_length=1024, description="`next_page_token` of the page before.")] = (
        ""
    )


class EventsQuery(Input, frozen=True, kw_only=True):
    """Which events."""

    after: Annotated[
        str,
        Meta(
            max_length=512,
            description="`cursor` of the answer before; absent: from the beginning of what is kept.",
        ),
    ] = ""
    limit: Annotated[
        int, Meta(ge=0, le=MAX_PAGE, description="At most this many; 0: 100; more than 1000: 1000.")
    ] = 0
    wait: Annotated[
        Annotated[
            str,
            Meta(
                pattern=r"^([12]?[0-9]|30)s(?![\s\S])",
                description="Where there is no event yet, wait for one so long: at most `30s`.",
                examples=["20s"],
            ),
        ]
        | None,
        Meta(),
    ] = None


class Endpoint(Struct, frozen=True, kw_only=True):
    """A webhook endpoint, without its secret."""

    endpoint_id: EndpointId
    url: Url
    description: Description
    event_types: Annotated[list[EventTypeName], Meta(description="Of which types it is told.")]
    state: Annotated[
        Literal["enabled", "disabled", "failed"],
        Meta(description="`disabled` by its tenant, `failed` because nothing arrived for too long."),
    ]
    disabled_reason: Annotated[str | None, Meta(description="Why it was given up.")]
    disabled_at: Instant | None
    created_at: Instant
    failing_since: Annotated[
        Instant | None, Meta(description="Since when nothing has arrived; null: what was sent last did.")
    ]
    old_secret_expires_at: Annotated[
        Instant | None, Meta(description="Until when the secret of before is signed with as well.")
    ]


class EndpointList(Struct, frozen=True, kw_only=True):
    """A tenant's webhook endpoints, oldest first."""

    endpoints: Annotated[list[Endpoint], Meta(description="The endpoints.")]


class EndpointSecret(Struct, frozen=True, kw_only=True):
    """A webhook endpoint and its new secret."""

    endpoint: Endpoint
    secret: Annotated[
        str,
        Meta(description="What its requests are signed with. It is told this once.", examples=["whsec_…"]),
    ]


class Attempt(Struct, frozen=True, kw_only=True):
    """One try."""

    started_at: Instant
    duration_ms: Annotated[int, Meta(ge=0, description="How long it took, in milliseconds.")]
    status: Annotated[int | None, Meta(description="The HTTP status; null: there was no answer.")]
    problem: Annotated[
        str | None,
        Meta(
            description="Why there was none: `private_address`, `connect_failed`, `connect_timeout`, `timeout`, `broken_answer`."
        ),
    ]


class Delivery(Struct, frozen=True, kw_only=True):
    """An event on its way to an endpoint."""

    event_id: EventId
    event_type: Annotated[str, Meta(description="Its type.", examples=["turn.started"])]
    match_id: MatchId | None
    event_time: Instant
    state: Annotated[
        Literal["pending", "delivered", "failed"],
        Meta(description="Whether it has arrived: `failed` means that it was given up."),
    ]
    attempts: Annotated[list[Attempt], Meta(description="The latest tries, oldest first.")]
    next_attempt_at: Annotated[
        Instant | None, Meta(description="Null: not any more, or after others of its match.")
    ]


class DeliveryList(Struct, frozen=True, kw_only=True):
    """A page of deliveries, newest first."""

    deliveries: Annotated[list[Delivery], Meta(description="The deliveries of this page.")]
    next_page_token: Annotated[str, Meta(description="Ask for the next page with this; empty at the end.")]


class ResendResult(Struct, frozen=True, kw_only=True):
    """What is on its way again."""

    count: Annotated[int, Meta(ge=0, description="How many events; at most 10000 at once.")]


class EventRecording(Struct, frozen=True, kw_only=True):
    """What is kept for the feed."""

    event_types: Annotated[
        list[EventTypeName], Meta(description="Which types are kept; empty: the feed is off.")
    ]


class EventData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an event tells: ids, and how the match stands. Nothing of it is hidden from anybody at the match."""

    match_id: MatchId | UnsetType = UNSET
    game: GameId | UnsetType = UNSET
    version: VersionNumber | UnsetType = UNSET
    to_act: Annotated[list[int], Meta(description="The seats that are waited for.")] | UnsetType = UNSET
    seat: SeatNumber | UnsetType = UNSET
    player: PlayerId | UnsetType = UNSET
    outcome: Annotated[dict[str, Any], Meta(description="Of `match.ended`: as in the match.")] | UnsetType = (
        UNSET
    )
    endpoint_id: EndpointId | UnsetType = UNSET


class CloudEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """CloudEvents 1.0, structured JSON."""

    specversion: Annotated[Literal["1.0"], Meta(description="The version of CloudEvents.")]
    id: EventId
    source: Link
    type: Annotated[
        str,
        Meta(
            description="`foldtable.<type>.v1`, where the type is what endpoints ask for.",
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
        Meta(description="Ask for what comes after with this; good for as long as events are kept."),
    ]
