"""The table of each game, with its own view and actions: written by `make docs` from the OpenAPI document, not by hand."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict, TypeGuard, overload

from foldtable_client import types
from foldtable_client.games import al_rashid, river_dragons, river_of_gold


class AlRashidTable(TypedDict):
    """Everything that a front end draws for an audience, read at one moment and of one version."""

    match_id: str
    """Id of the match, a UUIDv7."""
    version: int
    """The version that is shown, and the `expected_version` of a move; 0 before the start."""
    audience: types.Audience
    """The audience whose knowledge is shown."""
    match: types.Match
    """The match, with its outcome and clocks."""
    view: al_rashid.View | None
    """The state, as the audience may see it. Null before the start."""
    pieces: dict[str, types.Piece]
    """What lies at the places of the game's layout, as far as the audience may know."""
    pending: list[types.PendingDecision]
    """The open decisions of all seats."""
    legal: AlRashidTableLegalActions | None
    """What the seat may do. Only for the audience of a seat, and only if it has an open decision."""
    undo: types.UndoState | None
    """What the seat may undo. Only for the audience of a seat of a match that has begun."""
    proposal: types.Proposal | None
    """The open proposal. Null: none."""
    clocks: types.Clocks | None
    """Each seat's remaining time. Null in a match without a clock."""


class AlRashidTableLegalActions(TypedDict):
    """Everything that a seat may do now, with hints for a person who chooses."""

    actions: list[al_rashid.Action]
    """Every legal action that can be listed. Each can be sent as it is."""
    action_hints: list[types.ActionHint]
    """How each action is presented, in the same order."""
    templates: list[al_rashid.Template]
    """Sets of legal actions that are too large to list. No action of them is listed."""
    template_hints: list[types.TemplateHint]
    """How each template is presented and filled in, in the same order."""
    action_texts: NotRequired[list[types.Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    template_texts: NotRequired[list[types.Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class RiverDragonsTable(TypedDict):
    """Everything that a front end draws for an audience, read at one moment and of one version."""

    match_id: str
    """Id of the match, a UUIDv7."""
    version: int
    """The version that is shown, and the `expected_version` of a move; 0 before the start."""
    audience: types.Audience
    """The audience whose knowledge is shown."""
    match: types.Match
    """The match, with its outcome and clocks."""
    view: river_dragons.View | None
    """The state, as the audience may see it. Null before the start."""
    pieces: dict[str, types.Piece]
    """What lies at the places of the game's layout, as far as the audience may know."""
    pending: list[types.PendingDecision]
    """The open decisions of all seats."""
    legal: RiverDragonsTableLegalActions | None
    """What the seat may do. Only for the audience of a seat, and only if it has an open decision."""
    undo: types.UndoState | None
    """What the seat may undo. Only for the audience of a seat of a match that has begun."""
    proposal: types.Proposal | None
    """The open proposal. Null: none."""
    clocks: types.Clocks | None
    """Each seat's remaining time. Null in a match without a clock."""


class RiverDragonsTableLegalActions(TypedDict):
    """Everything that a seat may do now, with hints for a person who chooses."""

    actions: list[river_dragons.Action]
    """Every legal action that can be listed. Each can be sent as it is."""
    action_hints: list[types.ActionHint]
    """How each action is presented, in the same order."""
    templates: list[river_dragons.Template]
    """Sets of legal actions that are too large to list. No action of them is listed."""
    template_hints: list[types.TemplateHint]
    """How each template is presented and filled in, in the same order."""
    action_texts: NotRequired[list[types.Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    template_texts: NotRequired[list[types.Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class RiverOfGoldTable(TypedDict):
    """Everything that a front end draws for an audience, read at one moment and of one version."""

    match_id: str
    """Id of the match, a UUIDv7."""
    version: int
    """The version that is shown, and the `expected_version` of a move; 0 before the start."""
    audience: types.Audience
    """The audience whose knowledge is shown."""
    match: types.Match
    """The match, with its outcome and clocks."""
    view: river_of_gold.View | None
    """The state, as the audience may see it. Null before the start."""
    pieces: dict[str, types.Piece]
    """What lies at the places of the game's layout, as far as the audience may know."""
    pending: list[types.PendingDecision]
    """The open decisions of all seats."""
    legal: RiverOfGoldTableLegalActions | None
    """What the seat may do. Only for the audience of a seat, and only if it has an open decision."""
    undo: types.UndoState | None
    """What the seat may undo. Only for the audience of a seat of a match that has begun."""
    proposal: types.Proposal | None
    """The open proposal. Null: none."""
    clocks: types.Clocks | None
    """Each seat's remaining time. Null in a match without a clock."""


class RiverOfGoldTableLegalActions(TypedDict):
    """Everything that a seat may do now, with hints for a person who chooses."""

    actions: list[river_of_gold.Action]
    """Every legal action that can be listed. Each can be sent as it is."""
    action_hints: list[types.ActionHint]
    """How each action is presented, in the same order."""
    templates: list[river_of_gold.Template]
    """Sets of legal actions that are too large to list. No action of them is listed."""
    template_hints: list[types.TemplateHint]
    """How each template is presented and filled in, in the same order."""
    action_texts: NotRequired[list[types.Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    template_texts: NotRequired[list[types.Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


@overload
def is_of(table: types.Table, game: Literal["al_rashid"]) -> TypeGuard[AlRashidTable]: ...
@overload
def is_of(table: types.Table, game: Literal["river_dragons"]) -> TypeGuard[RiverDragonsTable]: ...
@overload
def is_of(table: types.Table, game: Literal["river_of_gold"]) -> TypeGuard[RiverOfGoldTable]: ...
@overload
def is_of(table: types.Table, game: str) -> bool: ...
def is_of(table: types.Table, game: str) -> bool:
    """Return whether a table is of a game: then a type checker knows its view and its actions."""
    return table["match"]["game"] == game
