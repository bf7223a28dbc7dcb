"""The games: the catalogue, a game's description, its texts."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.fields import BotLevel, GameId, Link, RawComponents, RawSchema


class GameLinks(Struct, frozen=True, kw_only=True):
    """Links of a game."""

    self: Link
    layout: Link
    matches: Link


class RulesVersion(Struct, frozen=True, kw_only=True):
    """One version of a game's rules. A match keeps the one it was created under."""

    version: Annotated[str, Meta(description="Its number.", examples=["1.1.0"])]
    since: Annotated[str, Meta(description="Date of its release.", extra_json_schema={"format": "date"})]
    changes: Annotated[str, Meta(description="How its rulings differ from the version before.")]


class GameSummary(Struct, frozen=True, kw_only=True):
    """A game in the catalogue."""

    game: GameId
    title: Annotated[str, Meta(description="Its display name.")]
    edition: Annotated[str, Meta(description="The printed edition it follows.")]
    rules_version: Annotated[
        str, Meta(description="The version of the rules for new matches.", examples=["1.0.0"])
    ]
    rules_versions: Annotated[
        list[RulesVersion], Meta(description="Every version of the rules that can be played, newest first.")
    ]
    seat_counts: Annotated[list[int], Meta(description="The possible numbers of players.")]
    bot_levels: Annotated[
        list[BotLevel], Meta(description="The levels of its built-in bots, the weakest first.")
    ]
    links: GameLinks


class GameList(Struct, frozen=True, kw_only=True):
    """The catalogue."""

    games: Annotated[list[GameSummary], Meta(description="The games, in alphabetical order.")]


class GameRefusal(Struct, frozen=True, kw_only=True):
    """A code that a refusal of this game can carry."""

    code: Annotated[str, Meta(description="Stable; the `reason` of the problem document.")]
    rules: Annotated[list[str], Meta(description="Paragraphs and rulings that it enforces.")]
    meaning: Annotated[str, Meta(description="What is wrong. Names in backticks are `facts`.")]


class ComponentName(Struct, frozen=True, kw_only=True):
    """What a component is called."""

    name: Annotated[str, Meta(description="As a title.", examples=["Silk Road"])]
    text: Annotated[str, Meta(description="What it does; empty where there is nothing to say.")]


class Catalogue(Struct, frozen=True, kw_only=True):
    """Every message of a game in one language, in ICU MessageFormat."""

    game: GameId
    language: Annotated[str, Meta(description="As a BCP 47 tag.", examples=["it"])]
    messages: Annotated[
        dict[str, str], Meta(description="Messages by key; those that all games share are among them.")
    ]


class Paragraph(Struct, frozen=True, kw_only=True):
    """A paragraph of a game's rules, or a ruling, in words of our own."""

    id: Annotated[str, Meta(description="As `rule` names it.", examples=["7.2"])]
    title: Annotated[str, Meta(description="In a few words.")]
    text: Annotated[str, Meta(description="What it says. `[R17]` and `§7.2` in it are other paragraphs.")]


class ParagraphList(Struct, frozen=True, kw_only=True):
    """What each paragraph of a game's rules says, in English."""

    game: GameId
    paragraphs: Annotated[
        list[Paragraph],
        Meta(description="In the order of the rulebook; those that all games share come last."),
    ]


class GameDescription(GameSummary, frozen=True, kw_only=True):
    """Everything about a game that does not depend on a match."""

    options_schema: RawSchema
    action_schema: RawSchema
    event_schema: RawSchema
    template_schema: RawSchema
    view_schema: RawSchema
    components: RawComponents
    proto_package: Annotated[str, Meta(description="The package of the typed messages over gRPC.")]
    refusals: Annotated[
        list[GameRefusal], Meta(description="Every reason for which the game's rules refuse an action.")
    ]
    languages: Annotated[
        list[str],
        Meta(description="The languages of its texts, as BCP 47 tags.", examples=[["en", "it", "fr", "pl"]]),
    ]
    names: (
        Annotated[
            dict[str, ComponentName],
            Meta(description="What its components are called, by id; only if a language is asked for."),
        ]
        | UnsetType
    ) = UNSET
