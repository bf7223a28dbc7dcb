"""The export document "foldtable.match.v1": a whole match as one JSON file.

Once a match has ended the document holds everything: the secret, every request, every event, every
hash. Anybody can check it offline (see verification.py). While the match runs it holds what one
audience may know: no secret, no request ids, and only the requests and events the server redacted for
that audience. A server that has a key signs both (signature.py).

Requests, events, options and the outcome are embedded as JSON. The hash chain covers their canonical
bytes (no white space, keys in the order they were written), so a document may be pretty-printed and
still verifies; a tool that reorders keys breaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec.structs import replace

from engine.kernel.codec import Codec, form
from engine.kernel.errors import Unreadable
from engine.kernel.seats import Audience
from services.movelog.export.json_difference import PathStep, first_difference, json_path, written
from services.movelog.export.players import MAX_MOVES, Moment, PlayerDocument, hash_of, players_of
from services.movelog.identities import SeatIdentities
from services.movelog.records import Match, Move, SeatClaim, Status
from services.process.bounds import MAX_REQUEST_ID

FORMAT: Final = "foldtable.match.v1"
MEDIA_TYPE: Final = "application/vnd.foldtable.match+json"
MAX_DOCUMENT_BYTES: Final = 64 * 1024 * 1024
MAX_SIGNATURE: Final = 2_048
"""Most characters of a signature; ours have about 800."""
NULL: Final = msgspec.Raw(b"null")

_Hex32 = Annotated[
    str,
    msgspec.Meta(
        pattern=form("^[0-9a-f]{64}$", "64 lower-case hexadecimal digits"),
        description="32 bytes, lower-case hex.",
    ),
]
_Object = Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "object"})]
_MaybeObject = Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": ["object", "null"]})]
_Objects = Annotated[
    msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "array", "items": {"type": "object"}})
]
_Version = Annotated[int, msgspec.Meta(ge=0, le=MAX_MOVES)]
_ESCAPED_NUL: Final = rb"\u0000"
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)  # the chain counts microseconds from here


class MoveDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One move. `request_id` and `request` are null if the audience may not know them."""

    seq: Annotated[int, msgspec.Meta(ge=1, le=MAX_MOVES, description="Its number: the version it led to.")]
    seat: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=63)] | None,
        msgspec.Meta(description="Who asked for it; null for the start, and for what the tenant did."),
    ]
    request_id: Annotated[
        Annotated[str, msgspec.Meta(max_length=MAX_REQUEST_ID)] | None,
        msgspec.Meta(description="The id it was asked for with."),
    ]
    request: Annotated[_MaybeObject, msgspec.Meta(description="What was asked.")]
    events: Annotated[_Objects, msgspec.Meta(description="What happened.")]
    previous_hash: _Hex32
    hash: _Hex32
    recorded_at: Annotated[Moment, msgspec.Meta(description="When it was recorded (RFC 3339).")]


class MatchDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole document, in the order its fields are written."""

    format: Annotated[Literal["foldtable.match.v1"], msgspec.Meta(description="What this document is.")] = (
        FORMAT
    )
    match_id: Annotated[UUID, msgspec.Meta(description="The match.")]
    game: Annotated[
        str,
        msgspec.Meta(
            pattern=form("^[a-z][a-z0-9_]{0,63}$", "the id of a game, such as `river_dragons`"),
            description="Its game.",
        ),
    ]
    rules_version: Annotated[
        str, msgspec.Meta(max_length=64, description="The rules it is played by.", examples=["1.0.0"])
    ]
    seats: Annotated[int, msgspec.Meta(ge=1, le=64, description="Number of players.")]
    options: Annotated[_Object, msgspec.Meta(description="The game's options.")]
    commitment: _Hex32
    secret: _Hex32 | None
    created_at: Annotated[Moment, msgspec.Meta(description="When it was created (RFC 3339).")]
    status: Status
    version: Annotated[_Version, msgspec.Meta(description="Number of its moves.")]
    audience: Annotated[
        Audience | Literal["all"],
        msgspec.Meta(description="Whose knowledge the document holds; `all` once the match has ended."),
    ]
    outcome: Annotated[_MaybeObject, msgspec.Meta(description="How it ended; null until then.")]
    players: (
        Annotated[
            tuple[PlayerDocument, ...],
            msgspec.Meta(
                max_length=64,
                description="By seat, once the match has ended; documents of older releases do without.",
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    players_hash: _Hex32 | msgspec.UnsetType = msgspec.UNSET
    """HMAC-SHA-256 over the commitments to the players, or in documents without salts over the players; keyed with the secret."""
    moves: Annotated[
        tuple[MoveDocument, ...],
        msgspec.Meta(max_length=MAX_MOVES, description="The moves, in order; the first is the start."),
    ]
    signature: (
        Annotated[
            str,
            msgspec.Meta(
                pattern=form(
                    r"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$",
                    "a JWT: three parts in base64url, separated by periods",
                ),
                max_length=MAX_SIGNATURE,
                description="A JWT of the type `foldtable-export+jwt` over everything else, by the server where the match "
                "was played; its key is in that server's `/.well-known/jwks.json`. Absent: nobody vouches for the document.",
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET

    def hash_of_players(self) -> str | msgspec.UnsetType:
        """Return what `players_hash` should be; UNSET without players or secret."""
        if self.secret is None or isinstance(self.players, msgspec.UnsetType):
            return msgspec.UNSET
        return hash_of(self.players, bytes.fromhex(self.secret), self.match_id)

    def __repr__(self) -> str:  # requests and events of a running match may be hidden from other seats
        return f"MatchDocument({self.match_id}, {self.game}, {self.status}, version {self.version})"


_ENCODER: Final = msgspec.json.Encoder()
Sign = Callable[[MatchDocument, bytes], str]
"""Returns the signature over a document and its bytes."""


def unsigned_bytes(document: MatchDocument) -> bytes:
    """Return the signed bytes: the document as compact JSON without its signature."""
    return _ENCODER.encode(replace(document, signature=msgspec.UNSET))


_DOCUMENT: Final = Codec[MatchDocument](MatchDocument)


def whole_move(move: Move) -> MoveDocument:
    """Return a move with all its content, for a match that has ended."""
    return replace(redacted_move(move, request=move.request, events=move.events), request_id=move.request_id)


def redacted_move(move: Move, *, request: bytes | None, events: bytes) -> MoveDocument:
    """Return a move of a running match: its request if the audience may know it, its events as already redacted."""
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


def write_document(
    match: Match,
    moves: Sequence[MoveDocument],
    *,
    audience: Audience | None = None,
    claims: Sequence[SeatClaim] | None = None,
    identities: Sequence[SeatIdentities] = (),
    sign: Sign | None = None,
) -> bytes:
    """Return the document as compact JSON, signed if `sign` is given.

    An ended match is written whole (`audience` is ignored, moves come from `whole_move`); a match that has not ended
    needs the audience its moves were redacted for, and its secret is left out. `claims` are the players, and
    `identities` how the document commits to them; they are written once the match has ended.
    """
    ended = match.status is Status.ENDED
    if not ended and audience is None:
        raise ValueError("a match that has not ended is written for an audience")
    players = players_of(claims, identities) if ended and claims is not None else msgspec.UNSET
    document = MatchDocument(
        match_id=match.known_as,
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
        players=players,
        players_hash=(
            msgspec.UNSET
            if isinstance(players, msgspec.UnsetType)
            else hash_of(players, match.secret, match.known_as)
        ),
        moves=tuple(moves),
    )
    data = _ENCODER.encode(document)
    if sign is None:
        return data
    # The signature is appended as the last field: encoding a long match twice would cost more than signing it.
    return b'%b,"signature":"%b"}' % (data[:-1], sign(document, data).encode())


def export_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a document. Embedded JSON is defined by the game: its schemas are in the catalogue."""
    (root,), components = msgspec.json.schema_components([MatchDocument], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:foldtable:match-export:v1",
        "title": "An exported match (foldtable.match.v1)",
        **root,
        "$defs": components,
    }


