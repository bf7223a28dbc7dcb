"""Bodies and responses about what is kept of a player."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from pydantic import Field

from gateway.schemas.fields import Instant, MatchId, PlayerId
from gateway.schemas.inputs import QueryParameters, RequestBody, like


class ErasePlayerRequest(RequestBody):
    """Who is erased."""

    player: Annotated[str, like(PlayerId), Field(min_length=1)]


class PlayerExportQuery(QueryParameters):
    """Whose records are exported."""

    player: Annotated[str, like(PlayerId), Field(min_length=1, description="The player.")]


class ErasedPlayer(Struct, frozen=True, kw_only=True):
    """What was erased of a player."""

    player: PlayerId
    seats: Annotated[int, Meta(ge=0)]
    events: Annotated[int, Meta(ge=0)]
    login_codes: Annotated[int, Meta(ge=0)]
    vacations: Annotated[int, Meta(ge=0)]
    done: bool


class PlayerRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is kept of a player: a line of the export. Further members depend on `kind`."""

    kind: Annotated[
        Literal[
            "sessions",
            "login_code",
            "vacation",
            "seat",
            "earlier_seat",
            "event",
            "event_of_replacement",
            "forks",
        ],
        Meta(
            description="`sessions`: how often they were revoked; `login_code`: one that is not redeemed; `vacation`; `seat`: one that the "
            "player has, or that is kept for the player; `earlier_seat`: one that another player has since; `event`: a stored event "
            "about the player at a seat; `event_of_replacement`: one that names the player as who was there before; `forks`: how "
            "many the player made of a match."
        ),
    ]
    match_id: MatchId | UnsetType = UNSET
    recorded_at: Annotated[Instant, Meta(description="When the event happened.")] | UnsetType = UNSET
