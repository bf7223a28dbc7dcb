"""Texts as protobuf messages, with the sentence in the requested language."""

from __future__ import annotations

from collections.abc import Iterable

from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.kernel.outcome import Outcome, ScoreLine
from engine.kernel.seats import Seat
from engine.kernel.text.text import Text
from foldtable.rules.v1 import table_pb2, text_pb2
from services.rules.wire.forms import KEYS
from services.texts.formatting import sentence


def text_message(game: AnyGame, text: Text, language: str) -> text_pb2.Text:
    """Return a text with its sentence; with KEYS, without."""
    message = _message(text)
    if language != KEYS:
        message.sentence = sentence(game, language, text)
    return message


def text_messages(game: AnyGame, texts: Iterable[Text], language: str) -> list[text_pb2.Text]:
    return [text_message(game, text, language) for text in texts]


def refusal_message(game: AnyGame, violation: RuleViolation, language: str) -> text_pb2.Text:
    """Return the text that explains to the player why a rule forbids a move."""
    return text_message(game, game.texts.refusal(violation), language)


def problem_message(game: AnyGame, reason: str, language: str) -> text_pb2.Text | None:
    """Return the text for a refusal that is not about a rule of a game; None if the catalogue has none."""
    key = f"problem.{reason}"
    if key not in game.texts.catalogues["en"]:
        return None
    return text_message(game, Text(key), language)


def add_outcome_texts(game: AnyGame, outcome: table_pb2.Outcome, language: str) -> None:
    """Add texts to an outcome and to its score lines."""
    ended = Outcome(
        reason=outcome.reason, rule=outcome.rule, winners=tuple(map(Seat, outcome.winners)), results=()
    )
    outcome.text.CopyFrom(text_message(game, game.texts.end(ended), language))
    for result in outcome.results:
        for line in result.breakdown:
            points = ScoreLine(reason=line.reason, rule=line.rule, points=line.points)
            line.text.CopyFrom(text_message(game, game.texts.score_line(points), language))


def _message(text: Text) -> text_pb2.Text:
    message = text_pb2.Text(key=text.key)
    for name, arg in text.args.items():
        argument = message.args[name]
        match arg:
            case Text():
                argument.text.CopyFrom(_message(arg))
            case tuple():
                argument.texts.texts.extend(map(_message, arg))
            case str():
                argument.word = arg
            case int():
                argument.number = arg
    return message
