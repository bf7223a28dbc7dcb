"""Bots: who plays a seat, what a bot thinks with, and where one is waited for."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

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
from gateway.schemas.requests import Input


class SeatBotRequest(Input, frozen=True, kw_only=True):
    """Which bot: one of the house's by its level, or one of your own by its name."""

    level: BotLevel = ""
    bot: BotName = ""


class DeterminizationsQuery(Input, frozen=True, kw_only=True):
    """How many, with what luck, for whose eyes, when."""

    count: Annotated[int, Meta(ge=1, le=16, description="How many.")] = 1
    seed: Seed = ""
    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[AudienceKind | None, Meta(description="For whose eyes; as for a view.")] = None
    version: Annotated[VersionNumber | None, Meta(description="After which move; unsaid: now.")] = None


class Determinizations(Struct, frozen=True, kw_only=True):
    """Whole states that this audience cannot tell from the true one."""

    match_id: MatchId
    version: VersionNumber
    audience: Audience
    rules_version: Annotated[str, Meta(description="The rules the states are of.")]
    states: RawStates


class BotTurns(Struct, frozen=True, kw_only=True):
    """The matches that wait for a bot."""

    matches: Annotated[list[FeedMatch], Meta(description="Those that changed last first; at most 1000.")]
    complete: Annotated[bool, Meta(description="There are no more than these.")]
