"""The whole table of a match: all that a front end draws, at one version."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.answers import Audience, Match, PendingDecision, Proposal
from gateway.schemas.clocks import Clocks
from gateway.schemas.fields import MatchId, RawActions, RawTemplates, RawView, VersionNumber
from gateway.schemas.inputs import LanguageQuery
from gateway.schemas.requests import AudienceQuery
from gateway.schemas.tables.hints import ActionHints, TemplateHints
from gateway.schemas.tables.layout import Pieces
from gateway.schemas.texts import Texts
from gateway.schemas.undo import UndoState


class TableQuery(AudienceQuery, LanguageQuery):
    """For which audience, in which language."""


class TableLegalActions(Struct, frozen=True, kw_only=True):
    """Everything that a seat may do now, with hints for a person who chooses."""

    actions: Annotated[RawActions, Meta(description="Each can be posted back as it is.")]
    action_hints: ActionHints
    templates: Annotated[
        RawTemplates,
        Meta(description="Sets of actions too large to list; no action of them is among `actions`."),
    ]
    template_hints: TemplateHints
    action_texts: Texts | UnsetType = UNSET
    template_texts: Texts | UnsetType = UNSET


class Table(Struct, frozen=True, kw_only=True):
    """Everything that a front end draws for an audience, read at one moment and of one version."""

    match_id: MatchId
    version: Annotated[
        VersionNumber,
        Meta(description="What it shows, and the `expected_version` of a move; 0 before the start."),
    ]
    audience: Audience
    match: Annotated[Match, Meta(description="The match with its seats, its clocks and its outcome.")]
    view: Annotated[
        RawView | None, Meta(description="The state, as the audience may see it; null before the start.")
    ]
    pieces: Pieces
    pending: Annotated[list[PendingDecision], Meta(description="The open decisions of all seats.")]
    legal: Annotated[
        TableLegalActions | None,
        Meta(
            description="What the seat may do; null for other audiences, and if the seat has nothing to decide."
        ),
    ]
    undo: Annotated[
        UndoState | None,
        Meta(description="What the seat may take back; null for other audiences, and before the start."),
    ]
    proposal: Annotated[Proposal | None, Meta(description="The open proposal; null if there is none.")]
    clocks: Annotated[Clocks | None, Meta(description="The time each seat has left; null without a clock.")]
