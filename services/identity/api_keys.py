"""Issues, lists, replaces and revokes API keys in the database. `key_ring.KeyRing` looks them up."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from psycopg.errors import ForeignKeyViolation

from services.free_text.rule import TextRefused, stored
from services.identity.key_format import hash_of, new_key, shown_prefix
from services.identity.scopes import read_scopes
from services.identity.tenants import TenantUnknown
from services.postgres.database import Connection
from services.process.bounds import MAX_KEY_GRACE, MAX_LABEL

DEFAULT_GRACE: Final = timedelta(hours=24)

KEY_COLUMNS: Final = "id, tenant, prefix, label, scopes, created_at, expires_at, revoked_at, replaces"


class KeyUnknown(Exception):  # noqa: N818 - the name says what happened
    """No key has this id."""


class KeyInactive(Exception):  # noqa: N818 - the name says what happened
    """The key has expired or was revoked."""


class ApiKey(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored about a key, which never includes the key itself."""

    id: UUID
    tenant: str
    prefix: str
    """Its first characters, to distinguish keys."""
    label: str = ""
    """What its owner calls it."""
    scopes: frozenset[str]
    created_at: datetime
    expires_at: datetime | None = None
    """None: it does not expire by itself."""
    revoked_at: datetime | None = None
    replaces: UUID | None = None
    """The key that this one replaced."""

    def has_expired(self, now: datetime) -> bool:
        """Return whether the key has expired."""
        return self.expires_at is not None and self.expires_at <= now


def key_of_row(row: tuple[Any, ...]) -> ApiKey:
    """Return the key of a row of KEY_COLUMNS."""
    key_id, tenant, prefix, label, scopes, created_at, expires_at, revoked_at, replaces = row
    return ApiKey(
        id=key_id,
        tenant=tenant,
        prefix=prefix,
        label=label,
        scopes=frozenset(scopes),
        created_at=created_at,
        expires_at=expires_at,
        revoked_at=revoked_at,
        replaces=replaces,
    )


async def issue_key(
    connection: Connection,
    tenant: str,
    scopes: Collection[str],
    *,
    environment: str = "live",
    label: str = "",
    expires_at: datetime | None = None,
    replaces: UUID | None = None,
) -> tuple[ApiKey, str]:
    """Issue a key; return its record and the key, which is shown only this once and not stored.

    Raises TenantUnknown if there is no such tenant, ValueError if a scope, the label, the end or the environment is invalid.
    """
    wanted = sorted(read_scopes(scopes))
    if replaces is None:  # else it has the label of the key before, as it was taken then
        try:
            label = stored(label, MAX_LABEL)
        except TextRefused as problem:
            raise ValueError(f"the label {problem}") from None
    if expires_at is not None and expires_at <= datetime.now(UTC):
        raise ValueError("a key cannot expire before it is issued")
    key = new_key(environment)
    try:
        cursor = await connection.execute(
            "INSERT INTO api_keys (tenant, prefix, hash, scopes, label, expires_at, replaces) "  # noqa: S608 - columns of our own
            "VALUES ($1::text, $2::text, $3::bytea, $4::text[], $5::text, $6::timestamptz, $7::uuid) "
            f"RETURNING {KEY_COLUMNS}",
            (tenant, shown_prefix(key), hash_of(key), wanted, label, expires_at, replaces),
        )
    except ForeignKeyViolation:
        raise TenantUnknown(f"no tenant {tenant!r}") from None
    row = await cursor.fetchone()
    assert row is not None
    return key_of_row(row), key


async def find_key(connection: Connection, key_id: UUID) -> ApiKey:
    """Return a key of any tenant. Raises KeyUnknown if there is none."""
    cursor = await connection.execute(
        f"SELECT {KEY_COLUMNS} FROM api_keys WHERE id = $1::uuid",  # noqa: S608 - as above
        (key_id,),
    )
    row = await cursor.fetchone()
    if row is None:
        raise KeyUnknown(f"no key {key_id}")
    return key_of_row(row)


