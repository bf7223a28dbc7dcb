"""Bodies of answers about the past of a match."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.answers import Audience, Match, Move
from gateway.schemas.fields import Digest, MatchId, RawView, Status, VersionNumber


class ReplayStep(Struct, frozen=True, kw_only=True):
    """One version of a match. A line of NDJSON is one of these."""

    version: VersionNumber
    move: (
        Annotated[Move, Meta(description="The move that led to it; where moves were asked for.")] | UnsetType
    ) = UNSET
    view: RawView | UnsetType = UNSET


class ReplayPage(Struct, frozen=True, kw_only=True):
    """Versions of a match, oldest first, without holes."""

    match_id: MatchId
    audience: Audience
    steps: Annotated[list[ReplayStep], Meta(description="The versions of this page, in order.")]
    next_page_token: Annotated[str, Meta(description="Ask for the next page with this; empty at the end.")]
    version: Annotated[VersionNumber, Meta(description="The match's version.")]
    status: Annotated[Status, Meta(description="Whether the match goes on.")]


class ImportedMatch(Struct, frozen=True, kw_only=True):
    """A match that was taken in, or had been before."""

    match: Match
    replayed: Annotated[bool, Meta(description="It was here already, the very same; nothing was written.")]


class VerifiedDraw(Struct, frozen=True, kw_only=True):
    """A draw of luck with everything it was made from, so that it can be made again by hand."""

    move: VersionNumber
    number: Annotated[int, Meta(description="Its number within the move, counted from 0.")]
    bound: Annotated[str, Meta(description="It chose among this many, at most 2^64; decimal digits.")]
    value: Annotated[str, Meta(description="What was drawn, below the bound; decimal digits.")]
    message: Annotated[str, Meta(description="What the HMAC is over, as hex.")]
    digest: Annotated[
        Digest, Meta(description="HMAC-SHA-256 of the message, keyed with the match's secret, as hex.")
    ]


class Verification(Struct, frozen=True, kw_only=True):
    """What checking a match found."""

    ok: Annotated[bool, Meta(description="Everything that could be checked agrees.")]
    moves: Annotated[int, Meta(description="Moves that were checked.")]
    draws: Annotated[int, Meta(description="Draws of luck that were made again and agree.")]
    decided_again: Annotated[bool, Meta(description="Every move was decided again from the secret.")]
    unchecked: Annotated[
        str, Meta(description="Why moves were not decided again, in words; empty if they were.")
    ]
    difference: Annotated[str, Meta(description="The first place that does not agree; empty if all do.")]
    difference_version: Annotated[int, Meta(description="The move it is in; 0 if all agree.")]
    difference_event: Annotated[
        int | None, Meta(description="The event it is in, counted from 0; null if it is in none.")
    ]
    difference_pointer: Annotated[
        str, Meta(description="JSON pointer (RFC 6901) into the export; empty if all agree.")
    ]
    expected: Annotated[
        str,
        Meta(description="What should stand there, as JSON; empty while the match runs, or for nothing."),
    ]
    found: Annotated[str, Meta(description="What stands there, as JSON; empty like `expected`.")]
    listed_draws: Annotated[
        list[VerifiedDraw], Meta(description="The draws that were asked for with `draws_page_size`.")
    ]
    next_draws_page_token: Annotated[
        str, Meta(description="Ask for the next page of draws with this; empty at the end.")
    ]
    forked: Annotated[
        bool,
        Meta(description="It is a fork: the table it begins at was taken as given, all else was checked."),
    ]
