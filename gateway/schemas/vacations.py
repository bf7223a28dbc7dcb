"""Bodies, queries and responses about vacations."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from pydantic import Field

from gateway.schemas.fields import Instant, PlayerId, RequestId
from gateway.schemas.inputs import FLAG, Moment, PageQuery, RequestBody, like


class AnnounceVacationRequest(RequestBody):
    """For which player, and from when until when."""

    player: Annotated[
        Annotated[str, like(PlayerId), Field(min_length=1)] | None,
        Field(description="The player. With an API key it must be given; a session is for its own player."),
    ] = None
    since: Moment | None = None
    until: Moment
    request_id: Annotated[str, like(RequestId)] | None = None


class VacationsQuery(PageQuery):
    """Whose vacations, and which."""

    player: Annotated[
        Annotated[str, like(PlayerId)] | None,
        Field(
            description="Only those of this player. Absent: all players of the tenant, or the session's own player."
        ),
    ] = None
    include_ended: Annotated[
        bool,
        Field(description="Also vacations that are over. They are stored for 90 days at least."),
        FLAG,
    ] = False


class Vacation(Struct, frozen=True, kw_only=True):
    vacation_id: Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
    player: PlayerId
    since: Instant
    until: Instant
    created_at: Instant
    by_tenant: bool


class VacationList(Struct, frozen=True, kw_only=True):
    """A page of vacations, in the order in which they end."""

    vacations: list[Vacation]
    next_page_token: str


class CancelledVacation(Struct, frozen=True, kw_only=True):
    """What is left of a cancelled vacation."""

    vacation: Annotated[
        Vacation | None,
        Meta(description="The vacation, which is over now; null: it had not begun, and was removed."),
    ]
