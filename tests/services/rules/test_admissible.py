"""One set of rules for what may be said of a match and its players: made here, joined, renamed, or imported."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import grpc
import msgspec
import pytest
from msgspec.structs import replace
from rules_stack import Player, Refusal, Stack

from foldtable.matches.v1 import lobby_pb2, player_session_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.movelog.chain import genesis_hash, row_hash
from services.movelog.export.format import whole_move, write_document
from services.movelog.lobby import SeatChange
from services.movelog.records import Match, Move, SeatClaim, Status
from services.rpc.refusals import Refused
from services.rules.history import importing
from services.rules.history.importing import Importer
from services.rules.match.loaded_match import LoadedMatch
from tests.proofs.upgrades.samples import Sample, stored
from tests.support.match_documents import CREATED_AT, a_match, document_of
from tests.support.memory_log.log import MemoryLog

ALLOWED = (
    "",
    "Ada",
    "Ada Lovelace",
    "Zoë",
    "李小龍",
    "אדה",
    "عادة",
    "🦀",
    "x" * 64,
    "👨‍👩‍👧",
    "می‌خواهم",
    "Zoé\u202f!",
    "山田\u3000太郎",
    "\U00010d50",
)
"""Letters that are written from right to left are no steering characters; joiners, and letters that this Python does not know,
are text (tests/services/test_free_text.py)."""
FORBIDDEN = {
    "a control character": "Ada\x1b[2J",
    "a line feed": "Ada\nBo",
    "from right to left from here": "Ada\u202eoB",
    "an isolate": "Ada\u2066Bo\u2069",
    "a noncharacter": "Ada\ufdd0",
    "nothing visible": "\u3164 ",
    "a line separator": "Ada\u2028Bo",
    "too long": "x" * 101,
}


def a_document(player: str = "ada", name: str = "Ada", **head: Any) -> bytes:
    match, rows = a_match(moves=4, match_id=uuid4())
    claims = [SeatClaim(seat=0, player=player, name=name), SeatClaim(seat=1, player="bo")]
    return _written(match, rows, claims)


def _written(match: Match, rows: Sequence[Move], claims: Sequence[SeatClaim]) -> bytes:
    return write_document(match, [whole_move(row) for row in rows], claims=claims)


async def imported(document: bytes) -> str:
    """Return where a document is refused, or nothing."""
    try:
        await Importer(MemoryLog()).import_match("one", document)
    except Refused as refusal:
        return (refusal.field or "?") if refusal.reason == "IMPORT_BROKEN" else refusal.reason
    return ""


@pytest.mark.parametrize("text", ALLOWED)
async def test_what_may_be_said_here_may_be_imported(tenant: Player, text: str) -> None:
    await tenant.create(2, seating=[lobby_pb2.SeatPlan(player=text, name=text), lobby_pb2.SeatPlan()])
    assert await imported(a_document(player=text, name=text)) == ""


@pytest.mark.parametrize("what", FORBIDDEN)
async def test_what_nobody_may_say_here_nobody_imports(tenant: Player, what: str) -> None:
    text = FORBIDDEN[what]
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, player="ada"))
    sayings: dict[str, tuple[str, Any]] = {
        "$.players[0]": ("CreateMatch", {"players": [text]}),
        "$.seating[0].player": ("CreateMatch", {"seating": [lobby_pb2.SeatPlan(player=text)] * 2}),
        "$.seating[0].name": ("CreateMatch", {"seating": [lobby_pb2.SeatPlan(name=text)] * 2}),
        "$.title": ("CreateMatch", {"title": text}),
    }
    for field, (method, said) in sayings.items():
        request = pb.CreateMatchRequest(game="river_dragons", seats=2, **said)
        assert (await tenant.refused(method, request)).fields == [field]
    joining = pb.JoinMatchRequest(match_id=match_id, player="bo", name=text)
    assert (await tenant.refused("JoinMatch", joining)).fields == ["$.name"]
    renaming = lobby_pb2.UpdateSeatRequest(match_id=match_id, seat=0, name=text)
    assert (await tenant.refused("UpdateSeat", renaming)).fields == ["$.name"]
    inviting = lobby_pb2.InviteToSeatRequest(match_id=match_id, seat=1, player=text)
    assert (await tenant.refused("InviteToSeat", inviting)).fields == ["$.player"]
    if what != "too long":  # an import's schema says so first
        assert await imported(a_document(name=text)) == "$.players[0].name"
        assert await imported(a_document(player=text)) == "$.players[0].player"


async def test_a_seat_is_named_once(tenant: Player) -> None:
    match, rows = a_match(moves=4, match_id=uuid4())
    ada, eve, far = (
        SeatClaim(seat=seat, player=player) for seat, player in ((0, "ada"), (0, "eve"), (7, "far"))
    )
    assert await imported(_written(match, rows, [ada, eve])) == "$.players[1].seat"
    assert await imported(_written(match, rows, [ada, far])) == "$.players[1].seat"


async def test_one_player_may_have_several_seats_here_and_so_in_an_import(
    stack: Stack, tenant: Player
) -> None:
    """Two at one screen, or somebody trying a game out; a platform that wants no such match makes none."""
    match_id = (await tenant.create(2, players=["ada", "ada"])).match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    exported = await tenant.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))
    assert await imported(exported.document) == ""


async def test_there_is_no_match_with_the_id_of_none(tenant: Player) -> None:
    match, rows = a_match(moves=4, match_id=UUID(int=0))
    assert await imported(document_of(match, rows, "Ada", "Bo")) == "$.match_id"


def told_at(match: Match, rows: Sequence[Move], seconds: Sequence[float]) -> bytes:
    """Return the document with other times, and every hash made anew."""
    made: list[Move] = []
    for row, moment in zip(rows, seconds, strict=True):
        previous = made[-1].hash if made else genesis_hash(match)
        content = {name: getattr(row, name) for name in row.__struct_fields__}
        content |= {"recorded_at": CREATED_AT + timedelta(seconds=moment)}
        del content["hash"], content["previous_hash"]
        digest = row_hash(match.secret, previous, **content)
        made.append(Move(previous_hash=previous, hash=digest, **content))
    return document_of(replace(match, updated_at=made[-1].recorded_at), made, "Ada", "Bo")


async def test_time_does_not_run_backwards() -> None:
    """But for so much as servers' clocks may differ: older releases wrote each what its own said."""
    match, rows = a_match(moves=2, match_id=uuid4())
    assert len(rows) == 4
    far = (datetime.now(UTC) - CREATED_AT).total_seconds() + 3_600
    cases: dict[tuple[float, ...], str] = {
        (1, 2, 3, 4): "",
        (0, 0, 0, 0): "",
        (30, 1, 50, 2): "",
        (-3_600, 1, 2, 3): "$.moves[0].recorded_at",
        (1, 3_600, 2, 3): "$.moves[2].recorded_at",
        (1, 2, 3, -100): "$.moves[3].recorded_at",
        (1, 2, 3, far): "$.moves[3].recorded_at",
    }
    assert {times: await imported(told_at(match, rows, times)) for times in cases} == cases


