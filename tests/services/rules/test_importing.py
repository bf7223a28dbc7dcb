"""A match comes back from its export with the same id and the same hashes, once, or not at all."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import grpc
import msgspec
import pytest
from msgspec.structs import replace
from rules_stack import Player, Refusal, Stack

from engine.match.commands import is_command_row
from engine.registry import GAMES
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.matches.v1.abort_pb2 import AbortMatchRequest
from foldtable.matches.v1.fork_pb2 import ForkMatchRequest
from foldtable.matches.v1.history_pb2 import ImportMatchRequest
from foldtable.matches.v1.lobby_pb2 import RematchRequest, RevokeSeatTokensRequest
from services.movelog.chain import row_hash
from services.movelog.records import SeatState
from services.rpc.refusals import Refused
from services.rules.history import importing
from services.rules.history.importing import GENERATION, Importer
from services.rules.wire.uploads import AT_ONCE_OF_TENANT, MAX_DOCUMENT_BYTES, UploadRoom
from tests.support.forked_matches import a_fork
from tests.support.match_documents import a_match, document_of, relinked
from tests.support.memory_log.log import MemoryLog
from tests.support.winding_matches import a_winding_match


def an_export(match_id: UUID | None = None) -> bytes:
    return document_of(*a_match(moves=12, match_id=match_id or uuid4()), "Ada", "Bo")


async def refused(player: Player, document: bytes) -> Refusal:
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await player.import_document(document)
    return Refusal.of(failure.value)


async def exported(player: Player, match_id: str) -> bytes:
    return (await player.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))).document


async def test_an_imported_match_is_the_very_same_row_by_row(stack: Stack, tenant: Player) -> None:
    document = an_export()
    imported = await tenant.import_document(document)
    assert not imported.replayed
    assert await exported(tenant, imported.match.match_id) == document
    assert [(seat.player, seat.name) for seat in imported.match.seats] == [("ada", "Ada"), ("bo", "Bo")]
    verified = await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=imported.match.match_id))
    assert verified.ok
    assert verified.decided_again
    assert (await tenant.view(imported.match.match_id, at_version=3)).version == 3
    (log,) = stack.logs
    stored = await log.own("one", UUID(imported.match.match_id))
    assert stored is not None
    seating = await log.lobby.seating(stored)
    assert {(row.state, row.generation) for row in seating.seats} == {(SeatState.TAKEN, GENERATION)}


async def test_a_match_that_was_called_off_before_it_began_keeps_its_empty_seats(tenant: Player) -> None:
    created = await tenant.create(2, open_seats=True)
    match_id = created.match.match_id
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, seat=1, player="bo"))
    await tenant.call("AbortMatch", AbortMatchRequest(match_id=match_id))
    document = await exported(tenant, match_id)
    elsewhere = MemoryLog()
    await Importer(elsewhere).import_match("two", document)
    stored = await elsewhere.own("two", UUID(match_id))
    assert stored is not None
    seats = (await elsewhere.lobby.seating(stored)).seats
    assert [(row.state, row.player) for row in seats] == [(SeatState.OPEN, ""), (SeatState.TAKEN, "bo")]


async def test_a_match_without_moves_has_not_ended_whatever_it_says(tenant: Player) -> None:
    """It would begin here, with a secret that its sender knows."""
    match, rows = a_match(moves=12, match_id=uuid4())
    refusal = await refused(tenant, document_of(replace(match, version=0), rows[:0], "Ada", "Bo"))
    assert refusal.reason == "IMPORT_BROKEN"
    assert refusal.info.metadata["pointer"] == "/moves"


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_match_in_which_moves_were_taken_back_is_taken_in_like_any_other(
    tenant: Player, game_id: str
) -> None:
    match, rows = a_winding_match(game_id=game_id, match_id=uuid4())
    assert any(is_command_row(row.events) for row in rows)
    document = document_of(match, rows, "Ada", "Bo")
    await tenant.import_document(document)
    assert await exported(tenant, str(match.id)) == document
    verified = await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=str(match.id)))
    assert (verified.ok, verified.decided_again, verified.moves) == (True, True, len(rows))


async def test_an_undo_that_was_not_allowed_is_named_though_every_hash_was_made_anew(tenant: Player) -> None:
    match, rows = a_winding_match(match_id=uuid4())
    number = next(n for n, row in enumerate(rows) if b"move_undone" in row.events)
    events = msgspec.json.decode(rows[number].events)
    events[-1]["to"] -= 1
    forged = msgspec.structs.replace(rows[number], events=msgspec.json.encode(events))
    rows = relinked(match, (*rows[:number], forged, *rows[number + 1 :]))
    refusal = await refused(tenant, document_of(match, rows))
    assert refusal.reason == "IMPORT_BROKEN"
    assert refusal.info.metadata["move"] == str(number + 1)
    assert refusal.info.metadata["pointer"] == f"/moves/{number}/events/{len(events) - 1}/to"


async def test_a_repeat_gets_the_same_answer_and_writes_nothing(tenant: Player) -> None:
    document = an_export()
    first, second = [await tenant.import_document(document) for _ in range(2)]
    assert (first.replayed, second.replayed) == (False, True)
    assert first.match == second.match


async def test_a_match_that_never_left_is_found_to_be_here_and_its_tokens_stay_good(
    stack: Stack, tenant: Player
) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    assert (await tenant.import_document(await exported(tenant, match_id))).replayed
    assert (await stack.player(created.tokens[1].token).get(match_id)).match_id == match_id


async def test_an_id_that_another_tenant_has_is_as_good_as_a_free_one(stack: Stack, tenant: Player) -> None:
    """Whatever the other has under it: nothing that is told tells them apart, and each finds the own match by it."""
    stranger = stack.player("ft_test_two")
    theirs = (await stranger.create(2)).match.match_id
    imported_by_them = uuid4()
    await stranger.import_document(an_export(imported_by_them))
    answers = []
    for match_id in (UUID(theirs), imported_by_them, uuid4()):
        document = document_of(*a_match(moves=9, seed=2, match_id=match_id), "Ada", "Bo")
        assert (await tenant.refused("GetMatch", pb.GetMatchRequest(match_id=str(match_id)))).reason
        first, again = [await tenant.import_document(document) for _ in range(2)]
        assert (first.replayed, again.replayed, first.match) == (False, True, again.match)
        assert first.match.match_id == str(match_id) == (await tenant.get(str(match_id))).match_id
        assert await exported(tenant, str(match_id)) == document
        verified = await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=str(match_id)))
        assert (verified.ok, verified.decided_again) == (True, True)
        first.match.match_id = ""
        answers.append(first.match.SerializeToString(deterministic=True))
    assert answers[0] == answers[1] == answers[2]
    assert (await stranger.get(theirs)).version == 1
    assert (await stranger.get(str(imported_by_them))).version > 9


async def test_somebody_else_s_match_is_refused_after_the_same_looks_as_none(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether its table is at hand or not: how long a refusal takes would tell what its words do not."""
    stranger = stack.player("ft_test_two")
    at_hand = (await stranger.create(2)).match.match_id
    other = stack.player(address=await stack.serve())  # a replica that has not read it
    looks: list[str] = []
    for log in stack.logs:
        for name in ("find", "own", "read"):
            _count(monkeypatch, log, name, looks)
    requests: dict[str, Any] = {
        "GetMatch": pb.GetMatchRequest,
        "GetView": pb.GetViewRequest,
        "ExportMatch": pb.ExportMatchRequest,
        "VerifyMatch": pb.VerifyMatchRequest,
        "JoinMatch": pb.JoinMatchRequest,
        "ForkMatch": ForkMatchRequest,
        "Rematch": RematchRequest,
        "RevokeSeatTokens": RevokeSeatTokensRequest,
    }
    for method, request in requests.items():
        told = set()
        for player in (tenant, other):
            for match_id in (at_hand, str(uuid4())):
                looks.clear()
                refusal = await player.refused(method, request(match_id=match_id))
                told.add((refusal.reason, refusal.message, refusal.code, tuple(looks)))
        assert told == {("MATCH_NOT_FOUND", "there is no such match", grpc.StatusCode.NOT_FOUND, ("own",))}


