"""The settings of the cluster; docs/run/clusters.md shows the same, and a test compares them."""

from __future__ import annotations

from typing import Any, Final

DYNAMIC: Final[dict[str, Any]] = {
    "ttl": 20,
    "loop_wait": 2,
    "retry_timeout": 3,
    "maximum_lag_on_failover": 1_048_576,
    "synchronous_mode": True,
    "postgresql": {
        "use_pg_rewind": True,
        "use_slots": True,
        "parameters": {"wal_log_hints": "on", "max_connections": 200, "wal_keep_size": "512MB"},
    },
}
"""What Patroni keeps in etcd for all members: `bootstrap.dcs`, later `patronictl edit-config`."""

QUICK: Final = {"ttl": 10, "loop_wait": 1}
"""Instead, where a test must not take long. Newer releases of Patroni than 3.0 raise them to their least: 20 and 2."""

HAPROXY: Final = """\
defaults
    mode tcp
    timeout connect 2s
    timeout client 30m
    timeout server 30m
    timeout check 2s

listen foldtable
    bind {bind}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
"""
"""A line for each member follows: `server node1 10.0.0.1:5432 check port 8008`."""
