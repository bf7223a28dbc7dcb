"""Problem documents (RFC 9457), which every error response is, and the types of the catalogue of their reasons."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.answers import LegalActionsNow, PendingDecision
from gateway.schemas.fields import GameId, Link
from gateway.schemas.moves import Move
from gateway.schemas.texts import Text


class FieldProblem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One part of a request that is wrong. One of `pointer`, `parameter` and `header` names it."""

    code: Annotated[str, Meta(description="A stable code, such as `UNKNOWN_FIELD`.")]
    detail: Annotated[str, Meta(description="In words, for people; they may change.")]
    pointer: (
        Annotated[
            str, Meta(description="JSON pointer into the body (RFC 6901); empty for the body as a whole.")
        ]
        | UnsetType
    ) = UNSET
    parameter: Annotated[str, Meta(description="Name of the query parameter.")] | UnsetType = UNSET
    header: Annotated[str, Meta(description="Name of the request header.")] | UnsetType = UNSET


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457). Program against `reason`; `detail` is for people and may change."""

    type: Annotated[str, Meta(description="Where the reason is explained, relative to this API.")]
    title: Annotated[str, Meta(description="In a few words; the same for every problem of its reason.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    detail: Annotated[str, Meta(description="In words, for people; they may change.")]
    instance: Annotated[str, Meta(description="The path of the request.")]
    reason: Annotated[str, Meta(description="Stable code.")]
    metadata: (
        Annotated[dict[str, str], Meta(description="Every value that `detail` was made from.")] | UnsetType
    ) = UNSET
    errors: (
        Annotated[list[FieldProblem], Meta(description="What is wrong with a malformed request.")] | UnsetType
    ) = UNSET
    rule: (
        Annotated[str, Meta(description="Paragraph of the rules that forbids the move, such as `7.2`.")]
        | UnsetType
    ) = UNSET
    rule_page: (
        Annotated[str, Meta(description="Where one can read what that paragraph says, relative to this API.")]
        | UnsetType
    ) = UNSET
    field: Annotated[str, Meta(description="The part of the action that is wrong.")] | UnsetType = UNSET
    text: (
        Annotated[
            Text,
            Meta(
                description="What is wrong, for the player; only if a language is asked for. `detail` is its sentence."
            ),
        ]
        | UnsetType
    ) = UNSET
    facts: (
        Annotated[dict[str, Any], Meta(description="Why, as far as the caller's seat may know.")] | UnsetType
    ) = UNSET
    current_version: Annotated[int, Meta(description="The match's version.")] | UnsetType = UNSET
    missed: (
        Annotated[list[Move], Meta(description="The moves since the version that the request was based on.")]
        | UnsetType
    ) = UNSET
    pending: Annotated[
        PendingDecision | UnsetType | None, Meta(description="The seat's open decision, if it has one.")
    ] = UNSET
    legal_actions: Annotated[LegalActionsNow, Meta(description="What the seat may do now.")] | UnsetType = (
        UNSET
    )
    trace_id: Annotated[str, Meta(description="Quote it when you ask for help.")] | UnsetType = UNSET


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