async def test_no_match_was_created_in_a_time_to_come() -> None:
    match, rows = a_match(moves=2, match_id=uuid4())
    soon = replace(match, created_at=datetime.now(UTC) + timedelta(days=1))
    assert await imported(told_at(soon, rows, (0, 1, 2, 3))) == "$.created_at"


async def test_a_request_id_is_one_that_could_have_been_sent() -> None:
    match, rows = a_match(moves=2, match_id=uuid4())
    odd = [*rows[:-1], replace(rows[-1], request_id="\u202eodd")]
    assert await imported(told_at(match, odd, (1, 2, 3, 4))) == "$.moves[3].request_id"


async def test_a_move_is_never_recorded_before_the_one_it_follows(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the clock of the server says that decides it."""
    match_id = (await tenant.create(2)).match.match_id
    await tenant.any_move(match_id, 0)
    advance_to = LoadedMatch.advance_to

    def an_hour_ahead(table: LoadedMatch, *given: Any) -> None:
        advance_to(table, *given)
        table.moved_at += timedelta(hours=1)

    monkeypatch.setattr(LoadedMatch, "advance_to", an_hour_ahead)  # as if another server had written the row
    await tenant.any_move(match_id, 1)
    monkeypatch.undo()
    to_act = (await tenant.get(match_id)).to_act
    await tenant.any_move(match_id, to_act[0])
    (log,) = stack.logs
    times = [row.recorded_at for row in await log.read(UUID(match_id))]
    assert times == sorted(times)
    assert times[-1] - times[-2] > timedelta(minutes=50)


ENDED = {
    str(revision): path.read_bytes()
    for revision in stored()
    for path in Sample(revision).exports
    if "ended" in path.name
}


@pytest.mark.parametrize("revision", ENDED)
async def test_what_older_releases_exported_is_imported(revision: str) -> None:
    assert await imported(ENDED[revision]) == ""


async def test_a_match_that_is_exported_here_is_imported(tenant: Player) -> None:
    created = await tenant.create(2, players=["x" * 64, "李小龍"])
    match_id = created.match.match_id
    for _ in range(6):
        match = await tenant.get(match_id)
        await tenant.any_move(match_id, match.to_act[0])
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    document = (await tenant.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))).document
    assert msgspec.json.decode(document)["status"] == Status.ENDED
    assert await imported(document) == ""


async def test_over_grpc_the_refusal_names_the_place(tenant: Player) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await tenant.import_document(a_document(name="Ada\u202eoB"))
    refusal = Refusal.of(failure.value)
    assert (refusal.reason, refusal.fields) == ("IMPORT_BROKEN", ["$.players[0].name"])
    assert "cannot be shown" in refusal.message


async def test_names_and_titles_are_stored_trimmed_and_normalized(tenant: Player) -> None:
    plan = [lobby_pb2.SeatPlan(player="ada", name=" Zoe\u0308 "), lobby_pb2.SeatPlan()]
    created = (await tenant.create(2, seating=plan, title="\u3000Soire\u0301e ")).match
    assert (created.seats[0].name, created.title) == ("Zoë", "Soirée")
    renaming = lobby_pb2.UpdateSeatRequest(match_id=created.match_id, seat=0, name="Rene\u0301")
    assert (await tenant.call("UpdateSeat", renaming)).match.seats[0].name == "René"


async def test_an_id_is_never_changed(tenant: Player) -> None:
    """So one that could be taken for another is refused, wherever it is said first."""
    for odd in ("Zoe\u0308", " zoe"):
        requests: dict[str, tuple[str, Any]] = {
            "$.players[0]": ("CreateMatch", {"players": [odd]}),
            "$.seating[0].player": ("CreateMatch", {"seating": [lobby_pb2.SeatPlan(player=odd)] * 2}),
        }
        for field, (method, said) in requests.items():
            refusal = await tenant.refused(
                method, pb.CreateMatchRequest(game="river_dragons", seats=2, **said)
            )
            assert refusal.fields == [field]
            assert "compared exactly" in refusal.message
        match_id = (await tenant.create(2, open_seats=True)).match.match_id
        joining = pb.JoinMatchRequest(match_id=match_id, player=odd)
        assert (await tenant.refused("JoinMatch", joining)).fields == ["$.player"]
        session = player_session_pb2.CreatePlayerSessionRequest(player=odd)
        assert (await tenant.refused("CreatePlayerSession", session)).fields == ["$.player"]


async def test_an_imported_id_of_an_earlier_release_stays_as_it_was() -> None:
    """A name is stored as a name made here; hashes and signatures are those of the document."""
    match, seats, *_ = importing._checked("one", a_document(player="Zoe\u0308", name="Zoe\u0308"))
    assert (seats[0].player, seats[0].name) == ("Zoe\u0308", "Zoë")
    assert match.tenant == "one"


async def test_a_rematch_keeps_a_name_that_an_earlier_release_took(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bo"])).match.match_id
    (log,) = stack.logs
    await log.lobby.update_seat(UUID(match_id), 0, None, SeatChange(name="\u3164", data=None, ready=None))
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    following = await tenant.call("Rematch", lobby_pb2.RematchRequest(match_id=match_id))
    assert "\u3164" in {seat.name for seat in following.match.seats}
