"""The match directory: what it lists, in which order, and who may ask."""

from __future__ import annotations

import asyncio
import itertools
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from platform_stack import Account, Platform

from foldtable.matches.v1 import match_pb2
from foldtable.platform.v1 import directory_pb2 as pb
from services.movelog.chain import genesis_hash
from services.movelog.records import (
    Append,
    Match,
    Move,
    SeatRecord,
    SeatState,
    StartRule,
    Status,
    Visibility,
)
from services.rpc.cursors import cursor
from tests.support.new_matches import new_match

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
GAMES = ("harbour", "lagoon")
PLAYERS = ("ann", "ruth", "omar", "")
WAITING, RUNNING, ENDED = (
    match_pb2.MATCH_STATUS_WAITING,
    match_pb2.MATCH_STATUS_RUNNING,
    match_pb2.MATCH_STATUS_ENDED,
)
PRIVATE, UNLISTED, PUBLIC = (
    match_pb2.MATCH_VISIBILITY_PRIVATE,
    match_pb2.MATCH_VISIBILITY_UNLISTED,
    match_pb2.MATCH_VISIBILITY_PUBLIC,
)
EVERY_KIND = [PRIVATE, UNLISTED, PUBLIC]


def a_match(number: int, **given: Any) -> Match:
    """A match with a number for an id, so that what was made later has the larger one."""
    moment = NOON + timedelta(seconds=number)
    made = {"id": UUID(int=number + 1), "created_at": moment, "updated_at": moment}
    return new_match(**made | {"tenant": "acme", "seats": 2, "visibility": Visibility.PUBLIC} | given)


def taken(*players: str) -> list[SeatRecord]:
    return [
        SeatRecord(seat=seat, state=SeatState.TAKEN, player=player) for seat, player in enumerate(players)
    ]


HASH = b"h" * 32
"""Of every row; nobody here checks more than that one follows the other."""


async def moved(
    platform: Platform, match: Match, status: Status, to_act: tuple[int, ...], *, at: datetime, seq: int = 1
) -> None:
    move = Move(
        match_id=match.id,
        seq=seq,
        seat=None,
        request_id=f"move {seq}",
        request=b"{}",
        events=b"[]",
        previous_hash=genesis_hash(match) if seq == 1 else HASH,
        hash=HASH,
        recorded_at=at,
    )
    await platform.log.append(
        Append(
            move=move,
            status=status,
            to_act=to_act,
            outcome=None
            if status is not Status.ENDED
            else b'{"reason":"r","rule":"1","winners":[],"results":[]}',
        )
    )


@pytest.fixture
async def acme(platform: Platform) -> Account:
    return await platform.holding("acme", "matches:read")


@pytest.fixture
async def harbour(platform: Platform) -> list[dict[str, Any]]:
    """Seventy-two matches of all kinds, and beside each what a listing should find in it."""
    told = []
    combinations = itertools.product(GAMES, Visibility, Status, range(4))
    for number, (game, visibility, status, turn) in enumerate(combinations):
        match = a_match(number, game=game, visibility=visibility)
        players = (PLAYERS[turn], PLAYERS[(turn + 1) % 4])
        is_open = status is Status.WAITING and turn % 2 == 0
        seats = taken(*players[:1] if is_open else players)
        await platform.log.create(match, seats)
        active = match.updated_at
        to_act: tuple[int, ...] = ()
        if status is not Status.WAITING:
            to_act = (turn % 2,) if status is Status.RUNNING else ()
            active = NOON + timedelta(minutes=(number * 7) % 50, seconds=number % 60)
            await moved(platform, match, status, to_act, at=active)
        told.append(
            {
                "id": str(match.id),
                "game": game,
                "visibility": visibility,
                "status": status,
                "players": {seat.player for seat in seats} - {""},
                "waiting_for": {seats[seat].player for seat in to_act} - {""},
                "open": is_open,
                "active": active,
            }
        )
    await platform.log.create(a_match(1_000, tenant="another"), taken("ann"))
    return told


