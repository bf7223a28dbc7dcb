"""Every kind of caller against everything a match can be asked for, as one table."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from foldtable.rules.v1 import table_pb2
from services.identity.callers import Caller, InviteCaller, SeatCaller, TenantCaller, WatchCaller
from services.identity.match_tokens import Role
from services.movelog.records import SeatClaim
from services.rpc.refusals import Refused
from services.rules.match import permissions
from tests.support.new_matches import new_match

MATCH = new_match(tenant="acme", seats=3, watch_generation=2)
CLAIMS = (SeatClaim(seat=0, player="ada", generation=1), SeatClaim(seat=1, player="bob"))


def tenant(*scopes: str, name: str = "acme") -> TenantCaller:
    return TenantCaller(name, frozenset(scopes), UUID(int=1))


WRITER, READER, NEITHER = (
    tenant("matches:write"),
    tenant("matches:read"),
    tenant("tenants:admin", "keys:write"),
)
SEAT = SeatCaller(MATCH.id, Seat(0), 1)
SPECTATOR = WatchCaller(MATCH.id, Role.SPECTATOR, 2)
WATCHING_REFEREE = WatchCaller(MATCH.id, Role.REFEREE, 2)
INVITED = InviteCaller(MATCH.id, Seat(2), 0)
CALLERS: dict[str, Caller] = {
    "a key that writes": WRITER,
    "a key that reads": READER,
    "a seat": SEAT,
    "a spectator": SPECTATOR,
    "a referee": WATCHING_REFEREE,
    "somebody invited": INVITED,
}


def outcome(ask: Any) -> Any:
    """What is given, or the reason why not."""
    try:
        return ask()
    except Refused as refused:
        return str(refused.reason)


def asked(kind: str, seat: int | None = None) -> table_pb2.Audience:
    return table_pb2.Audience(kind=getattr(table_pb2.Audience, f"KIND_{kind}"), seat=seat)


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        pytest.param(WRITER, None, id="a key that writes"),
        pytest.param(READER, None, id="a key that reads"),
        pytest.param(NEITHER, "SCOPE_MISSING", id="a key for accounts"),
        pytest.param(tenant("matches:write", name="other"), "MATCH_NOT_FOUND", id="another tenant"),
        pytest.param(SEAT, None, id="a seat"),
        pytest.param(
            SeatCaller(MATCH.id, Seat(0), 0), "SEAT_FORBIDDEN", id="a seat's token that was revoked"
        ),
        pytest.param(SeatCaller(MATCH.id, Seat(2), 0), "SEAT_FORBIDDEN", id="a seat nobody has taken"),
        pytest.param(SPECTATOR, None, id="a spectator"),
        pytest.param(WATCHING_REFEREE, None, id="a referee"),
        pytest.param(
            WatchCaller(MATCH.id, Role.REFEREE, 1), "SEAT_FORBIDDEN", id="a referee who was sent away"
        ),
        pytest.param(
            WatchCaller(MATCH.id, Role.SPECTATOR, 3), "SEAT_FORBIDDEN", id="a spectator of the future"
        ),
        pytest.param(
            WatchCaller(uuid4(), Role.SPECTATOR, 2), "SEAT_FORBIDDEN", id="a spectator of another match"
        ),
        pytest.param(INVITED, "SEAT_FORBIDDEN", id="somebody invited"),
    ],
)
def test_who_is_let_in(caller: Caller, expected: str | None) -> None:
    assert outcome(lambda: permissions.may_enter(caller, MATCH, CLAIMS)) == expected


@pytest.mark.parametrize(
    "caller", [SEAT, SPECTATOR, WATCHING_REFEREE, INVITED], ids=lambda one: type(one).__name__
)
def test_a_token_names_its_own_match_only(caller: Caller) -> None:
    assert outcome(lambda: permissions.may_name(caller, MATCH.id)) is None
    assert outcome(lambda: permissions.may_name(caller, uuid4())) == "SEAT_FORBIDDEN"


def test_a_key_for_no_match_names_none_whether_it_exists_or_not() -> None:
    for match_id in (MATCH.id, uuid4()):
        assert outcome(lambda match_id=match_id: permissions.may_name(NEITHER, match_id)) == "SCOPE_MISSING"


FORBIDDEN = "SEAT_FORBIDDEN"
LOOKS: dict[str, tuple[Any, ...]] = {
    #                    unsaid               public  referee    seat 0            seat 1            seat 9
    "a key that writes": (PUBLIC, PUBLIC, REFEREE, seat_audience(Seat(0)), seat_audience(Seat(1)), "MALFORMED_REQUEST"),
    "a key that reads": (PUBLIC, PUBLIC, REFEREE, seat_audience(Seat(0)), seat_audience(Seat(1)), "MALFORMED_REQUEST"),
    "a seat": (seat_audience(Seat(0)), PUBLIC, FORBIDDEN, seat_audience(Seat(0)), FORBIDDEN, FORBIDDEN),
    "a spectator": (PUBLIC, PUBLIC, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN),
    "a referee": (REFEREE, PUBLIC, REFEREE, seat_audience(Seat(0)), seat_audience(Seat(1)), "MALFORMED_REQUEST"),
    "somebody invited": (PUBLIC, PUBLIC, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN),
}  # fmt: skip
WANTED = (
    asked("UNSPECIFIED"),
    asked("PUBLIC"),
    asked("REFEREE"),
    asked("SEAT", 0),
    asked("SEAT", 1),
    asked("SEAT", 9),
)


@pytest.mark.parametrize("name", LOOKS)
def test_for_whose_eyes_a_caller_may_look(name: str) -> None:
    seen: tuple[Audience | str, ...] = tuple(
        outcome(lambda wanted=wanted: permissions.audience(CALLERS[name], MATCH, wanted)) for wanted in WANTED
    )
    assert seen == LOOKS[name]


DEEDS = {
    #                     acts: unsaid          seat 0  seat 1     decisions: unsaid     seat 0     seat 1     changes
    "a key that writes": ("MALFORMED_REQUEST", 0, 1, "MALFORMED_REQUEST", 0, 1, None),
    "a key that reads": ("SCOPE_MISSING", "SCOPE_MISSING", "SCOPE_MISSING", "MALFORMED_REQUEST", 0, 1, "SCOPE_MISSING"),
    "a seat": (0, 0, FORBIDDEN, 0, 0, FORBIDDEN, None),
    "a spectator": (FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN),
    "a referee": (FORBIDDEN, FORBIDDEN, FORBIDDEN, "MALFORMED_REQUEST", 0, 1, FORBIDDEN),
    "somebody invited": (FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN),
}  # fmt: skip


@pytest.mark.parametrize("name", DEEDS)
def test_for_which_seat_a_caller_may_act_and_whose_decisions_it_sees(name: str) -> None:
    caller = CALLERS[name]
    done = [
        outcome(lambda check=check, seat=seat: check(caller, MATCH, seat))
        for check in (permissions.acting_seat, permissions.seat_looked_at)
        for seat in (None, 0, 1)
    ]
    assert (*done, outcome(lambda: permissions.may_change(caller))) == DEEDS[name]


@pytest.mark.parametrize("name", CALLERS)
def test_only_a_tenant_that_may_write_does_what_tenants_do(name: str) -> None:
    expected = {"a key that writes": WRITER, "a key that reads": "SCOPE_MISSING"}.get(name, "TENANT_ONLY")
    assert outcome(lambda: permissions.tenant_only(CALLERS[name])) == expected
