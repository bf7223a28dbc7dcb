"""Importing an exported match, from here or another system: complete, and only after all of it was checked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import UnsetType
from msgspec.structs import replace

from engine.kernel.errors import Unreadable
from engine.match.commands import Abort
from engine.match.forking import Fork
from engine.match.requests import read_request
from engine.registry import GameUnusable
from engine.registry import game as registered_game
from services.movelog.checks import check_ended
from services.movelog.export.format import MatchDocument, read_document
from services.movelog.export.signature import ExportSigner, Standing, check_signature
from services.movelog.export.verification import Verification, match_of, moves_of, verify_document
from services.movelog.failures import ReferenceTaken
from services.movelog.identities import SeatIdentities
from services.movelog.log import MoveLog
from services.movelog.match_ids import imported_id
from services.movelog.notes import NO_NOTES, Notes
from services.movelog.records import ForkedFrom, Match, Move, ReplacedPlayer, SeatRecord, SeatState
from services.process.i_json import fault_of
from services.process.memory import FreedMemory
from services.process.reasons import Reason
from services.process.thread_work import in_thread
from services.rpc.match_messages import match_message
from services.rpc.refusals import Refused
from services.rules.history.earlier_players import earlier_players, identities_of
from services.rules.marks import about, of_request
from services.rules.match.admissible import (
    check_match_id,
    check_moments,
    check_request_id,
    check_seats_named,
    imported_name,
)
from services.rules.match.notes import reference_taken
from services.rules.match.playable import under

GENERATION: Final = 1_000_000
"""Generation of the imported seats' and watchers' tokens: higher than any token reaches that was issued before the import."""
OWN: Final = "·"
"""Prefix of the request ids a server makes itself, for a start or a time-out; no client can send it."""
MAX_QUOTED: Final = 300
"""Most characters quoted of an expected value, and of the value found."""


@dataclass(frozen=True, kw_only=True)
class Imported:
    """A match as it is in the log now, and whether it was stored before."""

    match: Match
    replayed: bool


class Importer:
    """Imports matches, one at a time: checking one takes long, and moves have priority. Never holds two decoded documents."""

    def __init__(self, log: MoveLog, exports: ExportSigner | None = None) -> None:
        """`exports` signs this server's own exports: a document that names one of its keys must bear that key's signature."""
        self._log = log
        self._keys = None if exports is None else exports.keys
        self._turn = asyncio.Lock()
        self._freed = FreedMemory()

    async def import_match(self, tenant: str, data: bytes, notes: Notes = NO_NOTES) -> Imported:
        """Check a document and store its match, with its tenant's notes unless it was stored before.

        Raises Refused IMPORT_BROKEN with the place, MATCH_NOT_OVER, GAME_UNKNOWN, RULES_VERSION_UNSUPPORTED, or
        REFERENCE_TAKEN, or MATCH_ID_TAKEN if another match of the tenant has its id. Other tenants' matches make no difference: an import
        is stored under a new id of the tenant's own, and the tenant refers to it by the id in the document.
        """
        async with self._turn:
            try:
                with about(of_request("ImportMatch", data)):
                    whole = await in_thread(_checked, tenant, data, self._keys)
            finally:
                self._freed.give_back_soon()
            match, moves = whole.match, whole.moves
            own = await self._log.own(tenant, match.known_as)
            if own is None and await self._store(whole, notes):
                return Imported(match=match, replayed=False)
            stored = await self._log.find(own or match.id)
            if not await self._is_same(stored, match, moves):
                raise Refused(Reason.MATCH_ID_TAKEN, "another match of yours has this id", field="$.match_id")
            return Imported(match=stored, replayed=True)

    async def _store(self, whole: _Whole, notes: Notes) -> bool:
        try:
            return await self._log.import_match(
                whole.match, whole.seats, whole.moves, notes=notes, identities=whole.identities
            )
        except ReferenceTaken as clash:
            raise reference_taken(clash) from None

    async def _is_same(self, stored: Match, match: Match, moves: tuple[Move, ...]) -> bool:
        """Return whether the stored match is the tenant's own and has exactly the same rows."""
        if (stored.tenant, stored.version) != (match.tenant, match.version):
            return False
        rows = await self._log.read(stored.id)
        return [row.hash for row in rows] == [move.hash for move in moves]


def was_imported(match: Match) -> bool:
    """Return whether a match was imported."""
    return match.watch_generation >= GENERATION


class _Seated(NamedTuple):
    """What a document says of the players of a seat, as it is stored."""

    player: str = ""
    name: str = ""
    replaced: tuple[ReplacedPlayer, ...] = ()
    identities: SeatIdentities | None = None
    """How the document commits to them; None: it does not name them."""


_NOBODY: Final = _Seated()


class _Whole(NamedTuple):
    """A match of a document that was checked, as it is stored."""

    match: Match
    seats: tuple[SeatRecord, ...]
    moves: tuple[Move, ...]
    identities: tuple[SeatIdentities, ...]
    """How exports commit to the players: as the document does, so that its `players_hash` stays."""


