"""The errors of the embedded Postgres. Every message says what can be done.

EmbeddedPostgresError
  BinariesMissing     the package with the binaries is not there, or not for this machine
  FolderInUse         another process owns the folder
  FolderUnusable      the folder cannot be written, entered or understood
  StartFailed         Postgres itself refused; the end of its log is in the message
"""

from __future__ import annotations


class EmbeddedPostgresError(Exception):
    """Why there is no embedded Postgres."""


class BinariesMissing(EmbeddedPostgresError):  # noqa: N818 - the name says what happened
    """The Postgres binaries are not installed, or there are none for this machine."""


class FolderInUse(EmbeddedPostgresError):  # noqa: N818
    """Another process owns the folder."""


class FolderUnusable(EmbeddedPostgresError):  # noqa: N818
    """The folder cannot be written, cannot be entered, or holds something else."""


class StartFailed(EmbeddedPostgresError):  # noqa: N818
    """Postgres, or initdb, ended with an error."""