async def every_page(account: Account, page_size: int = 7, **asked: Any) -> list[str]:
    found: list[str] = []
    token = ""
    while True:
        page = await account.call(
            "ListMatches", pb.ListMatchesRequest(page_size=page_size, page_token=token, **asked)
        )
        assert len(page.matches) <= page_size
        found += [match.match_id for match in page.matches]
        token = page.next_page_token
        if not token:
            return found


def stamp(moment: datetime) -> Timestamp:
    made = Timestamp()
    made.FromDatetime(moment)
    return made


LATER = NOON + timedelta(minutes=20, seconds=30)


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        pytest.param({}, lambda _: True, id="nothing: every match of the tenant"),
        pytest.param({"visibilities": [PUBLIC]}, lambda m: m["visibility"] == "public", id="public matches"),
        pytest.param({"visibilities": EVERY_KIND}, lambda _: True, id="matches of all kinds"),
        pytest.param(
            {"game": "lagoon", "visibilities": EVERY_KIND}, lambda m: m["game"] == "lagoon", id="a game"
        ),
        pytest.param({"game": "chess", "visibilities": EVERY_KIND}, lambda _: False, id="an unknown game"),
        pytest.param(
            {"statuses": [RUNNING], "visibilities": EVERY_KIND},
            lambda m: m["status"] == "running",
            id="a status",
        ),
        pytest.param(
            {"statuses": [ENDED, WAITING], "visibilities": [UNLISTED]},
            lambda m: m["status"] != "running" and m["visibility"] == "unlisted",
            id="two statuses of unlisted matches",
        ),
        pytest.param({"player": "ruth"}, lambda m: "ruth" in m["players"], id="a player: of all kinds"),
        pytest.param(
            {"player": "ruth", "statuses": [ENDED], "game": "lagoon", "visibilities": [PRIVATE, PUBLIC]},
            lambda m: (
                "ruth" in m["players"]
                and (m["status"], m["game"]) == ("ended", "lagoon")
                and m["visibility"] != "unlisted"
            ),
            id="a player's history at a game",
        ),
        pytest.param({"waiting_for": "ann"}, lambda m: "ann" in m["waiting_for"], id="waiting for a player"),
        pytest.param(
            {"waiting_for": "ann", "player": "ruth"},
            lambda m: "ann" in m["waiting_for"] and "ruth" in m["players"],
            id="waiting for one player, with another",
        ),
        pytest.param(
            {"open_seats": True, "visibilities": [PUBLIC]},
            lambda m: m["open"] and m["visibility"] == "public",
            id="open seats of public matches",
        ),
        pytest.param({"open_seats": True}, lambda m: m["open"], id="open seats"),
        pytest.param(
            {"open_seats": True, "player": "ann"}, lambda m: m["open"] and "ann" in m["players"], id="both"
        ),
        pytest.param(
            {"open_seats": True, "statuses": [RUNNING]}, lambda _: False, id="open seats at what has begun"
        ),
    ],
)
@pytest.mark.parametrize(
    ("order", "key", "backwards"),
    [
        pytest.param(pb.MATCH_ORDER_UNSPECIFIED, "id", True, id="in no order said"),
        pytest.param(pb.MATCH_ORDER_OLDEST_FIRST, "id", False, id="oldest first"),
        pytest.param(pb.MATCH_ORDER_RECENTLY_UPDATED_FIRST, "minute", True, id="recently updated first"),
        pytest.param(
            pb.MATCH_ORDER_LEAST_RECENTLY_UPDATED_FIRST, "minute", False, id="least recently updated first"
        ),
    ],
)
async def test_a_listing_gives_every_match_that_fits_once_and_in_order(
    acme: Account,
    harbour: list[dict[str, Any]],
    asked: dict[str, Any],
    fits: Any,
    order: int,
    key: str,
    backwards: bool,
) -> None:
    def place(match: dict[str, Any]) -> Any:
        minute = match["active"].replace(second=0, microsecond=0)
        return match["id"] if key == "id" else (minute, match["id"])

    expected = [match["id"] for match in sorted(harbour, key=place, reverse=backwards) if fits(match)]
    assert await every_page(acme, **asked, order=order) == expected


