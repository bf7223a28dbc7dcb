"""The errors of the embedded Postgres. Most messages say what can be done.

EmbeddedPostgresError
  BinariesMissing     the package with the binaries is not installed, or has none for this machine
  FolderInUse         another process owns the folder
  FolderUnusable      the folder cannot be written, entered or understood
  StartFailed         Postgres or initdb failed, or an old server does not end; the message says why
"""

from __future__ import annotations


class EmbeddedPostgresError(Exception):
    """The embedded Postgres cannot be used; the message says why."""


class BinariesMissing(EmbeddedPostgresError):  # noqa: N818 - the name says what happened
    """The Postgres binaries are not installed, or there are none for this machine."""


class FolderInUse(EmbeddedPostgresError):  # noqa: N818
    """Another process owns the folder."""


class FolderUnusable(EmbeddedPostgresError):  # noqa: N818
    """The folder cannot be written or entered, or contains something else."""


class StartFailed(EmbeddedPostgresError):  # noqa: N818
    """Postgres or initdb failed, or an old server does not end."""
