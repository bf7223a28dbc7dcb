"""How seats change hands in every log. Each test runs on the log in Postgres and on the one in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest

from services.movelog.chain import genesis_hash
from services.movelog.failures import MatchUnknown, StaleVersion
from services.movelog.lobby import (
    InviteRevoked,
    Lobby,
    LobbyError,
    MatchStarted,
    NoFreeSeat,
    NoOpenMatch,
    QuickJoin,
    SeatFree,
    SeatGiven,
    SeatKept,
    SeatRequest,
    SeatRequestTaken,
    SeatsFree,
    SeatTaken,
    SeatWanted,
)
from services.movelog.log import MoveLog
from services.movelog.records import (
    Append,
    JoinedBy,
    Match,
    SeatClaim,
    SeatRecord,
    SeatState,
    StartRule,
    Visibility,
)

AMatch = Callable[..., Match]
AMove = Callable[..., Append]


def taken(seat: int, player: str, **more: Any) -> SeatRecord:
    return SeatRecord(seat=seat, state=SeatState.TAKEN, player=player, **more)


def kept(seat: int, state: SeatState, player: str = "") -> SeatRecord:
    return SeatRecord(seat=seat, state=state, player=player)


def wanted(seat: int | None = None, player: str = "", **more: Any) -> SeatWanted:
    return SeatWanted(seat=seat, player=player, **more)


MARK = b"the mark of join"


def once(request_id: str, mark: bytes = MARK) -> SeatRequest:
    return SeatRequest(tenant="harbour-platform", request_id=request_id, mark=mark)


def quick(player: str, **more: Any) -> QuickJoin:
    return QuickJoin(
        **{"tenant": "harbour-platform", "game": "harbour", "rules_versions": ("1.0.0",), "player": player}
        | more
    )


async def states(log: MoveLog, match: Match) -> list[str]:
    return [row.state.value for row in (await log.lobby.seating(match.id)).seats]


# ── as created ─────────────────────────────────────────────────────────────────────────────────────


async def test_every_seat_has_a_row_from_the_beginning(log: MoveLog, a_match: AMatch) -> None:
    match = a_match()
    ruth = taken(2, "ruth", name="Ruth", generation=3)
    invited = kept(0, SeatState.INVITED, "ann")
    await log.create(match, [ruth, invited])
    seating = await log.lobby.seating(match.id)
    assert seating.seats == (invited, SeatRecord(seat=1), ruth, SeatRecord(seat=3))
    assert seating.claims == (SeatClaim(seat=2, player="ruth", name="Ruth", generation=3),)
    assert (seating.watch_generation, seating.is_full) == (0, False)


async def test_a_match_keeps_what_its_lobby_says_of_it(log: MoveLog, a_match: AMatch) -> None:
    before = await log.create(a_match(), [])
    match = a_match(
        visibility=Visibility.PUBLIC, start=StartRule.ON_DEMAND, title="Friday é 🐉", rematch_of=before.id
    )
    await log.create(match, [])
    assert await log.find(match.id) == match


async def test_a_match_has_one_rematch(log: MoveLog, match: Match, a_match: AMatch) -> None:
    assert await log.lobby.rematch_of(match.id) is None
    made = await asyncio.gather(*(log.create(a_match(rematch_of=match.id), []) for _ in range(16)))
    assert len({one.id for one in made}) == 1
    assert await log.lobby.rematch_of(match.id) == made[0]


# ── taking a seat ──────────────────────────────────────────────────────────────────────────────────


async def test_a_free_seat_is_claimed(log: MoveLog, match: Match) -> None:
    claimed = await log.lobby.claim(match.id, wanted(2, "ruth", name="Ruth"))
    assert claimed == taken(2, "ruth", name="Ruth", joined_by=JoinedBy.JOIN)
    assert (await log.lobby.seating(match.id)).seats[2] == claimed


async def test_a_taken_seat_is_refused_to_another(log: MoveLog, match: Match) -> None:
    await log.lobby.claim(match.id, wanted(2, "ruth"))
    with pytest.raises(SeatTaken):
        await log.lobby.claim(match.id, wanted(2, "ann"))


async def test_a_repeated_claim_of_the_same_player_is_the_same_claim(log: MoveLog, match: Match) -> None:
    first = await log.lobby.claim(match.id, wanted(2, "ruth"))
    assert await log.lobby.claim(match.id, wanted(2, "ruth")) == first


async def test_nameless_players_are_not_the_same_player(log: MoveLog, match: Match) -> None:
    await log.lobby.claim(match.id, wanted(2))
    with pytest.raises(SeatTaken):
        await log.lobby.claim(match.id, wanted(2))


@pytest.mark.parametrize("seat", [-1, 4, 70_000])
async def test_a_seat_the_match_does_not_have_is_refused(log: MoveLog, match: Match, seat: int) -> None:
    lobby = log.lobby
    for change in (
        lobby.claim(match.id, wanted(seat, "ruth")),
        lobby.leave(match.id, seat, None),
        lobby.invite(match.id, seat, "", ""),
        lobby.revoke(match.id, seat),
    ):
        with pytest.raises(ValueError, match="seats 0 to 3"):
            await change
    assert await states(log, match) == ["open"] * 4


async def test_who_asks_for_any_seat_gets_the_lowest_open_one(log: MoveLog, a_match: AMatch) -> None:
    match = await log.create(a_match(seats=5), [kept(2, SeatState.INVITED), kept(3, SeatState.RESERVED)])
    await log.lobby.claim(match.id, wanted(1, "ruth"))
    assert [(await log.lobby.claim(match.id, wanted(player="ann"))).seat for _ in range(2)] == [0, 4]
    with pytest.raises(NoFreeSeat):
        await log.lobby.claim(match.id, wanted(player="ann"))


async def test_of_32_who_want_one_seat_exactly_one_gets_it(log: MoveLog, match: Match) -> None:
    outcomes = await asyncio.gather(
        *(log.lobby.claim(match.id, wanted(3, f"player-{number}")) for number in range(32)),
        return_exceptions=True,
    )
    assert kinds(outcomes) == {SeatRecord: 1, SeatTaken: 31}


async def test_of_32_who_want_any_seat_each_open_one_goes_once(log: MoveLog, match: Match) -> None:
    outcomes = await asyncio.gather(
        *(log.lobby.claim(match.id, wanted(player=f"player-{number}")) for number in range(32)),
        return_exceptions=True,
    )
    assert sorted(one.seat for one in outcomes if isinstance(one, SeatRecord)) == [0, 1, 2, 3]
    assert kinds(outcomes) == {SeatRecord: 4, NoFreeSeat: 28}


async def test_a_request_to_join_is_granted_once(log: MoveLog, match: Match) -> None:
    request = once("join-1")
    outcomes = await asyncio.gather(
        *(log.lobby.claim(match.id, wanted(player="ruth", request=request)) for _ in range(32)),
        return_exceptions=True,
    )
    assert kinds(outcomes) == {SeatRecord: 1, SeatRequestTaken: 31}
    (granted,) = [one for one in outcomes if isinstance(one, SeatRecord)]
    assert await log.lobby.requested("harbour-platform", "join-1") == SeatGiven(
        match_id=match.id, seat=granted.seat, mark=MARK, generation=0
    )
    assert await log.lobby.requested("another-platform", "join-1") is None
    assert (await states(log, match)).count("taken") == 1


async def test_a_refused_request_to_join_can_be_made_again(log: MoveLog, match: Match) -> None:
    await log.lobby.claim(match.id, wanted(0, "ann"))
    with pytest.raises(SeatTaken):
        await log.lobby.claim(match.id, wanted(0, "ruth", request=once("join-1")))
    assert await log.lobby.requested("harbour-platform", "join-1") is None
    assert (await log.lobby.claim(match.id, wanted(1, "ruth", request=once("join-1")))).seat == 1


async def test_a_request_to_join_keeps_the_generation_its_seat_had(log: MoveLog, match: Match) -> None:
    for number, request_id in enumerate(("join-1", "join-2")):
        await log.lobby.claim(match.id, wanted(0, "ruth", request=once(request_id)))
        await log.lobby.revoke(match.id, 0)
        await log.lobby.leave(match.id, 0, None)
        assert await log.lobby.requested("harbour-platform", request_id) == SeatGiven(
            match_id=match.id, seat=0, mark=MARK, generation=2 * number
        )


# ── seats that are kept ────────────────────────────────────────────────────────────────────────────


async def test_an_invited_seat_is_for_its_invite(log: MoveLog, match: Match) -> None:
    invite = (await log.lobby.invite(match.id, 1, "ruth", "Ruth")).invite_generation
    with pytest.raises(SeatKept):
        await log.lobby.claim(match.id, wanted(1, "ruth"))
    claimed = await log.lobby.claim(match.id, wanted(1, invite=invite, by=JoinedBy.INVITE))
    assert (claimed.player, claimed.name, claimed.joined_by) == ("ruth", "Ruth", JoinedBy.INVITE)


async def test_an_invite_is_used_once(log: MoveLog, match: Match) -> None:
    invite = (await log.lobby.invite(match.id, 1, "", "")).invite_generation
    outcomes = await asyncio.gather(
        *(log.lobby.claim(match.id, wanted(1, invite=invite, by=JoinedBy.INVITE)) for _ in range(32)),
        return_exceptions=True,
    )
    assert kinds(outcomes) == {SeatRecord: 1, SeatTaken: 31}
    await log.lobby.leave(match.id, 1, None)
    assert await states(log, match) == ["open", "invited", "open", "open"]
    with pytest.raises(InviteRevoked):
        await log.lobby.claim(match.id, wanted(1, invite=invite, by=JoinedBy.INVITE))


async def test_a_new_invite_revokes_the_one_before(log: MoveLog, match: Match) -> None:
    first = (await log.lobby.invite(match.id, 1, "", "")).invite_generation
    second = (await log.lobby.invite(match.id, 1, "", "")).invite_generation
    with pytest.raises(InviteRevoked):
        await log.lobby.claim(match.id, wanted(1, invite=first, by=JoinedBy.INVITE))
    assert (await log.lobby.claim(match.id, wanted(1, invite=second, by=JoinedBy.INVITE))).seat == 1


async def test_nobody_is_invited_to_a_taken_seat(log: MoveLog, match: Match) -> None:
    await log.lobby.claim(match.id, wanted(1, "ruth"))
    with pytest.raises(SeatTaken):
        await log.lobby.invite(match.id, 1, "ann", "")


async def test_a_reserved_seat_is_for_its_player(log: MoveLog, a_match: AMatch) -> None:
    match = await log.create(a_match(), [kept(1, SeatState.RESERVED, "ruth"), kept(2, SeatState.RESERVED)])
    with pytest.raises(SeatKept):
        await log.lobby.claim(match.id, wanted(1, "ann"))
    with pytest.raises(SeatKept):
        await log.lobby.claim(match.id, wanted(2))
    claimed = await log.lobby.claim(match.id, wanted(1, "ruth", by=JoinedBy.REMATCH))
    assert (claimed.state, claimed.joined_by) == (SeatState.TAKEN, JoinedBy.REMATCH)


# ── leaving and revoking ───────────────────────────────────────────────────────────────────────────


async def test_who_leaves_frees_the_seat_and_loses_its_tokens(log: MoveLog, match: Match) -> None:
    claimed = await log.lobby.claim(match.id, wanted(1, "ruth", name="Ruth"))
    freed = await log.lobby.leave(match.id, 1, claimed.generation)
    assert (freed.state, freed.player, freed.name, freed.generation) == (SeatState.OPEN, "", "", 1)
    assert (await log.lobby.claim(match.id, wanted(1, "ann"))).generation == 1


async def test_an_old_token_frees_nobody_else_s_seat(log: MoveLog, match: Match) -> None:
    await log.lobby.claim(match.id, wanted(1, "ruth"))
    await log.lobby.leave(match.id, 1, 0)
    await log.lobby.claim(match.id, wanted(1, "ann"))
    with pytest.raises(SeatFree):
        await log.lobby.leave(match.id, 1, 0)
    assert [claim.player for claim in (await log.lobby.seating(match.id)).claims] == ["ann"]


async def test_a_seat_that_was_kept_can_be_opened(log: MoveLog, match: Match) -> None:
    await log.lobby.invite(match.id, 1, "ruth", "")
    await log.lobby.leave(match.id, 1, None)
    assert (await log.lobby.claim(match.id, wanted(1, "ann"))).player == "ann"


async def test_nobody_leaves_a_free_seat(log: MoveLog, match: Match) -> None:
    with pytest.raises(SeatFree):
        await log.lobby.leave(match.id, 1, None)


async def test_revoking_raises_what_tokens_and_invites_are_checked_against(
    log: MoveLog, match: Match
) -> None:
    await log.lobby.claim(match.id, wanted(1, "ruth"))
    revoked = await log.lobby.revoke(match.id, 1)
    assert (revoked.state, revoked.player) == (SeatState.TAKEN, "ruth")
    assert (revoked.generation, revoked.invite_generation) == (1, 1)
    assert [await log.lobby.revoke_watchers(match.id) for _ in range(2)] == [1, 2]
    assert (await log.lobby.seating(match.id)).watch_generation == 2
    assert (await log.find(match.id)).watch_generation == 2


# ── starting ───────────────────────────────────────────────────────────────────────────────────────


async def fill(lobby: Lobby, match: Match, count: int) -> None:
    for seat in range(count):
        await lobby.claim(match.id, wanted(seat, f"player-{seat}"))


async def test_a_full_match_starts(log: MoveLog, match: Match, a_move: AMove) -> None:
    await fill(log.lobby, match, 4)
    start = a_move(match, seat=None)
    await log.lobby.start(start, 4)
    assert (await log.find(match.id)).version == 1
    assert await log.read(match.id) == [start.move]


async def test_a_match_may_start_without_its_last_seats(
    log: MoveLog, match: Match, a_match: AMatch, a_move: AMove
) -> None:
    await fill(log.lobby, match, 3)
    from msgspec.structs import replace

    smaller = replace(match, seats=3)
    await log.lobby.start(a_move(smaller, seat=None), 3)
    stored = await log.find(match.id)
    assert (stored.seats, stored.seats_left_out, stored.version) == (3, 1, 1)
    assert [row.seat for row in (await log.lobby.seating(match.id)).seats] == [0, 1, 2]
    assert (await log.read(match.id))[0].previous_hash == genesis_hash(stored)


@pytest.mark.parametrize("count", [1, 3, 4])
async def test_a_match_does_not_start_with_other_seats_than_those_taken(
    log: MoveLog, match: Match, a_move: AMove, count: int
) -> None:
    await log.lobby.claim(match.id, wanted(0, "ruth"))
    await log.lobby.claim(match.id, wanted(2, "ann"))
    with pytest.raises(SeatsFree):
        await log.lobby.start(a_move(match, seat=None), count)
    assert await log.find(match.id) == match
    assert len(await states(log, match)) == 4


async def test_a_match_starts_once(log: MoveLog, match: Match, a_move: AMove) -> None:
    await fill(log.lobby, match, 4)
    outcomes = await asyncio.gather(
        *(log.lobby.start(a_move(match, seat=None), 4) for _ in range(8)), return_exceptions=True
    )
    assert kinds(outcomes) == {type(None): 1, StaleVersion: 7}


async def test_seats_change_hands_no_more_once_the_match_has_begun(
    log: MoveLog, match: Match, a_move: AMove
) -> None:
    await fill(log.lobby, match, 4)
    await log.lobby.start(a_move(match, seat=None), 4)
    with pytest.raises(MatchStarted):
        await log.lobby.leave(match.id, 1, None)
    with pytest.raises(MatchStarted):
        await log.lobby.invite(match.id, 1, "", "")
    with pytest.raises(NoFreeSeat):
        await log.lobby.claim(match.id, wanted(player="late"))
    with pytest.raises(SeatTaken):
        await log.lobby.claim(match.id, wanted(1, "late"))


async def test_whoever_leaves_while_the_match_starts_either_leaves_or_plays(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    for _ in range(20):
        match = await log.create(a_match(seats=2), [taken(0, "ann"), taken(1, "ruth")])
        left, started = await asyncio.gather(
            log.lobby.leave(match.id, 1, None),
            log.lobby.start(a_move(match, seat=None), 2),
            return_exceptions=True,
        )
        version = (await log.find(match.id)).version
        if isinstance(left, SeatRecord):
            assert (isinstance(started, SeatsFree), version) == (True, 0)
        else:
            assert (isinstance(left, MatchStarted), started, version) == (True, None, 1)


async def test_whoever_joins_while_the_match_starts_without_the_seat_either_joins_or_is_late(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    from msgspec.structs import replace

    for _ in range(20):
        match = await log.create(a_match(seats=3), [taken(0, "ann"), taken(1, "ruth")])
        joined, started = await asyncio.gather(
            log.lobby.claim(match.id, wanted(player="late")),
            log.lobby.start(a_move(replace(match, seats=2), seat=None), 2),
            return_exceptions=True,
        )
        stored = await log.find(match.id)
        if isinstance(joined, SeatRecord):
            assert (isinstance(started, SeatsFree), stored.version, stored.seats) == (True, 0, 3)
        else:
            assert (isinstance(joined, NoFreeSeat), started, stored.seats) == (True, None, 2)


# ── quick-join ─────────────────────────────────────────────────────────────────────────────────────


async def test_quick_join_takes_a_seat_at_the_oldest_public_match(log: MoveLog, a_match: AMatch) -> None:
    first, second = (a_match(id=UUID(int=n), visibility=Visibility.PUBLIC, seats=2) for n in (1, 2))
    for match in (second, first):
        await log.create(match, [taken(0, "ann")])
    joined = await log.lobby.quick_join(quick("ruth", name="Ruth"), None)
    assert joined == (first.id, taken(1, "ruth", name="Ruth", joined_by=JoinedBy.QUICK_JOIN))
    assert (await log.lobby.quick_join(quick("omar"), None))[0] == second.id
    with pytest.raises(NoOpenMatch):
        await log.lobby.quick_join(quick("eve"), None)


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        pytest.param({"visibility": Visibility.UNLISTED}, {}, id="an unlisted match"),
        pytest.param({"visibility": Visibility.PRIVATE}, {}, id="a private match"),
        pytest.param({"tenant": "another-platform"}, {}, id="another tenant's match"),
        pytest.param({"game": "chess"}, {}, id="another game"),
        pytest.param({"rules_version": "0.9.0"}, {}, id="rules that are served no more"),
        pytest.param({}, {"seats": 2}, id="another number of players"),
        pytest.param({}, {"options": b'{"board":"night"}'}, id="other options"),
        pytest.param({}, {"player": "ann"}, id="a match the player sits at already"),
    ],
)
async def test_quick_join_passes_over(
    log: MoveLog, a_match: AMatch, stored: dict[str, Any], asked: dict[str, Any]
) -> None:
    match = a_match(**{"visibility": Visibility.PUBLIC} | stored)
    await log.create(match, [taken(0, "ann")])
    with pytest.raises(NoOpenMatch):
        await log.lobby.quick_join(quick(**{"player": "ruth"} | asked), None)
    assert (await states(log, match)).count("taken") == 1


async def test_quick_join_takes_a_match_of_older_rules_that_are_still_played(
    log: MoveLog, a_match: AMatch
) -> None:
    """Who waited at a table when new rules came waits no longer than others."""
    match = a_match(visibility=Visibility.PUBLIC, rules_version="0.9.0")
    await log.create(match, [taken(0, "ann")])
    joined = await log.lobby.quick_join(quick("ruth", rules_versions=("1.0.0", "0.9.0")), None)
    assert joined[0] == match.id


async def test_quick_join_passes_over_seats_that_are_kept_and_matches_that_run(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    public = {"visibility": Visibility.PUBLIC, "seats": 2}
    await log.create(a_match(**public), [taken(0, "ann"), kept(1, SeatState.INVITED)])
    running = await log.create(a_match(**public), [taken(0, "ann")])
    await log.lobby.start(a_move(running, seat=None), 1)
    with pytest.raises(NoOpenMatch):
        await log.lobby.quick_join(quick("ruth"), None)


async def test_quick_join_makes_a_match_for_want_of_one(log: MoveLog, a_match: AMatch) -> None:
    match = a_match(visibility=Visibility.PUBLIC, seats=2)
    joined = await log.lobby.quick_join(quick("ruth", request=once("quick-1")), match)
    assert joined == (match.id, taken(0, "ruth", joined_by=JoinedBy.QUICK_JOIN))
    assert await log.find(match.id) == match
    given = await log.lobby.requested("harbour-platform", "quick-1")
    assert given is not None
    assert (given.match_id, given.seat) == (match.id, 0)


async def test_32_who_quick_join_at_once_meet_at_as_few_matches_as_will_seat_them(
    log: MoveLog, a_match: AMatch
) -> None:
    joined = await asyncio.gather(
        *(
            log.lobby.quick_join(quick(f"player-{n}"), a_match(visibility=Visibility.PUBLIC, seats=4))
            for n in range(32)
        )
    )
    assert len({(match_id, row.seat) for match_id, row in joined}) == 32
    assert len({match_id for match_id, _ in joined}) == 8


async def test_a_player_who_quick_joins_many_times_at_once_never_sits_twice_at_one_match(
    log: MoveLog, a_match: AMatch
) -> None:
    for _ in range(4):
        await log.create(a_match(visibility=Visibility.PUBLIC, seats=4), [])
    outcomes = await asyncio.gather(
        *(log.lobby.quick_join(quick("ruth"), None) for _ in range(8)), return_exceptions=True
    )
    assert kinds(outcomes) == {tuple: 4, NoOpenMatch: 4}
    assert len({one[0] for one in outcomes if isinstance(one, tuple)}) == 4


async def test_a_player_who_quick_joins_many_times_at_once_makes_no_match_to_sit_at_twice(
    log: MoveLog, a_match: AMatch
) -> None:
    outcomes = await asyncio.gather(
        *(log.lobby.quick_join(quick("ruth"), a_match(visibility=Visibility.PUBLIC)) for _ in range(8))
    )
    assert len({match_id for match_id, _ in outcomes}) == 8


async def test_a_quick_join_asked_for_many_times_at_once_takes_one_seat(
    log: MoveLog, a_match: AMatch
) -> None:
    outcomes: list[Any] = await asyncio.gather(
        *(
            log.lobby.quick_join(
                quick("", request=once("quick-1")), a_match(visibility=Visibility.PUBLIC, seats=4)
            )
            for _ in range(32)
        ),
        return_exceptions=True,
    )
    assert kinds(outcomes) == {tuple: 1, SeatRequestTaken: 31}


# ── who hears of it, and who cannot ────────────────────────────────────────────────────────────────


async def test_every_change_of_seats_is_heard(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    heard: list[tuple[UUID | None, bool]] = []
    stop = log.subscribe_to_all(lambda match_id, seats: heard.append((match_id, seats)))
    match = a_match(seats=2, visibility=Visibility.PUBLIC)
    await asyncio.sleep(0.2)  # a log in Postgres first says once that it has begun to listen

    async def told(change: Awaitable[object]) -> list[tuple[UUID | None, bool]]:
        heard.clear()
        await change
        return list(heard)

    lobby = log.lobby
    for change in (
        lambda: log.create(match, [taken(0, "ann")]),
        lambda: lobby.claim(match.id, wanted(player="ruth")),
        lambda: lobby.leave(match.id, 1, None),
        lambda: lobby.invite(match.id, 1, "", ""),
        lambda: lobby.leave(match.id, 1, None),
        lambda: lobby.revoke(match.id, 0),
        lambda: lobby.revoke_watchers(match.id),
        lambda: lobby.quick_join(quick("omar"), None),
        lambda: lobby.start(a_move(match, seat=None), 2),
    ):
        assert await told(change()) == [(match.id, True)]
    (first,) = await log.read(match.id)
    assert await told(log.append(a_move(match, 2, first.hash))) == [(match.id, False)]
    stop()
    assert await told(lobby.revoke(match.id, 0)) == []


async def test_an_unknown_match_is_unknown_to_every_call(
    log: MoveLog, a_match: AMatch, a_move: AMove, unknown_match: UUID
) -> None:
    lobby = log.lobby
    for call in (
        lobby.seating(unknown_match),
        lobby.claim(unknown_match, wanted()),
        lobby.claim(unknown_match, wanted(0)),
        lobby.leave(unknown_match, 0, None),
        lobby.invite(unknown_match, 0, "", ""),
        lobby.revoke(unknown_match, 0),
        lobby.revoke_watchers(unknown_match),
        lobby.start(a_move(a_match(id=unknown_match)), 1),
    ):
        with pytest.raises(MatchUnknown):
            await call
    assert await lobby.rematch_of(unknown_match) is None


async def test_text_that_no_log_could_hold_is_refused(log: MoveLog, match: Match) -> None:
    for player, name in (("nul\0", ""), ("", "\ud800")):
        with pytest.raises(ValueError, match=r"."):
            await log.lobby.claim(match.id, wanted(player=player, name=name))
    assert await states(log, match) == ["open"] * 4


async def test_refusals_name_no_player(log: MoveLog, match: Match) -> None:
    await log.lobby.claim(match.id, wanted(0, "ruth-of-the-harbour"))
    with pytest.raises(LobbyError) as refused:
        await log.lobby.claim(match.id, wanted(0, "ann-of-the-harbour"))
    assert "harbour" not in str(refused.value)


def kinds(outcomes: list[Any]) -> dict[type, int]:
    found: dict[type, int] = {}
    for outcome in outcomes:
        found[type(outcome)] = found.get(type(outcome), 0) + 1
    return found
