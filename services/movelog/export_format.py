"""The export document "foldtable.match.v1": a whole match as one JSON file.

Once a match has ended the document holds everything: the secret, every request, every event, every
hash. Anybody can check it offline (see verification.py). While the match runs it holds what one
audience may know: no secret, no request ids, and only the requests and events the server redacted for
that audience.

Requests, events, options and the outcome are embedded as JSON. The hash chain covers their canonical
bytes (no white space, keys in the order they were written), so a document may be pretty-printed and
still verifies; a tool that reorders keys breaks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec
from msgspec.structs import replace

from engine.kernel.codec import Codec
from engine.kernel.errors import Unreadable
from engine.kernel.seats import Audience
from services.movelog.records import MAX_REQUEST_ID, Match, Move, Status

FORMAT: Final = "foldtable.match.v1"
MEDIA_TYPE: Final = "application/vnd.foldtable.match+json"
MAX_DOCUMENT_BYTES: Final = 64 * 1024 * 1024
MAX_MOVES: Final = 100_000
NULL: Final = msgspec.Raw(b"null")

_Hex32 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", description="32 bytes, lower-case hex.")]
_Moment = Annotated[datetime, msgspec.Meta(tz=True)]
_Version = Annotated[int, msgspec.Meta(ge=0, le=MAX_MOVES)]
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)  # the chain counts microseconds from here


class MoveDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One move. `request_id` and `request` are null where the audience may not know them."""

    seq: Annotated[int, msgspec.Meta(ge=1, le=MAX_MOVES)]
    seat: Annotated[int, msgspec.Meta(ge=0, le=63)] | None
    request_id: Annotated[str, msgspec.Meta(max_length=MAX_REQUEST_ID)] | None
    request: msgspec.Raw
    events: msgspec.Raw
    previous_hash: _Hex32
    hash: _Hex32
    recorded_at: _Moment


class MatchDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole document, in the order its fields are written."""

    format: Literal["foldtable.match.v1"] = FORMAT
    match_id: UUID
    game: Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]{0,63}$")]
    rules_version: Annotated[str, msgspec.Meta(max_length=64)]
    seats: Annotated[int, msgspec.Meta(ge=1, le=64)]
    options: msgspec.Raw
    commitment: _Hex32
    secret: _Hex32 | None
    created_at: _Moment
    status: Status
    version: _Version
    audience: Audience | Literal["all"]
    """Whose knowledge the document holds; `all` once the match has ended."""
    outcome: msgspec.Raw = NULL
    moves: Annotated[tuple[MoveDocument, ...], msgspec.Meta(max_length=MAX_MOVES)]

    def __repr__(self) -> str:  # requests and events of a running match may be for one seat's eyes only
        return f"MatchDocument({self.match_id}, {self.game}, {self.status}, version {self.version})"


_ENCODER: Final = msgspec.json.Encoder()
_DOCUMENT: Final = Codec[MatchDocument](MatchDocument)


def whole_move(move: Move) -> MoveDocument:
    """Give a move with everything it holds: for a match that has ended."""
    return replace(redacted_move(move, request=move.request, events=move.events), request_id=move.request_id)


def redacted_move(move: Move, *, request: bytes | None, events: bytes) -> MoveDocument:
    """Give a move of a running match: its request if the audience may know it, its events as already redacted."""
    return MoveDocument(
        seq=move.seq,
        seat=move.seat,
        request_id=None,
        request=NULL if request is None else msgspec.Raw(request),
        events=msgspec.Raw(events),
        previous_hash=move.previous_hash.hex(),
        hash=move.hash.hex(),
        recorded_at=move.recorded_at.astimezone(UTC),
    )


def write_document(match: Match, moves: Sequence[MoveDocument], *, audience: Audience | None = None) -> bytes:
    """Give the document as compact JSON.

    An ended match is written whole (`audience` is not asked for, moves come from `whole_move`); a match
    that has not ended needs the audience its moves were redacted for, and never shows its secret.
    """
    ended = match.status is Status.ENDED
    if not ended and audience is None:
        raise ValueError("a match that has not ended is written for an audience")
    return _ENCODER.encode(
        MatchDocument(
            match_id=match.id,
            game=match.game,
            rules_version=match.rules_version,
            seats=match.seats,
            options=msgspec.Raw(match.options),
            commitment=match.commitment.hex(),
            secret=match.secret.hex() if ended else None,
            created_at=match.created_at.astimezone(UTC),
            status=match.status,
            version=match.version,
            audience="all" if ended or audience is None else audience,
            outcome=NULL if match.outcome is None else msgspec.Raw(match.outcome),
            moves=tuple(moves),
        )
    )


def read_document(data: bytes) -> MatchDocument:
    """Read and validate a document; embedded JSON comes back in canonical bytes. `Unreadable` names the place."""
    if len(data) > MAX_DOCUMENT_BYTES:
        raise Unreadable(f"the document is larger than {MAX_DOCUMENT_BYTES} bytes")
    document = _DOCUMENT.decode(data)
    moves = tuple(_canonical_move(number, move, document.seats) for number, move in enumerate(document.moves))
    _check_moment(document.created_at, "$.created_at")
    return replace(
        document,
        options=_canonical(document.options, "$.options"),
        outcome=_canonical(document.outcome, "$.outcome"),
        moves=moves,
    )


def _canonical_move(number: int, move: MoveDocument, seats: int) -> MoveDocument:
    place = f"$.moves[{number}]"
    if move.seat is not None and move.seat >= seats:
        raise Unreadable(f"seat {move.seat} at a table of {seats}", pointer=f"{place}.seat")
    _check_moment(move.recorded_at, f"{place}.recorded_at")
    events = _canonical(move.events, f"{place}.events")
    if not bytes(events).startswith(b"["):
        raise Unreadable("Expected `array`", pointer=f"{place}.events")
    return replace(move, request=_canonical(move.request, f"{place}.request"), events=events)


def _canonical(raw: msgspec.Raw, place: str) -> msgspec.Raw:
    """Bring embedded JSON to the bytes the hash chain covers: no white space, same order of keys."""
    try:
        return msgspec.Raw(_ENCODER.encode(msgspec.json.decode(raw)))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(f"embedded JSON cannot be read: {error}", pointer=place) from error


def _check_moment(moment: datetime, place: str) -> None:
    if moment < _EARLIEST:
        raise Unreadable("a time before 1970", pointer=place)
