"""Every route, hot ones first: the router looks through them in this order."""

from __future__ import annotations

from typing import Final

from gateway.documented import ThinRoute
from gateway.routes import (
    abort,
    bgio,
    bgio_seats,
    bots,
    deliveries,
    descriptors,
    events,
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
    returning,
    streams,
    tenants,
    tickets,
    token,
    undo,
    views,
    webhooks,
)

ROUTES: Final[tuple[ThinRoute, ...]] = (
    moves.MAKE_MOVE,
    views.GET_LEGAL_ACTIONS,
    views.GET_VIEW,
    *streams.ROUTES,
    *tickets.ROUTES,
    *feed.ROUTES,
    *moves.ROUTES,
    *returning.ROUTES,
    *undo.ROUTES,
    *abort.ROUTES,
    *fork.ROUTES,
    *bots.ROUTES,
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
    *webhooks.ROUTES,
    *deliveries.ROUTES,
    *events.ROUTES,
    *bgio.ROUTES,
    *bgio_seats.ROUTES,
    *index.ROUTES,
    *problems.ROUTES,
    *health.ROUTES,
    *openapi.ROUTES,
    *descriptors.ROUTES,
    *reference.ROUTES,
)

for _route in ROUTES:
    _route.give_way(ROUTES)