def _count(monkeypatch: pytest.MonkeyPatch, log: Any, name: str, looks: list[str]) -> None:
    real = getattr(log, name)

    async def counted(*given: Any, **more: Any) -> Any:
        looks.append(name)
        return await real(*given, **more)

    monkeypatch.setattr(log, name, counted)


async def test_another_match_of_the_tenant_s_own_with_the_same_id_is_refused(tenant: Player) -> None:
    own = uuid4()
    await tenant.import_document(an_export(own))
    before = await exported(tenant, str(own))
    taken = await refused(tenant, document_of(*a_match(moves=9, seed=2, match_id=own)))
    assert (taken.reason, taken.fields) == ("MATCH_ID_TAKEN", ["$.match_id"])
    made_here = (await tenant.create(2)).match.match_id
    taken = await refused(tenant, an_export(UUID(made_here)))
    assert (taken.reason, taken.fields) == ("MATCH_ID_TAKEN", ["$.match_id"])
    assert await exported(tenant, str(own)) == before


async def test_tokens_for_an_imported_match_are_good_under_the_id_it_came_with(
    stack: Stack, tenant: Player
) -> None:
    match_id = str((await tenant.import_document(an_export())).match.match_id)
    issued = await tenant.call("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=match_id, seat=0))
    player = stack.player(issued.token.token)
    assert (await player.view(match_id, at_version=3)).version == 3
    assert (await player.get(match_id)).match_id == match_id
    elsewhere = await player.refused("GetMatch", pb.GetMatchRequest(match_id=str(uuid4())))
    assert elsewhere.reason == "SEAT_FORBIDDEN"
    forked = await tenant.call("ForkMatch", ForkMatchRequest(match_id=match_id, version=3))
    assert (await tenant.get(forked.match.forked_from.match_id)).match_id == match_id
    again = await tenant.call("Rematch", RematchRequest(match_id=match_id))
    assert (await tenant.get(again.match.rematch_of)).match_id == match_id


BROKEN: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("not a match", lambda match: match.clear(), "$.match_id"),
    ("a hash", lambda match: match["moves"][3].update(hash="0" * 64), "$.moves[3].hash"),
    ("an event", lambda match: match["moves"][2]["events"].clear(), "$.moves[2].hash"),
    ("a move is gone", lambda match: match["moves"].pop(5), "$.moves[5].seq"),
    ("a name", lambda match: match["players"][0].update(name="Eve"), "$.players_hash"),
    ("the secret", lambda match: match.update(secret="0" * 64), "$.commitment"),
    ("the version", lambda match: match.update(version=3), "$.version"),
]


