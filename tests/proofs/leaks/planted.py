"""Leaks that are planted on purpose, at least one in every channel: mistakes somebody could make.

Some are whole mistakes, such as an event told without redaction. For the others a mark stands for what would leak: eight
digits made of all that has lain on the tables, hidden parts included. No plant changes what the match itself does.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import msgspec
import structlog
from google.protobuf.message import Message
from msgspec.structs import replace
from prometheus_client import REGISTRY, Counter

from engine.kernel.codec import encode
from engine.kernel.seats import REFEREE
from engine.match.commands import Forked
from engine.registry import GAMES
from engine.registry import game as registered_game
from foldtable.rules.v1.payload_pb2 import Payload
from services.rpc.refusals import Refused
from services.rules.match.loaded_match import LoadedMatch
from services.rules.wire.layouts import piece_message
from services.rules.wire.payloads import Payloads


class Mark:
    """What has lain on the tables so far, as eight digits."""

    def __init__(self) -> None:
        self.number = 0

    def __str__(self) -> str:
        return f"{self.number:08x}"

    def take_in(self, state: Any) -> None:
        self.number = zlib.crc32(encode(state), self.number)


@dataclass(frozen=True)
class Plant:
    """A leak, and the channels in which it has to be found."""

    name: str
    channels: frozenset[str]
    into: Callable[[ExitStack, Mark], None] = field(repr=False)
    level: str = "info"
    """The log level at which it has to be found, with all that are below; by default that of `foldtable up`."""


PLANTS: list[Plant] = []


def _plant(
    name: str, *channels: str, level: str = "info"
) -> Callable[[Callable[[ExitStack, Mark], None]], None]:
    def listed(into: Callable[[ExitStack, Mark], None]) -> None:
        PLANTS.append(Plant(name, frozenset(channels), into, level))

    return listed


@contextmanager
def planted(*plants: Plant) -> Iterator[None]:
    """Plant leaks while the context is open; a mark begins anew with it."""
    mark = Mark()
    with ExitStack() as stack:
        if plants:
            _each_move(stack, mark.take_in)
        for plant in plants:
            plant.into(stack, mark)
        yield


def _each_move(stack: ExitStack, do: Callable[[Any], None]) -> None:
    """Do something with the whole table after every move that a service makes or reads."""
    real = LoadedMatch.advance_to

    def advance_to(self: LoadedMatch, move: Any, state: Any, *rest: Any) -> None:
        do(state)
        real(self, move, state, *rest)

    stack.enter_context(patch.object(LoadedMatch, "advance_to", advance_to))


def _in_games(stack: ExitStack, name: str, instead: Any) -> None:
    """Put a function of every game, under all its rules, in another's place."""
    for game_id in GAMES:
        game = registered_game(game_id)
        for one in (game, *(game.by(version.version) for version in game.versions)):
            stack.callback(object.__setattr__, one, name, getattr(one, name))
            object.__setattr__(one, name, instead(getattr(one, name)))


def _wrap(stack: ExitStack, place: str, wrap: Callable[[Any], Any]) -> None:
    """Put what `wrap` makes of a function in its place."""
    holder, _, name = place.rpartition(".")
    real = patch(place).get_original()[0]
    assert callable(real), f"{name} of {holder}"
    stack.enter_context(patch(place, wrap(real)))


# ── whole mistakes ─────────────────────────────────────────────────────────────────────────────────


@_plant("everybody sees what a referee sees", "views", "rpc views", "replays", "rpc watch", "event stream")
def _views(stack: ExitStack, _: Mark) -> None:
    _in_games(stack, "view", lambda real: lambda state, audience: real(state, REFEREE))


@_plant(
    "events are told as they are stored", "history", "rpc history", "event stream", "rpc follow", "exports"
)
def _events(stack: ExitStack, _: Mark) -> None:
    _in_games(stack, "redact", lambda real: lambda event, audience: event)


@_plant("a stream forgets who follows", "rpc watch")
def _watch(stack: ExitStack, _: Mark) -> None:
    _wrap(stack, "services.rules.streams.match_stream.move_message", _for_a_referee)


@_plant("a gateway's stream forgets for whom it follows", "rpc follow", "event stream")
def _follow(stack: ExitStack, _: Mark) -> None:
    _wrap(stack, "services.rules.streams.subscribed_match.move_message", _for_a_referee)


