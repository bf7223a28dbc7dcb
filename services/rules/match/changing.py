"""Changing a match: its title, who can find it, and what its platform notes about it. None of it is a move, and the log has none of it."""

from __future__ import annotations

from typing import Final

from foldtable.matches.v1 import lobby_pb2, match_pb2
from services.movelog.failures import ReferenceTaken
from services.movelog.log import MoveLog
from services.movelog.notes import MatchChange, Notes
from services.movelog.records import Match, Visibility
from services.process.bounds import MAX_TITLE
from services.rpc.enums import members_of
from services.rpc.free_text import read_text
from services.rpc.refusals import malformed
from services.rules.match.notes import read_metadata, read_patch, read_reference, reference_taken

FIELDS: Final = ("title", "visibility", "reference", "metadata")
_VISIBILITIES: Final = members_of(
    Visibility, match_pb2.MatchVisibility.DESCRIPTOR, unspecified=Visibility.PRIVATE
)


async def change_match(log: MoveLog, match: Match, request: lobby_pb2.UpdateMatchRequest) -> None:
    """Change a match for its tenant. Raises Refused MALFORMED_REQUEST, REFERENCE_TAKEN."""
    change = read_change(request)

    def check(notes: Notes) -> None:
        read_metadata(notes.metadata)

    try:
        await log.change(match.id, change, check)
    except ReferenceTaken as clash:
        raise reference_taken(clash) from None


def read_change(request: lobby_pb2.UpdateMatchRequest) -> MatchChange:
    """Return what a request changes. Raises Refused MALFORMED_REQUEST."""
    named = list(request.update_mask.paths)
    for number, path in enumerate(named):
        if path not in FIELDS:
            raise malformed(f"$.update_mask.paths[{number}]", f"must be one of {', '.join(FIELDS)}")
    if not request.HasField("update_mask"):
        named = [field for field in FIELDS if getattr(request, field)]
    if not named:
        raise malformed("$", f"must change at least one of {', '.join(FIELDS)}")
    visibility = None
    if "visibility" in named:
        visibility = _VISIBILITIES.get(request.visibility)
        if visibility is None:
            raise malformed("$.visibility", "is not one of the known values")
    return MatchChange(
        title=read_text(request.title, "$.title", MAX_TITLE) if "title" in named else None,
        visibility=visibility,
        reference=read_reference(request.reference) if "reference" in named else None,
        metadata=read_patch(request.metadata) if "metadata" in named else None,
    )
