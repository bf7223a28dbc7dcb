"""Translation of the platform service's messages about accounts to and from the types of REST."""

from __future__ import annotations

from foldtable.platform.v1 import account_pb2
from foldtable.platform.v1 import platform_service_pb2 as pb
from gateway.access.rate_limits import Bucket, Limit
from gateway.schemas import accounts
from gateway.schemas.inputs import PageQuery
from gateway.translate.message_of import message_of
from gateway.translate.struct_of import struct_of

create_tenant = message_of(pb.CreateTenantRequest, accounts.CreateTenantRequest)
update_tenant = message_of(pb.UpdateTenantRequest, accounts.UpdateTenantRequest)
list_tenants = message_of(pb.ListTenantsRequest, PageQuery)
create_key = message_of(pb.CreateKeyRequest, accounts.CreateKeyRequest, besides=("expires_at",))
list_keys = message_of(pb.ListKeysRequest, PageQuery)
rotate_key = message_of(pb.RotateKeyRequest, accounts.RotateKeyRequest)

tenant = struct_of(accounts.Tenant, account_pb2.Tenant)
tenant_list = struct_of(accounts.TenantList, pb.ListTenantsResponse)
api_key_list = struct_of(accounts.ApiKeyList, pb.ListKeysResponse)
issued_key = struct_of(accounts.IssuedKey, pb.CreateKeyResponse)
rotated_key = struct_of(accounts.RotatedKey, pb.RotateKeyResponse)
_credential = struct_of(accounts.Credential, account_pb2.Credential, given=("rate_limits",))


def credential(
    message: account_pb2.Credential, buckets: list[tuple[Bucket, Limit, int]]
) -> accounts.Credential:
    """Return what a credential permits, and its rate limits."""
    return _credential(
        message,
        rate_limits=[
            accounts.RateLimit(
                bucket=bucket.value, limit=limit.requests, window_seconds=limit.seconds, remaining=left
            )
            for bucket, limit, left in buckets
        ],
    )
