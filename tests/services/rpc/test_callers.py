"""A credential becomes a caller, or a refusal that does not repeat it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.identity.api_keys import ApiKey
from services.identity.callers import (
    Callers,
    InviteCaller,
    PlayerCaller,
    SeatCaller,
    TenantCaller,
    WatchCaller,
)
from services.identity.match_tokens import MatchTokens, Role, seat_account
from services.identity.player_sessions import PlayerSession, SessionScope
from services.rpc.refusals import Refused

MATCH = UUID(int=9)
TOKENS = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


class TwoKeys:
    """One that is good, and one whose time is over."""

    async def lookup(self, presented: str, *, fresh: bool = False) -> ApiKey | None:
        ends = {"ft_live_good": None, "ft_live_late": LONG_AGO + timedelta(days=1)}
        if presented not in ends:
            return None
        return ApiKey(
            id=UUID(int=1),
            tenant="acme",
            prefix="ft_live_",
            scopes=frozenset({"matches:read"}),
            created_at=LONG_AGO,
            expires_at=ends[presented],
        )


class RevokedOnce:
    """Sessions of generation 1 count; whoever reads the cache sees an older number."""

    def __init__(self, cached: int = 1) -> None:
        self.cached = cached

    async def generation(self, tenant: str, player: str, *, fresh: bool = False) -> int:
        return 1 if fresh else self.cached


CALLERS = Callers(TwoKeys(), TOKENS, RevokedOnce())


def session(generation: int = 1, hours: int = 1) -> str:
    expires_at = datetime.now(UTC) + timedelta(hours=hours)
    scopes = frozenset({SessionScope.READ})
    return TOKENS.mint_session(
        PlayerSession(
            tenant="acme", player="ada", scopes=scopes, generation=generation, expires_at=expires_at
        )
    )


def token(role: Role, seat: int | None, **more: timedelta) -> str:
    return TOKENS.mint(role=role, match_id=MATCH, game="g", seat=seat, generation=3, **more)[0]


async def test_a_key_stands_for_its_tenant() -> None:
    caller = await CALLERS.authenticate("Bearer ft_live_good")
    assert caller == TenantCaller("acme", frozenset({"matches:read"}), UUID(int=1))
    assert await CALLERS.authenticate("bearer   ft_live_good ") == caller


@pytest.mark.parametrize(
    ("role", "seat", "caller"),
    [
        (Role.SEAT, 2, SeatCaller(MATCH, 2, 3)),
        (Role.INVITE, 1, InviteCaller(MATCH, 1, 3)),
        (Role.SPECTATOR, None, WatchCaller(MATCH, Role.SPECTATOR, 3)),
        (Role.REFEREE, None, WatchCaller(MATCH, Role.REFEREE, 3)),
    ],
)
async def test_a_token_stands_for_its_role(role: Role, seat: int | None, caller: object) -> None:
    found = await CALLERS.authenticate(f"Bearer {token(role, seat)}")
    assert isinstance(found, SeatCaller | InviteCaller | WatchCaller)
    assert (found if isinstance(found, InviteCaller) else replace(found, account="")) == caller


async def test_a_token_counts_for_its_seat_for_itself_or_for_the_account_it_names() -> None:
    def minted(**more: Any) -> str:
        return TOKENS.mint(match_id=MATCH, game="g", generation=3, **more)[0]

    async def account(credential: str) -> str:
        caller = await CALLERS.authenticate(f"Bearer {credential}")
        assert isinstance(caller, SeatCaller | WatchCaller)
        return caller.account

    assert await account(minted(seat=2)) == f"{MATCH}/2/3" == seat_account(MATCH, 2, 3)
    assert await account(minted(seat=2, account="of/another/seat")) == "of/another/seat"
    day, week = (minted(role=Role.SPECTATOR, lifetime=timedelta(days=days)) for days in (1, 7))
    assert await account(day) == await account(day) != await account(week)


# ── who is known by now ────────────────────────────────────────────────────────────────────────────


async def test_the_holder_of_a_match_token_is_known_from_then_on() -> None:
    callers = Callers(TwoKeys(), TOKENS, RevokedOnce())
    authorization = f"Bearer {token(Role.SEAT, 2)}"
    assert callers.known(authorization) is None
    caller = await callers.authenticate(authorization)
    known = callers.known(authorization)
    assert known is not None
    assert (known.caller, known.match_name) == (caller, str(MATCH))
    assert callers.known(f"Bearer {token(Role.SEAT, 1)}") is None
    assert callers.known(None) is callers.known("") is None


async def test_a_key_and_a_session_can_be_revoked_and_are_asked_for_every_time() -> None:
    callers = Callers(TwoKeys(), TOKENS, RevokedOnce())
    for authorization in ("Bearer ft_live_good", f"Bearer {session()}"):
        await callers.authenticate(authorization)
        assert callers.known(authorization) is None


async def test_no_spaces_around_a_token_take_memory() -> None:
    callers = Callers(TwoKeys(), TOKENS, RevokedOnce())
    credential = token(Role.SEAT, 2)
    for authorization in (
        f"Bearer  {credential}",
        f"Bearer {credential} ",
        f"Bearer {' ' * 1000}{credential}",
    ):
        await callers.authenticate(authorization)
        assert callers.known(authorization) is None


async def test_when_too_many_are_known_the_oldest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.identity.callers.MAX_KNOWN", 3)
    callers = Callers(TwoKeys(), TOKENS, RevokedOnce())
    seats = [f"Bearer {token(Role.SEAT, seat)}" for seat in range(4)]
    for authorization in (
        *seats[:3],
        seats[0],
        seats[3],
    ):  # the first is known again, so the second is the oldest
        await callers.authenticate(authorization)
    assert [callers.known(one) is not None for one in seats] == [True, False, True, True]


async def test_a_session_stands_for_its_player() -> None:
    caller = await CALLERS.authenticate(f"Bearer {session()}")
    assert isinstance(caller, PlayerCaller)
    assert (caller.tenant, caller.player, caller.scopes) == ("acme", "ada", {SessionScope.READ})
    assert caller.account == "player/acme/ada"


async def test_a_session_of_after_a_revocation_counts_where_the_revocation_is_not_known_yet() -> None:
    late = Callers(TwoKeys(), TOKENS, RevokedOnce(cached=0))
    assert isinstance(await late.authenticate(f"Bearer {session()}"), PlayerCaller)


@pytest.mark.parametrize("generation", [0, 2])
async def test_a_session_of_another_generation_is_refused(generation: int) -> None:
    with pytest.raises(Refused) as refused:
        await CALLERS.authenticate(f"Bearer {session(generation)}")
    assert refused.value.reason == "TOKEN_INVALID"


async def test_a_session_ends() -> None:
    with pytest.raises(Refused) as refused:
        await CALLERS.authenticate(f"Bearer {session(hours=-1)}")
    assert refused.value.reason == "TOKEN_EXPIRED"


@pytest.mark.parametrize(
    ("authorization", "reason"),
    [
        pytest.param(None, "TOKEN_MISSING", id="nothing"),
        pytest.param("", "TOKEN_MISSING", id="an empty header"),
        pytest.param("Bearer", "TOKEN_INVALID", id="no credential"),
        pytest.param("Basic dTpw", "TOKEN_INVALID", id="another scheme"),
        pytest.param("Bearer ft_live_other", "TOKEN_INVALID", id="an unknown key"),
        pytest.param("Bearer ft_live_late", "TOKEN_EXPIRED", id="a key whose time is over"),
        pytest.param("Bearer eyJhbGciOiJub25lIn0.e30.", "TOKEN_INVALID", id="an unsigned token"),
        pytest.param(
            f"Bearer {token(Role.REFEREE, None, lifetime=timedelta(seconds=-1))}",
            "TOKEN_EXPIRED",
            id="a token whose time is over",
        ),
    ],
)
async def test_what_is_not_good_is_refused(authorization: str | None, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        await CALLERS.authenticate(authorization)
    assert refused.value.reason == reason
    credential = (authorization or "").partition(" ")[2]
    assert not credential or credential not in str(refused.value)
