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

An operation that is called before or after every move may be thin (`THIN`): `route_class=ThinRoute`, what its
signature would name as `dependencies=[…]` in the decorator (`views.py` shows it), and `read_query` in the handler.

Dependencies raise ProblemError. They are coroutines, because FastAPI runs plain functions in threads.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    match_list,
    matches,
    moves,
    openapi,
    problems,
    reference,
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
    *operations(fork.router),
    *operations(bots.router),
    *operations(lobby.router),
    *operations(match_list.router),
    *operations(matches.router),
    *operations(imports.router),
    *operations(replays.router),
    *operations(exports.router),
    *operations(signing_keys.router),
    *operations(games.router),
    *operations(token.router),
    *operations(sessions.router),
    *operations(login_codes.router),
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

THIN: Final[Mapping[str, str]] = {
    "makeMove": "130 µs to 970: every move of every match",
    "getLegalActions": "130 µs to 810: called before every move",
    "getTable": "as getView: pages read it before a stream, and after one that broke",
    "getView": "130 µs to 810: called after every move by everybody who watches without a stream",
    "listMoves": "130 µs to 810: clients without streams wait here for the next move, all at the same time",
    "streamMatch": "130 µs to 810: when a gateway stops, all of its readers reconnect at once; and the connection is handed over",
    "streamMatches": "as above",
    "streamFeed": "130 µs to 810: as above",
}
"""The operations that stay thin (`openapi/thin`), each with the CPU time of such a request in the gateway: thin,
then with FastAPI's dependencies and pydantic (`make bench B=operations`, on two busy cores). All others are `Operation`s."""

for _route in ROUTES:
    _route.give_way(ROUTES)
