"""The types of the catalogue of errors."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from gateway.schemas.fields import GameId, Link


class GameMeaning(Struct, frozen=True, kw_only=True):
    """What a code means in one game."""

    game: GameId
    rules: Annotated[list[str], Meta(description="Paragraphs and rulings that it enforces.")]
    meaning: Annotated[str, Meta(description="What it means in that game.")]


class ProblemType(Struct, frozen=True, kw_only=True):
    """A reason for errors, explained."""

    reason: Annotated[str, Meta(description="Stable code: the `reason` of problem documents.")]
    type: Link
    status: Annotated[int, Meta(description="The HTTP status of the response.")]
    conditional_status: Annotated[
        int | None,
        Meta(description="The HTTP status when the request carried `If-Match`, where that differs."),
    ]
    grpc_code: Annotated[
        str | None, Meta(description="The gRPC status code; null for the gateway's own reasons.")
    ]
    title: Annotated[str, Meta(description="A short title.")]
    meaning: Annotated[str, Meta(description="What is wrong, and what to do about it.")]
    games: Annotated[
        list[GameMeaning],
        Meta(description="For a rule of games: what it means in each game; otherwise empty."),
    ]


class ProblemTypeList(Struct, frozen=True, kw_only=True):
    """Every reason: the server's own, then the rules of the games."""

    problems: Annotated[list[ProblemType], Meta(description="The reasons.")]
