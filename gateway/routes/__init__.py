"""Every route, hot ones first: the router looks through them in this order."""

from __future__ import annotations

from typing import Final

from gateway.documented import ThinRoute
from gateway.routes import (
    abort,
    exports,
    feed,
    fork,
    games,
    health,
    imports,
    index,
    keys,
    lobby,
    match_list,
    matches,
    moves,
    openapi,
    problems,
    reference,
    replays,
    streams,
    tenants,
    tickets,
    token,
    undo,
    views,
)

ROUTES: Final[tuple[ThinRoute, ...]] = (
    moves.MAKE_MOVE,
    views.GET_LEGAL_ACTIONS,
    views.GET_VIEW,
    *streams.ROUTES,
    *tickets.ROUTES,
    *feed.ROUTES,
    *moves.ROUTES,
    *undo.ROUTES,
    *abort.ROUTES,
    *fork.ROUTES,
    *lobby.ROUTES,
    *match_list.ROUTES,
    *matches.ROUTES,
    *imports.ROUTES,
    *replays.ROUTES,
    *exports.ROUTES,
    *games.ROUTES,
    *token.ROUTES,
    *tenants.ROUTES,
    *keys.ROUTES,
    *index.ROUTES,
    *problems.ROUTES,
    *health.ROUTES,
    *openapi.ROUTES,
    *reference.ROUTES,
)