@_plant("a replay forgets who looks", "replays", "rpc past")
def _replay(stack: ExitStack, _: Mark) -> None:
    _wrap(stack, "services.rules.history.replaying.move_message", _for_a_referee)


@_plant("the pieces of a replay are those that a referee sees", "replays", "rpc past", "texts")
def _replayed_pieces(stack: ExitStack, _: Mark) -> None:
    def wrap(real: Any) -> Any:
        def add_table(step: Any, replay: Any, state: Any, seen: Any, *, standing: bool) -> None:
            real(step, replay, state, replay.loaded.game.view(state, REFEREE), standing=standing)

        return add_table

    _wrap(stack, "services.rules.history.replaying._add_table", wrap)


@_plant("an export of a running match tells what others asked for", "exports", "rpc past")
def _export(stack: ExitStack, _: Mark) -> None:
    _wrap(
        stack, "services.rules.history.exporting.visible_request", lambda _: lambda row, audience: row.request
    )


@_plant("a determinization is the true table", "determinizations")
def _determinization(stack: ExitStack, _: Mark) -> None:
    _in_games(stack, "redeal", lambda real: lambda state, audience, chance: state)


@_plant("a fork copies what is hidden", "forks")
def _fork(stack: ExitStack, _: Mark) -> None:
    def copied(game: Any, state: Any, fork: Any, chance: Any) -> tuple[Any, ...]:
        table = msgspec.Raw(encode(state))
        return (Forked(of=fork.of, version=fork.version, audience=REFEREE, state=table),)

    stack.enter_context(patch("services.rules.match.forking.forking.deal", copied))


@_plant("another's hand in an error message", "dry runs", "refusals", "rpc refusals", "rpc status, trailers")
def _error(stack: ExitStack, _: Mark) -> None:
    def wrap(real: Any) -> Any:
        def judge(table: LoadedMatch, *rest: Any, **more: Any) -> Any:
            try:
                return real(table, *rest, **more)
            except Refused as refused:
                held = encode(table.state).decode()
                told = Refused(
                    refused.reason, f"{refused.message}; the table holds {held}", violation=refused.violation
                )
                raise told from None

        return judge

    _wrap(stack, "services.rules.match.moves.judge", wrap)


@_plant("an internal error tells its text", "internal errors", "rpc status, trailers", "log lines")
def _internal(stack: ExitStack, _: Mark) -> None:
    def wrap(real: Any) -> Any:
        def refusal_of(error: Exception, method: str) -> Refused:
            refused = real(error, method)
            return refused if refused is error else Refused(refused.reason, str(error))

        return refusal_of

    _wrap(stack, "services.rpc.answering.refusal_of", wrap)


def _for_a_referee(real: Any) -> Any:
    return lambda table, row, audience, *rest: real(table, row, REFEREE, *rest)


@_plant("a sentence is made of the event as it is stored", "texts")
def _texts(stack: ExitStack, _: Mark) -> None:
    stored: dict[str, Any] = {}

    def remembering(real: Any) -> Any:
        def redact(game: Any, event: Any, audience: Any) -> Any:
            redacted = real(game, event, audience)
            stored[repr(redacted)] = event
            return redacted

        return redact

    def telling(real: Any) -> Any:
        return lambda game, event: real(game, stored.get(repr(event), event))

    _wrap(stack, "services.rules.wire.messages.redact", remembering)
    _wrap(stack, "services.rules.wire.payloads.event_text", telling)


@_plant("the pieces of a table are those that a referee sees", "tables")
def _pieces(stack: ExitStack, _: Mark) -> None:
    def wrap(real: Any) -> Any:
        def add_state(response: Any, loaded: Any, seen: Any, form: Any) -> None:
            everything = loaded.game.view(loaded.state, REFEREE)
            response.pieces.extend(map(piece_message, loaded.game.pieces(everything)))
            real(response, loaded, seen, form)

        return add_state

    _wrap(stack, "services.rules.views.table._add_state", wrap)


# ── a mark of what is hidden ───────────────────────────────────────────────────────────────────────


@_plant("an entity tag is a hash of the whole table", "response headers")
def _etag(stack: ExitStack, mark: Mark) -> None:
    _wrap(stack, "gateway.routes.views.etag", lambda _: lambda version, *_: f'"v:{version}-{mark}"')


