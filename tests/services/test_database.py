"""How a service reaches Postgres, and whether the schema is one it can work with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from socket import create_server

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from services.postgres.database import (
    REVISION,
    Connection,
    DatabaseSettings,
    DatabaseUnreachable,
    SchemaMismatch,
    check_at_boot,
    check_schema,
    connect,
    connect_arguments,
    open_pool,
    places,
)
from services.postgres.sessions import Pooler, SessionUnsuited, must_have, session_settings


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[Connection]:
    async with await connect(DatabaseSettings(database_url), name="test") as opened:
        yield opened


async def test_a_migrated_database_is_accepted(connection: Connection) -> None:
    await check_schema(connection)


async def test_an_empty_database_is_refused(empty_database_url: str) -> None:
    async with await connect(DatabaseSettings(empty_database_url), name="test") as connection:
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


async def test_through_a_pooler_in_session_mode_sessions_get_the_same_settings(database_url: str) -> None:
    """They are set by a statement, because a pooler does not pass on the options of a connection."""
    settings = DatabaseSettings(database_url, pooler=Pooler.SESSION, statement_seconds=1.5)
    assert "options" not in connect_arguments(settings, name="test")
    pool = await open_pool(settings, name="test", most=1, session={"enable_seqscan": "off"})
    async with (
        pool,
        pool.connection() as pooled,
        await connect(settings, name="test", session={"enable_seqscan": "off"}) as alone,
    ):
        for connection in (pooled, alone):
            await must_have(connection, session_settings(1.5, {"enable_seqscan": "off"}))


@pytest.mark.parametrize(
    ("setting", "value", "mended"),
    [
        ("synchronous_commit", "off", "on"),
        ("synchronous_commit", "local", "on"),
        ("timezone", "Asia/Tokyo", "UTC"),
        ("statement_timeout", "0", "5000"),
        ("enable_seqscan", "on", "off"),
    ],
)
async def test_a_pooler_in_transaction_mode_needs_a_role_with_the_settings(
    database_url: str, setting: str, value: str, mended: str
) -> None:
    """They cannot be sent to it, and what is answered would not be durable, or would run without a limit."""
    wanted = {
        "synchronous_commit": "remote_apply",
        "timezone": "utc",
        "statement_timeout": "7s",
        "enable_seqscan": "off",
    }
    with psycopg.connect(database_url, autocommit=True) as operator:
        name = operator.info.dbname
        for each, fitting in {**wanted, setting: value}.items():
            operator.execute(f"ALTER DATABASE \"{name}\" SET {each} = '{fitting}'")
    settings = DatabaseSettings(database_url, direct_url=database_url, pooler=Pooler.TRANSACTION)
    with pytest.raises(SessionUnsuited) as refused:
        await check_at_boot(settings, session={"enable_seqscan": "off"})
    assert f"have {setting} = {value}; " in str(refused.value)
    assert str(refused.value).endswith(f"it connects as: ALTER ROLE … SET {setting} = '{mended}'")
    with psycopg.connect(database_url, autocommit=True) as operator:
        operator.execute(f"ALTER DATABASE \"{name}\" SET {setting} = '{wanted[setting]}'")
    await check_at_boot(settings, session={"enable_seqscan": "off"})


def test_a_pooler_in_transaction_mode_needs_the_address_of_postgres_itself() -> None:
    with pytest.raises(
        ValueError, match="FOLDTABLE_DATABASE_DIRECT_URL must be the address of Postgres itself"
    ):
        DatabaseSettings("postgresql://pooler/foldtable", pooler=Pooler.TRANSACTION)


def test_the_direct_address_is_that_of_postgres_or_the_only_one() -> None:
    pooled = DatabaseSettings(
        "postgresql://pooler/x", direct_url="postgresql://db/x", pooler=Pooler.TRANSACTION, readers=3
    )
    assert (pooled.direct.url, pooled.direct.pooler) == ("postgresql://db/x", Pooler.NONE)
    assert pooled.direct.readers == 3
    alone = DatabaseSettings("postgresql://pooler/x", pooler=Pooler.SESSION)
    assert alone.direct is alone


def test_the_direct_address_s_password_is_in_no_log() -> None:
    assert "geheim" not in repr(
        DatabaseSettings("postgresql://db/x", direct_url="postgresql://ruth:geheim@db/x")
    )
    with pytest.raises(ValueError, match="cannot be read") as refused:
        DatabaseSettings("postgresql://db/x", direct_url="postgresql://ruth:geheim@db/%zz")
    assert "geheim" not in str(refused.value)


async def test_options_of_the_address_are_kept(database_url: str) -> None:
    url = make_conninfo(database_url, options="-c work_mem=7MB")
    arguments = connect_arguments(DatabaseSettings(url), name="test")
    async with await psycopg.AsyncConnection.connect(url, **arguments) as connection:
        assert await (await connection.execute("SHOW work_mem")).fetchone() == ("7MB",)
        assert await (await connection.execute("SHOW timezone")).fetchone() == ("UTC",)


async def test_a_host_that_says_nothing_is_passed_by_at_boot(database_url: str) -> None:
    """The first host of an address may be switched off: whoever starts then waits for the second."""
    given = conninfo_to_dict(database_url)
    with create_server(("127.0.0.1", 0)) as silent:
        hosts = {"host": f"127.0.0.1,{given['host']}", "port": f"{silent.getsockname()[1]},{given['port']}"}
        settings = DatabaseSettings(make_conninfo(database_url, **hosts), connect_seconds=2, pool_seconds=0.5)
        await check_at_boot(settings)


async def test_a_database_that_lets_nobody_in_is_distinguished_from_one_that_is_not_there(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.postgres.database.BOOT_SECONDS", 1.2)
    with pytest.raises(DatabaseUnreachable, match="refuses the connection") as refused:
        await check_at_boot(DatabaseSettings(make_conninfo(database_url, dbname="nothing_like_it")))
    assert 'database "nothing_like_it" does not exist' in refused.value.why
    with create_server(("127.0.0.1", 0)) as silent:
        where = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(DatabaseUnreachable, match="cannot be reached") as away:
            await check_at_boot(DatabaseSettings(f"postgresql://u:hush@{where}/x"))
    assert (away.value.database, "hush" in away.value.why) == (where, False)


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("postgresql://u:p@one:1,two:2/x", "one:1,two:2"),
        ("host=one,two port=7", "one:7,two:7"),
        ("host=/run/postgres dbname=x", "/run/postgres:5432"),
        ("hostaddr=10.0.0.1", "10.0.0.1:5432"),
    ],
)
def test_where_a_database_should_be_is_said_without_its_password(url: str, where: str) -> None:
    assert places(url) == where


async def test_what_the_address_says_of_its_connections_is_kept(database_url: str) -> None:
    url = make_conninfo(database_url, connect_timeout="17", target_session_attrs="any")
    given = connect_arguments(DatabaseSettings(url), name="test")
    assert not {"connect_timeout", "target_session_attrs"} & given.keys()
    assert (
        connect_arguments(DatabaseSettings(database_url), name="test")["target_session_attrs"] == "read-write"
    )