def read_document(data: bytes) -> MatchDocument:
    """Return a validated document with embedded JSON as canonical bytes. Raises `Unreadable` with the place."""
    if len(data) > MAX_DOCUMENT_BYTES:
        raise Unreadable(f"the document is larger than {MAX_DOCUMENT_BYTES} bytes")
    _check_text(data)
    document = _DOCUMENT.decode(data)
    moves = tuple(_canonical_move(number, move, document.seats) for number, move in enumerate(document.moves))
    _check_moment(document.created_at, "$.created_at")
    document = replace(
        document,
        options=_canonical(document.options, "$.options"),
        outcome=_canonical(document.outcome, "$.outcome"),
        moves=moves,
    )
    _check_spelling(data, document)
    _check_characters(data)
    return document


def _check_text(data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"not UTF-8 (byte {error.start})") from error


def _check_spelling(data: bytes, document: MatchDocument) -> None:
    """Refuse values in another notation than this server writes, such as a time with a lower-case `t`.

    They would mean the same, and no hash covers their notation; yet a byte was changed.
    """
    said = msgspec.json.decode(data)  # it was decoded before, so this cannot fail
    if _ENCODER.encode(said) == _ENCODER.encode(document):
        return
    parted = first_difference(msgspec.json.decode(_ENCODER.encode(document)), said)
    if parted is not None:
        raise Unreadable(
            f"is spelled otherwise than documents are written: {written(parted.expected)}",
            pointer=json_path(parted.steps),
        )


def _check_characters(data: bytes) -> None:
    """Refuse the NUL character in a text or a name: Postgres stores it neither as text nor as JSON."""
    if _ESCAPED_NUL not in data:
        return
    found: list[tuple[tuple[PathStep, ...], Any]] = [((), msgspec.json.decode(data))]
    while found:  # no recursion: the document may be deeply nested
        steps, value = found.pop()
        match value:
            case str() if "\0" in value:
                raise Unreadable("holds the NUL character", pointer=json_path(steps))
            case dict():
                if any("\0" in name for name in value):
                    raise Unreadable("has a name that holds the NUL character", pointer=json_path(steps))
                found += [((*steps, name), inner) for name, inner in value.items()]
            case list():
                found += [((*steps, number), inner) for number, inner in enumerate(value)]


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
    """Return embedded JSON as the bytes that the hash chain covers: no white space, same order of keys."""
    try:
        return msgspec.Raw(_ENCODER.encode(msgspec.json.decode(raw)))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(f"embedded JSON cannot be read: {error}", pointer=place) from error


def _check_moment(moment: datetime, place: str) -> None:
    if moment < _EARLIEST:
        raise Unreadable("a time before 1970", pointer=place)
    try:
        moment.astimezone(UTC)
    except OverflowError:  # in its own zone it is before the year 10000, but not in UTC
        raise Unreadable("a time after 9999 in UTC", pointer=place) from None
