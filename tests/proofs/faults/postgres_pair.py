"""Two Postgres from the system's own binaries: a primary, and a replica that every commit waits for.

    with PostgresPair(folder) as pair:
        psycopg.connect(pair.url)       # whichever of the two takes writes
        pair.fail_over()                # the primary is gone for good, the replica takes over
        pair.rebuild()                  # what is left of the old primary follows the new one

What a tool for high availability does in earnest is done here by hand, in the same order: the old primary is dead before
the replica is promoted; the new primary commits alone until the other has caught up; then every commit waits again.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from services.embedded_postgres.folder import DATABASE, ROLE
from tests.proofs.faults.postgres_node import HOST, SETTLE_SECONDS, Node, wait_for


class PostgresPair:
    """A primary and its replica."""

    def __init__(self, folder: Path, *, synchronous: bool = True) -> None:
        """`synchronous`: every commit waits for the replica; otherwise the replica follows when it can."""
        ports = _free_ports(2)
        self.primary = Node("one", folder / "one", ports[0])
        self.replica = Node("two", folder / "two", ports[1])
        self.nodes = (self.primary, self.replica)
        """Both, always in the same order."""
        self._synchronous = synchronous
        self._copies_next = False

    @property
    def url(self) -> str:
        """The address as services are given it: both hosts, always in the same order."""
        hosts = ",".join(f"{HOST}:{node.port}" for node in self.nodes)
        return f"postgresql://{ROLE}@{hosts}/{DATABASE}?target_session_attrs=read-write"

    def start(self) -> str:
        """Make and start both; give the address once commits wait for the replica."""
        self.primary.make()
        self.replica.copy_of(self.primary)
        self._commits_wait()
        return self.url

    def kill(self) -> None:
        """End the primary for good."""
        self.primary.kill()

    def promote(self) -> None:
        """Let the replica take over, and commit alone for now. The old primary is dead, or frozen."""
        self.replica.ask("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.replica.ask("SELECT pg_reload_conf()")
        self.replica.ask("SELECT pg_promote()")
        self.primary, self.replica = self.replica, self.primary

    def take_no_writes(self) -> None:
        """Have the primary refuse writes, on connections that are open as well."""
        self.primary.ask("ALTER SYSTEM SET default_transaction_read_only = on")
        self.primary.ask("SELECT pg_reload_conf()")

    def fail_over(self) -> None:
        """Kill the primary and let the replica take over."""
        self.kill()
        self.promote()

    def rebuild(self) -> None:
        """Make a replica of the one that is not primary: rewound or copied anew by turns, if it was primary."""
        self.replica.kill()
        if self.replica.is_replica:
            self.replica.start()
        elif self._copies_next:
            self.replica.copy_of(self.primary)
            self._copies_next = False
        else:
            self.replica.rewound_to(self.primary)
            self._copies_next = True
        self._commits_wait()

    def stop(self) -> None:
        """End both, at once; the data is a test's."""
        for node in self.nodes:
            node.kill()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _commits_wait(self) -> None:
        """Wait until the replica has caught up, then let every commit wait for it."""
        name = self.replica.name
        self._until_replica("state", "streaming")
        if self._synchronous:
            self.primary.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
            self.primary.ask("SELECT pg_reload_conf()")
            self._until_replica("sync_state", "sync")
            self._until_it_has_everything()

    def _until_it_has_everything(self) -> None:
        """What was committed alone until just now is to be on the replica too, before anybody kills the primary.

        No view says when Postgres has begun to wait; it has within moments of a reload.
        """
        ((now,),) = self.primary.ask("SELECT pg_sleep(0.3)::text || pg_current_wal_lsn()")
        flushed = f"SELECT flush_lsn >= '{now}'::pg_lsn FROM pg_stat_replication"
        wait_for(lambda: self.primary.ask(flushed) == [(True,)], SETTLE_SECONDS, "the replica has everything")

    def _until_replica(self, column: str, value: str) -> None:
        statement = f"SELECT {column} FROM pg_stat_replication WHERE application_name = '{self.replica.name}'"
        wait_for(
            lambda: self.primary.ask(statement) == [(value,)],
            SETTLE_SECONDS,
            f"the replica's {column} is {value}",
        )


def _free_ports(count: int) -> list[int]:
    """Return ports nobody listens on, all of them different: a node that starts again keeps its own."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind((HOST, 0))
        return [one.getsockname()[1] for one in sockets]
