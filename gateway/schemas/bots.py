"""Bots: which bot plays a seat, the sampled states that a bot may search, and the matches that wait for a bot."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from pydantic import Field

from gateway.schemas.answers import Audience
from gateway.schemas.events import FeedMatch
from gateway.schemas.fields import (
    AudienceKind,
    BotLevel,
    BotName,
    MatchId,
    RawStates,
    SeatNumber,
    Seed,
    VersionNumber,
)
from gateway.schemas.inputs import WHOLE, QueryParameters, RequestBody, like
from services.process.bounds import MAX_STATES


class SeatBotRequest(RequestBody):
    """Names a bot: a built-in one by its level, or one of your own by its name."""

    level: Annotated[str, like(BotLevel)] = ""
    bot: Annotated[str, like(BotName)] = ""


class DeterminizationsQuery(QueryParameters):
    """How many states, with which seed, for which audience, at which version."""

    count: Annotated[int, Field(ge=1, le=MAX_STATES, description="How many."), WHOLE] = 1
    seed: Annotated[str, like(Seed)] = ""
    seat: Annotated[
        Annotated[int, like(SeatNumber), WHOLE] | None, Field(description="View as this seat.")
    ] = None
    audience: Annotated[AudienceKind | None, Field(description="The audience, as for a view.")] = None
    version: Annotated[
        Annotated[int, like(VersionNumber), WHOLE] | None,
        Field(description="The version; absent: the newest."),
    ] = None


class Determinizations(Struct, frozen=True, kw_only=True):
    """Complete states that this audience cannot distinguish from the true one."""

    match_id: MatchId
    version: VersionNumber
    audience: Audience
    rules_version: str
    states: RawStates


class BotTurns(Struct, frozen=True, kw_only=True):
    """The matches that wait for a bot."""

    matches: list[FeedMatch]
    complete: bool
