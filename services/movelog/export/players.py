"""The players of an export document: who had which seat, how the document commits to them, and who is erased (movelog/identities.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

import msgspec

from engine.kernel.codec import form
from services.movelog.chain import committed_players_hash, players_hash
from services.movelog.export.json_difference import PathStep
from services.movelog.identities import Identity, SeatIdentities, commitment
from services.movelog.players import MAX_REPLACED
from services.movelog.records import SeatClaim

MAX_MOVES: Final = 100_000
MAX_PLAYER: Final = 100
"""Most characters of a player's id or name."""

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
_Salt = (
    Annotated[
        str,
        msgspec.Meta(
            pattern=form("^([0-9a-f]{32})?$", "32 lower-case hexadecimal digits, or none"),
            description="16 bytes, lower-case hex, with which `players_hash` commits to the player; empty: the player came under a "
            "release without salts. Absent in documents of such releases, and for an erased player.",
        ),
    ]
    | msgspec.UnsetType
)
_Erased = (
    Annotated[
        str,
        msgspec.Meta(
            pattern=form("^[0-9a-f]{64}$", "64 lower-case hexadecimal digits"),
            description="The player is erased: what is left is the commitment, 32 bytes in lower-case hex; `player` and `name` are empty.",
        ),
    ]
    | msgspec.UnsetType
)


class EarlierPlayerDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player who was replaced while the match was running."""

    player: Annotated[
        str, msgspec.Meta(max_length=MAX_PLAYER, description="The platform's own id; may be empty.")
    ]
    name: Annotated[
        str, msgspec.Meta(max_length=MAX_PLAYER, description="As shown to the others; may be empty.")
    ]
    salt: _Salt = msgspec.UNSET
    erased: _Erased = msgspec.UNSET
    until_version: Annotated[
        int,
        msgspec.Meta(ge=1, le=MAX_MOVES, description="The last version at which the player had the seat."),
    ]
    replaced_at: Annotated[Moment, msgspec.Meta(description="When the player was replaced (RFC 3339).")]


class PlayerDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player of a seat."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=63, description="The seat, counted from 0.")]
    player: Annotated[
        str, msgspec.Meta(max_length=MAX_PLAYER, description="The platform's own id; may be empty.")
    ]
    name: Annotated[
        str, msgspec.Meta(max_length=MAX_PLAYER, description="As shown to the others; may be empty.")
    ]
    salt: _Salt = msgspec.UNSET
    erased: _Erased = msgspec.UNSET
    replaced: (
        Annotated[
            tuple[EarlierPlayerDocument, ...],
            msgspec.Meta(
                min_length=1,
                max_length=MAX_REPLACED,
                description="Who had the seat before, in order; absent: nobody else.",
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET


_ENCODER: Final = msgspec.json.Encoder()


PersonDocument = PlayerDocument | EarlierPlayerDocument


class _Committed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What `players_hash` covers of a player of a seat: no id and no name, so it stays when both are erased."""

    seat: int | msgspec.UnsetType = msgspec.UNSET
    commitment: str
    until_version: int | msgspec.UnsetType = msgspec.UNSET
    replaced_at: datetime | msgspec.UnsetType = msgspec.UNSET
    replaced: tuple[_Committed, ...] = ()


def persons(players: Sequence[PlayerDocument]) -> Iterator[tuple[tuple[PathStep, ...], PersonDocument]]:
    """Yield everybody who had a seat, each with the place in the document."""
    for number, player in enumerate(players):
        yield ("players", number), player
        for index, earlier in enumerate(player.replaced or ()):
            yield ("players", number, "replaced", index), earlier


def is_committed(players: Sequence[PlayerDocument]) -> bool:
    """Return whether `players_hash` covers commitments: whether anybody has a salt or is erased."""
    return any(
        one.salt is not msgspec.UNSET or one.erased is not msgspec.UNSET for _, one in persons(players)
    )


