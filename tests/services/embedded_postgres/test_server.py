"""A Postgres from a folder: it starts, keeps its rows through every kind of end, and has one owner."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from services.embedded_postgres import EmbeddedPostgres, FolderInUse, FolderUnusable, StartFailed
from services.embedded_postgres import run_as as run_as_module
from services.embedded_postgres import server as server_module
from services.embedded_postgres.binaries import binaries_folder
from services.embedded_postgres.folder import MAX_SOCKET_PATH, Folder
from services.embedded_postgres.run_as import as_nobody as as_nobody_owner

Write = Callable[[str, str], None]
Read = Callable[[str], list[str]]

ROOT = os.geteuid() == 0
only_root = pytest.mark.skipif(not ROOT, reason="only root can become somebody else")


def others_reach(place: Path) -> bool:
    """May everybody pass through the folders that lead there?"""
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in place.resolve().parents)


reachable = pytest.mark.skipif(
    not others_reach(binaries_folder()),
    reason="this checkout lies where another user cannot reach its binaries",
)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its path is short, so that the socket lies in it."""
    return tmp_path_factory.mktemp("pg") / "a folder" / "postgres"


@pytest.fixture
def postgres(folder: Path) -> Iterator[EmbeddedPostgres]:
    """Not started; stopped afterwards whatever happened."""
    postgres = EmbeddedPostgres(folder)
    yield postgres
    postgres.stop()


def test_settings_of_the_caller_s_replace_ours(folder: Path) -> None:
    with (
        EmbeddedPostgres(folder, settings={"fsync": "off"}) as postgres,
        psycopg.connect(postgres.url) as connection,
    ):
        assert connection.execute("SHOW fsync").fetchone() == ("off",)
        assert connection.execute("SHOW full_page_writes").fetchone() == ("on",)


def test_the_first_start_makes_a_database_that_is_durable_and_private(postgres: EmbeddedPostgres) -> None:
    url = postgres.start()
    with psycopg.connect(url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes", "data_checksums"):
            assert connection.execute("SELECT current_setting(%s)", (setting,)).fetchone() == ("on",), setting
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        assert connection.execute("SELECT current_user, current_database()").fetchone() == (
            "foldtable",
            "foldtable",
        )
        assert connection.execute(
            "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
        ).fetchone() == (False,)


def test_only_the_owner_may_enter(postgres: EmbeddedPostgres, folder: Path) -> None:
    postgres.start()
    for place in (folder, folder / "data", folder / "socket"):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "postgres.log").stat().st_mode) == 0o600


def test_no_parent_folder_is_changed(postgres: EmbeddedPostgres, folder: Path) -> None:
    folder.parent.mkdir(mode=0o711)
    folder.parent.chmod(0o711)
    before = folder.parent.stat()
    postgres.start()
    after = folder.parent.stat()
    assert (before.st_mode, before.st_uid, before.st_gid) == (after.st_mode, after.st_uid, after.st_gid)


def test_rows_are_there_after_a_second_start(
    postgres: EmbeddedPostgres, write_row: Write, read_rows: Read
) -> None:
    write_row(postgres.start(), "tea")
    postgres.stop()
    assert postgres.pid is None
    assert read_rows(postgres.start()) == ["tea"]


def test_start_and_stop_may_be_repeated(postgres: EmbeddedPostgres) -> None:
    assert postgres.start() == postgres.start() == postgres.url
    pid = postgres.pid
    assert postgres.start() == postgres.url
    assert postgres.pid == pid
    postgres.stop()
    postgres.stop()
    assert postgres.pid is None


def test_the_user_s_own_postgres_variables_lead_nobody_astray(
    postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "PGPORT": "1",
        "PGHOST": "db.invalid",
        "PGUSER": "ruth",
        "PGDATABASE": "other",
    }.items():
        monkeypatch.setenv(name, value)
    with psycopg.connect(postgres.start()) as connection:
        assert connection.execute("SELECT current_user, current_database()").fetchone() == (
            "foldtable",
            "foldtable",
        )


def test_it_is_a_context(folder: Path) -> None:
    with EmbeddedPostgres(folder) as postgres:
        assert postgres.pid is not None
    assert postgres.pid is None


def test_rows_survive_a_kill_of_the_server(
    postgres: EmbeddedPostgres, write_row: Write, read_rows: Read
) -> None:
    url = postgres.start()
    write_row(url, "tea")
    _kill_server(postgres)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)
    assert read_rows(postgres.start()) == ["tea"]


def test_open_connections_do_not_keep_it_from_stopping(postgres: EmbeddedPostgres) -> None:
    connection = psycopg.connect(postgres.start())
    connection.execute("SELECT 1")  # in a transaction
    began = time.monotonic()
    postgres.stop()
    assert time.monotonic() - began < 10
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")
    connection.close()


def test_two_owners_at_once_are_refused(postgres: EmbeddedPostgres, folder: Path) -> None:
    postgres.start()
    with pytest.raises(FolderInUse, match=str(os.getpid())):
        EmbeddedPostgres(folder).start()
    assert postgres.pid is not None


OWNER = """
import sys, time
from pathlib import Path
from services.embedded_postgres import EmbeddedPostgres
postgres = EmbeddedPostgres(Path(sys.argv[1]))
postgres.start()
print(postgres.pid, flush=True)
time.sleep(60)
"""


def test_a_server_whose_owner_was_killed_is_taken_over(
    postgres: EmbeddedPostgres, folder: Path, write_row: Write, read_rows: Read
) -> None:
    pid = _start_and_kill_an_owner(folder)
    assert postgres.pid == pid, "the server outlives its owner"
    write_row(postgres.url, "tea")
    assert read_rows(postgres.start()) == ["tea"]
    assert postgres.pid == pid, "the same server goes on"
    postgres.stop()
    assert postgres.pid is None


def test_a_server_with_other_settings_is_replaced(
    postgres: EmbeddedPostgres, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = _start_and_kill_an_owner(folder)
    monkeypatch.setitem(_settings(), "max_connections", "150")
    with psycopg.connect(postgres.start()) as connection:
        assert connection.execute("SHOW max_connections").fetchone() == ("150",)
    assert postgres.pid != pid


def test_a_server_that_does_not_answer_is_replaced(postgres: EmbeddedPostgres, folder: Path) -> None:
    pid = _start_and_kill_an_owner(folder)
    (folder / "socket" / ".s.PGSQL.5432").unlink()
    with psycopg.connect(postgres.start()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert postgres.pid != pid


def test_owner_and_server_killed_together_leave_nothing_behind(
    postgres: EmbeddedPostgres, folder: Path, write_row: Write, read_rows: Read
) -> None:
    pid = _start_and_kill_an_owner(folder)
    write_row(postgres.url, "tea")
    os.kill(pid, signal.SIGKILL)
    assert read_rows(postgres.start()) == ["tea"]


def test_a_pid_file_that_names_a_stranger_is_not_believed(
    postgres: EmbeddedPostgres, folder: Path, write_row: Write, read_rows: Read
) -> None:
    """After a reboot the old process id may be anybody's; it must neither block us nor be sent a signal."""
    write_row(postgres.start(), "tea")
    pid_file = folder / "data" / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    _kill_server(postgres)
    stranger = subprocess.Popen(["sleep", "60"])
    try:
        pid_file.write_text("\n".join([str(stranger.pid), *lines[1:]]) + "\n")
        assert postgres.pid is None
        assert read_rows(postgres.start()) == ["tea"]
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_first_start_that_was_interrupted_is_begun_again(postgres: EmbeddedPostgres, folder: Path) -> None:
    unfinished = folder / "data.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "half").write_text("a file")
    postgres.start()
    assert not unfinished.exists()


@pytest.mark.parametrize(
    "name",
    [pytest.param("x" * 60 + "/" + "y" * 60, id="too long"), pytest.param("one,two", id="with a comma")],
)
def test_a_path_that_suits_no_socket_gets_its_socket_elsewhere(tmp_path: Path, name: str) -> None:
    with EmbeddedPostgres(tmp_path / name) as postgres:
        socket = Folder((tmp_path / name).resolve()).socket
        assert len(os.fsencode(socket)) < MAX_SOCKET_PATH
        assert not socket.is_relative_to(tmp_path)
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        with psycopg.connect(postgres.url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    assert not socket.exists(), "nothing is left outside the folder"


@only_root
def test_a_socket_folder_that_belongs_to_somebody_else_is_refused(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 60) / ("z" * 60)
    socket = Folder(deep.resolve()).socket
    socket.mkdir()
    try:
        os.chown(socket, 12345, 12345)
        with pytest.raises(FolderUnusable, match="somebody else"):
            EmbeddedPostgres(deep).start()
    finally:
        socket.rmdir()


def test_a_folder_of_another_version_is_refused(postgres: EmbeddedPostgres, folder: Path) -> None:
    postgres.start()
    postgres.stop()
    (folder / "data" / "PG_VERSION").write_text("15\n")
    with pytest.raises(FolderUnusable, match="Postgres 15"):
        postgres.start()


def test_a_folder_that_holds_something_else_is_refused(postgres: EmbeddedPostgres, folder: Path) -> None:
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "letter.txt").write_text("Dear Ruth")
    with pytest.raises(FolderUnusable, match="no Postgres data"):
        postgres.start()
    assert (folder / "data" / "letter.txt").read_text() == "Dear Ruth"


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(FolderUnusable, match="file"):
        EmbeddedPostgres(tmp_path / "file").start()


def test_a_failed_start_shows_the_end_of_the_log_and_gives_up_the_folder(
    postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_settings(), "shared_buffers", "a lot")
    with pytest.raises(StartFailed, match="shared_buffers"):
        postgres.start()
    monkeypatch.undo()
    postgres.start()


def test_a_large_log_is_put_aside(
    postgres: EmbeddedPostgres, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "LARGE_LOG", 100)
    for _ in range(3):
        postgres.start()
        postgres.stop()
    assert (folder / "postgres.log.1").exists()
    assert (folder / "postgres.log").read_text().count("starting PostgreSQL") == 1


def test_the_log_names_no_content_of_rows(postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.start()) as connection:
        connection.execute("CREATE TABLE programs (cards text, seat int NOT NULL)")
        with pytest.raises(psycopg.errors.NotNullViolation):
            connection.execute("INSERT INTO programs VALUES (%s, %s)", ("secret-dragon", None))
    log = postgres.log.read_text()
    assert "null value" in log
    assert "secret-dragon" not in log


@only_root
@reachable
def test_an_ordinary_user_may_run_it(
    as_nobody: Callable[[Callable[[], Any]], Any], open_folder: Path
) -> None:
    def work() -> tuple[int, list[str]]:
        with EmbeddedPostgres(open_folder / "postgres") as postgres:
            with psycopg.connect(postgres.url) as connection:
                connection.execute("CREATE TABLE notes (text text)")
                connection.execute("INSERT INTO notes VALUES ('tea')")
            assert postgres.pid is not None
            os.kill(postgres.pid, signal.SIGKILL)
            postgres.start()
            with psycopg.connect(postgres.url) as connection:
                rows = [text for (text,) in connection.execute("SELECT text FROM notes")]
            return os.geteuid(), rows

    assert as_nobody(work) == (65534, ["tea"])


@only_root
@reachable
def test_an_ordinary_user_gets_an_error_for_a_folder_that_cannot_be_written(
    as_nobody: Callable[[Callable[[], Any]], Any], open_folder: Path
) -> None:
    open_folder.chmod(0o755)

    def work() -> str:
        with pytest.raises(FolderUnusable) as refused:
            EmbeddedPostgres(open_folder / "postgres").start()
        return str(refused.value)

    assert str(open_folder / "postgres") in as_nobody(work)


@only_root
@reachable
def test_where_namespaces_are_forbidden_root_drops_to_nobody(
    open_folder: Path, write_row: Write, read_rows: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_as_module, "in_a_namespace", lambda outside: None)
    folder = open_folder / "postgres"
    with EmbeddedPostgres(folder) as dropped:
        write_row(dropped.url, "tea")
        assert _user_of(dropped.pid) == (folder / "data").stat().st_uid == as_nobody_owner().uid
    with EmbeddedPostgres(folder) as again:
        assert read_rows(again.url) == ["tea"]


@only_root
@reachable
def test_data_of_root_may_be_continued_as_nobody(
    open_folder: Path, write_row: Write, read_rows: Read
) -> None:
    folder = open_folder / "postgres"
    with EmbeddedPostgres(folder) as in_a_namespace:
        write_row(in_a_namespace.url, "tea")
        assert (folder / "data").stat().st_uid == 0
    with EmbeddedPostgres(folder, identity=as_nobody_owner()) as dropped:
        assert read_rows(dropped.url) == ["tea"]


@only_root
@reachable
def test_root_leaves_a_user_s_folder_to_that_user(
    open_folder: Path, write_row: Write, read_rows: Read
) -> None:
    home = open_folder / "home"
    home.mkdir(mode=0o700)
    os.chown(home, 4242, 4242)
    with EmbeddedPostgres(home / "postgres") as postgres:
        write_row(postgres.url, "tea")
        assert _user_of(postgres.pid) == 4242
    assert {place.stat().st_uid for place in (home / "postgres").iterdir()} == {4242}


@only_root
def test_a_folder_that_nobody_cannot_reach_is_refused_with_advice(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(FolderUnusable, match="FOLDTABLE_DATABASE_URL"):
        EmbeddedPostgres(closed / "postgres", identity=as_nobody_owner()).start()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can reach and write; pytest's own are private to their owner."""
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="foldtable-test-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def _settings() -> dict[str, str]:
    from services.embedded_postgres import settings

    return settings.SETTINGS


def _kill_server(postgres: EmbeddedPostgres) -> None:
    assert postgres.pid is not None
    os.kill(postgres.pid, signal.SIGKILL)


def _start_and_kill_an_owner(folder: Path) -> int:
    """Let another process own the folder, and kill that one; give the server's process id."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder)], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        owner.kill()
    return pid


def _user_of(pid: int | None) -> int:
    return Path(f"/proc/{pid}").stat().st_uid
