"""Addresses of a service, in the form of gRPC's resolvers: one address, several, or a DNS name with several."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

_ADDRESS: Final = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:|\s]+):(?P<port>\d{1,5})")


@dataclass(frozen=True)
class Target:
    """The target of a channel. gRPC spreads calls over all of its addresses."""

    name: str
    """The target in gRPC's syntax."""
    addresses: int | None
    """Number of addresses; None if only the resolver knows it."""


def read_target(text: str) -> Target:
    """Return the target for `host:port`, or for several IP addresses: `host:port|host:port`. Raises ValueError if malformed.

    A DNS name cannot be combined: all its addresses are used, and resolved again when one of them is lost.
    """
    parts = [part.strip() for part in text.split("|")]
    hosts = [_host(part) for part in parts]
    kinds = {_kind(host) for host in hosts}
    if kinds == {"name"}:
        if len(parts) > 1:
            raise ValueError(f"{text!r}: a DNS name cannot be combined with other addresses")
        return Target(parts[0], None)
    if len(kinds) > 1:
        raise ValueError(f"{text!r}: several addresses must all be IPv4 or all IPv6")
    if len(set(parts)) < len(parts):
        raise ValueError(f"{text!r}: an address is named twice")
    return Target(f"{kinds.pop()}:{','.join(parts)}", len(parts))


def _host(address: str) -> str:
    found = _ADDRESS.fullmatch(address)
    if found is None or int(found["port"]) > 65535:
        raise ValueError(f"{address!r} is not of the form host:port")
    return found["host"].strip("[]")


def _kind(host: str) -> str:
    try:
        return f"ipv{ip_address(host).version}"
    except ValueError:
        return "name"