def _admitted_players(document: MatchDocument) -> dict[int, _Seated]:
    """Refuse values that a match created here may not have either (admissible.py). Return the players by seat."""
    seated: dict[int, _Seated] = {}
    try:
        check_match_id(document.match_id)
        players = () if isinstance(document.players, UnsetType) else document.players
        check_seats_named((one.seat for one in players), document.seats)
        for number, one in enumerate(players):
            seated[one.seat] = _Seated(
                one.player,
                imported_name(one.player, one.name, at=f"$.players[{number}]"),
                earlier_players(one, document.version, f"$.players[{number}].replaced"),
                identities_of(one),
            )
        for number, move in enumerate(document.moves):
            said = (move.request_id or "").removeprefix(OWN)
            check_request_id(said, f"$.moves[{number}].request_id")
        check_moments(document.created_at, (move.recorded_at for move in document.moves))
    except Refused as refusal:
        raise _broken(refusal.description, refusal.field or "$") from None
    return seated


def _checked(tenant: str, data: bytes, keys: Mapping[str, Ed25519PublicKey] | None = None) -> _Whole:
    try:
        document = read_document(data)
    except Unreadable as problem:
        raise _broken(problem.detail, problem.pointer) from problem
    if (fault := fault_of(data)) is not None:
        raise _broken(fault.what, fault.path)
    if document.secret is None:
        raise Refused(
            Reason.MATCH_NOT_OVER,
            "only the export of a match that has ended holds all of it",
            field="$.secret",
        )
    _must_be_playable(document)
    seated = _admitted_players(document)
    found = verify_document(document)
    if not found.ok:
        raise _differs(found)
    if not found.decided_again:
        raise _broken(f"cannot be checked: {found.unchecked}", "$")
    signature = check_signature(document, keys)
    if signature.standing is Standing.DOES_NOT_FIT:
        raise _broken(f"does not fit: {signature.problem}", "$.signature")
    first = read_request(registered_game(document.game), bytes(document.moves[0].request))
    seats = _seats_of(document, seated, began=not isinstance(first, Abort))
    own_id = imported_id(tenant, document.match_id)
    match = replace(
        match_of(document),
        id=own_id,
        original_id=document.match_id,
        tenant=tenant,
        watch_generation=GENERATION,
        forked_from=_forked_from(first),
    )
    moves = tuple([replace(move, match_id=own_id) for move in moves_of(document)])
    try:
        check_ended(match, seats, moves)
    except (ValueError, UnicodeError) as problem:
        raise _broken(str(problem), "$.moves") from problem
    _must_fit_outcome(match, seats)
    identities = [seated.get(row.seat, _NOBODY).identities or SeatIdentities(seat=row.seat) for row in seats]
    return _Whole(match, seats, moves, tuple(identities))


def _must_fit_outcome(match: Match, seats: tuple[SeatRecord, ...]) -> None:
    """Refuse an outcome that no response can hold: a fork's first state comes from outside as it is, points included."""
    try:
        match_message(match, seats)
    except ValueError as problem:
        raise _broken("has a number beyond what an outcome can hold", "$.outcome") from problem


def _forked_from(first: Any) -> ForkedFrom | None:
    """Return where a fork begins, read from its first request; None for a match that is no fork."""
    if not isinstance(first, Fork):
        return None
    return ForkedFrom(match_id=UUID(first.of), version=first.version, audience=first.audience)


def _must_be_playable(document: MatchDocument) -> None:
    try:
        game = registered_game(document.game)
    except (KeyError, GameUnusable):
        raise Refused(Reason.GAME_UNKNOWN, "there is no such game here", field="$.game") from None
    under(game, document.rules_version, field="$.rules_version")


def _seats_of(
    document: MatchDocument, seated: Mapping[int, _Seated], *, began: bool
) -> tuple[SeatRecord, ...]:
    """Return the seats; in a match that was aborted before it began, a seat without a player is free."""
    return tuple(
        SeatRecord(
            seat=seat,
            state=SeatState.TAKEN if began or seat in seated else SeatState.OPEN,
            player=(one := seated.get(seat, _NOBODY)).player,
            name=one.name,
            generation=GENERATION,
            invite_generation=GENERATION,
            replaced=one.replaced,
        )
        for seat in range(document.seats)
    )


def _broken(what: str, path: str) -> Refused:
    return Refused(
        Reason.IMPORT_BROKEN,
        f"{path[:MAX_QUOTED]} {what[:MAX_QUOTED]}",
        field=path[:MAX_QUOTED],
        description=what[:MAX_QUOTED],
    )


def _differs(found: Verification) -> Refused:
    """Return the refusal that names the first difference."""
    metadata: dict[str, str | int] = {"pointer": found.difference_pointer[:MAX_QUOTED]}
    if found.difference_version:
        metadata["move"] = found.difference_version
    if found.difference_event is not None:
        metadata["event"] = found.difference_event
    if found.expected:
        metadata["expected"] = found.expected[:MAX_QUOTED]
    if found.found:
        metadata["found"] = found.found[:MAX_QUOTED]
    what = found.difference[:MAX_QUOTED]
    return Refused(
        Reason.IMPORT_BROKEN, what, field=found.difference_path, description=what, metadata=metadata
    )