@pytest.mark.parametrize("player", ["", "ann"])
async def test_what_has_moved_on_since(acme: Account, harbour: list[dict[str, Any]], player: str) -> None:
    """To the microsecond, although the order is by the minute; and in the order that misses nothing."""
    asked = {"player": player, "visibilities": EVERY_KIND, "updated_since": stamp(LATER)}
    found = await every_page(acme, **asked)
    fitting = {
        match["id"]
        for match in harbour
        if match["active"] >= LATER and (not player or player in match["players"])
    }
    assert set(found) == fitting
    assert len(found) == len(fitting) > 0
    minutes = {match["id"]: match["active"].replace(second=0) for match in harbour}
    assert [minutes[one] for one in found] == sorted(minutes[one] for one in found)


async def test_a_match_in_a_listing_is_as_it_is_anywhere_else(platform: Platform, acme: Account) -> None:
    before = await platform.log.create(a_match(1), taken("ann", "ruth"))
    match = a_match(
        2,
        title="Friday",
        start=StartRule.ON_DEMAND,
        rematch_of=before.id,
        visibility=Visibility.UNLISTED,
        options=b'{"n":1}',
    )
    invited = SeatRecord(seat=1, state=SeatState.INVITED, player="ruth", name="Ruth")
    await platform.log.create(match, [*taken("ann"), invited])
    page = await acme.call("ListMatches", pb.ListMatchesRequest(visibilities=[UNLISTED]))
    (found,) = page.matches
    assert (found.match_id, found.title, found.rematch_of) == (str(match.id), "Friday", str(before.id))
    assert (found.visibility, found.start) == (UNLISTED, match_pb2.START_RULE_ON_DEMAND)
    assert found.options == b'{"n":1}'
    assert [(seat.seat, seat.taken, seat.state, seat.player, seat.name) for seat in found.seats] == [
        (0, True, match_pb2.SEAT_STATE_TAKEN, "ann", ""),
        (1, False, match_pb2.SEAT_STATE_INVITED, "ruth", "Ruth"),
    ]


async def test_the_secret_of_a_match_is_listed_once_it_is_over(platform: Platform, acme: Account) -> None:
    running, over = [await platform.log.create(a_match(number), taken("ann", "ruth")) for number in (1, 2)]
    await moved(platform, running, Status.RUNNING, (0,), at=NOON)
    await moved(platform, over, Status.ENDED, (), at=NOON)
    page = await acme.call("ListMatches", pb.ListMatchesRequest())
    assert {match.match_id: match.secret for match in page.matches} == {
        str(running.id): b"",
        str(over.id): over.secret,
    }


async def test_a_match_leaves_the_lists_of_those_in_play_with_its_last_move(
    platform: Platform, acme: Account
) -> None:
    match = await platform.log.create(a_match(1), taken("ann", "ruth"))
    await moved(platform, match, Status.RUNNING, (0, 1), at=NOON)
    assert await every_page(acme, waiting_for="ruth") == [str(match.id)]
    await moved(platform, match, Status.ENDED, (), at=NOON + timedelta(minutes=1), seq=2)
    assert await every_page(acme, waiting_for="ruth") == []
    assert await every_page(acme, player="ruth", statuses=[ENDED]) == [str(match.id)]
    async with platform.log.pool.connection() as connection:
        cursor = await connection.execute("SELECT DISTINCT match_open FROM seats")
        assert await cursor.fetchall() == [(False,)]


async def test_matches_that_end_in_one_batch_with_others_leave_them_too(
    platform: Platform, acme: Account
) -> None:
    matches = [await platform.log.create(a_match(number), taken("ann", "ruth")) for number in range(24)]
    await asyncio.gather(
        *(
            moved(platform, match, *((Status.ENDED, ()) if number % 3 else (Status.RUNNING, (0,))), at=NOON)
            for number, match in enumerate(matches)
        )
    )
    running = [str(match.id) for number, match in enumerate(matches) if not number % 3]
    assert sorted(await every_page(acme, waiting_for="ann")) == running
    assert len(await every_page(acme, player="ann", statuses=[ENDED])) == 16
    async with platform.log.pool.connection() as connection:
        cursor = await connection.execute("SELECT DISTINCT match_id FROM seats WHERE match_open ORDER BY 1")
        assert [str(match_id) for (match_id,) in await cursor.fetchall()] == running


