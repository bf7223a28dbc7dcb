"""How a service reaches Postgres, and whether the schema is one it can work with."""

from __future__ import annotations

from collections.abc import AsyncIterator

import psycopg
import pytest

from services.database import (
    REVISION,
    Connection,
    DatabaseSettings,
    SchemaMismatch,
    check_schema,
    connect_arguments,
    open_pool,
)


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[Connection]:
    opened: Connection
    arguments = connect_arguments(DatabaseSettings(database_url), name="test")
    async with await psycopg.AsyncConnection.connect(database_url, **arguments) as opened:
        yield opened


async def test_a_migrated_database_is_accepted(connection: Connection) -> None:
    await check_schema(connection)


async def test_an_empty_database_is_refused(empty_database_url: str) -> None:
    async with await psycopg.AsyncConnection.connect(empty_database_url, autocommit=True) as connection:
        with pytest.raises(SchemaMismatch, match="no schema yet"):
            await check_schema(connection)


async def test_a_database_behind_the_code_is_refused(connection: Connection) -> None:
    await connection.execute("UPDATE alembic_version SET version_num = '0000'")
    with pytest.raises(SchemaMismatch, match=f"0000, this code needs {REVISION}"):
        await check_schema(connection)


async def test_a_database_ahead_that_has_left_this_code_behind_is_refused(connection: Connection) -> None:
    await connection.execute("UPDATE alembic_version SET version_num = '9999'")
    await connection.execute("UPDATE schema_support SET oldest_code = '9998'")
    with pytest.raises(SchemaMismatch, match="9998 and newer"):
        await check_schema(connection)


async def test_a_database_ahead_that_still_supports_this_code_is_accepted(connection: Connection) -> None:
    """The migration of a release runs before its pods: those of the release before must go on, and restart."""
    await connection.execute("UPDATE alembic_version SET version_num = '9999'")
    await check_schema(connection)


async def test_a_database_that_was_taken_back_to_empty_is_refused(connection: Connection) -> None:
    await connection.execute("DELETE FROM alembic_version")
    with pytest.raises(SchemaMismatch, match="no schema yet"):
        await check_schema(connection)


async def test_sessions_are_durable_whatever_the_server_s_default_is(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as operator:
        name = operator.info.dbname
        operator.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
        operator.execute(f"ALTER DATABASE \"{name}\" SET timezone = 'Asia/Tokyo'")
    pool = await open_pool(DatabaseSettings(database_url, statement_seconds=1.5), name="test", most=1)
    async with pool.connection() as connection:
        for setting, value in (
            ("synchronous_commit", "on"),
            ("timezone", "UTC"),
            ("statement_timeout", "1500ms"),
            ("application_name", "foldtable test"),
        ):
            found = await connection.execute("SELECT current_setting($1)", (setting,))
            assert await found.fetchone() == (value,)
    await pool.close()


async def test_options_of_the_address_are_kept(database_url: str) -> None:
    from psycopg.conninfo import make_conninfo

    url = make_conninfo(database_url, options="-c work_mem=7MB")
    arguments = connect_arguments(DatabaseSettings(url), name="test")
    async with await psycopg.AsyncConnection.connect(url, **arguments) as connection:
        assert await (await connection.execute("SHOW work_mem")).fetchone() == ("7MB",)
        assert await (await connection.execute("SHOW timezone")).fetchone() == ("UTC",)
