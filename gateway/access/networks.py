"""The network a client calls from: what counts as one client where there is no credential."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import Final

from starlette.requests import Request

_NETWORK: Final = 64
"""Length in bits of the IPv6 prefix that a provider assigns to one customer."""


def client_network(request: Request) -> str:
    """Return a client's address, for IPv6 only the network prefix; empty if the address is not known."""
    host = "" if request.client is None else request.client.host
    if ":" not in host:
        return host
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{int(address) >> (128 - _NETWORK):x}::/{_NETWORK}"