@_plant("a trace id is made of the table", "response headers")
def _trace(stack: ExitStack, mark: Mark) -> None:
    stack.enter_context(
        patch(
            "gateway.telemetry.tracing.Trace.traceparent",
            property(lambda trace: f"00-{trace.trace_id}-{mark}{mark}-01"),
        )
    )


@_plant("the order of the listed actions depends on others' hands", "legal actions", "rpc legal actions")
def _legal(stack: ExitStack, mark: Mark) -> None:
    def turned(real: Any) -> Any:
        def legal_actions(state: Any, seat: Any) -> Any:
            legal = real(state, seat)
            return replace(
                legal, actions=_turned(legal.actions, mark), templates=_turned(legal.templates, mark)
            )

        return legal_actions

    _in_games(stack, "legal_actions", turned)


@_plant("the order of keys depends on what is hidden", "views")
def _keys(stack: ExitStack, mark: Mark) -> None:
    def ordered(payload: Payload) -> Payload:
        if payload.json:
            view = msgspec.json.decode(payload.json)
            payload.json = msgspec.json.encode(dict(_turned(tuple(view.items()), mark)))
        return payload

    _after(stack, Payloads, "view", ordered)


@_plant("the size of an answer depends on what is hidden", "views")
def _size(stack: ExitStack, mark: Mark) -> None:
    def padded(payload: Payload) -> Payload:
        if payload.json:
            payload.json += b" " * (mark.number % 97)
        return payload

    _after(stack, Payloads, "view", padded)


@_plant("a match says more of itself than it may", "match", "rpc match")
def _match(stack: ExitStack, mark: Mark) -> None:
    _told(
        stack,
        "services.rules.api.shown_matches.match_message",
        lambda message: setattr(message, "title", str(mark)),
    )


@_plant("the answer to a move has a header that depends on the table", "response headers")
def _answered(stack: ExitStack, mark: Mark) -> None:
    _wrap(stack, "gateway.routes.moves.accepted", lambda real: _with_header(real, mark))


def _with_header(real: Any, mark: Mark) -> Any:
    def accepted(*rest: Any) -> Any:
        response = real(*rest)
        response.headers["x-table"] = str(mark)
        return response

    return accepted


@_plant("a refusal says more than the rules server did", "refusals", "dry runs")
def _refused(stack: ExitStack, mark: Mark) -> None:
    _wrap(stack, "gateway.routes.moves.refused", lambda real: _with_words(real, mark))


def _with_words(real: Any, mark: Mark) -> Any:
    def refused(*rest: Any, **more: Any) -> Any:
        problem = real(*rest, **more)
        problem.detail += f"; {mark}"
        return problem

    return refused


@_plant("a stale move is told what has changed meanwhile", "refusals", "dry runs")
def _stale(stack: ExitStack, mark: Mark) -> None:
    def wrap(real: Any) -> Any:
        def check_version(*rest: Any) -> None:
            try:
                real(*rest)
            except Refused as refused:
                raise Refused(
                    refused.reason, f"{refused.message}; {mark}", metadata=refused.metadata
                ) from None

        return check_version

    _wrap(stack, "services.rules.match.moves.check_version", wrap)


@_plant("what helps a refused player to go on says who is better off", "refusals")
def _standing(stack: ExitStack, mark: Mark) -> None:
    def wrap(real: Any) -> Any:
        async def standing(*rest: Any) -> Any:
            told = await real(*rest)
            told.missed.add(version=mark.number % (1 << 31))
            return told

        return standing

    _wrap(stack, "services.rules.api.answers.looking.standing", wrap)


@_plant("an accepted move says who is better off", "own moves", "rpc play", "abort", "undo")
def _accepted(stack: ExitStack, mark: Mark) -> None:
    _told(
        stack,
        "services.rules.api.answers.answer_message",
        lambda message: message.to_act.append(mark.number % (1 << 31)),
    )


@_plant("how far back an undo goes depends on what is hidden", "undo")
def _undo(stack: ExitStack, mark: Mark) -> None:
    _told(
        stack,
        "services.rules.api.undo.undo_message",
        lambda message: setattr(message, "earliest", mark.number),
    )


@_plant("a check tells what it has seen", "verification")
def _verification(stack: ExitStack, mark: Mark) -> None:
    _wrap(
        stack,
        "services.rules.history.exporting.verify_match",
        lambda real: lambda *rest: replace(real(*rest), unchecked=str(mark)),
    )