def hash_of(players: tuple[PlayerDocument, ...], secret: bytes, match_id: UUID) -> str:
    """Return what `players_hash` of a document should be, as lower-case hex."""
    if not is_committed(players):
        return players_hash(secret, match_id, _ENCODER.encode(players)).hex()
    committed = [
        _Committed(
            seat=player.seat,
            commitment=_commitment(match_id, player.seat, player),
            replaced=tuple(
                [
                    _Committed(
                        commitment=_commitment(match_id, player.seat, one),
                        until_version=one.until_version,
                        replaced_at=one.replaced_at,
                    )
                    for one in player.replaced or ()
                ]
            ),
        )
        for player in players
    ]
    return committed_players_hash(secret, match_id, _ENCODER.encode(committed)).hex()


def _commitment(match_id: UUID, seat: int, person: PersonDocument) -> str:
    if not isinstance(person.erased, msgspec.UnsetType):
        return person.erased
    return commitment(identity_of(person).salt, match_id, seat, person.player, person.name).hex()


def identity_of(person: PersonDocument) -> Identity:
    """Return how a document commits to a player."""
    salt, erased = person.salt, person.erased
    return Identity(
        salt=b"" if isinstance(salt, msgspec.UnsetType) else bytes.fromhex(salt),
        erased=b"" if isinstance(erased, msgspec.UnsetType) else bytes.fromhex(erased),
    )


class Contradiction(NamedTuple):
    """What cannot be of one and the same player."""

    at: tuple[PathStep, ...]
    what: str
    found: str


def contradiction(players: Sequence[PlayerDocument]) -> Contradiction | None:
    """Return the first one: somebody is erased and yet named, or the document commits to some of its players only."""
    committed = is_committed(players)
    for place, one in persons(players):
        if one.erased is not msgspec.UNSET:
            for field in ("player", "name"):
                if value := getattr(one, field):
                    what = "the player is erased, yet the document names somebody"
                    return Contradiction((*place, field), what, value)
            if one.salt is not msgspec.UNSET:
                what = "the player is erased, yet the document has the salt"
                return Contradiction((*place, "salt"), what, one.salt)
        elif committed and one.salt is msgspec.UNSET:
            what = "the document commits to other players with a salt, and not to this one"
            return Contradiction((*place, "salt"), what, "")
    return None


def players_of(
    claims: Sequence[SeatClaim], identities: Sequence[SeatIdentities]
) -> tuple[PlayerDocument, ...]:
    """Return the players of a document, each with what it commits by."""
    known = {one.seat: one for one in identities}
    with_salts = any(
        one.salt or one.erased
        for claim in claims
        if claim.seat in known
        for one in (known[claim.seat].present, *known[claim.seat].earlier)
    )
    return tuple([_player(claim, known.get(claim.seat), with_salts=with_salts) for claim in claims])


def _player(claim: SeatClaim, known: SeatIdentities | None, *, with_salts: bool) -> PlayerDocument:
    """Return the player of a seat, with those before; `with_salts`: the document commits to its players."""
    known = known or SeatIdentities(seat=claim.seat)
    identities = (*known.earlier, *[Identity()] * len(claim.replaced))
    earlier = [
        EarlierPlayerDocument(
            player=one.player,
            name=one.name,
            until_version=one.until_version,
            replaced_at=one.replaced_at.astimezone(UTC),
            **_said(identity, with_salts=with_salts),
        )
        for one, identity in zip(claim.replaced, identities, strict=False)
    ]
    return PlayerDocument(
        seat=claim.seat,
        player=claim.player,
        name=claim.name,
        replaced=tuple(earlier) or msgspec.UNSET,
        **_said(known.present, with_salts=with_salts),
    )


def _said(identity: Identity, *, with_salts: bool) -> dict[str, Any]:
    if identity.erased:
        return {"erased": identity.erased.hex()}
    return {"salt": identity.salt.hex()} if with_salts else {}
