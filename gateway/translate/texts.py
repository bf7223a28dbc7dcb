"""Texts as the structs of REST."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from foldtable.rules.v1 import payload_pb2, text_pb2
from gateway.schemas.texts import Text


def text(message: text_pb2.Text) -> Text:
    """Return a text with its arguments."""
    args = {name: value for name, one in message.args.items() if (value := _argument(one)) is not None}
    return Text(key=message.key, args=args, sentence=message.sentence or UNSET)


def texts(payload: payload_pb2.Payload) -> list[Text] | UnsetType:
    """Return the words for each record of a payload; UNSET if none were asked for."""
    return [text(one) for one in payload.texts] if payload.texts else UNSET


def text_of_one(payload: payload_pb2.Payload) -> Text | UnsetType:
    """Return the words for the one record of a payload; UNSET if there are none."""
    return text(payload.texts[0]) if payload.texts else UNSET


def _argument(argument: text_pb2.Text.Argument) -> int | str | Text | list[Text] | None:
    match argument.WhichOneof("value"):
        case "number":
            return argument.number
        case "word":
            return argument.word
        case "text":
            return text(argument.text)
        case "texts":
            return [text(one) for one in argument.texts.texts]
        case _:
            return None  # a kind of argument newer than this gateway
