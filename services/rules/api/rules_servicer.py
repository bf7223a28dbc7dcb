"""RulesService: the pure functions over the wire, for a platform that keeps its own log."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import grpc
import structlog
from google.protobuf.message import Message

from engine.kernel.chance import SECRET_BYTES, Draw, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.outcome import Outcome
from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from engine.kernel.text.paragraphs import Paragraph
from engine.kernel.text.texts import LANGUAGES
from engine.match.replay import fold
from engine.match.requests import check_seat_count
from engine.registry import GAMES
from foldtable.rules.v1 import rules_service_pb2 as pb
from foldtable.rules.v1 import rules_service_pb2_grpc, table_pb2
from services.process.bounds import MAX_SAMPLES
from services.process.reasons import Reason
from services.process.thread_work import in_thread
from services.rpc.bot_names import LEVELS
from services.rpc.bounded_calls import host_of
from services.rpc.match_messages import outcome_message
from services.rpc.message_from import message_from
from services.rpc.refusals import Refused, malformed, rule_broken, unreadable
from services.rules.api.caller_luck import CallerLuck
from services.rules.api.heavy_reads import HeavyReads
from services.rules.match.playable import under
from services.rules.wire.contract import descriptors_from_outside
from services.rules.wire.forms import Form, form_of
from services.rules.wire.game_schemas import game_schema
from services.rules.wire.layouts import layout_message
from services.rules.wire.messages import pending_message
from services.rules.wire.payloads import MAX_STATE_BYTES, payloads_of
from services.rules.wire.texts import add_outcome_texts, refusal_message

Context = grpc.aio.ServicerContext[Any, Any]
Luck = SeededChance | CallerLuck
Asked = TypeVar("Asked", bound=Message)
Answered = TypeVar("Answered", bound=Message)

LITTLE_BYTES: Final = 64 * 1024
"""Larger requests are much work. The states of our games have at most some 30 KiB."""
LITTLE_SAMPLES: Final = 10
_MAX_DRAWN: Final = 10_000
_paragraph: Final = message_from(pb.Paragraph, Paragraph)
_log: Final = structlog.get_logger("foldtable.rules")


class RulesServicer(rules_service_pb2_grpc.RulesServiceServicer):
    """foldtable.rules.v1.RulesService: it keeps no state, so the same request always gets the same response."""

    def __init__(self, games: Mapping[str, AnyGame], heavy: HeavyReads) -> None:
        """`heavy` hands out the turns of calls that are much work."""
        self._games = games
        self._heavy = heavy

    # ── the catalogue ──────────────────────────────────────────────────────────────────────────────

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        return pb.ListGamesResponse(games=[_summary(self._games[name]) for name in sorted(self._games)])

    async def DescribeGame(
        self, request: pb.DescribeGameRequest, context: Context
    ) -> pb.DescribeGameResponse:
        game = self._game(request.game)
        types, package = game.types, GAMES[game.id]
        return pb.DescribeGameResponse(
            summary=_summary(game),
            options_schema=game_schema("Options", types.options, package),
            action_schema=game_schema("Action", types.action, package),
            event_schema=game_schema("Event", types.event, package),
            template_schema=game_schema("Template", types.template, package),
            view_schema=game_schema("View", types.view, package),
            components=encode(game.components),
            proto_package=package.contract,
            descriptors=descriptors_from_outside(package),
            refusals=[
                pb.RefusalCode(code=code, rules=code.rules, meaning=code.meaning) for code in game.codes
            ],
            languages=LANGUAGES,
            names=_names(game, _catalogue_language(request.language)) if request.language else None,
        )

    async def GetTexts(self, request: pb.GetTextsRequest, context: Context) -> pb.GetTextsResponse:
        game = self._game(request.game)
        return pb.GetTextsResponse(messages=game.texts.catalogues[_catalogue_language(request.language)])

    async def ListParagraphs(
        self, request: pb.ListParagraphsRequest, context: Context
    ) -> pb.ListParagraphsResponse:
        game = self._game(request.game)
        return pb.ListParagraphsResponse(
            paragraphs=[_paragraph(one) for one in game.texts.paragraphs.values()]
        )

    async def GetLayout(self, request: pb.GetLayoutRequest, context: Context) -> pb.GetLayoutResponse:
        return pb.GetLayoutResponse(layout=layout_message(self._game(request.game).layout))

    # ── the pure functions ─────────────────────────────────────────────────────────────────────────

    async def StartGame(self, request: pb.StartGameRequest, context: Context) -> pb.StartGameResponse:
        return await self._worked(self._start, request, context)

    async def DecideAction(
        self, request: pb.DecideActionRequest, context: Context
    ) -> pb.DecideActionResponse:
        return await self._worked(self._decide, request, context)

    async def FoldEvents(self, request: pb.FoldEventsRequest, context: Context) -> pb.FoldEventsResponse:
        return await self._worked(self._fold, request, context)

    async def GetLegalActions(
        self, request: pb.GetLegalActionsRequest, context: Context
    ) -> pb.GetLegalActionsResponse:
        return await self._worked(self._legal_actions, request, context)

    async def GetView(self, request: pb.GetViewRequest, context: Context) -> pb.GetViewResponse:
        return await self._worked(self._view, request, context)

    async def _worked(self, work: Callable[[Asked], Answered], request: Asked, context: Context) -> Answered:
        """Do a call's work: at once if it is little, else in a thread when it is the caller's turn."""
        if request.ByteSize() <= LITTLE_BYTES and getattr(request, "samples", 0) <= LITTLE_SAMPLES:
            return work(request)
        async with self._heavy.turn(host_of(context.peer())):
            return await in_thread(work, request)

    def _start(self, request: pb.StartGameRequest) -> pb.StartGameResponse:
        game = self._game(request.game)
        if request.rules_version:
            game = under(game, request.rules_version, field="$.rules_version")
        form = form_of(request)
        options = payloads_of(game).read_options(request.options)
        chance = _luck(request.luck)
        try:
            check_seat_count(game, request.seats)
            events = game.start(options, request.seats, chance)
        except RuleViolation as violation:
            raise _rule_broken(game, violation, form) from violation
        state = fold(game, events)
        return pb.StartGameResponse(
            events=payloads_of(game).events(events, form),
            state=_state_message(game, state),
            draws=_draws(chance),
            pending=[pending_message(game, one, form) for one in game.pending(state)],
        )

    def _decide(self, request: pb.DecideActionRequest) -> pb.DecideActionResponse:
        game = self._game(request.game)
        state = _read_state(game, request.state)
        form = form_of(request)
        action = payloads_of(game).read_action(request.action)
        chance = _luck(request.luck)
        with _foreign("$.state", Reason.MALFORMED_STATE, "no match can be in this state"):
            try:
                events = game.decide(state, Seat(request.seat), action, chance)
            except RuleViolation as violation:
                raise _rule_broken(game, violation, form) from violation
            state = fold(game, events, state)
            pending, outcome = game.pending(state), game.outcome(state)
        return pb.DecideActionResponse(
            events=payloads_of(game).events(events, form),
            state=_state_message(game, state),
            draws=_draws(chance),
            pending=[pending_message(game, one, form) for one in pending],
            outcome=None if outcome is None else _outcome(game, outcome, form),
        )

    def _fold(self, request: pb.FoldEventsRequest) -> pb.FoldEventsResponse:
        game = self._game(request.game)
        state = _read_state(game, request.state) if request.HasField("state") else None
        events = payloads_of(game).read_events(request.events)
        if state is None and not events:
            raise malformed("$.events", "without a state there must be events from the beginning")
        with _foreign("$.events", Reason.MALFORMED_REQUEST, "these events do not follow from this state"):
            state = fold(game, events, state)
            under(game, game.rules_of(state), field="$.events")
            pending, outcome = game.pending(state), game.outcome(state)
        return pb.FoldEventsResponse(
            state=_state_message(game, state),
            pending=[pending_message(game, one) for one in pending],
            outcome=None if outcome is None else outcome_message(outcome),
        )

    def _legal_actions(self, request: pb.GetLegalActionsRequest) -> pb.GetLegalActionsResponse:
        game = self._game(request.game)
        state = _read_state(game, request.state)
        if not 0 <= request.samples <= MAX_SAMPLES:
            raise malformed("$.samples", f"must be from 0 to {MAX_SAMPLES}")
        seat = Seat(request.seat)
        # The same request gets the same samples: they are drawn from the state itself.
        whims = SeededChance(hashlib.sha256(request.state.state).digest(), 0)
        with _foreign("$.state", Reason.MALFORMED_STATE, "no match can be in this state"):
            legal = game.legal_actions(state, seat)
            samples = [game.sample(state, seat, whims) for _ in range(request.samples)] if legal else []
        payloads, form = payloads_of(game), form_of(request)
        return pb.GetLegalActionsResponse(
            actions=payloads.actions(legal.actions, form),
            templates=payloads.templates(legal.templates, form),
            samples=payloads.actions(samples, form),
        )

    def _view(self, request: pb.GetViewRequest) -> pb.GetViewResponse:
        game = self._game(request.game)
        state = _read_state(game, request.state)
        audience = _audience(request.audience)
        payloads, form = payloads_of(game), form_of(request)
        with _foreign("$.state", Reason.MALFORMED_STATE, "no match can be in this state"):
            response = pb.GetViewResponse(view=payloads.view(game.view(state, audience), form))
        if request.HasField("events"):
            events = [game.redact(event, audience) for event in payloads.read_events(request.events)]
            response.events.CopyFrom(payloads.events(events, form))
        return response

    def _game(self, game_id: str) -> AnyGame:
        game = self._games.get(game_id)
        if game is None:
            raise Refused(Reason.GAME_NOT_FOUND, "this server does not serve such a game", field="$.game")
        return game


def _rule_broken(game: AnyGame, violation: RuleViolation, form: Form) -> Refused:
    """Return the refusal for a broken rule, with a text for the player if a language was requested."""
    refused = rule_broken(violation, game=game.id)
    if form.language:
        refused.text = refusal_message(game, violation, form.language)
    return refused


def _outcome(game: AnyGame, outcome: Outcome, form: Form) -> table_pb2.Outcome:
    message = outcome_message(outcome)
    if form.language:
        add_outcome_texts(game, message, form.language)
    return message


def _catalogue_language(language: str) -> str:
    if language not in LANGUAGES:
        raise malformed("$.language", f"must be one of {', '.join(LANGUAGES)}")
    return language


def _names(game: AnyGame, language: str) -> dict[str, pb.ComponentName]:
    """Return what the components of a game are called, and what they do."""
    catalogue = game.texts.catalogues[language]
    return {
        one: pb.ComponentName(
            name=catalogue[f"component.{one}"], text=catalogue.get(f"component.{one}.text", "")
        )
        for one in game.texts.components
    }


def _summary(game: AnyGame) -> pb.GameSummary:
    return pb.GameSummary(
        game=game.id,
        title=game.title,
        rules_version=game.rules_version,
        seat_counts=game.seat_counts,
        edition=game.edition,
        bot_levels=LEVELS,
        rules_versions=[
            pb.RulesVersion(version=one.version, since=one.since, changes=one.changes)
            for one in game.versions
        ],
    )


def _read_state(game: AnyGame, message: pb.GameState) -> Any:
    under(game, message.rules_version, field="$.state.rules_version")
    if len(message.state) > MAX_STATE_BYTES:
        raise malformed("$.state.state", f"at most {MAX_STATE_BYTES} bytes", reason=Reason.MALFORMED_STATE)
    if hashlib.sha256(message.state).digest() != message.state_hash:
        raise Refused(
            Reason.STATE_MISMATCH, "state_hash is not the SHA-256 of state", field="$.state.state_hash"
        )
    try:
        state = game.state_codec.decode(message.state)
    except Unreadable as error:
        raise unreadable(error, reason=Reason.MALFORMED_STATE, prefix="$.state.state") from error
    if game.rules_of(state) != message.rules_version:
        raise malformed("$.state.rules_version", "is not what the state says", reason=Reason.MALFORMED_STATE)
    return state


def _state_message(game: AnyGame, state: Any) -> pb.GameState:
    data = encode(state)
    return pb.GameState(
        rules_version=game.rules_of(state), state=data, state_hash=hashlib.sha256(data).digest()
    )


@contextmanager
def _foreign(field: str, reason: Reason, message: str) -> Iterator[None]:
    """Refuse errors raised by data from outside: it may have the right shape and still be inconsistent."""
    try:
        yield
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError) as error:
        _log.warning("data from outside is inconsistent", field=field, kind=type(error).__qualname__)
        raise malformed(field, message, reason=reason) from error


def _luck(luck: pb.Luck) -> Luck:
    if luck.move < 1:
        raise malformed("$.luck.move", "moves are counted from 1")
    match luck.WhichOneof("source"):
        case "match_secret":
            if len(luck.match_secret) != SECRET_BYTES:
                raise malformed("$.luck.match_secret", f"must have {SECRET_BYTES} bytes")
            return SeededChance(luck.match_secret, luck.move)
        case "drawn":
            if len(luck.drawn.values) > _MAX_DRAWN:
                raise malformed("$.luck.drawn.values", f"at most {_MAX_DRAWN} numbers")
            return CallerLuck(luck.drawn.values, luck.move)
        case _:
            raise malformed("$.luck", "name a source: match_secret or drawn")


def _draws(chance: Luck) -> list[pb.Draw]:
    return [_draw(draw) for draw in chance.draws]


def _draw(draw: Draw) -> pb.Draw:
    return pb.Draw(move=draw.move, number=draw.number, bound=draw.bound, value=draw.value)


def _audience(message: table_pb2.Audience) -> Audience:
    match message.kind:
        case table_pb2.Audience.KIND_UNSPECIFIED | table_pb2.Audience.KIND_PUBLIC:
            return PUBLIC
        case table_pb2.Audience.KIND_REFEREE:
            return REFEREE
        case table_pb2.Audience.KIND_SEAT if message.HasField("seat"):
            return seat_audience(Seat(message.seat))
        case _:
            raise malformed("$.audience", "name a kind, and with KIND_SEAT the seat")
