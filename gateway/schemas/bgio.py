"""What travels under `/bgio`: the lobby as boardgame.io 0.50 speaks it, names and all."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.fields import MAX_SEAT, PlayerId, PlayerName, RawOptions, RawPlayerData
from gateway.schemas.outcome import Outcome
from gateway.schemas.requests import Input

Milliseconds = Annotated[
    int, Meta(ge=0, le=8_640_000_000_000_000, description="Milliseconds since the beginning of 1970, UTC.")
]
"""The last one is the last that a JavaScript Date holds."""
BgioMatchId = Annotated[str, Meta(description="A match.", extra_json_schema={"format": "uuid"})]
BgioPlayerId = Annotated[
    str,
    Meta(
        pattern=r"^(0|[1-9][0-9]?)(?![\s\S])",
        description="A seat, counted from 0, as text.",
        examples=["1"],
    ),
]
SeatCredentials = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2_048,
        description="The seat's token, as `playerCredentials` gave it.",
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


class BgioMatchesQuery(Input, frozen=True, kw_only=True, rename=_CAMEL):
    """Which matches."""

    is_gameover: Annotated[
        bool | None, Meta(description="Those that are over, or those that are not; unsaid: both.")
    ] = None
    updated_before: Annotated[Milliseconds | None, Meta(description="Moved on last before then.")] = None
    updated_after: Annotated[Milliseconds | None, Meta(description="Moved on last after then.")] = None


class BgioCreateRequest(Input, frozen=True, kw_only=True, rename=_CAMEL):
    """A new match, all of its seats free."""

    num_players: Annotated[int, Meta(ge=1, le=MAX_SEAT + 1, description="Number of players.")]
    setup_data: Annotated[
        RawOptions | UnsetType, Meta(description="The game's options; unsaid: all defaults.")
    ] = UNSET
    unlisted: Annotated[bool, Meta(description="Found by those only who were told its id.")] = False


class BgioJoinRequest(Input, frozen=True, kw_only=True, rename=_CAMEL):
    """A seat, please."""

    player_id: Annotated[BgioPlayerId | None, Meta(description="The seat; unsaid: the first free one.")] = (
        None
    )
    player_name: Annotated[PlayerName, Meta(min_length=1)]
    data: RawPlayerData | UnsetType = UNSET
    player: PlayerId = ""
    """Not of boardgame.io, whose client sends it all the same."""


class BgioSeatRequest(Input, frozen=True, kw_only=True, rename=_CAMEL):
    """Who asks, from which seat."""

    player_id: BgioPlayerId
    credentials: SeatCredentials


class BgioUpdateRequest(BgioSeatRequest, frozen=True, kw_only=True, rename=_CAMEL):
    """Another name, or other data. One of the two must be there."""

    new_name: Annotated[PlayerName, Meta(min_length=1)] | UnsetType = UNSET
    data: RawPlayerData | UnsetType = UNSET


class BgioPlayAgainRequest(BgioSeatRequest, frozen=True, kw_only=True, rename=_CAMEL):
    """Another one like it, please. Where another was asked for before, what is said here changes nothing."""

    num_players: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_SEAT + 1)] | None,
        Meta(description="Number of players; unsaid: as before."),
    ] = None
    setup_data: Annotated[
        RawOptions | UnsetType, Meta(description="The game's options; unsaid: as before.")
    ] = UNSET

    unlisted: Annotated[
        bool | None, Meta(description="Whether it stands in listings; unsaid: as the match before.")
    ] = None


# ── answers ────────────────────────────────────────────────────────────────────────────────────────


class BgioPlayer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat; without a name it is free."""

    id: Annotated[int, Meta(ge=0, le=MAX_SEAT, description="The seat, counted from 0.")]
    name: PlayerName | UnsetType = UNSET
    data: RawPlayerData | UnsetType = UNSET


class BgioMatch(Struct, frozen=True, kw_only=True, rename=_CAMEL):
    """A match without its table."""

    match_id: BgioMatchId
    game_name: Annotated[str, Meta(description="The game's id.", examples=["river_dragons"])]
    players: Annotated[list[BgioPlayer], Meta(description="Who sits where, by seat.")]
    setup_data: RawOptions
    unlisted: Annotated[bool, Meta(description="Whether listings leave it out.")]
    created_at: Milliseconds
    updated_at: Milliseconds
    gameover: Outcome | UnsetType = UNSET
    """How it ended; only once it is over."""
    next_match_id: Annotated[
        BgioMatchId | UnsetType,
        Meta(description="The match that follows; only of one match, once it is over and one follows."),
    ] = UNSET


class BgioMatchList(Struct, frozen=True, kw_only=True):
    """Matches, those that moved on last first."""

    matches: Annotated[list[BgioMatch], Meta(description="The matches.")]


class BgioCreatedMatch(Struct, frozen=True, kw_only=True, rename=_CAMEL):
    """The new match."""

    match_id: BgioMatchId


class BgioJoinedMatch(Struct, frozen=True, kw_only=True, rename=_CAMEL):
    """A seat and its token."""

    player_id: BgioPlayerId
    player_credentials: Annotated[
        str, Meta(description="The seat's token: for `credentials` here, and for everything under `/v1`.")
    ]


class BgioNextMatch(Struct, frozen=True, kw_only=True, rename=_CAMEL):
    """Where to go on: join there like anywhere else."""

    next_match_id: BgioMatchId


class BgioNothing(Struct, frozen=True, kw_only=True):
    """It is done; there is nothing more to say."""
