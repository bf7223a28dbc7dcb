"""Who may administer accounts: the operator all accounts, a tenant only its own keys. A session is for its own player."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from services.identity.callers import AnyCaller, PlayerCaller, TenantCaller
from services.identity.scopes import Scope, held
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed


def operator_only(caller: AnyCaller) -> TenantCaller:
    """Return the caller. Raises Refused unless it has an API key with the scope `tenants:admin`."""
    tenant = with_key(caller)
    if Scope.TENANTS_ADMIN not in tenant.scopes:
        raise scope_missing(Scope.TENANTS_ADMIN)
    return tenant


def key_administrator(caller: AnyCaller) -> TenantCaller:
    """Return the caller. Raises Refused unless its API key has the scope `keys:write` or `tenants:admin`."""
    tenant = with_key(caller)
    if not tenant.scopes & {Scope.KEYS_WRITE, Scope.TENANTS_ADMIN}:
        raise scope_missing(Scope.KEYS_WRITE)
    return tenant


def administers(caller: TenantCaller, tenant: str) -> bool:
    """Return whether a key administrator may see and change a tenant's keys."""
    return Scope.TENANTS_ADMIN in caller.scopes or caller.tenant == tenant


def may_grant(caller: TenantCaller, scopes: AbstractSet[str]) -> None:
    """Raises Refused SCOPE_MISSING if the caller lacks a scope that it grants; the operator may grant any."""
    missing = sorted(scopes - held(caller.scopes))
    if missing and Scope.TENANTS_ADMIN not in caller.scopes:
        raise scope_missing(missing[0])


def scope_missing(scope: str) -> Refused:
    """Return the refusal of a key that lacks a scope."""
    return Refused(Reason.SCOPE_MISSING, f"this API key lacks the scope {scope}", metadata={"scope": scope})


def with_key(caller: AnyCaller) -> TenantCaller:
    """Return the caller. Raises Refused TENANT_ONLY unless it has an API key."""
    if not isinstance(caller, TenantCaller):
        raise Refused(Reason.TENANT_ONLY, "only an API key may do this")
    return caller


def own_player(caller: PlayerCaller, player: str, field: str) -> str:
    """Return the player of a session. Raises Refused MALFORMED_REQUEST if the request names another; empty names none."""
    if player not in {"", caller.player}:
        raise malformed(field, "is another player; a session is for its own player, so leave this out")
    return caller.player
