"""Tenants, API keys, and what a credential permits."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from pydantic import Field

from gateway.schemas.fields import FREE_TEXT, GameId, Instant, MatchId, PlayerId
from gateway.schemas.forms import form
from gateway.schemas.inputs import Moment, RequestBody, like

MAX_GRACE_SECONDS: Final = 30 * 24 * 3600

TenantId = Annotated[
    str,
    Meta(
        pattern=form(
            r"^[a-z][a-z0-9_-]{0,62}(?![\s\S])",  # not `$`, which allows a trailing line break
            "a lower-case letter and up to 62 lower-case letters, digits, `_` and `-`",
        ),
        description="A letter and up to 62 letters, digits, _ and -, all lower case.",
        examples=["acme"],
    ),
]
Scope = Literal["matches:read", "matches:write", "bots:play", "keys:write", "webhooks:write", "tenants:admin"]
Scopes = Annotated[
    list[Scope],
    Meta(
        description="`matches:read`: read the tenant's matches. `matches:write`: every operation on them. `keys:write`: "
        "manage the tenant's own keys. `bots:play`: run bots. `webhooks:write`: manage its webhook endpoints. "
        "`tenants:admin`: for operators; manage tenants and everybody's keys."
    ),
]
KeyLabel = Annotated[
    str,
    Meta(max_length=100, description="A name chosen by its owner. " + FREE_TEXT, examples=["lobby"]),
]
KeyId = Annotated[str, Meta(description="An API key's id.", extra_json_schema={"format": "uuid"})]


class CreateTenantRequest(RequestBody):
    """A new tenant."""

    tenant: Annotated[str, like(TenantId)]


class UpdateTenantRequest(RequestBody):
    """Settings of the caller's own tenant; those that are absent stay as they are."""

    anonymous_read: Annotated[
        bool | None,
        Field(
            description="Whether anybody may read the public matches, without a credential; absent: as before."
        ),
    ] = None


class CreateKeyRequest(RequestBody):
    """A new API key."""

    scopes: Annotated[list[Scope], Field(min_length=1, max_length=6, description="What the key permits.")]
    label: Annotated[str, like(KeyLabel)] = ""
    expires_at: Annotated[
        Moment | None,
        Field(description="When the key expires (RFC 3339); absent: never."),
    ] = None
    environment: Annotated[
        str,
        Field(
            pattern=form(r"^[a-z]{2,8}(?![\s\S])", "2 to 8 lower-case letters, such as `live`"),
            description="A part of the key that helps people to distinguish keys: `ft_<environment>_…`.",
        ),
    ] = "live"


class RotateKeyRequest(RequestBody):
    """Replacement of a key."""

    grace_seconds: Annotated[
        int | None,
        Field(
            ge=0,
            le=MAX_GRACE_SECONDS,
            description="How long the old key stays valid; absent: a day; 0: not at all.",
        ),
    ] = None


class Tenant(Struct, frozen=True, kw_only=True):
    """A platform that uses the service."""

    tenant: TenantId
    created_at: Instant
    anonymous_read: Annotated[
        bool, Meta(description="Whether anybody may read its public matches, without a credential.")
    ]


class TenantList(Struct, frozen=True, kw_only=True):
    """A page of tenants, in alphabetical order."""

    tenants: Annotated[list[Tenant], Meta(description="The tenants of this page.")]
    next_page_token: Annotated[str, Meta(description="Token of the next page; empty on the last page.")]


class ApiKey(Struct, frozen=True, kw_only=True):
    """What is stored about an API key: never the key itself."""

    key_id: KeyId
    tenant: TenantId
    prefix: Annotated[str, Meta(description="Its first characters.", examples=["ft_live_4fGh2K"])]
    label: KeyLabel
    scopes: Scopes
    created_at: Instant
    expires_at: Annotated[Instant | None, Meta(description="When it expires; null: never.")]
    revoked_at: Annotated[Instant | None, Meta(description="When it was revoked; null: it was not.")]
    replaces: Annotated[KeyId | None, Meta(description="The key that it replaced.")]


class ApiKeyList(Struct, frozen=True, kw_only=True):
    """A page of a tenant's keys, oldest first, including expired and revoked ones."""

    keys: Annotated[list[ApiKey], Meta(description="The keys of this page.")]
    next_page_token: Annotated[str, Meta(description="Token of the next page; empty on the last page.")]


class IssuedKey(Struct, frozen=True, kw_only=True):
    """A new API key."""

    key: ApiKey
    secret: Annotated[str, Meta(description="The key itself. It is shown only this once and not stored.")]


class RotatedKey(IssuedKey, frozen=True, kw_only=True):
    """A new API key, and the one it replaces."""

    replaced: ApiKey


class RateLimit(Struct, frozen=True, kw_only=True):
    """The state of one bucket in the process that answered."""

    bucket: Annotated[str, Meta(description="As in the header `RateLimit`.", examples=["moves"])]
    limit: Annotated[int, Meta(ge=1, description="Number of requests allowed per window.")]
    window_seconds: Annotated[int, Meta(ge=1, description="Length of the window in seconds.")]
    remaining: Annotated[int, Meta(ge=0, description="Requests left now.")]


class Credential(Struct, frozen=True, kw_only=True):
    """What the credential of this request permits."""

    kind: Annotated[
        Literal["api_key", "seat", "spectator", "referee", "invite", "player"],
        Meta(description="The kind of credential."),
    ]
    tenant: Annotated[TenantId | None, Meta(description="API keys and sessions: the tenant it belongs to.")]
    key_id: Annotated[KeyId | None, Meta(description="API keys: its id.")]
    scopes: Annotated[list[str], Meta(description="API keys and sessions: what it permits.")]
    match_id: Annotated[MatchId | None, Meta(description="Match tokens: the match.")]
    game: Annotated[GameId | None, Meta(description="Match tokens: its game.")]
    seat: Annotated[int | None, Meta(description="Seat tokens and invites: the seat.")]
    player: Annotated[PlayerId | None, Meta(description="Sessions: the player, by the tenant's own id.")]
    expires_at: Annotated[Instant | None, Meta(description="When it expires; null: never.")]
    rate_limits: Annotated[list[RateLimit], Meta(description="Its buckets.")]
