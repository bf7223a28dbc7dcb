"""Tenants, keys and credentials as protobuf messages."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from foldtable.platform.v1 import account_pb2
from services.platform.api_keys import ApiKey
from services.platform.match_tokens import MatchToken, Role
from services.platform.tenants import Tenant

_KINDS: Final = {
    Role.SEAT: account_pb2.CREDENTIAL_KIND_SEAT,
    Role.SPECTATOR: account_pb2.CREDENTIAL_KIND_SPECTATOR,
    Role.REFEREE: account_pb2.CREDENTIAL_KIND_REFEREE,
    Role.INVITE: account_pb2.CREDENTIAL_KIND_INVITE,
}


def tenant_message(tenant: Tenant) -> account_pb2.Tenant:
    return account_pb2.Tenant(tenant=tenant.id, create_time=_timestamp(tenant.created_at))


def key_message(key: ApiKey) -> account_pb2.ApiKey:
    return account_pb2.ApiKey(
        key_id=str(key.id),
        tenant=key.tenant,
        prefix=key.prefix,
        label=key.label,
        scopes=sorted(key.scopes),
        create_time=_timestamp(key.created_at),
        expire_time=_timestamp(key.expires_at),
        revoke_time=_timestamp(key.revoked_at),
        replaces="" if key.replaces is None else str(key.replaces),
    )


def key_credential(key: ApiKey) -> account_pb2.Credential:
    """Say what an API key is good for."""
    return account_pb2.Credential(
        kind=account_pb2.CREDENTIAL_KIND_API_KEY,
        tenant=key.tenant,
        key_id=str(key.id),
        scopes=sorted(key.scopes),
        expire_time=_timestamp(key.expires_at),
    )


def token_credential(token: MatchToken) -> account_pb2.Credential:
    """Say what a match token is good for."""
    return account_pb2.Credential(
        kind=_KINDS[token.role],
        match_id=str(token.match_id),
        game=token.game,
        seat=token.seat,
        expire_time=_timestamp(token.expires_at),
    )


def _timestamp(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp
