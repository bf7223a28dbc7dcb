"""The first use of a folder: the data files, the services' role and their database."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import psycopg
from psycopg import sql

from services.embedded_postgres.binaries import MAJOR
from services.embedded_postgres.errors import FolderUnusable, StartFailed
from services.embedded_postgres.folder import DATABASE, PRIVATE, ROLE, SUPERUSER, Folder
from services.embedded_postgres.run_as import RunAs


def ensure_data(folder: Folder, binaries: Path, owner: RunAs) -> None:
    """Make the data files if there are none. They appear complete or not at all, even if this process is killed meanwhile.

    Raises FolderUnusable if the folder cannot be used, StartFailed if initdb fails.
    """
    if folder.data.exists():
        _check_version(folder)
        return
    unfinished = folder.path / "data.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        unfinished.mkdir(mode=PRIVATE)
        os.chown(unfinished, owner.uid, owner.gid)
    except OSError as problem:
        raise FolderUnusable(f"the folder {folder.path} cannot be written: {problem}") from problem
    _initdb(unfinished, binaries, owner)
    unfinished.rename(folder.data)
    _sync(folder.path)


def ensure_database(folder: Folder) -> None:
    """Make the services' role and database if they are not there."""
    with psycopg.connect(folder.url("postgres", SUPERUSER), autocommit=True) as connection:
        if connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone() is None:
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEDB").format(sql.Identifier(ROLE)))
        if connection.execute("SELECT FROM pg_database WHERE datname = %s", (DATABASE,)).fetchone() is None:
            statement = sql.SQL("CREATE DATABASE {} OWNER {}")
            connection.execute(statement.format(sql.Identifier(DATABASE), sql.Identifier(ROLE)))


def _initdb(data: Path, binaries: Path, owner: RunAs) -> None:
    command = (
        *owner.prefix,
        str(binaries / "initdb"),
        f"--pgdata={data}",
        f"--username={SUPERUSER}",
        "--auth-local=trust",  # the socket's folder is private
        "--auth-host=reject",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",  # the same order of text on every machine
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        "--no-instructions",
    )
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            command,
            cwd=data.parent,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            **owner.identity(),
        )
    except OSError as problem:
        raise _out_of_reach(data, owner, problem) from problem
    if done.returncode != 0 and owner.drops:
        raise _out_of_reach(data, owner, done.stderr.strip())
    if done.returncode != 0:
        raise StartFailed(f"initdb failed in {data}, run as {owner.name}:\n{done.stderr.strip()}")


def _out_of_reach(data: Path, owner: RunAs, problem: object) -> FolderUnusable:
    return FolderUnusable(
        f"Postgres, run as {owner.name}, cannot reach its binaries or {data.parent} ({problem}); "
        "start as an ordinary user, choose a folder that user can reach, "
        "or point FOLDTABLE_DATABASE_URL at a Postgres of your own"
    )


def _check_version(folder: Folder) -> None:
    try:
        found = (folder.data / "PG_VERSION").read_text().strip()
    except OSError as problem:
        raise FolderUnusable(f"{folder.data} holds no Postgres data: {problem}") from problem
    if found != str(MAJOR):
        raise FolderUnusable(
            f"{folder.data} was made by Postgres {found}, these binaries are {MAJOR}; "
            "export the matches with the release that made it, and import them into a new folder"
        )


def _sync(folder: Path) -> None:
    """Make a rename durable by syncing its folder."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
