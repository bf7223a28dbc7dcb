"""Requests about vacations: repeated ones, lists, and who may ask."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import grpc
import pytest
from announced_vacations import (
    DAY,
    allow,
    announced,
    begin,
    cancelled,
    in_days,
    linger,
    listed,
    month,
    not_announced,
    outcomes,
    stamp,
)
from platform_stack import Account, Platform

from foldtable.platform.v1 import vacation_pb2
from services.identity.match_tokens import Role
from services.identity.player_sessions import SessionScope
from tests.services.platform.test_player_sessions import revoke, session

HOUR = timedelta(hours=1)


@pytest.fixture
async def acme(platform: Platform) -> Account:
    """A tenant whose players have ten days a month."""
    tenant = await platform.holding("acme", "matches:write")
    await allow(tenant, 10)
    return tenant


@pytest.fixture
async def other(platform: Platform) -> Account:
    """Another tenant of that kind."""
    tenant = await platform.holding("other", "matches:write")
    await allow(tenant, 10)
    return tenant


@pytest.fixture
async def ada(platform: Platform, acme: Account) -> Account:
    del acme
    return session(platform)


# ── repeated requests ──────────────────────────────────────────────────────────────────────────────


async def test_a_repeated_request_gets_the_first_vacation(acme: Account, ada: Account) -> None:
    """Also where it began with the first request, and later than now: nothing is announced twice, and no day taken twice."""
    until = in_days(2)
    for account, player in ((acme, "bob"), (ada, "ada")):
        first = await announced(account, until, player=player, request_id="one")
        assert await announced(account, until, player=player, request_id="one") == first
        assert await listed(acme, player=player) == [first.vacation_id]


async def test_a_repeat_of_what_is_past_gets_it_too(platform: Platform, acme: Account, ada: Account) -> None:
    since, until = in_days(1), in_days(2)
    for account, player in ((acme, "bob"), (ada, "ada")):
        first = await announced(account, until, since, player=player, request_id="one")
        await begin(platform, first.vacation_id, 2 * DAY, -DAY)
        await allow(acme, 0)
        again = await announced(account, until, since, player=player, request_id="one")
        assert again.vacation_id == first.vacation_id
        await allow(acme, 10)


async def test_a_request_id_is_for_one_request(acme: Account, ada: Account) -> None:
    since, until = month(2), month(2) + DAY
    for account in (acme, ada):
        await announced(
            account, until + (account is ada) * DAY, since + (account is ada) * DAY, request_id="one"
        )
    for account, player in ((acme, "ada"), (acme, "bob"), (ada, "ada")):
        refusal = await not_announced(
            account, until + 5 * DAY, since + 4 * DAY, player=player, request_id="one"
        )
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")
    await announced(acme, until + 5 * DAY, since + 4 * DAY, request_id="two")


async def test_everybody_has_request_ids_of_ones_own(
    platform: Platform, acme: Account, ada: Account, other: Account
) -> None:
    until = in_days(1)
    accounts = [acme, other, session(platform, "bob"), session(platform, "bob", tenant="other")]
    made = [
        await announced(one, until, player=name, request_id="one")
        for one, name in zip(accounts, ["cleo", "cleo", "", ""], strict=True)
    ]
    made.append(await announced(ada, until, request_id="one"))
    assert len({one.vacation_id for one in made}) == 5


async def test_one_request_sent_several_times_at_once(acme: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    linger(monkeypatch, "find")
    until = in_days(1)
    calls = [announced(acme, until, request_id="one") for _ in range(4)]
    assert await outcomes(*calls) == ["OK"] * 4
    assert len(await listed(acme)) == 1


async def test_a_request_id_for_two_players_at_once(acme: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each under the lock of its own player."""
    linger(monkeypatch, "find")
    calls = [announced(acme, in_days(1), player=player, request_id="one") for player in ("ada", "bob")]
    assert sorted(await outcomes(*calls)) == ["OK", "REQUEST_ID_REUSED"]
    assert len(await listed(acme)) == 1


# ── lists ──────────────────────────────────────────────────────────────────────────────────────────