@pytest.mark.parametrize(("what", "breaks", "place"), BROKEN, ids=[case[0] for case in BROKEN])
async def test_a_broken_file_is_refused_with_the_place(
    tenant: Player, what: str, breaks: Callable[[dict[str, Any]], None], place: str
) -> None:
    del what
    document = msgspec.json.decode(an_export())
    breaks(document)
    refusal = await refused(tenant, msgspec.json.encode(document))
    assert (refusal.reason, refusal.fields) == ("IMPORT_BROKEN", [place])


@pytest.mark.parametrize(
    ("put", "place"),
    [
        pytest.param(b'"seats":2,"seats":2,', "$.seats", id="a name twice"),
        pytest.param(
            b'"seats":2,"options":{"n":12345678901234567890},', "$.options.n", id="an integer too large"
        ),
    ],
)
async def test_a_file_that_parsers_read_differently_is_refused(
    tenant: Player, put: bytes, place: str
) -> None:
    """Whoever shows it to somebody else shows perhaps another match than the one that was checked."""
    document = an_export()
    refusal = await refused(tenant, document.replace(b'"seats":2,', put, 1))
    assert (refusal.reason, refusal.fields) == ("IMPORT_BROKEN", [place])


async def test_a_forged_die_is_named_though_every_hash_was_made_anew(tenant: Player) -> None:
    match, rows = a_match(moves=12, match_id=uuid4())
    events = msgspec.json.decode(rows[0].events)
    number = next(
        n for n, event in enumerate(events) if "seats" in event or "order" in event or len(event) > 1
    )
    name = next(key for key, value in events[number].items() if isinstance(value, list) and len(value) > 1)
    events[number][name] = events[number][name][::-1]
    forged = msgspec.structs.replace(rows[0], events=msgspec.json.encode(events))
    refusal = await refused(tenant, document_of(match, relinked(match, (forged, *rows[1:]))))
    assert refusal.reason == "IMPORT_BROKEN"
    told = refusal.info.metadata
    assert (told["move"], told["event"]) == ("1", str(number))
    assert told["pointer"].startswith(f"/moves/0/events/{number}/{name}")
    assert told["expected"] != told["found"]


