"""Many new matches in one call: all or none, or each by itself; and once, however often the call is repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc import status_pb2
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program

from foldtable.matches.v1 import clock_pb2, lobby_pb2, match_pb2, player_session_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import payload_pb2
from services.movelog.failures import LogUnavailable
from services.movelog.postgres.batches import PostgresBatches
from services.rules.api.batches import STEP

RUNNING, WAITING = match_pb2.MATCH_STATUS_RUNNING, match_pb2.MATCH_STATUS_WAITING
INVITED = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED, player="ann")
BOT = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_BOT, level="random")
CLOCK = clock_pb2.Clock(kind=clock_pb2.CLOCK_KIND_PER_MOVE, time=Duration(seconds=60))

BOTH_MODES = pytest.mark.parametrize("all_or_none", [True, False], ids=["all", "each"])


def a_match(seats: int = 2, *, game: str = "river_dragons", **more: Any) -> pb.CreateMatchRequest:
    return pb.CreateMatchRequest(game=game, seats=seats, **more)


def batch(*matches: pb.CreateMatchRequest, all_or_none: bool = True, **more: Any) -> pb.CreateMatchesRequest:
    return pb.CreateMatchesRequest(matches=matches, all_or_none=all_or_none, **more)


def of_round(count: int, name: str = "round", **more: Any) -> list[pb.CreateMatchRequest]:
    return [a_match(reference=f"{name}/{number}", **more) for number in range(count)]


async def create(
    tenant: Player, *matches: pb.CreateMatchRequest, **more: Any
) -> Sequence[pb.CreatedOrRefused]:
    response: pb.CreateMatchesResponse = await tenant.call("CreateMatches", batch(*matches, **more))
    assert len(response.results) == len(matches)
    return response.results


def ids(results: Sequence[pb.CreatedOrRefused]) -> list[str]:
    return [one.created.match.match_id for one in results]


def refusal(result: pb.CreatedOrRefused) -> Refusal:
    assert result.WhichOneof("result") == "refused"
    (code,) = [code for code in grpc.StatusCode if code.value[0] == result.refused.code]
    return Refusal.of_status(status_pb2.Status.FromString(result.refused.SerializeToString()), code)


async def of_tenant(stack: Stack, tenant: str = "one") -> int:
    """How many matches the tenant has."""
    async with stack.logs[0].pool.connection() as connection:
        cursor = await connection.execute("SELECT count(*) FROM matches WHERE tenant = $1", (tenant,))
        (count,) = await cursor.fetchone() or (0,)
        return int(count)


# ── created ────────────────────────────────────────────────────────────────────────────────────────


@BOTH_MODES
async def test_matches_of_a_batch_are_as_if_created_one_by_one(tenant: Player, all_or_none: bool) -> None:
    plans = [
        a_match(3, players=["ada", "bob"], title="Friday", reference="one", metadata=b'{"round": 1}'),
        a_match(2, seating=[lobby_pb2.SeatPlan(player="ada"), INVITED]),
        a_match(2, seating=[lobby_pb2.SeatPlan(player="ada"), BOT], clock=CLOCK),
        a_match(2, start=match_pb2.START_RULE_ON_DEMAND),
        a_match(2, open_seats=True),
    ]
    results = await create(tenant, *plans, all_or_none=all_or_none)
    for plan, result in zip(plans, results, strict=True):
        plan.reference = plan.reference and "another"
        alone = (await tenant.call("CreateMatch", plan)).match
        match = result.created.match
        assert match == await tenant.get(match.match_id) or match.HasField("clocks")
        for field in (
            "match_id",
            "commitment",
            "create_time",
            "update_time",
            "reference",
            "clocks",
            "to_act",
        ):
            alone.ClearField(field)
            match.ClearField(field)
        assert match == alone
    assert [one.created.match.status for one in results] == [RUNNING, WAITING, RUNNING, WAITING, WAITING]
    assert [[token.seat for token in one.created.tokens] for one in results] == [
        [0, 1, 2],
        [0],
        [0],
        [0, 1],
        [],
    ]
    assert [[invite.seat for invite in one.created.invites] for one in results] == [[], [1], [], [], []]


async def test_a_match_of_a_batch_is_played_with_its_tokens(stack: Stack, tenant: Player) -> None:
    (result,) = await create(tenant, a_match(2, clock=CLOCK))
    created = result.created
    assert [round(one.left.seconds, -1) for one in created.match.clocks.seats] == [60, 60]
    player = await stack.seated(created, 1)
    made = await player.call("Act", act(created.match.match_id, program(*FIVE_CARDS), 1))
    assert made.version == 2
    assert (await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=created.match.match_id))).ok


@BOTH_MODES
async def test_500_matches_are_created_while_others_are_answered(
    stack: Stack, tenant: Player, all_or_none: bool
) -> None:
    other = stack.player("ft_test_two")
    match_id = (await other.create()).match.match_id
    creating = asyncio.create_task(create(tenant, *of_round(500), all_or_none=all_or_none))
    answered = 0
    while not creating.done():
        await other.view(match_id)
        answered += 1
    results = await creating
    assert answered > 20
    assert len(set(ids(results))) == await of_tenant(stack) == 500
    assert {one.created.match.status for one in results} == {RUNNING}
    assert [one.created.match.reference for one in results] == [f"round/{number}" for number in range(500)]


# ── refused ────────────────────────────────────────────────────────────────────────────────────────

WRONG = [
    pytest.param({"seats": 9}, "SEAT_COUNT", "seats", id="seats"),
    pytest.param({"title": "\x07"}, "MALFORMED_REQUEST", "title", id="title"),
    pytest.param(
        {"options": payload_pb2.Payload(json=b'{"board":"moon"}')},
        "MALFORMED_OPTIONS",
        "options.board",
        id="options",
    ),
    pytest.param({"players": ["a", "b", "c"]}, "MALFORMED_REQUEST", "players", id="players"),
    pytest.param(
        {"seating": [lobby_pb2.SeatPlan(), lobby_pb2.SeatPlan(data=b"{")]},
        "MALFORMED_REQUEST",
        "seating[1].data",
        id="data",
    ),
    pytest.param({"metadata": b"[]"}, "MALFORMED_REQUEST", "metadata", id="metadata"),
    pytest.param(
        {"rules_version": "0.0.0"}, "RULES_VERSION_UNSUPPORTED", "rules_version", id="rules version"
    ),
    pytest.param(
        {"rematch_of": "00000000-0000-0000-0000-000000000001"}, "MATCH_NOT_FOUND", "rematch_of", id="origin"
    ),
    pytest.param({"clock": clock_pb2.Clock()}, "MALFORMED_REQUEST", "clock.kind", id="clock"),
]


@pytest.mark.parametrize(("wrong", "reason", "field"), WRONG)
async def test_the_first_fault_refuses_all(
    stack: Stack, tenant: Player, wrong: dict[str, Any], reason: str, field: str
) -> None:
    matches = [a_match(), a_match(), a_match(**wrong), a_match(9)]
    refused = await tenant.refused("CreateMatches", batch(*matches, request_id="r"))
    assert (refused.reason, refused.fields) == (reason, [f"$.matches[2].{field}"])
    assert await of_tenant(stack) == 0


@pytest.mark.parametrize(("wrong", "reason", "field"), WRONG)
async def test_each_fault_refuses_its_own_match(
    stack: Stack, tenant: Player, wrong: dict[str, Any], reason: str, field: str
) -> None:
    results = await create(tenant, a_match(), a_match(**wrong), a_match(), all_or_none=False)
    refused = refusal(results[1])
    assert (refused.reason, refused.fields) == (reason, [f"$.matches[1].{field}"])
    assert [one.WhichOneof("result") for one in results] == ["created", "refused", "created"]
    assert await of_tenant(stack) == 2


async def test_a_refusal_in_a_batch_says_what_it_says_alone(tenant: Player) -> None:
    alone = await tenant.refused("CreateMatch", a_match(9))
    (result,) = await create(tenant, a_match(9), all_or_none=False)
    refused = refusal(result)
    assert (refused.code, refused.message, refused.info) == (alone.code, alone.message, alone.info)
    assert refused.rule == alone.rule
    malformed = await tenant.refused("CreateMatch", a_match(metadata=b"[]"))
    (result,) = await create(tenant, a_match(metadata=b"[]"), all_or_none=False)
    assert refusal(result).message == malformed.message.replace("$.", "$.matches[0].")


async def test_an_unknown_game_refuses_its_match(tenant: Player) -> None:
    results = await create(tenant, a_match(game="chess"), a_match(), all_or_none=False)
    refused = refusal(results[0])
    assert (refused.reason, refused.fields) == ("GAME_UNKNOWN", ["$.matches[0].game"])
    assert results[1].created.match.status == RUNNING


async def test_all_are_of_one_game_and_each_is_of_any(tenant: Player) -> None:
    mixed = [a_match(), a_match(game="al_rashid")]
    refused = await tenant.refused("CreateMatches", batch(*mixed))
    assert (refused.reason, refused.fields) == ("MALFORMED_REQUEST", ["$.matches[1].game"])
    results = await create(tenant, *mixed, all_or_none=False)
    assert [one.created.match.game for one in results] == ["river_dragons", "al_rashid"]


async def test_a_taken_reference_refuses_all_or_its_own_match(stack: Stack, tenant: Player) -> None:
    known = (await tenant.create(reference="round/1")).match.match_id
    refused = await tenant.refused("CreateMatches", batch(*of_round(3)))
    assert (refused.reason, refused.fields) == ("REFERENCE_TAKEN", ["$.matches[1].reference"])
    assert refused.info.metadata["match_id"] == known
    assert await of_tenant(stack) == 1

    results = await create(tenant, *of_round(3), all_or_none=False)
    assert [one.WhichOneof("result") for one in results] == ["created", "refused", "created"]
    own = refusal(results[1])
    assert (own.reason, own.fields, own.info.metadata["match_id"]) == (
        "REFERENCE_TAKEN",
        ["$.matches[1].reference"],
        known,
    )
    theirs = stack.player("ft_test_two")
    assert all(ids(await create(theirs, *of_round(3)))), "another tenant has references of its own"


async def test_of_two_with_one_reference_in_a_batch_the_second_is_refused(
    stack: Stack, tenant: Player
) -> None:
    twice = [a_match(reference="a"), a_match(reference="b"), a_match(reference="a")]
    refused = await tenant.refused("CreateMatches", batch(*twice))
    assert (refused.reason, refused.fields) == ("REFERENCE_TAKEN", ["$.matches[2].reference"])
    assert await of_tenant(stack) == 0

    results = await create(tenant, *twice, all_or_none=False)
    assert refusal(results[2]).fields == ["$.matches[2].reference"]
    assert refusal(results[2]).info.metadata["match_id"] == ids(results)[0]


async def test_a_match_is_followed_once(stack: Stack, tenant: Player) -> None:
    before = (await tenant.create()).match.match_id
    twice = [a_match(rematch_of=before), a_match(3, rematch_of=before)]
    refused = await tenant.refused("CreateMatches", batch(*twice))
    assert (refused.reason, refused.fields) == ("MALFORMED_REQUEST", ["$.matches[1].rematch_of"])
    first, second = ids(await create(tenant, *twice, all_or_none=False))
    assert first == second
    assert ids(await create(tenant, a_match(rematch_of=before), a_match()))[0] == first
    assert await of_tenant(stack) == 3


@BOTH_MODES
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        pytest.param({"matches": []}, "$.matches", id="none"),
        pytest.param({"matches": [a_match()] * 501}, "$.matches", id="501"),
        pytest.param(
            {"matches": [a_match(), a_match(request_id="r")]}, "$.matches[1].request_id", id="own id"
        ),
        pytest.param({"request_id": "x" * 65}, "$.request_id", id="long id"),
        pytest.param({"places": [0]}, "$.places", id="too few places"),
        pytest.param({"places": [1, 0]}, "$.places", id="places the wrong way"),
        pytest.param({"places": [3, 3]}, "$.places", id="one place twice"),
        pytest.param({"places": [-1, 0]}, "$.places", id="a place before the first"),
        pytest.param({"places": [0, 500]}, "$.places", id="a place after the last"),
    ],
)
async def test_what_is_no_batch_is_refused_as_a_whole(
    stack: Stack, tenant: Player, all_or_none: bool, wrong: dict[str, Any], field: str
) -> None:
    asked = {"matches": [a_match(), a_match()]} | wrong
    refused = await tenant.refused("CreateMatches", pb.CreateMatchesRequest(all_or_none=all_or_none, **asked))
    assert (refused.reason, refused.fields) == ("MALFORMED_REQUEST", [field])
    assert await of_tenant(stack) == 0


async def test_only_a_tenant_that_may_write_creates_many(stack: Stack, tenant: Player) -> None:
    session = await tenant.call(
        "CreatePlayerSession", player_session_pb2.CreatePlayerSessionRequest(player="ada")
    )
    seat = (await tenant.create()).tokens[0].token
    for credential, reason in (
        (session.token, "TENANT_ONLY"),
        (seat, "TENANT_ONLY"),
        ("ft_test_one_looks", "SCOPE_MISSING"),
        ("ft_test_one_other", "SCOPE_MISSING"),
        ("ft_test_unknown", "TOKEN_INVALID"),
    ):
        refused = await stack.player(credential).refused("CreateMatches", batch(a_match()))
        assert refused.reason == reason
    assert await of_tenant(stack) == 1


# ── repeated ───────────────────────────────────────────────────────────────────────────────────────


@BOTH_MODES
async def test_a_repeat_gets_the_first_matches_as_they_are_now(
    stack: Stack, tenant: Player, all_or_none: bool
) -> None:
    asked = [*of_round(3), a_match(2, seating=[lobby_pb2.SeatPlan(), INVITED])]
    first = await create(tenant, *asked, all_or_none=all_or_none, request_id="r")
    await tenant.any_move(first[0].created.match.match_id, 0)
    other = stack.player(address=await stack.serve())
    again = await create(other, *asked, all_or_none=all_or_none, request_id="r")
    assert ids(again) == ids(first)
    assert [one.created.match.version for one in again] == [2, 1, 1, 0]
    assert [len(one.created.tokens) for one in again] == [2, 2, 2, 1]
    assert len(again[3].created.invites) == 1
    assert await of_tenant(stack) == 4
    player = await stack.seated(again[0].created, 1)
    await player.view(first[0].created.match.match_id)


async def test_without_a_request_id_a_repeat_makes_more(stack: Stack, tenant: Player) -> None:
    first, second = ids(await create(tenant, a_match())), ids(await create(tenant, a_match()))
    assert first != second


async def test_a_batch_and_a_match_may_have_one_request_id(stack: Stack, tenant: Player) -> None:
    alone = (await tenant.create(request_id="r")).match.match_id
    assert alone not in ids(await create(tenant, a_match(), request_id="r"))


async def test_other_content_refuses_all_or_its_own_match(stack: Stack, tenant: Player) -> None:
    first = await create(tenant, a_match(), a_match(), a_match(), request_id="r")
    other = [a_match(), a_match(3), a_match()]
    refused = await tenant.refused("CreateMatches", batch(*other, request_id="r"))
    assert (refused.reason, refused.fields) == ("REQUEST_ID_REUSED", ["$.matches[1]"])
    results = await create(tenant, *other, all_or_none=False, request_id="r")
    assert refusal(results[1]).reason == "REQUEST_ID_REUSED"
    assert refusal(results[1]).fields == ["$.matches[1]"]
    assert [ids(results)[0], ids(results)[2]] == [ids(first)[0], ids(first)[2]]
    longer = await tenant.refused("CreateMatches", batch(*other, *of_round(2), request_id="r"))
    assert longer.reason == "REQUEST_ID_REUSED"
    assert await of_tenant(stack) == 3
    theirs = await create(stack.player("ft_test_two"), *other, request_id="r")
    assert {one.WhichOneof("result") for one in theirs} == {"created"}


async def test_a_repeat_creates_what_was_refused_the_first_time(stack: Stack, tenant: Player) -> None:
    known = (await tenant.create(reference="round/1")).match.match_id
    first = await create(tenant, *of_round(3), all_or_none=False, request_id="r")
    free = lobby_pb2.UpdateMatchRequest(match_id=known)
    free.update_mask.paths.append("reference")
    await tenant.call("UpdateMatch", free)
    again = await create(tenant, *of_round(3), all_or_none=False, request_id="r")
    assert [ids(again)[0], ids(again)[2]] == [ids(first)[0], ids(first)[2]]
    assert again[1].created.match.reference == "round/1"


async def test_a_part_of_a_longer_list_is_repeated_by_its_places(stack: Stack, tenant: Player) -> None:
    games = ["river_dragons", "al_rashid", "river_dragons"]
    first = ids(
        await create(tenant, *(a_match(game=game) for game in games), all_or_none=False, request_id="r")
    )
    part = await create(tenant, a_match(), a_match(9), all_or_none=False, request_id="r", places=[2, 17])
    assert ids(part)[0] == first[2]
    assert refusal(part[1]).fields == ["$.matches[17].seats"]


@BOTH_MODES
async def test_many_repeats_at_once_make_one_batch(stack: Stack, tenant: Player, all_or_none: bool) -> None:
    other = stack.player(address=await stack.serve())
    made = await asyncio.gather(
        *(
            create(one, *of_round(60), all_or_none=all_or_none, request_id="r")
            for one in (tenant, other, tenant, other)
        )
    )
    assert len({tuple(ids(results)) for results in made}) == 1
    assert await of_tenant(stack) == 60


@BOTH_MODES
async def test_a_repeat_that_comes_while_the_first_is_stored_gets_its_matches(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch, all_or_none: bool
) -> None:
    """It looks before the first is committed and stores after it: its references are then taken, but by its own matches."""
    first = ids(await create(tenant, *of_round(3), all_or_none=all_or_none, request_id="r"))
    look, early = PostgresBatches.requested, iter([True])

    async def looks_early(self: PostgresBatches, *given: Any) -> Any:
        return {} if next(early, False) else await look(self, *given)

    monkeypatch.setattr(PostgresBatches, "requested", looks_early)
    again = ids(await create(tenant, *of_round(3), all_or_none=all_or_none, request_id="r"))
    assert again == first
    assert await of_tenant(stack) == 3


@BOTH_MODES
async def test_a_repeat_starts_what_was_stored_and_not_started(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch, all_or_none: bool
) -> None:
    """The server dies between storing the matches and starting them."""

    async def dies(*_: Any) -> None:
        raise LogUnavailable("the process was killed")

    with monkeypatch.context() as patch:
        patch.setattr(PostgresBatches, "start", dies)
        asked = batch(*of_round(3), all_or_none=all_or_none, request_id="r")
        assert (await tenant.refused("CreateMatches", asked)).reason == "LOG_UNAVAILABLE"
    assert await of_tenant(stack) == 3
    again = await create(tenant, *of_round(3), all_or_none=all_or_none, request_id="r")
    assert {(one.created.match.status, one.created.match.version) for one in again} == {(RUNNING, 1)}
    assert await of_tenant(stack) == 3


async def test_a_match_that_was_not_started_starts_when_somebody_looks(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(*_: Any) -> None:
        raise LogUnavailable("the process was killed")

    monkeypatch.setattr(PostgresBatches, "start", dies)
    await tenant.refused("CreateMatches", batch(a_match(reference="one")))
    known = await stack.logs[0].batches.referred("one", ["one"])
    assert (await tenant.view(str(known["one"]))).version == 1


async def test_a_repeat_creates_what_a_killed_server_did_not(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two steps, the server dies before the second."""
    create_one, steps = PostgresBatches.create, iter([True, False])

    async def dies(self: PostgresBatches, *given: Any, **named: Any) -> Any:
        if not next(steps):
            raise LogUnavailable("the process was killed")
        return await create_one(self, *given, **named)

    asked = of_round(STEP + 10)
    with monkeypatch.context() as patch:
        patch.setattr(PostgresBatches, "create", dies)
        request = batch(*asked, all_or_none=False, request_id="r")
        assert (await tenant.refused("CreateMatches", request)).reason == "LOG_UNAVAILABLE"
    assert await of_tenant(stack) == STEP
    again = await create(tenant, *asked, all_or_none=False, request_id="r")
    assert len(set(ids(again))) == await of_tenant(stack) == STEP + 10


