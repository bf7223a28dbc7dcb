"""Queries, bodies and responses of feeds and stream tickets."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from pydantic import Field

from gateway.schemas.fields import AudienceKind, Instant, PlayerId, SeatNumber, Ticket
from gateway.schemas.inputs import FLAG, QueryParameters, RequestBody, like


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
