"""The scopes of API keys."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Final


class Scope(StrEnum):
    """Every scope there is."""

    MATCHES_READ = "matches:read"
    """Read the tenant's matches, as any audience."""
    MATCHES_WRITE = "matches:write"
    """Do everything with the tenant's matches; it includes `matches:read` and `bots:play`."""
    BOTS_PLAY = "bots:play"
    """Play the seats of the tenant's bots: list those that have to act, and get tokens for their seats."""
    KEYS_WRITE = "keys:write"
    """Create, list, rotate and revoke the tenant's own keys."""
    WEBHOOKS_WRITE = "webhooks:write"
    """Administer the tenant's own webhook endpoints, and set what is recorded for its event feed."""
    TENANTS_ADMIN = "tenants:admin"
    """Administer tenants, and the keys of every tenant: for the operator. It gives no access to matches by itself."""


_IMPLIED: Final = {Scope.MATCHES_WRITE: frozenset({Scope.MATCHES_READ, Scope.BOTS_PLAY})}


def read_scopes(names: Collection[str]) -> frozenset[Scope]:
    """Return the scopes with these names. Raises ValueError if there are none, or an unknown one."""
    known = {scope.value for scope in Scope}
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise ValueError(f"a key has at least one scope of {', '.join(sorted(known))}")
    return frozenset(map(Scope, names))


def held(scopes: AbstractSet[str]) -> frozenset[str]:
    """Return these scopes and those that they imply."""
    return frozenset(scopes).union(*(implied for scope, implied in _IMPLIED.items() if scope in scopes))