async def test_a_moment_that_cannot_be_read_back_is_refused_though_every_hash_was_made_anew(
    tenant: Player,
) -> None:
    """Postgres takes it, and every reading of it would fail from then on, also those of other tenants' changes."""
    match, rows = a_match(moves=6, match_id=uuid4())
    last = rows[-1]
    content = {name: getattr(last, name) for name in last.__struct_fields__}
    for name in ("hash", "previous_hash"):
        content.pop(name)
    document = msgspec.json.decode(document_of(match, rows, "Ada", "Bo"))
    spelled = "9999-12-31T23:59:59.999999-01:00"
    content["recorded_at"] = datetime.fromisoformat(spelled)
    hashed = row_hash(match.secret, last.previous_hash, **content)
    document["moves"][-1].update(recorded_at=spelled, hash=hashed.hex())
    refusal = await refused(tenant, msgspec.json.encode(document))
    assert (refusal.reason, refusal.fields) == (
        "IMPORT_BROKEN",
        [f"$.moves[{len(rows) - 1}].recorded_at"],
    )
    missing = await tenant.refused("GetMatch", pb.GetMatchRequest(match_id=str(match.id)))
    assert missing.reason == "MATCH_NOT_FOUND"


async def test_an_outcome_that_no_answer_has_room_for_is_refused(tenant: Player) -> None:
    """A fork may begin with any number of points, and they are added up in the end."""

    def altered(state: Any) -> Any:
        first, *others = state.players
        return replace(state, players=(replace(first, tally=(2**40, *first.tally[1:])), *others))

    match, rows = a_fork(game_id="river_of_gold", moves=3, altered=altered, match_id=uuid4())
    refusal = await refused(tenant, document_of(match, rows, "Ada", "Bo"))
    assert (refusal.reason, refusal.fields) == ("IMPORT_BROKEN", ["$.outcome"])


async def test_the_export_of_a_running_match_cannot_be_imported(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    assert (await refused(tenant, await exported(tenant, match_id))).reason == "MATCH_NOT_OVER"


async def test_unknown_games_and_rules_are_refused_by_name(tenant: Player) -> None:
    match, rows = a_match(moves=3, match_id=uuid4())
    foreign = msgspec.structs.replace(match, game="chess")
    older = msgspec.structs.replace(match, rules_version="0.0.1")
    assert (await refused(tenant, document_of(foreign, rows))).reason == "GAME_UNKNOWN"
    assert (await refused(tenant, document_of(older, rows))).reason == "RULES_VERSION_UNSUPPORTED"


async def test_a_document_without_end_is_refused(tenant: Player) -> None:
    chunk = b" " * (1024 * 1024)
    parts = (ImportMatchRequest(chunk=chunk) for _ in range(MAX_DOCUMENT_BYTES // len(chunk) + 1))
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await tenant.matches.ImportMatch(parts, metadata=tenant.metadata, timeout=30)
    assert Refusal.of(failure.value).fields == ["$.chunk"]


async def test_imports_that_are_given_up_are_bounded_like_those_that_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thread goes on though nobody waits for it any more; as long as it does, it takes up its turn and its place."""
    room, importer, go_on = UploadRoom(), Importer(MemoryLog()), threading.Event()
    under_way = Busy(go_on)
    monkeypatch.setattr(importing, "_checked", under_way)

    async def one() -> None:
        with room.taken("tenant"):
            await importer.import_match("tenant", b"")

    tasks = [asyncio.create_task(one()) for _ in range(AT_ONCE_OF_TENANT)]
    assert await asyncio.to_thread(under_way.begun.wait, 10)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=0.05)
    assert [task.done() for task in tasks] == [False, True, True, True], "those that had not begun are gone"
    later = [asyncio.create_task(one()) for _ in range(AT_ONCE_OF_TENANT)]
    await asyncio.wait(later, timeout=0.05)
    assert under_way.most == 1
    assert isinstance(later[-1].exception(), Refused), "the place is not free before the thread has ended"
    go_on.set()
    outcomes = await asyncio.gather(*tasks, *later, return_exceptions=True)
    assert {type(one) for one in outcomes} == {asyncio.CancelledError, Unwanted, Refused}
    assert under_way.most == 1
    with room.taken("tenant"):
        pass


class Unwanted(Exception):  # noqa: N818 - the name says what happened
    """What every check says here."""


class Busy:
    """Stands in for a check that takes as long as it is told."""

    def __init__(self, go_on: threading.Event) -> None:
        self._go_on = go_on
        self._lock = threading.Lock()
        self._now = 0
        self.most = 0
        self.begun = threading.Event()

    def __call__(self, tenant: str, data: bytes, *keys: Any) -> None:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        self.begun.set()
        assert self._go_on.wait(10)
        with self._lock:
            self._now -= 1
        raise Unwanted