async def test_a_player_with_two_seats_is_listed_once(platform: Platform, acme: Account) -> None:
    match = await platform.log.create(a_match(1), taken("ann", "ann"))
    await moved(platform, match, Status.RUNNING, (0, 1), at=NOON)
    for order in (pb.MATCH_ORDER_NEWEST_FIRST, pb.MATCH_ORDER_RECENTLY_UPDATED_FIRST):
        assert await every_page(acme, player="ann", order=order) == [str(match.id)]
        assert await every_page(acme, waiting_for="ann", order=order) == [str(match.id)]


async def test_who_pages_by_activity_upwards_misses_nothing_that_moves_on_meanwhile(
    platform: Platform, acme: Account
) -> None:
    matches = [await platform.log.create(a_match(number), taken("ann", "ruth")) for number in range(10)]
    order = pb.MATCH_ORDER_LEAST_RECENTLY_UPDATED_FIRST
    seen: list[str] = []
    token = ""
    for round_ in itertools.count():
        page = await acme.call(
            "ListMatches", pb.ListMatchesRequest(order=order, page_size=3, page_token=token)
        )
        seen += [match.match_id for match in page.matches]
        if not page.next_page_token:
            break
        token = page.next_page_token
        if round_ < 2:
            at = NOON + timedelta(minutes=5 + round_)
            await moved(platform, matches[round_ * 5], Status.RUNNING, (0,), at=at)
    assert set(seen) == {str(match.id) for match in matches}


async def test_tenants_do_not_see_each_other_s_matches(platform: Platform, acme: Account) -> None:
    theirs = await platform.log.create(a_match(1, tenant="another"), taken("ann", "ruth"))
    await moved(platform, theirs, Status.RUNNING, (0,), at=NOON)
    for asked in ({}, {"player": "ann"}, {"waiting_for": "ann"}, {"visibilities": EVERY_KIND}):
        assert await every_page(acme, **asked) == []


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        pytest.param({"page_size": -1}, "$.page_size", id="a page of less than nothing"),
        pytest.param({"player": "x" * 65}, "$.player", id="a player's id too long"),
        pytest.param({"waiting_for": "a\nb"}, "$.waiting_for", id="a line break"),
        pytest.param({"game": "x" * 65}, "$.game", id="a game's id too long"),
        pytest.param({"statuses": [99]}, "$.statuses", id="an unknown status"),
        pytest.param({"visibilities": [99]}, "$.visibilities", id="an unknown visibility"),
        pytest.param({"order": 99}, "$.order", id="an unknown order"),
        pytest.param(
            {"order": pb.MATCH_ORDER_NEWEST_FIRST, "updated_since": stamp(NOON)},
            "$.order",
            id="by creation, of those that moved on since",
        ),
    ],
)
async def test_what_cannot_be_asked(acme: Account, asked: dict[str, Any], field: str) -> None:
    refusal = await acme.refused("ListMatches", pb.ListMatchesRequest(**asked))
    assert (refusal.code, refusal.fields) == (grpc.StatusCode.INVALID_ARGUMENT, [field])


async def test_a_page_token_belongs_to_its_question(
    acme: Account, platform: Platform, harbour: list[dict[str, Any]]
) -> None:
    asked = {"visibilities": EVERY_KIND, "page_size": 5}
    token = (await acme.call("ListMatches", pb.ListMatchesRequest(**asked))).next_page_token
    assert token
    larger = asked | {"page_size": 9}
    assert await acme.call("ListMatches", pb.ListMatchesRequest(**larger, page_token=token))
    stranger = await platform.holding("another", "matches:read")
    for account, changed in (
        (acme, asked | {"game": "lagoon"}),
        (acme, asked | {"order": pb.MATCH_ORDER_OLDEST_FIRST}),
        (stranger, asked),
    ):
        refusal = await account.refused("ListMatches", pb.ListMatchesRequest(**changed, page_token=token))
        assert refusal.reason == "PAGE_TOKEN_INVALID"
    for forged in ("A" * 22, "%%%", "x" * 600, token[:-2], cursor("no id", (b"", b""))):
        refusal = await acme.refused("ListMatches", pb.ListMatchesRequest(**asked, page_token=forged))
        assert refusal.reason == "PAGE_TOKEN_INVALID"
