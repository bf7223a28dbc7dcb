"""Queries, bodies and responses of feeds and stream tickets."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct
from pydantic import Field

from gateway.schemas.fields import AudienceKind, Included, Instant, PlayerId, SeatNumber, Ticket
from gateway.schemas.forms import form
from gateway.schemas.inputs import FLAG, LanguageQuery, QueryParameters, RequestBody, like


class StreamTicketRequest(RequestBody):
    """A ticket for a match's stream."""

    seat: Annotated[Annotated[int, like(SeatNumber)] | None, Field(description="View as this seat.")] = None
    audience: Annotated[AudienceKind | None, Field(description="The audience, as for a view.")] = None


class FeedTicketRequest(RequestBody):
    """A ticket for a feed."""

    player: Annotated[
        str,
        like(PlayerId),
        Field(description="The player whose feed it opens; absent: the whole tenant's feed."),
    ] = ""


class StreamTicket(Struct, frozen=True, kw_only=True):
    """A ticket that opens one stream, once."""

    ticket: Annotated[
        str, Meta(description="Append it to the stream's address: `?ticket=…`. Keep it secret.")
    ]
    expires_at: Instant


class FeedQuery(QueryParameters):
    """Which matches the feed reports."""

    player: Annotated[
        str, like(PlayerId), Field(description="Only this player's matches; absent: all of the tenant's.")
    ] = ""
    bots: Annotated[
        bool,
        Field(description="Only matches in which bots play; also allowed with the scope `bots:play`."),
        FLAG,
    ] = False
    ticket: Annotated[str, like(Ticket)] | None = None


MAX_MATCHES: Final = 32
"""Most matches of one stream."""
_UUID: Final = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_EXAMPLE: Final = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"


class SeveralMatchesQuery(LanguageQuery):
    """Which matches."""

    matches: Annotated[
        Annotated[
            str,
            Field(
                pattern=form(
                    rf"^{_UUID}(?:,{_UUID}){{0,{MAX_MATCHES - 1}}}(?![\s\S])",
                    f"ids of up to {MAX_MATCHES} matches, separated by commas without spaces, such as {_EXAMPLE}",
                ),
                max_length=MAX_MATCHES * 37,
                examples=[_EXAMPLE],
            ),
        ]
        | None,
        Field(
            description=f"Ids of up to {MAX_MATCHES} matches, separated by commas; leave it out with a ticket."
        ),
    ] = None
    include: Annotated[
        Included | None, Field(description="`table`: with the tables, as on the stream of one match.")
    ] = None
    ticket: Annotated[str, like(Ticket)] | None = None


class SeveralMatchesTicketRequest(RequestBody):
    """A ticket for a stream of several matches."""

    matches: Annotated[
        list[
            Annotated[
                str,
                Field(
                    pattern=form(rf"^{_UUID}(?![\s\S])", f"the id of a match, such as {_EXAMPLE}"),
                    description="Id of a match.",
                    examples=[_EXAMPLE],
                ),
            ]
        ],
        Field(
            min_length=1,
            max_length=MAX_MATCHES,
            description="The matches, in the order of the stream's ids.",
        ),
    ]
    last_event_id: Annotated[
        str,
        Field(
            pattern=form(
                rf"^(?:(?:[0-9]{{1,16}}|x)(?:\.(?:[0-9]{{1,16}}|x)){{0,{MAX_MATCHES - 1}}})?(?![\s\S])",
                "the id of an event of such a stream, such as `12.0.40`: a part for each match",
            ),
            description="The id of the last event that the client has of a stream of the same matches, if it had one: the "
            "stream continues after it, and a match that may no longer be read is `revoked` there.",
            examples=["12.0.40"],
        ),
    ] = ""
