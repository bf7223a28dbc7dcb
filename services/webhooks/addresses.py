"""Which IP addresses a webhook may go to: those of the public Internet.

Any other address could belong to a private network, such as the server's own (OWASP API7, server-side request forgery).
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
"""Global unicast (RFC 4291 §2.4): the only range allocated so far. Mapped and translated IPv4 addresses lie outside it."""
_EMBEDDING: Final = (IPv6Network("2001::/32"), IPv6Network("2002::/16"))
"""Teredo (RFC 4380) and 6to4 (RFC 3056): they contain an IPv4 address, and a relay decides which network it reaches."""


def is_public(text: str) -> bool:
    """Return whether a text is an address of the public Internet; False also if it is no address."""
    address = _parsed(text)
    return address is not None and _is_public(address)


def is_loopback(text: str) -> bool:
    """Return whether a text is a loopback address, which names this machine itself."""
    address = _parsed(text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address is not None and address.is_loopback


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text.partition("%")[0])  # a zone names an interface
    except ValueError:
        return None


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if address.is_multicast or address.is_unspecified or address.is_reserved or not address.is_global:
        return False
    if isinstance(address, IPv4Address):
        return True
    return address in _GLOBAL_UNICAST and not any(address in network for network in _EMBEDDING)
