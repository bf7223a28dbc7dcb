"""Tenants, API keys, and what a credential is good for."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from gateway.schemas.fields import GameId, Instant, MatchId
from gateway.schemas.requests import Input

MAX_GRACE_SECONDS: Final = 30 * 24 * 3600

TenantId = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9_-]{0,62}(?![\s\S])",  # not `$`, which lets a line break follow
        description="A letter and up to 62 letters, digits, _ and -, all lower case.",
        examples=["acme"],
    ),
]
Scope = Literal["matches:read", "matches:write", "bots:play", "keys:write", "webhooks:write", "tenants:admin"]
Scopes = Annotated[
    list[Scope],
    Meta(
        description="`matches:read`: look at the tenant's matches. `matches:write`: everything with them. `keys:write`: "
        "the tenant's own keys. `bots:play`: running bots. `webhooks:write`: its webhook endpoints. `tenants:admin`: the operator's, tenants and everybody's keys."
    ),
]
KeyLabel = Annotated[str, Meta(max_length=100, description="What its owner calls it.", examples=["lobby"])]
KeyId = Annotated[str, Meta(description="An API key's id.", extra_json_schema={"format": "uuid"})]


class CreateTenantRequest(Input, frozen=True, kw_only=True):
    """A new tenant."""

    tenant: TenantId


class CreateKeyRequest(Input, frozen=True, kw_only=True):
    """A new API key."""

    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=6, description="What it shall be good for.")]
    label: KeyLabel = ""
    expires_at: Annotated[
        Annotated[datetime, Meta(tz=True)] | None,
        Meta(description="When it shall stop being good by itself (RFC 3339); absent: never."),
    ] = None
    environment: Annotated[
        str,
        Meta(
            pattern=r"^[a-z]{2,8}(?![\s\S])",
            description="A part of the key, to tell keys apart: `ft_<environment>_…`.",
        ),
    ] = "live"


class RotateKeyRequest(Input, frozen=True, kw_only=True):
    """A key in place of another."""

    grace_seconds: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_GRACE_SECONDS)] | None,
        Meta(description="How long the old key goes on; absent: a day; 0: not at all."),
    ] = None


class PageQuery(Input, frozen=True, kw_only=True):
    """Which page."""

    page_size: Annotated[
        int, Meta(ge=0, le=2**31 - 1, description="At most this many; 0: 100; more than 1000: 1000.")
    ] = 0
    page_token: Annotated[str, Meta(max_length=1024, description="`next_page_token` of the page before.")] = (
        ""
    )


class Tenant(Struct, frozen=True, kw_only=True):
    """A platform that uses the service."""

    tenant: TenantId
    created_at: Instant


class TenantList(Struct, frozen=True, kw_only=True):
    """A page of tenants, in alphabetical order."""

    tenants: Annotated[list[Tenant], Meta(description="The tenants of this page.")]
    next_page_token: Annotated[str, Meta(description="Ask for the next page with this; empty at the end.")]


class ApiKey(Struct, frozen=True, kw_only=True):
    """An API key, as far as it is known: never the key itself."""

    key_id: KeyId
    tenant: TenantId
    prefix: Annotated[str, Meta(description="Its first characters.", examples=["ft_live_4fGh2K"])]
    label: KeyLabel
    scopes: Scopes
    created_at: Instant
    expires_at: Annotated[Instant | None, Meta(description="Null: never by itself.")]
    revoked_at: Annotated[Instant | None, Meta(description="Null: it was not.")]
    replaces: Annotated[KeyId | None, Meta(description="The key it was issued in place of.")]


class ApiKeyList(Struct, frozen=True, kw_only=True):
    """A page of a tenant's keys, oldest first, those of the past included."""

    keys: Annotated[list[ApiKey], Meta(description="The keys of this page.")]
    next_page_token: Annotated[str, Meta(description="Ask for the next page with this; empty at the end.")]


class IssuedKey(Struct, frozen=True, kw_only=True):
    """A new API key."""

    key: ApiKey
    secret: Annotated[str, Meta(description="The key itself. It is told this once and kept nowhere.")]


class RotatedKey(IssuedKey, frozen=True, kw_only=True):
    """A new API key, and the one it replaces."""

    replaced: ApiKey


class RateLimit(Struct, frozen=True, kw_only=True):
    """How one bucket stands, in the process that answered."""

    bucket: Annotated[str, Meta(description="As in the header `RateLimit`.", examples=["moves"])]
    limit: Annotated[int, Meta(ge=1, description="So many requests …")]
    window_seconds: Annotated[int, Meta(ge=1, description="… in so many seconds.")]
    remaining: Annotated[int, Meta(ge=0, description="Requests left now.")]


class Credential(Struct, frozen=True, kw_only=True):
    """What the credential of this request is good for."""

    kind: Annotated[
        Literal["api_key", "seat", "spectator", "referee", "invite"],
        Meta(description="What kind of credential it is."),
    ]
    tenant: Annotated[TenantId | None, Meta(description="API keys: whose it is.")]
    key_id: Annotated[KeyId | None, Meta(description="API keys: its id.")]
    scopes: Annotated[list[str], Meta(description="API keys: what it is good for.")]
    match_id: Annotated[MatchId | None, Meta(description="Match tokens: the match.")]
    game: Annotated[GameId | None, Meta(description="Match tokens: its game.")]
    seat: Annotated[int | None, Meta(description="Seat tokens and invites: the seat.")]
    expires_at: Annotated[
        Instant | None, Meta(description="When it stops being good; null: never by itself.")
    ]
    rate_limits: Annotated[list[RateLimit], Meta(description="Its buckets.")]