async def test_a_match_whose_start_is_left_out_is_started_alone(
    tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def starts_none(*_: Any) -> frozenset[Any]:
        return frozenset()

    monkeypatch.setattr(PostgresBatches, "start", starts_none)
    results = await create(tenant, *of_round(2))
    assert {(one.created.match.status, one.created.match.version) for one in results} == {(RUNNING, 1)}


async def test_a_tenant_with_too_many_batches_under_way_waits_or_is_told_so(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One batch of a tenant is under way, four wait; more are refused, and other tenants are not."""
    held, create_one = asyncio.Event(), PostgresBatches.create

    async def waits(self: PostgresBatches, *given: Any, **named: Any) -> Any:
        await held.wait()
        return await create_one(self, *given, **named)

    monkeypatch.setattr(PostgresBatches, "create", waits)
    under_way = [asyncio.create_task(create(tenant, a_match())) for _ in range(5)]
    await asyncio.sleep(0.3)
    refused = await tenant.refused("CreateMatches", batch(a_match()))
    assert (refused.reason, refused.info.metadata["bucket"]) == ("RATE_LIMITED", "match_batches_of_caller")
    theirs = asyncio.create_task(create(stack.player("ft_test_two"), a_match()))
    await asyncio.sleep(0.1)
    held.set()
    assert all([ids(await one) for one in (*under_way, theirs)])
