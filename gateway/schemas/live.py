"""Feeds and stream tickets: what is asked and answered."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from gateway.schemas.fields import AudienceKind, Instant, SeatNumber, Ticket
from gateway.schemas.requests import Input

Player = Annotated[
    str, Meta(max_length=64, description="The platform's own id of the player.", examples=["ada"])
]


class StreamTicketRequest(Input, frozen=True, kw_only=True):
    """A ticket for a match's stream."""

    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[AudienceKind | None, Meta(description="For whose eyes; as for a view.")] = None


class FeedTicketRequest(Input, frozen=True, kw_only=True):
    """A ticket for a feed."""

    player: Annotated[Player, Meta(description="Whose feed; unsaid: the whole tenant's.")] = ""


class StreamTicket(Struct, frozen=True, kw_only=True):
    """Opens one stream, once."""

    ticket: Annotated[
        str, Meta(description="Append it to the stream's address: `?ticket=…`. Keep it secret.")
    ]
    expires_at: Instant


class FeedQuery(Input, frozen=True, kw_only=True):
    """Whose matches."""

    player: Annotated[Player, Meta(description="Only this player's matches; unsaid: all of the tenant.")] = ""
    bots: Annotated[
        bool, Meta(description="Only matches that bots sit at; for keys with the scope `bots:play`, too.")
    ] = False
    ticket: Ticket | None = None
