"""The types of the API under `/bgio`: the lobby API of boardgame.io 0.50, with its names."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from pydantic import BaseModel, ConfigDict, Field

from gateway.schemas.fields import MAX_SEAT, PlayerId, PlayerName, RawOptions, RawPlayerData
from gateway.schemas.forms import form
from gateway.schemas.inputs import (
    ABSENT,
    FLAG,
    WHOLE,
    PassedOn,
    QueryParameters,
    RequestBody,
    like,
)
from gateway.schemas.outcome import Outcome

Milliseconds = Annotated[
    int, Meta(ge=0, le=8_640_000_000_000_000, description="Milliseconds since the beginning of 1970, UTC.")
]
"""The maximum is the last time that a JavaScript Date can hold."""
BgioMatchId = Annotated[str, Meta(description="A match.", extra_json_schema={"format": "uuid"})]
BgioPlayerId = Annotated[
    str,
    Meta(
        pattern=form(r"^(0|[1-9][0-9]?)(?![\s\S])", 'the number of a seat as a string, such as `"1"`'),
        description="A seat, counted from 0, as text.",
        examples=["1"],
    ),
]
SeatCredentials = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2_048,
        description="The seat's token, as returned in `playerCredentials`.",
        extra_json_schema={"writeOnly": True},
    ),
]
_CAMEL = {
    "player_id": "playerID",
    "player_name": "playerName",
    "new_name": "newName",
    "player_credentials": "playerCredentials",
    "match_id": "matchID",
    "next_match_id": "nextMatchID",
    "num_players": "numPlayers",
    "game_name": "gameName",
    "setup_data": "setupData",
    "created_at": "createdAt",
    "updated_at": "updatedAt",
    "is_gameover": "isGameover",
    "updated_before": "updatedBefore",
    "updated_after": "updatedAfter",
}

# ── requests ───────────────────────────────────────────────────────────────────────────────────────


class _Renamed(BaseModel):
    """A model whose fields have boardgame.io's names in JSON."""

    model_config = ConfigDict(alias_generator=lambda name: _CAMEL.get(name, name))


class BgioMatchesQuery(_Renamed, QueryParameters):
    """Filters of a list of matches."""

    is_gameover: Annotated[
        Annotated[bool, FLAG] | None,
        Field(
            description="True: only matches that have ended; false: only those that have not; absent: both."
        ),
    ] = None
    updated_before: Annotated[
        Annotated[int, like(Milliseconds), WHOLE] | None,
        Field(description="Only matches last updated before this time."),
    ] = None
    updated_after: Annotated[
        Annotated[int, like(Milliseconds), WHOLE] | None,
        Field(description="Only matches last updated after this time."),
    ] = None


class BgioCreateRequest(_Renamed, RequestBody):
    """A new match, all of its seats free."""

    num_players: Annotated[int, Field(ge=1, le=MAX_SEAT + 1, description="Number of players.")]
    setup_data: Annotated[
        Raw | None, PassedOn("Options"), Field(description="The game's options; absent: all defaults.")
    ] = None
    unlisted: Annotated[
        bool, Field(description="Whether listings omit it; it can then be reached only by its id.")
    ] = False


class BgioJoinRequest(_Renamed, RequestBody):
    """A request for a seat."""

    player_id: Annotated[
        Annotated[str, like(BgioPlayerId)] | None, Field(description="The seat; absent: the first free one.")
    ] = None
    player_name: Annotated[str, like(PlayerName), Field(min_length=1)]
    data: Annotated[Raw | None, PassedOn(), like(RawPlayerData)] = None
    player: Annotated[str, like(PlayerId)] = ""
    """Not part of boardgame.io's API, but its client passes it on."""


class BgioSeatRequest(_Renamed, RequestBody):
    """The seat that calls, with its credentials."""

    player_id: Annotated[str, like(BgioPlayerId)]
    credentials: Annotated[str, like(SeatCredentials)]


class BgioUpdateRequest(BgioSeatRequest):
    """A new name or new data. One of the two is required."""

    new_name: Annotated[str, like(PlayerName), Field(min_length=1)] = ABSENT
    data: Annotated[Raw | None, PassedOn(), like(RawPlayerData)] = None


class BgioPlayAgainRequest(BgioSeatRequest):
    """A request for a rematch. If the rematch exists already, the other fields have no effect."""

    num_players: Annotated[
        Annotated[int, Field(ge=1, le=MAX_SEAT + 1)] | None,
        Field(description="Number of players; absent: as in this match."),
    ] = None
    setup_data: Annotated[
        Raw | None, PassedOn("Options"), Field(description="The game's options; absent: as in this match.")
    ] = None
    unlisted: Annotated[
        bool | None, Field(description="Whether listings omit it; absent: as in this match.")
    ] = None


# ── answers ────────────────────────────────────────────────────────────────────────────────────────


class BgioPlayer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat. It is free if it has no name."""

    id: Annotated[int, Meta(ge=0, le=MAX_SEAT, description="The seat, counted from 0.")]
    name: PlayerName | UnsetType = UNSET
    data: RawPlayerData | UnsetType = UNSET


class BgioMatch(Struct, frozen=True, kw_only=True, rename=_CAMEL):
    """A match without its state."""

    match_id: BgioMatchId
    game_name: Annotated[str, Meta(description="The game's id.", examples=["river_dragons"])]
    players: Annotated[list[BgioPlayer], Meta(description="The seats, by number.")]
    setup_data: RawOptions
    unlisted: Annotated[bool, Meta(description="Whether listings omit it.")]
    created_at: Milliseconds
    updated_at: Milliseconds
    gameover: Outcome | UnsetType = UNSET
    """How it ended; absent before the end."""
    next_match_id: Annotated[
        BgioMatchId | UnsetType,
        Meta(description="The rematch, if there is one; only when a single match is requested."),
    ] = UNSET


class BgioMatchList(Struct, frozen=True, kw_only=True):
    """Matches, the most recently updated first."""

    matches: Annotated[list[BgioMatch], Meta(description="The matches.")]


class BgioCreatedMatch(Struct, frozen=True, kw_only=True, rename=_CAMEL):
    """The new match."""

    match_id: BgioMatchId


class BgioJoinedMatch(Struct, frozen=True, kw_only=True, rename=_CAMEL):
    """A seat and its token."""

    player_id: BgioPlayerId
    player_credentials: Annotated[
        str, Meta(description="The seat's token, for `credentials` here and for every operation under `/v1`.")
    ]


class BgioNextMatch(Struct, frozen=True, kw_only=True, rename=_CAMEL):
    """The match that follows. Join it like any other match."""

    next_match_id: BgioMatchId


class BgioNothing(Struct, frozen=True, kw_only=True):
    """An empty object: the request succeeded."""