@_plant("a comment in the event stream", "event stream")
def _comment(stack: ExitStack, mark: Mark) -> None:
    _wrap(
        stack,
        "gateway.upstream.subscriptions.match_events.server_event",
        lambda real: lambda *rest: real(*rest) + f": {mark}\n\n".encode(),
    )


@_plant("a feed says more than whose turn it is", "feed")
def _feed(stack: ExitStack, mark: Mark) -> None:
    _wrap(
        stack,
        "gateway.live.feed_events.feed_match",
        lambda real: lambda *rest: replace(real(*rest), waiting_for=[str(mark)]),
    )


@_plant("a list of matches says more than each of them", "directory")
def _directory(stack: ExitStack, mark: Mark) -> None:
    _told(
        stack,
        "services.platform.directory.listing.match_message",
        lambda message: setattr(message, "title", str(mark)),
    )


@_plant("a ticket tells what it was made from", "tickets")
def _ticket(stack: ExitStack, mark: Mark) -> None:
    _wrap(
        stack,
        "gateway.routes.tickets.StreamTicket",
        lambda real: lambda *, ticket, expires_at: real(ticket=ticket, expires_at=f"{expires_at} {mark}"),
    )


@_plant("a webhook is not as thin as it says", "webhooks", "event feed")
def _webhook(stack: ExitStack, _: Mark) -> None:
    """Of the version it tells of, whenever it is sent."""
    marks: dict[Any, int] = {}
    real = LoadedMatch.advance_to

    def advance_to(self: LoadedMatch, move: Any, state: Any, *rest: Any) -> None:
        marks[move.match_id, move.seq] = zlib.crc32(encode(state))
        real(self, move, state, *rest)

    def thick(data: Any) -> Any:
        return lambda event: {**data(event), "table": marks.get((event.match_id, event.version), 0)}

    stack.enter_context(patch.object(LoadedMatch, "advance_to", advance_to))
    _wrap(stack, "services.webhooks.cloud_events._data", thick)


@_plant("a problem page shows the last game it explained", "problem pages")
def _page(stack: ExitStack, mark: Mark) -> None:
    _wrap(stack, "gateway.routes.problems.page", lambda real: lambda *rest: f"{real(*rest)}<!-- {mark} -->")


@_plant("a trailer of a successful call", "rpc status, trailers")
def _trailer(stack: ExitStack, mark: Mark) -> None:
    def with_trailer(real: Any) -> Any:
        def served(function: Any) -> Any:
            behaviour = real(function)
            if getattr(function, "__qualname__", "") != "Reads.view":
                return behaviour

            def called(request: Any, context: Any) -> Any:
                context.set_trailing_metadata((("x-table", str(mark)),))
                return behaviour(request, context)

            return called

        return served

    _wrap(stack, "services.identity.service_table._served", with_trailer)


@_plant("a log line for whoever debugs", "log lines", level="debug")
def _log(stack: ExitStack, _: Mark) -> None:
    log = structlog.get_logger("foldtable.rules")
    _each_move(stack, lambda state: log.debug("decided", table=encode(state).decode()))


@_plant("a metric with a card as its label", "metrics")
def _metric(stack: ExitStack, mark: Mark) -> None:
    counter = Counter("foldtable_planted", "Planted.", ["card"])
    stack.callback(REGISTRY.unregister, counter)
    _each_move(stack, lambda state: counter.labels(f"{zlib.crc32(encode(state)):08x}").inc())


def _turned(items: tuple[Any, ...], mark: Mark) -> tuple[Any, ...]:
    first = mark.number % len(items) if items else 0
    return (*items[first:], *items[:first])


def _after(stack: ExitStack, holder: type, name: str, change: Callable[[Any], Any]) -> None:
    real = getattr(holder, name)
    stack.enter_context(patch.object(holder, name, lambda *rest: change(real(*rest))))


def _told(stack: ExitStack, place: str, change: Callable[[Any], None]) -> None:
    """Change a message before it is sent."""

    def wrap(real: Any) -> Any:
        def told(*rest: Any, **more: Any) -> Message:
            message: Message = real(*rest, **more)
            change(message)
            return message

        return told

    _wrap(stack, place, wrap)
