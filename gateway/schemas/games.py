"""The games: the catalogue, a game's description, its texts."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from foldtable.rules.v1 import rules_service_pb2
from gateway.contract.mirror_of import Mirror, mirror_of
from gateway.schemas.fields import BotLevel, GameId, Link, RawComponents, RawSchema


class GameLinks(Struct, frozen=True, kw_only=True):
    """Links of a game."""

    self: Link
    layout: Link
    matches: Link


@mirror_of(rules_service_pb2.RulesVersion)
class RulesVersion(Mirror):
    since: Annotated[str, Meta(extra_json_schema={"format": "date"})]


class GameSummary(Struct, frozen=True, kw_only=True):
    """A game in the catalogue."""

    game: GameId
    title: str
    edition: str
    rules_version: Annotated[str, Meta(examples=["1.0.0"])]
    rules_versions: list[RulesVersion]
    seat_counts: list[int]
    bot_levels: list[BotLevel]
    links: GameLinks


class GameList(Struct, frozen=True, kw_only=True):
    """The catalogue."""

    games: list[GameSummary]


@mirror_of(rules_service_pb2.RefusalCode)
class GameRefusal(Mirror):
    pass


class ComponentName(Struct, frozen=True, kw_only=True):
    """What a component is called."""

    name: Annotated[str, Meta(examples=["Silk Road"])]
    text: str


class Catalogue(Struct, frozen=True, kw_only=True):
    """Every message of a game in one language, in ICU MessageFormat."""

    game: GameId
    language: Annotated[str, Meta(description="As a BCP 47 tag.", examples=["it"])]
    messages: dict[str, str]


class Paragraph(Struct, frozen=True, kw_only=True):
    """A paragraph of a game's rules, or a ruling, in words of our own."""

    id: str
    title: str
    text: str


class ParagraphList(Struct, frozen=True, kw_only=True):
    """What each paragraph of a game's rules says, in English."""

    game: GameId
    paragraphs: list[Paragraph]


class GameDescription(GameSummary, frozen=True, kw_only=True):
    """Everything about a game that does not depend on a match."""

    options_schema: RawSchema
    action_schema: RawSchema
    event_schema: RawSchema
    template_schema: RawSchema
    view_schema: RawSchema
    components: RawComponents
    proto_package: str
    refusals: list[GameRefusal]
    languages: Annotated[list[str], Meta(examples=[["en", "it", "fr", "pl"]])]
    names: dict[str, ComponentName] | UnsetType = UNSET