async def test_lists_come_a_page_at_a_time_in_the_order_of_their_ends(
    platform: Platform, acme: Account, ada: Account, other: Account
) -> None:
    await announced(other, in_days(1))
    made = {}
    for number, player in ((3, "bob"), (1, "ada"), (5, "ada"), (2, "cleo"), (4, "bob")):
        made[number] = (
            await announced(acme, in_days(number), in_days(number) - HOUR, player=player)
        ).vacation_id
    over = (await announced(acme, in_days(1), player="dora")).vacation_id
    await begin(platform, over, 2 * DAY, -HOUR)
    everything = [made[number] for number in sorted(made)]
    for account, asked, expected in (
        (acme, {}, everything),
        (acme, {"include_ended": True}, [over, *everything]),
        (acme, {"player": "bob"}, [made[3], made[4]]),
        (acme, {"player": "nobody"}, []),
        (ada, {}, [made[1], made[5]]),
        (ada, {"player": "ada"}, [made[1], made[5]]),
        (session(platform, "dora"), {}, []),
        (session(platform, "dora"), {"include_ended": True}, [over]),
    ):
        found: list[str] = []
        token = ""
        while True:
            request = vacation_pb2.ListVacationsRequest(page_size=2, page_token=token, **asked)
            page = await account.call("ListVacations", request)
            found += [one.vacation_id for one in page.vacations]
            assert len(page.vacations) <= 2
            if not (token := page.next_page_token):
                break
        assert found == expected, asked


async def test_a_page_token_is_good_for_its_list(acme: Account, ada: Account, other: Account) -> None:
    for number in (1, 2):
        await announced(acme, in_days(number), in_days(number) - HOUR)
    page = await acme.call("ListVacations", vacation_pb2.ListVacationsRequest(page_size=1))
    for account, asked in (
        (acme, {"player": "ada"}),
        (acme, {"include_ended": True}),
        (ada, {}),
        (other, {}),
    ):
        request = vacation_pb2.ListVacationsRequest(page_token=page.next_page_token, **asked)
        assert (await account.refused("ListVacations", request)).reason == "PAGE_TOKEN_INVALID"
    for asked, field in (({"page_size": -1}, "$.page_size"), ({"player": "a\nb"}, "$.player")):
        refusal = await acme.refused("ListVacations", vacation_pb2.ListVacationsRequest(**asked))
        assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])
    refusal = await ada.refused("ListVacations", vacation_pb2.ListVacationsRequest(player="bob"))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.player"])


# ── who may ────────────────────────────────────────────────────────────────────────────────────────


async def told(account: Account) -> tuple[str, str, str]:
    """Return what one is told who announces, lists and cancels."""
    requests: dict[str, Any] = {
        "AnnounceVacation": vacation_pb2.AnnounceVacationRequest(player="ada", until=stamp(in_days(1))),
        "ListVacations": vacation_pb2.ListVacationsRequest(player="ada"),
        "CancelVacation": vacation_pb2.CancelVacationRequest(vacation_id=str(uuid4())),
    }
    found = await outcomes(*(account.call(method, request) for method, request in requests.items()))
    return found[0], found[1], found[2]


async def test_who_may(platform: Platform, acme: Account) -> None:
    del acme
    match = {"match_id": uuid4(), "game": "river_dragons", "generation": 0}
    for role, seat in ((Role.SEAT, 0), (Role.INVITE, 0), (Role.SPECTATOR, None), (Role.REFEREE, None)):
        token = platform.tokens.mint(role=role, seat=seat, **match)[0]
        assert await told(platform.with_credential(token)) == ("TENANT_ONLY",) * 3, role
    reader = await platform.holding("acme", "matches:read")
    assert await told(reader) == ("SCOPE_MISSING", "OK", "SCOPE_MISSING")
    watching = session(platform, scopes=[SessionScope.READ])
    assert await told(watching) == ("SCOPE_MISSING", "OK", "SCOPE_MISSING")
    for scope in ("bots:play", "keys:write", "webhooks:write", "tenants:admin"):
        assert await told(await platform.holding("acme", scope)) == ("SCOPE_MISSING",) * 3, scope
    assert await told(platform.with_credential(None)) == ("TOKEN_MISSING",) * 3
    ada = session(platform)
    assert await told(ada) == ("OK", "OK", "VACATION_NOT_FOUND")
    await revoke(platform, "ada")
    assert await told(ada) == ("TOKEN_INVALID",) * 3


async def test_vacations_outlive_the_sessions_of_their_player(
    platform: Platform, acme: Account, ada: Account
) -> None:
    made = await announced(ada, in_days(1))
    await revoke(platform, "ada")
    assert await listed(acme, player="ada") == [made.vacation_id]


async def test_logs_name_no_player(acme: Account, capfd: pytest.CaptureFixture[str]) -> None:
    made = await announced(acme, in_days(1), player="ada-of-the-island", request_id="known-to-me")
    await cancelled(acme, made.vacation_id)
    logged = "".join(capfd.readouterr())
    assert logged.count(made.vacation_id) == 2
    assert "ada-of-the-island" not in logged
    assert "known-to-me" not in logged
