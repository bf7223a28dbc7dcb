"""Protobuf messages of the platform service about accounts, as the structs that REST answers with."""

from __future__ import annotations

from typing import Final, Literal, cast

from foldtable.platform.v1 import account_pb2
from gateway.messages import instant
from gateway.rate_limits import Bucket, Limit
from gateway.schemas import accounts

_KINDS: Final[dict[int, Literal["api_key", "seat", "spectator", "referee", "invite"]]] = {
    account_pb2.CREDENTIAL_KIND_API_KEY: "api_key",
    account_pb2.CREDENTIAL_KIND_SEAT: "seat",
    account_pb2.CREDENTIAL_KIND_SPECTATOR: "spectator",
    account_pb2.CREDENTIAL_KIND_REFEREE: "referee",
    account_pb2.CREDENTIAL_KIND_INVITE: "invite",
}


def tenant(message: account_pb2.Tenant) -> accounts.Tenant:
    """Give a tenant."""
    return accounts.Tenant(tenant=message.tenant, created_at=instant(message.create_time))


def api_key(message: account_pb2.ApiKey) -> accounts.ApiKey:
    """Give what is known of an API key."""
    return accounts.ApiKey(
        key_id=message.key_id,
        tenant=message.tenant,
        prefix=message.prefix,
        label=message.label,
        scopes=cast("list[accounts.Scope]", list(message.scopes)),
        created_at=instant(message.create_time),
        expires_at=instant(message.expire_time) if message.HasField("expire_time") else None,
        revoked_at=instant(message.revoke_time) if message.HasField("revoke_time") else None,
        replaces=message.replaces or None,
    )


def credential(
    message: account_pb2.Credential, buckets: list[tuple[Bucket, Limit, int]]
) -> accounts.Credential:
    """Give what a credential is good for, and how often."""
    return accounts.Credential(
        kind=_KINDS[message.kind],
        tenant=message.tenant or None,
        key_id=message.key_id or None,
        scopes=list(message.scopes),
        match_id=message.match_id or None,
        game=message.game or None,
        seat=message.seat if message.HasField("seat") else None,
        expires_at=instant(message.expire_time) if message.HasField("expire_time") else None,
        rate_limits=[
            accounts.RateLimit(
                bucket=bucket.value, limit=limit.requests, window_seconds=limit.seconds, remaining=left
            )
            for bucket, limit, left in buckets
        ],
    )
