"""Tenants and keys over the API. Who may call what, and give away no more than it has: tests/e2e."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from platform_stack import Account, Platform

from foldtable.platform.v1 import platform_service_pb2 as pb

ALL_SCOPES = ["keys:write", "matches:read", "matches:write", "tenants:admin"]


@pytest.fixture
async def operator(platform: Platform) -> Account:
    return await platform.holding("system", "tenants:admin")


@pytest.fixture
async def acme(platform: Platform) -> Account:
    """A tenant that administers its own keys."""
    return await platform.holding("acme", "keys:write", "matches:write")


def at(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


async def test_the_operator_creates_tenants_and_their_first_keys(
    platform: Platform, operator: Account
) -> None:
    created = await operator.call("CreateTenant", pb.CreateTenantRequest(tenant="harbour"))
    assert created.tenant.tenant == "harbour"
    issued = await operator.call(
        "CreateKey",
        pb.CreateKeyRequest(tenant="harbour", scopes=["matches:write", "keys:write"], label="first"),
    )
    assert (issued.key.tenant, issued.key.label) == ("harbour", "first")
    assert list(issued.key.scopes) == ["keys:write", "matches:write"]
    described = await platform.with_credential(issued.secret).describe()
    assert (described.tenant, described.key_id) == ("harbour", issued.key.key_id)


async def test_a_tenant_is_created_once(operator: Account) -> None:
    await operator.call("CreateTenant", pb.CreateTenantRequest(tenant="harbour"))
    refusal = await operator.refused("CreateTenant", pb.CreateTenantRequest(tenant="harbour"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.ALREADY_EXISTS, "TENANT_EXISTS")
    refusal = await operator.refused("CreateTenant", pb.CreateTenantRequest(tenant="Not A Tenant"))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.tenant"])


async def test_tenants_are_listed_a_page_at_a_time(platform: Platform, operator: Account) -> None:
    for name in ("c", "a", "b"):
        await platform.issue(name, "matches:read")
    seen: list[str] = []
    token = ""
    while True:
        page = await operator.call("ListTenants", pb.ListTenantsRequest(page_size=2, page_token=token))
        seen += [tenant.tenant for tenant in page.tenants]
        assert len(page.tenants) <= 2
        if not (token := page.next_page_token):
            break
    assert seen == ["a", "b", "c", "system"]


async def test_a_tenant_s_keys_are_listed_oldest_first_and_never_shown(
    platform: Platform, acme: Account
) -> None:
    secrets = [(await platform.issue("acme", "matches:read", label=f"key {n}"))[1] for n in range(4)]
    labels: list[str] = []
    token = ""
    while True:
        page = await acme.call("ListKeys", pb.ListKeysRequest(tenant="acme", page_size=2, page_token=token))
        labels += [key.label for key in page.keys]
        assert not any(secret in str(page) for secret in secrets)
        if not (token := page.next_page_token):
            break
    assert labels == ["", "key 0", "key 1", "key 2", "key 3"]


@pytest.mark.parametrize("token", ["x", "AAAAAAAA", "ä", "x" * 600])
async def test_a_made_up_page_token_is_refused(operator: Account, token: str) -> None:
    for method, request in (
        ("ListTenants", pb.ListTenantsRequest(page_token=token)),
        ("ListKeys", pb.ListKeysRequest(tenant="system", page_token=token)),
    ):
        assert (await operator.refused(method, request)).reason == "PAGE_TOKEN_INVALID"


async def test_a_page_token_of_another_tenant_s_keys_is_refused(
    platform: Platform, operator: Account
) -> None:
    for name in ("a", "a", "b"):
        await platform.issue(name, "matches:read")
    page = await operator.call("ListKeys", pb.ListKeysRequest(tenant="a", page_size=1))
    request = pb.ListKeysRequest(tenant="b", page_size=1, page_token=page.next_page_token)
    assert (await operator.refused("ListKeys", request)).reason == "PAGE_TOKEN_INVALID"


async def test_who_may_write_may_hand_out_reading(acme: Account) -> None:
    issued = await acme.call("CreateKey", pb.CreateKeyRequest(tenant="acme", scopes=["matches:read"]))
    assert list(issued.key.scopes) == ["matches:read"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        pytest.param({"scopes": []}, "$.scopes", id="no scope"),
        pytest.param({"scopes": ["everything"]}, "$.scopes", id="no such scope"),
        pytest.param({"label": "x" * 101}, "$.label", id="a long label"),
        pytest.param({"label": "a\nb"}, "$.label", id="a label of two lines"),
        pytest.param({"environment": "LIVE!"}, "$.environment", id="no environment"),
        pytest.param({"expire_time": at(datetime(2020, 1, 1, tzinfo=UTC))}, "$.expire_time", id="the past"),
        pytest.param({"expire_time": Timestamp(seconds=10**15)}, "$.expire_time", id="after all time"),
    ],
)
async def test_a_key_that_cannot_be_is_refused_by_its_part(
    operator: Account, wrong: dict[str, object], field: str
) -> None:
    request = pb.CreateKeyRequest(**{"tenant": "system", "scopes": ["matches:read"], **wrong})
    refusal = await operator.refused("CreateKey", request)
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])


async def test_a_key_expires(platform: Platform) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=0.5)
    brief = await platform.holding("acme", "matches:read", expires_at=soon)
    assert (await brief.describe()).expire_time == at(soon)
    while datetime.now(UTC) < soon:
        pass
    refusal = await brief.refused("DescribeCredential", pb.DescribeCredentialRequest())
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")


@pytest.mark.parametrize("life", [None, timedelta(days=7)])
async def test_a_key_that_is_replaced_twice_has_two_successors_of_the_same_life(
    platform: Platform, acme: Account, life: timedelta | None
) -> None:
    """Whoever did not get the answer asks again; the old key's end was cut by then, and says nothing of its life."""
    ends = None if life is None else datetime.now(UTC) + life
    first, _ = await platform.issue("acme", "matches:read", expires_at=ends)
    for _ in range(3):
        new = (await acme.call("RotateKey", pb.RotateKeyRequest(key_id=str(first.id)))).key
        assert new.HasField("expire_time") is (life is not None)
        if life is not None:
            lives = new.expire_time.ToDatetime(UTC) - new.create_time.ToDatetime(UTC)
            assert abs(lives - life) < timedelta(minutes=1)


