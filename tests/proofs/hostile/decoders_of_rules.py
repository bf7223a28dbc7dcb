"""Everything the rules servers read: actions, options, events and states in both forms, and imported documents."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec.structs import replace

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import Unreadable
from engine.kernel.game import AnyGame
from engine.match.replay import fold
from engine.registry import GAMES
from engine.registry import game as registered_game
from foldtable.rules.v1 import payload_pb2, table_pb2
from foldtable.rules.v1 import rules_service_pb2 as pb
from services.movelog.export.format import read_document
from services.movelog.export.signature import ExportSigner, check_signature
from services.process.public_keys import by_key_id, jwk_set, keys_in_jwk_set, public_keys_in
from services.rpc.refusals import Refused
from services.rules.api.heavy_reads import HeavyReads
from services.rules.api.rules_servicer import RulesServicer
from services.rules.history.importing import _checked
from services.rules.wire.forms import PLAIN, Form
from services.rules.wire.page_tokens import page_token, read_page_token
from services.rules.wire.payloads import payloads_of
from tests.proofs.hostile.decoding import Decoder
from tests.support.golden_documents import ONE_OF_EACH, match_and_rows
from tests.support.match_documents import a_match, document_of

REFUSED: Final = (Refused,)
GAME_IDS: Final = tuple(GAMES)
MAX_STATE: Final = 1024 * 1024
_FORMS: Final = {"json": PLAIN, "typed": Form(payload_pb2.PAYLOAD_FORM_TYPED)}


def _payload(game: AnyGame, name: str, form: str, data: bytes) -> payload_pb2.Payload:
    if form == "json":
        return payload_pb2.Payload(json=data)
    payload = payload_pb2.Payload()
    payload.typed.type_url = f"type.googleapis.com/foldtable.{game.id}.v1.{name}"
    payload.typed.value = data
    return payload


def _raw(payload: payload_pb2.Payload) -> bytes:
    return payload.json or payload.typed.value


def _of_payloads(game: AnyGame) -> Iterator[Decoder]:
    payloads = payloads_of(game)
    options = game.options_codec.decode(b"{}")
    events = game.start(options, game.seat_counts[0], SeededChance(bytes(32), 1))
    actions = _actions(game, events)
    readers: tuple[tuple[str, Callable[[Any], Any], Callable[[int], list[payload_pb2.Payload]]], ...] = (
        ("Action", payloads.read_action, lambda form: [payloads.action(one, form) for one in actions]),
        (
            "Options",
            payloads.read_options,
            lambda form: [payloads._one(payloads._options_codec, options, form)],
        ),
        ("Events", payloads.read_events, lambda form: [payloads.events(events, form)]),
    )
    for name, read, good in readers:
        for form, number in _FORMS.items():
            yield Decoder(
                f"payload.{game.id}.{name.lower()}.{form}",
                lambda data, read=read, name=name, form=form: read(_payload(game, name, form, data)),
                REFUSED,
                tuple(map(_raw, good(number))),
            )


def _actions(game: AnyGame, events: tuple[Any, ...]) -> list[Any]:
    """Return what may be done first, and what is done in the first moves of a random match."""
    choices, state, found = SeededChance(bytes(32), 0), fold(game, events), []
    for move in range(2, 14):
        seat = game.to_act(state)[0]
        action = game.sample(state, seat, choices)
        found.append(action)
        state = fold(game, game.decide(state, seat, action, SeededChance(bytes(32), move)), state)
    return found


# ── the pure functions over the wire: whatever a stranger calls a state or events ─────────────────────


def _of_service(game: AnyGame) -> Iterator[Decoder]:
    """The work itself; the servicer does much of it in a thread."""
    servicer = RulesServicer({game.id: game}, HeavyReads())
    events = game.start(game.options_codec.decode(b"{}"), game.seat_counts[0], SeededChance(bytes(32), 1))
    state = fold(game, events)
    action = _actions(game, events)[0]
    seat = game.to_act(state)[0]

    def decoder(name: str, call: Callable[[bytes], object], seed: bytes) -> Decoder:
        return Decoder(f"rules.{game.id}.{name}", call, REFUSED, (seed,), most=MAX_STATE, cpu_seconds=5.0)

    def of_state(data: bytes) -> pb.GameState:
        return pb.GameState(
            rules_version=game.rules_version, state=data, state_hash=hashlib.sha256(data).digest()
        )

    def act(data: bytes) -> object:
        luck = pb.Luck(match_secret=bytes(32), move=2)
        asked = pb.DecideActionRequest(
            game=game.id, state=of_state(data), seat=seat, action={"json": encode(action)}, luck=luck
        )
        return servicer._decide(asked)

    def legal(data: bytes) -> object:
        asked = pb.GetLegalActionsRequest(game=game.id, state=of_state(data), seat=seat, samples=2)
        return servicer._legal_actions(asked)

    def view(data: bytes) -> object:
        audience = table_pb2.Audience(kind=table_pb2.Audience.KIND_REFEREE)
        asked = pb.GetViewRequest(game=game.id, state=of_state(data), audience=audience)
        return servicer._view(asked)

    def folded(data: bytes) -> object:
        asked = pb.FoldEventsRequest(game=game.id, events={"json": data})
        return servicer._fold(asked)

    def drawn(data: bytes) -> object:
        values = [int.from_bytes(data[at : at + 4], "big") for at in range(0, min(len(data), 40_000), 4)]
        luck = pb.Luck(drawn={"values": values}, move=1)
        asked = pb.StartGameRequest(game=game.id, seats=game.seat_counts[0], luck=luck)
        return servicer._start(asked)

    yield decoder("decide", act, encode(state))
    yield decoder("legal", legal, encode(state))
    yield decoder("view", view, encode(state))
    yield decoder("fold", folded, encode(events))
    yield decoder("draws", drawn, bytes(4_000))


@cache
def games() -> tuple[Decoder, ...]:
    """Return the decoders of every game."""
    return tuple(
        decoder
        for game in map(registered_game, GAME_IDS)
        for decoder in (*_of_payloads(game), *_of_service(game))
    )


# ── documents, their signatures and keys, and page tokens ─────────────────────────────────────────────────────────────────────


_KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
_PEM: Final = _KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
_JWK_SET: Final = encode(jwk_set([_KEY.public_key()]))
_SIGNED: Final = read_document(document_of(*a_match(moves=1), sign=ExportSigner(_KEY).sign))
_SIGNATURE: Final = str(_SIGNED.signature)


def _signed(data: bytes) -> object:
    """Read a signature in its place in a document, and check it with the key that it should have been made with."""
    document = replace(_SIGNED, signature=data.decode("utf-8", "replace"))
    return check_signature(read_document(encode(document)), by_key_id([_KEY.public_key()]))


@cache
def documents() -> tuple[Decoder, ...]:
    """Return what reads exports, as a command line does and as an import does."""
    short = tuple(document_of(*a_match(game_id=game_id, moves=3)) for game_id in GAME_IDS)
    golden = tuple(document_of(*match_and_rows(log)) for log in ONE_OF_EACH)
    most = 16 * 1024 * 1024
    question = ("moves", "m")
    return (
        Decoder("document.read", read_document, (Unreadable,), (*short, *golden), most, 5.0),
        Decoder("document.signature", _signed, (Unreadable,), (_SIGNATURE.encode(),), 4 * 1024),
        Decoder("document.jwk_set", keys_in_jwk_set, (ValueError,), (_JWK_SET,)),
        Decoder("document.public_keys", public_keys_in, (ValueError,), (_PEM,)),
        Decoder("document.import", lambda data: _checked("ours", data), REFUSED, short, most, 5.0),
        Decoder(
            "page_token.moves",
            lambda data: read_page_token(data.decode("utf-8", "replace"), question),
            REFUSED,
            (page_token(7, question).encode(),),
        ),
    )
