"""Tenants, API keys, and what a credential permits."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from pydantic import Field

from gateway.schemas.fields import SECOND, GameId, Instant, MatchId, PlayerId
from gateway.schemas.forms import form
from gateway.schemas.inputs import Moment, RequestBody, like
from services.process.bounds import MAX_KEY_GRACE, MAX_LABEL, MAX_VACATION_DAYS

TenantId = Annotated[
    str,
    Meta(
        pattern=form(
            r"^[a-z][a-z0-9_-]{0,62}(?![\s\S])",  # not `$`, which allows a trailing line break
            "a lower-case letter and up to 62 lower-case letters, digits, `_` and `-`",
        ),
        examples=["acme"],
    ),
]
Scope = Literal["matches:read", "matches:write", "bots:play", "keys:write", "webhooks:write", "tenants:admin"]
KeyLabel = Annotated[str, Meta(max_length=MAX_LABEL, examples=["lobby"])]
KeyId = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]


class CreateTenantRequest(RequestBody):
    """A new tenant."""

    tenant: Annotated[str, like(TenantId)]


class UpdateTenantRequest(RequestBody):
    """Settings of the caller's own tenant; those that are absent stay as they are."""

    anonymous_read: bool | None = None
    vacation_days: Annotated[int | None, Field(ge=0, le=MAX_VACATION_DAYS)] = None


class CreateKeyRequest(RequestBody):
    """A new API key."""

    scopes: Annotated[list[Scope], Field(min_length=1, max_length=6)]
    label: Annotated[str, like(KeyLabel)] = ""
    expires_at: Moment | None = None
    environment: Annotated[
        str, Field(pattern=form(r"^[a-z]{2,8}(?![\s\S])", "2 to 8 lower-case letters, such as `live`"))
    ] = "live"


class RotateKeyRequest(RequestBody):
    """Replacement of a key."""

    grace_seconds: Annotated[int | None, Field(ge=0, le=MAX_KEY_GRACE // SECOND)] = None


class Tenant(Struct, frozen=True, kw_only=True):
    """A platform that uses the service."""

    tenant: TenantId
    created_at: Instant
    anonymous_read: bool
    vacation_days: Annotated[int, Meta(ge=0, le=MAX_VACATION_DAYS)]


class TenantList(Struct, frozen=True, kw_only=True):
    """A page of tenants, in alphabetical order."""

    tenants: list[Tenant]
    next_page_token: str


class ApiKey(Struct, frozen=True, kw_only=True):
    """What is stored about an API key: never the key itself."""

    key_id: KeyId
    tenant: TenantId
    prefix: Annotated[str, Meta(examples=["ft_live_4fGh2K"])]
    label: KeyLabel
    scopes: list[Scope]
    created_at: Instant
    expires_at: Instant | None
    revoked_at: Instant | None
    replaces: KeyId | None


class ApiKeyList(Struct, frozen=True, kw_only=True):
    """A page of a tenant's keys, oldest first, including expired and revoked ones."""

    keys: list[ApiKey]
    next_page_token: str


class IssuedKey(Struct, frozen=True, kw_only=True):
    """A new API key."""

    key: ApiKey
    secret: str


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

    kind: Literal["api_key", "seat", "spectator", "referee", "invite", "player"]
    tenant: TenantId | None
    key_id: KeyId | None
    scopes: list[str]
    match_id: MatchId | None
    game: GameId | None
    seat: int | None
    player: PlayerId | None
    expires_at: Instant | None
    rate_limits: Annotated[list[RateLimit], Meta(description="Its buckets.")]
