"""Where a service answers: one address, several, or a name with several, as gRPC's resolvers take them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

_ADDRESS: Final = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:|\s]+):(?P<port>\d{1,5})")


@dataclass(frozen=True)
class Target:
    """What a channel is opened to; gRPC spreads calls over everything it stands for."""

    name: str
    """As gRPC takes it."""
    addresses: int | None
    """How many there are; None where only the resolver knows."""


def read_target(text: str) -> Target:
    """Read `host:port`, or several IP addresses as `host:port|host:port`; ValueError says what does not fit.

    A DNS name stands alone: all its addresses are used, and looked up again when one of them is gone.
    """
    parts = [part.strip() for part in text.split("|")]
    hosts = [_host(part) for part in parts]
    kinds = {_kind(host) for host in hosts}
    if kinds == {"name"}:
        if len(parts) > 1:
            raise ValueError(f"{text!r}: a name stands alone, and brings all its addresses")
        return Target(parts[0], None)
    if len(kinds) > 1:
        raise ValueError(f"{text!r}: several addresses must be of one kind, IPv4 or IPv6")
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
