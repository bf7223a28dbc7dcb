"""A game's data on the wire: as JSON, or as typed messages of the game's own package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, Final

from google.protobuf import any_pb2
from google.protobuf.message import DecodeError, Message

from engine.kernel.codec import Codec, encode
from engine.kernel.errors import Unreadable
from engine.kernel.game import AnyGame
from engine.match.commands import MatchEvent
from engine.match.texts import event_text
from engine.registry import GAMES
from foldtable.rules.v1 import payload_pb2
from services.process.reasons import Reason
from services.rpc.json_payloads import check_json
from services.rpc.refusals import Refused, malformed, unreadable
from services.rules.wire.contract import message_class
from services.rules.wire.forms import Form
from services.rules.wire.texts import text_messages
from services.rules.wire.typed_codec import TypedCodec

MAX_PAYLOAD_BYTES: Final = 64 * 1024
"""Most bytes of options or of an action."""
MAX_STATE_BYTES: Final = 1024 * 1024
"""Most bytes of a state, or of events to be folded."""


class Payloads:
    """Converts the data of one game between its types and both forms on the wire."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.package = GAMES[game.id]

    def check(self) -> None:
        """Compare every type with its message now, not at the first call. Raises TypesDisagree, which names the field."""
        for name in ("Events", "Actions", "Templates"):
            self._message(name)
        for made in ("_options_codec", "_action_codec", "_event_codec", "_template_codec", "_view_codec"):
            getattr(self, made)

    # ── out ────────────────────────────────────────────────────────────────────────────────────────

    def view(self, view: Any, form: Form) -> payload_pb2.Payload:
        return self._one(self._view_codec, view, form)

    def action(self, action: Any, form: Form) -> payload_pb2.Payload:
        return self._one(self._action_codec, action, form)

    def events(self, events: Sequence[Any], form: Form) -> payload_pb2.Payload:
        """Return the events of a row. The server's own events are in no game's package, and are always JSON."""
        if events and isinstance(events[0], MatchEvent):
            payload = payload_pb2.Payload(json=encode(tuple(events)))
        else:
            payload = self._many(self._event_codec, self._message("Events"), events, form)
        if form.language:
            texts = (event_text(self._game, event) for event in events)
            payload.texts.extend(text_messages(self._game, texts, form.language))
        return payload

    def actions(self, actions: Sequence[Any], form: Form) -> payload_pb2.Payload:
        payload = self._many(self._action_codec, self._message("Actions"), actions, form)
        if form.language:
            payload.texts.extend(
                text_messages(self._game, map(self._game.texts.action, actions), form.language)
            )
        return payload

    def templates(self, templates: Sequence[Any], form: Form) -> payload_pb2.Payload:
        payload = self._many(self._template_codec, self._message("Templates"), templates, form)
        if form.language:
            payload.texts.extend(
                text_messages(self._game, map(self._game.texts.template, templates), form.language)
            )
        return payload

    def _one(self, codec: TypedCodec, record: Any, form: Form) -> payload_pb2.Payload:
        if form.typed:
            return _typed(codec.to_message(record))
        return payload_pb2.Payload(json=encode(record))

    def _many(
        self, codec: TypedCodec, listing: Any, records: Sequence[Any], form: Form
    ) -> payload_pb2.Payload:
        if form.typed:
            message = listing()
            getattr(message, listing.DESCRIPTOR.fields[0].name).extend(map(codec.to_message, records))
            return _typed(message)
        return payload_pb2.Payload(json=encode(tuple(records)))

    # ── in ─────────────────────────────────────────────────────────────────────────────────────────

    def read_action(self, payload: payload_pb2.Payload) -> Any:
        """Return an action. Raises Refused MALFORMED_MOVE with the place of what is wrong."""
        return self._read(
            payload, self._game.action_codec, self._action_codec, Reason.MALFORMED_MOVE, "$.action"
        )

    def read_options(self, payload: payload_pb2.Payload) -> Any:
        """Return the options; an absent payload means all defaults."""
        if payload.WhichOneof("form") is None:
            return self._game.options_codec.decode(b"{}")
        return self._read(
            payload, self._game.options_codec, self._options_codec, Reason.MALFORMED_OPTIONS, "$.options"
        )

    def read_events(self, payload: payload_pb2.Payload) -> tuple[Any, ...]:
        """Return events; an absent payload means none."""
        match payload.WhichOneof("form"):
            case None:
                return ()
            case "typed":
                listing: Any = self._message("Events")()
                self._unpack(payload.typed, listing, Reason.MALFORMED_REQUEST, "$.events", MAX_STATE_BYTES)
                try:
                    return tuple(map(self._event_codec.from_message, listing.events))
                except Unreadable as error:
                    raise unreadable(error, reason=Reason.MALFORMED_REQUEST, prefix="$.events") from error
            case _:
                _check_size(len(payload.json), MAX_STATE_BYTES, "$.events", Reason.MALFORMED_REQUEST)
                try:
                    check_json(payload.json)
                    return self._game.event_codec.decode_many(payload.json)
                except Unreadable as error:
                    raise unreadable(error, reason=Reason.MALFORMED_REQUEST, prefix="$.events") from error

    def _read(
        self, payload: payload_pb2.Payload, codec: Codec[Any], typed: TypedCodec, reason: Reason, prefix: str
    ) -> Any:
        try:
            match payload.WhichOneof("form"):
                case "json":
                    _check_size(len(payload.json), MAX_PAYLOAD_BYTES, prefix, reason)
                    check_json(payload.json)
                    return codec.decode(payload.json)
                case "typed":
                    message = typed.message_class()
                    self._unpack(payload.typed, message, reason, prefix, MAX_PAYLOAD_BYTES)
                    return typed.from_message(message)
                case _:
                    raise malformed(prefix, "is missing", reason=reason)
        except Unreadable as error:
            raise unreadable(error, reason=reason, prefix=prefix) from error

    def _unpack(self, packed: any_pb2.Any, message: Message, reason: Reason, prefix: str, limit: int) -> None:
        _check_size(len(packed.value), limit, prefix, reason)
        wanted = message.DESCRIPTOR.full_name
        if packed.TypeName() != wanted:
            raise Refused(reason, f"a typed payload must hold a {wanted} here", field=prefix)
        try:
            packed.Unpack(message)
        except DecodeError:
            raise Refused(reason, f"these bytes are not a {wanted}", field=prefix) from None

    # ── the game's messages, found by name: {Options, Action, Event, …} ────────────

    def _message(self, name: str) -> type[Message]:
        return message_class(self.package, name)

    @cached_property
    def _options_codec(self) -> TypedCodec:
        return TypedCodec(self._game.types.options, self._message("Options"))

    @cached_property
    def _action_codec(self) -> TypedCodec:
        return TypedCodec(self._game.types.action, self._message("Action"))

    @cached_property
    def _event_codec(self) -> TypedCodec:
        return TypedCodec(self._game.types.event, self._message("Event"))

    @cached_property
    def _template_codec(self) -> TypedCodec:
        return TypedCodec(self._game.types.template, self._message("Template"))

    @cached_property
    def _view_codec(self) -> TypedCodec:
        return TypedCodec(self._game.types.view, self._message("View"))


@cache
def payloads_of(game: AnyGame) -> Payloads:
    return Payloads(game)


def _typed(message: Message) -> payload_pb2.Payload:
    packed = any_pb2.Any()
    packed.Pack(message)
    return payload_pb2.Payload(typed=packed)


def _check_size(size: int, limit: int, prefix: str, reason: Reason) -> None:
    if size > limit:
        raise malformed(prefix, f"has {size} bytes; at most {limit} are read", reason=reason)