async def test_a_rotated_key_goes_on_for_a_day_beside_its_successor(
    platform: Platform, acme: Account
) -> None:
    old, old_secret = await platform.issue("acme", "matches:read", label="lobby", environment="dev")
    rotated = await acme.call("RotateKey", pb.RotateKeyRequest(key_id=str(old.id)))
    assert (rotated.key.label, list(rotated.key.scopes)) == ("lobby", ["matches:read"])
    assert rotated.key.replaces == rotated.replaced.key_id == str(old.id)
    assert rotated.secret.startswith("ft_dev_")
    assert not rotated.key.HasField("expire_time")
    left = rotated.replaced.expire_time.ToDatetime(UTC) - datetime.now(UTC)
    assert timedelta(hours=23) < left <= timedelta(hours=24)
    for secret in (old_secret, rotated.secret):
        assert (await platform.with_credential(secret).describe()).tenant == "acme"


async def test_without_grace_the_old_key_ends_at_once(platform: Platform, acme: Account) -> None:
    old, old_secret = await platform.issue("acme", "matches:read")
    rotated = await acme.call("RotateKey", pb.RotateKeyRequest(key_id=str(old.id), grace=Duration()))
    refusal = await platform.with_credential(old_secret).refused(
        "DescribeCredential", pb.DescribeCredentialRequest()
    )
    assert refusal.reason == "TOKEN_EXPIRED"
    assert (await platform.with_credential(rotated.secret).describe()).tenant == "acme"


async def test_a_key_for_as_long_as_years_are_counted_is_replaced_by_one_like_it(acme: Account) -> None:
    last = datetime.max.replace(tzinfo=UTC)
    issued = await acme.call(
        "CreateKey", pb.CreateKeyRequest(tenant="acme", scopes=["matches:read"], expire_time=at(last))
    )
    assert issued.key.expire_time == at(last)
    rotated = await acme.call("RotateKey", pb.RotateKeyRequest(key_id=issued.key.key_id))
    assert rotated.key.expire_time == at(last)


async def test_rotation_never_lengthens_the_life_of_the_old_key(platform: Platform, acme: Account) -> None:
    soon = datetime.now(UTC) + timedelta(minutes=5)
    old, _ = await platform.issue("acme", "matches:read", expires_at=soon)
    rotated = await acme.call("RotateKey", pb.RotateKeyRequest(key_id=str(old.id)))
    assert rotated.replaced.expire_time == at(soon)


@pytest.mark.parametrize("seconds", [-1, 31 * 24 * 3600])
async def test_grace_is_bounded(platform: Platform, acme: Account, seconds: int) -> None:
    old, _ = await platform.issue("acme", "matches:read")
    request = pb.RotateKeyRequest(key_id=str(old.id), grace=Duration(seconds=seconds))
    refusal = await acme.refused("RotateKey", request)
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.grace"])


async def test_a_revoked_key_opens_nothing_and_has_no_successor(platform: Platform, acme: Account) -> None:
    record, secret = await platform.issue("acme", "matches:read")
    revoked = await acme.call("RevokeKey", pb.RevokeKeyRequest(key_id=str(record.id)))
    again = await acme.call("RevokeKey", pb.RevokeKeyRequest(key_id=str(record.id)))
    assert revoked == again, "a repeat changes nothing"
    refusal = await platform.with_credential(secret).refused(
        "DescribeCredential", pb.DescribeCredentialRequest()
    )
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
    refusal = await acme.refused("RotateKey", pb.RotateKeyRequest(key_id=str(record.id)))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "KEY_INACTIVE")


async def test_the_operator_sees_and_changes_every_tenant_s_keys(
    platform: Platform, operator: Account
) -> None:
    record, _ = await platform.issue("acme", "matches:write")
    listed = await operator.call("ListKeys", pb.ListKeysRequest(tenant="acme"))
    assert [key.key_id for key in listed.keys] == [str(record.id)]
    issued = await operator.call("CreateKey", pb.CreateKeyRequest(tenant="acme", scopes=ALL_SCOPES))
    assert list(issued.key.scopes) == ALL_SCOPES
    await operator.call("RotateKey", pb.RotateKeyRequest(key_id=str(record.id)))
    await operator.call("RevokeKey", pb.RevokeKeyRequest(key_id=str(record.id)))
    refusal = await operator.refused("ListKeys", pb.ListKeysRequest(tenant="nobody"))
    assert refusal.reason == "TENANT_NOT_FOUND"
