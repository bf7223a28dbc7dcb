"""Every route, hot ones first: the router looks through them in this order."""

from __future__ import annotations

from typing import Final

from gateway.documented import ThinRoute
from gateway.routes import exports, games, health, index, matches, moves, openapi, problems, streams, views

ROUTES: Final[tuple[ThinRoute, ...]] = (
    moves.MAKE_MOVE,
    views.GET_LEGAL_ACTIONS,
    views.GET_VIEW,
    *streams.ROUTES,
    *moves.ROUTES,
    *matches.ROUTES,
    *exports.ROUTES,
    *games.ROUTES,
    *index.ROUTES,
    *problems.ROUTES,
    *health.ROUTES,
    *openapi.ROUTES,
)
