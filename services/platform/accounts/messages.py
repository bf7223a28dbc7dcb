"""Tenants, keys and credentials as protobuf messages."""

from __future__ import annotations

from typing import Final

from foldtable.platform.v1 import account_pb2
from services.identity.api_keys import ApiKey
from services.identity.match_tokens import MatchToken
from services.identity.player_sessions import PlayerSession
from services.identity.tenants import Tenant
from services.rpc.message_from import message_from

tenant_message: Final = message_from(account_pb2.Tenant, Tenant, tenant="id")
key_message: Final = message_from(account_pb2.ApiKey, ApiKey, key_id="id")
key_credential: Final = message_from(
    account_pb2.Credential,
    ApiKey,
    unset=("match_id", "game", "seat", "player"),
    kind=lambda _: account_pb2.CREDENTIAL_KIND_API_KEY,
    key_id="id",
)
"""What an API key permits."""
token_credential: Final = message_from(
    account_pb2.Credential, MatchToken, unset=("tenant", "key_id", "scopes", "player"), kind="role"
)
"""What a match token permits."""
session_credential: Final = message_from(
    account_pb2.Credential,
    PlayerSession,
    unset=("key_id", "match_id", "game", "seat"),
    kind=lambda _: account_pb2.CREDENTIAL_KIND_PLAYER,
    scopes=lambda session: sorted(session.scopes),
)
"""What a player's session permits."""
