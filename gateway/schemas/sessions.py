"""Bodies and responses about players: their sessions, and what is kept of them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from pydantic import Field

from gateway.schemas.fields import HOUR, SECOND, Instant, MatchId, PlayerId
from gateway.schemas.inputs import QueryParameters, RequestBody, like
from services.process.bounds import MAX_CODE_VALIDITY, MAX_SESSION_LIFETIME

SessionScope = Literal["read", "play", "join", "create"]
MAX_CODE: Final = 128
"""Characters of a login code; those there are have fewer."""


class AskedSession(RequestBody):
    """What a session is asked for."""

    player: Annotated[str, like(PlayerId), Field(min_length=1)]
    scopes: Annotated[list[SessionScope], Field(max_length=4)] = []  # noqa: RUF012 - pydantic copies it


class CreatePlayerSessionRequest(AskedSession):
    hours: Annotated[
        float | None,
        Field(
            gt=0,
            le=MAX_SESSION_LIFETIME // HOUR,
            description="How long it is valid, in hours; absent: 24.",
            examples=[12],
        ),
    ] = None


class CreateLoginCodeRequest(AskedSession):
    """A request for a code that is exchanged once for a session of a player."""

    hours: Annotated[
        float | None,
        Field(
            gt=0,
            le=MAX_SESSION_LIFETIME // HOUR,
            description="How long the session is valid, in hours from when the code is redeemed; absent: 24.",
            examples=[12],
        ),
    ] = None
    valid_seconds: Annotated[
        int | None,
        Field(
            ge=1,
            le=MAX_CODE_VALIDITY // SECOND,
            description="How long the code can be redeemed, in seconds; absent: 600.",
            examples=[600],
        ),
    ] = None


class RedeemLoginCodeRequest(RequestBody):
    """A login code."""

    code: Annotated[str, Field(min_length=1, max_length=MAX_CODE)]


class RevokePlayerSessionsRequest(RequestBody):
    """Whose sessions are revoked."""

    player: Annotated[str, like(PlayerId), Field(min_length=1)] | None = None


class RevokePlayerRequest(RequestBody):
    """Whose sessions, codes, tokens and invites are revoked."""

    player: Annotated[str, like(PlayerId), Field(min_length=1)]
    page_token: Annotated[str, Field(max_length=512)] = ""


class PlayerSession(Struct, frozen=True, kw_only=True):
    """A session of one player. Whoever has the token acts for the player."""

    player: PlayerId
    token: str
    scopes: list[SessionScope]
    expires_at: Instant


class LoginCode(Struct, frozen=True, kw_only=True):
    """A code that is exchanged once for a session. Whoever has it can sign in as the player."""

    code: str
    player: PlayerId
    expires_at: Instant


class RevokedSessions(Struct, frozen=True, kw_only=True):
    """Whose sessions were revoked."""

    player: Annotated[PlayerId | None, Meta(description="The player; null: all players of the tenant.")]


class RevokedPlayer(Struct, frozen=True, kw_only=True):
    """What was revoked of a player."""

    player: PlayerId
    seats: Annotated[int, Meta(ge=0)]
    login_codes: Annotated[int, Meta(ge=0)]
    next_page_token: str


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