async def list_keys(
    connection: Connection, tenant: str, *, after: tuple[datetime, UUID] | None = None, limit: int
) -> list[ApiKey]:
    """Return a tenant's keys, oldest first, including expired and revoked ones; `after` is a key's `created_at` and `id`."""
    created_at, key_id = after or (datetime.fromtimestamp(0, UTC), UUID(int=0))
    cursor = await connection.execute(
        f"SELECT {KEY_COLUMNS} FROM api_keys "  # noqa: S608 - as above
        "WHERE tenant = $1::text AND (created_at, id) > ($2::timestamptz, $3::uuid) "
        "ORDER BY created_at, id LIMIT $4::int",
        (tenant, created_at, key_id, limit),
    )
    return [key_of_row(row) for row in await cursor.fetchall()]


async def revoke_key(connection: Connection, key_id: UUID) -> ApiKey:
    """Revoke a key permanently and return it. Raises KeyUnknown if there is none.

    Key rings may accept it until their cached entry expires. A key that was already revoked keeps the time of its first
    revocation.
    """
    cursor = await connection.execute(
        "UPDATE api_keys SET revoked_at = COALESCE(revoked_at, now()) WHERE id = $1::uuid "  # noqa: S608 - as above
        f"RETURNING {KEY_COLUMNS}",
        (key_id,),
    )
    row = await cursor.fetchone()
    if row is None:
        raise KeyUnknown(f"no key {key_id}")
    return key_of_row(row)


async def rotate_key(
    connection: Connection, key_id: UUID, *, grace: timedelta = DEFAULT_GRACE
) -> tuple[ApiKey, str, ApiKey]:
    """Issue a key that replaces another; return the new record, the new key, and the record of the old one.

    The new key has the label, the scopes and the lifetime of the old one, at most to the end of the year 9999. The old one
    stays valid for `grace`; if it is replaced again, as after a lost answer, it gets a second successor like the first.
    Raises KeyUnknown if there is no such key, KeyInactive if it has expired or was revoked, ValueError if `grace` is invalid.
    """
    if not timedelta(0) <= grace <= MAX_KEY_GRACE:
        raise ValueError(f"a replaced key goes on for 0 to {MAX_KEY_GRACE.days} days")
    async with connection.transaction():
        old = await _replaceable(connection, key_id)
        life = await _life(connection, old.id)
        new, key = await issue_key(
            connection,
            old.tenant,
            old.scopes,
            environment=old.prefix.split("_")[1],
            label=old.label,
            expires_at=None if life is None else _as_long(life),
            replaces=old.id,
        )
        cursor = await connection.execute(
            "UPDATE api_keys SET expires_at = LEAST(expires_at, now() + $2::interval) WHERE id = $1::uuid "  # noqa: S608 - as above
            f"RETURNING {KEY_COLUMNS}",
            (old.id, grace),
        )
        row = await cursor.fetchone()
        assert row is not None
    return new, key, key_of_row(row)


async def _life(connection: Connection, key_id: UUID) -> timedelta | None:
    """Return a key's intended lifetime; None: forever. A replaced key ends earlier, so its newest successor decides."""
    cursor = await connection.execute(
        "WITH RECURSIVE heirs AS ("
        " SELECT id, created_at, expires_at FROM api_keys WHERE id = $1::uuid"
        " UNION ALL SELECT k.id, k.created_at, k.expires_at FROM api_keys k JOIN heirs h ON k.replaces = h.id) "
        "SELECT expires_at - created_at FROM heirs h"
        " WHERE NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.replaces = h.id) ORDER BY created_at DESC LIMIT 1",
        (key_id,),
    )
    row = await cursor.fetchone()
    assert row is not None, "every line of heirs has a last one"
    life: timedelta | None = row[0]
    return life


def _as_long(life: timedelta) -> datetime:
    """Return when a lifetime that begins now ends: at the end of the year 9999 at the latest."""
    now = datetime.now(UTC)
    return now + min(life, datetime.max.replace(tzinfo=UTC) - now)


async def _replaceable(connection: Connection, key_id: UUID) -> ApiKey:
    """Return a valid key, and lock its row. Raises KeyUnknown if there is none, KeyInactive if it has expired or was revoked."""
    cursor = await connection.execute(
        f"SELECT {KEY_COLUMNS} FROM api_keys WHERE id = $1::uuid FOR UPDATE",  # noqa: S608 - as above
        (key_id,),
    )
    row = await cursor.fetchone()
    if row is None:
        raise KeyUnknown(f"no key {key_id}")
    key = key_of_row(row)
    if key.revoked_at is not None or key.has_expired(datetime.now(UTC)):
        raise KeyInactive("the key has expired or was revoked")
    return key
