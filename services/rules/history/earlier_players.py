"""The players of an imported match who were replaced while it was running, and how its document commits to all players."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from msgspec import UnsetType

from services.movelog.export.players import PlayerDocument, identity_of
from services.movelog.identities import SeatIdentities
from services.movelog.records import ReplacedPlayer
from services.rpc.refusals import malformed
from services.rules.match.admissible import CLOCKS_APART, imported_name

_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)


def earlier_players(player: PlayerDocument, version: int, at: str) -> tuple[ReplacedPlayer, ...]:
    """Return who had a seat before its last player, as it is stored. Raises Refused for what no match can have.

    `version` is that of the whole match, `at` the path of `replaced` in the document.
    """
    if isinstance(player.replaced, UnsetType):
        return ()
    for number, (before, one) in enumerate(pairwise(player.replaced), 1):
        if one.until_version < before.until_version:
            raise malformed(f"{at}[{number}].until_version", "is before the player before")
    return tuple(
        [
            ReplacedPlayer(
                player=one.player,
                name=imported_name(one.player, one.name, at=f"{at}[{number}]"),
                until_version=_until(one.until_version, version, f"{at}[{number}].until_version"),
                replaced_at=_moment(one.replaced_at, f"{at}[{number}].replaced_at"),
            )
            for number, one in enumerate(player.replaced)
        ]
    )


def identities_of(player: PlayerDocument) -> SeatIdentities:
    """Return how a document commits to the players of a seat."""
    earlier = () if isinstance(player.replaced, UnsetType) else player.replaced
    return SeatIdentities(
        seat=player.seat, present=identity_of(player), earlier=tuple([identity_of(one) for one in earlier])
    )


def _until(until: int, version: int, at: str) -> int:
    if until >= version:
        raise malformed(at, f"is not before the end of the match at version {version}")
    return until


def _moment(moment: datetime, at: str) -> datetime:
    if not _EARLIEST <= moment <= datetime.now(UTC) + CLOCKS_APART:
        raise malformed(at, "is before 1970 or in the future")
    return moment.astimezone(UTC)
