"""What the catalogue of errors says."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from gateway.schemas.fields import GameId, Link


class GameMeaning(Struct, frozen=True, kw_only=True):
    """What a code means in one game."""

    game: GameId
    rules: Annotated[list[str], Meta(description="Paragraphs and rulings it is given for.")]
    meaning: Annotated[str, Meta(description="What it means there.")]


class ProblemType(Struct, frozen=True, kw_only=True):
    """What a reason means."""

    reason: Annotated[str, Meta(description="Stable code: the `reason` of problem documents.")]
    type: Link
    status: Annotated[int, Meta(description="The HTTP status it is told with.")]
    conditional_status: Annotated[
        int | None,
        Meta(description="The HTTP status when the request carried `If-Match`, where that differs."),
    ]
    grpc_code: Annotated[
        str | None, Meta(description="The gRPC code it travels with; null for the gateway's own.")
    ]
    title: Annotated[str, Meta(description="In a few words.")]
    meaning: Annotated[str, Meta(description="What is wrong, and what to do.")]
    games: Annotated[
        list[GameMeaning], Meta(description="Of a rule of games: what it means there. Else empty.")
    ]


class ProblemTypeList(Struct, frozen=True, kw_only=True):
    """Every reason: the house's own, then the rules of the games."""

    problems: Annotated[list[ProblemType], Meta(description="The reasons.")]
