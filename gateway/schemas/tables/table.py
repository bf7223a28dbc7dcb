"""The whole table of a match: all that a front end draws, at one version."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from gateway.schemas.answers import Audience, Match, PendingDecision, Proposal
from gateway.schemas.clocks import Clocks
from gateway.schemas.fields import MatchId, RawActions, RawTemplates, RawView, VersionNumber
from gateway.schemas.inputs import LanguageQuery
from gateway.schemas.requests import AudienceQuery
from gateway.schemas.tables.hints import ActionHint, TemplateHint
from gateway.schemas.tables.layout import Pieces
from gateway.schemas.texts import Texts
from gateway.schemas.undo import UndoState


class TableQuery(AudienceQuery, LanguageQuery):
    """For which audience, in which language."""


class TableLegalActions(Struct, frozen=True, kw_only=True):
    """Everything that a seat may do now, with hints for a person who chooses."""

    actions: RawActions
    action_hints: list[ActionHint]
    templates: RawTemplates
    template_hints: list[TemplateHint]
    action_texts: Texts | UnsetType = UNSET
    template_texts: Texts | UnsetType = UNSET


class Table(Struct, frozen=True, kw_only=True):
    """Everything that a front end draws for an audience, read at one moment and of one version."""

    match_id: MatchId
    version: VersionNumber
    audience: Audience
    match: Match
    view: RawView | None
    pieces: Pieces
    pending: list[PendingDecision]
    legal: TableLegalActions | None
    undo: UndoState | None
    proposal: Proposal | None
    clocks: Clocks | None
