"""All routes, the hot ones first: the router tries them in this order.

How to add an operation, in the file of its noun (`keys.py` shows all of it):

1. `router = APIRouter(tags=[…], route_class=Operation, dependencies=[counted_for(Bucket.ADMIN)])`, once per file. The
   bucket is the rate limit. If operations differ, each one has `dependencies=[…]` in its decorator and the router has none.
2. `@router.post(path, operation_id=…, summary=…, status_code=…, responses={201: answer("…", Struct), **problems(404)})`.
   The docstring is the description. 400, 401, 413, 415, 429, 500, 503 and 504 follow from the signature.
3. The signature, in the order in which a request is checked: `caller`, `platform` or `match` first (`gateway/dependencies`),
   then ids (`http/path_parameters`), headers (`http/header_parameters`, `http/idempotency`, `http/preconditions`), the query
   (`Annotated[PageQuery, Query()]`), and the body (`Annotated[Model, Body(openapi_examples=…)]`), which is read last. A
   body with a default may be left out.
4. The models in `gateway/schemas`, derived from `RequestBody` and `QueryParameters` (`schemas/inputs`); `like(PlayerId)`
   reuses the bounds and description of a type from the responses. Responses are msgspec structs:
   `return json_answer(Struct(…), 201)`. No field is copied by hand: `translate/message_of` fills the request from the
   model, `translate/struct_of` makes the struct from the response.
5. `*operations(noun.router)` below, and links to and from the operation in `openapi/links`.

An operation that is called before or after every move may be hot (`HOT`): `route_class=HotRoute`, what its
signature would name as `dependencies=[…]` in the decorator (`views.py` shows it), and `read_query` in the function.

Dependencies raise ProblemError. They are coroutines, because FastAPI runs plain functions in threads.
"""

from __future__ import annotations

from typing import Final

from gateway.openapi.operation import RoutedPath, operations
from gateway.routes import (
    abort,
    bots,
    deliveries,
    descriptors,
    events,
    exports,
    feed,
    fork,
    front_end,
    games,
    health,
    imports,
    index,
    keys,
    lobby,
    login_codes,
    match_batches,
    match_exports,
    match_list,
    matches,
    moves,
    openapi,
    pauses,
    players,
    problems,
    reference,
    replacements,
    replays,
    resigning,
    returning,
    sessions,
    several_streams,
    signing_keys,
    streams,
    tables,
    tenants,
    tickets,
    token,
    undo,
    vacations,
    views,
    webhooks,
)

ROUTES: Final[tuple[RoutedPath, ...]] = (
    *operations(moves.router),
    *operations(views.router),
    *operations(tables.router),
    *operations(streams.router),
    *operations(several_streams.router),
    *operations(tickets.router),
    *operations(feed.router),
    *operations(resigning.router),
    *operations(returning.router),
    *operations(undo.router),
    *operations(abort.router),
    *operations(pauses.router),
    *operations(replacements.router),
    *operations(fork.router),
    *operations(bots.router),
    *operations(lobby.router),
    *operations(match_list.router),
    *operations(match_exports.router),
    *operations(matches.router),
    *operations(match_batches.router),
    *operations(imports.router),
    *operations(replays.router),
    *operations(exports.router),
    *operations(signing_keys.router),
    *operations(games.router),
    *operations(token.router),
    *operations(sessions.router),
    *operations(login_codes.router),
    *operations(players.router),
    *operations(vacations.router),
    *operations(tenants.router),
    *operations(keys.router),
    *operations(webhooks.router),
    *operations(deliveries.router),
    *operations(events.router),
    *operations(index.router),
    *operations(problems.router),
    *operations(health.router),
    *operations(openapi.router),
    *operations(descriptors.router),
    *operations(reference.router),
    *operations(front_end.router),
)

HOT: Final = frozenset(
    {
        "makeMove",
        "getLegalActions",
        "getTable",
        "getView",
        "listMoves",
        "streamMatch",
        "streamMatches",
        "streamFeed",
    }
)
"""The operations that `gateway/hot` serves, because they are called before or after every move, or by all readers at the same
moment: when a gateway stops, they reconnect at once. With FastAPI's dependencies, such a request takes six times the CPU time
(`make bench B=operations`). All others are plain `Operation`s.
"""

for _route in ROUTES:
    _route.give_way(ROUTES)
