"""Translation of REST bodies (pydantic models) to protobuf requests by the descriptors of both: the inverse of `struct_of`.

`message_of(CreateMatchRequest, requests.CreateMatchRequest)` makes the function that fills the message from the model. So a
field is declared only twice: in the contract and in the model. If a model has a field that the message lacks, making the
function fails, which happens when its module is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from types import UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import Raw
from pydantic import BaseModel

from foldtable.rules.v1.payload_pb2 import Payload
from gateway.contract.described_by import described_by
from gateway.contract.names import enum_values, fields_for

Filled = TypeVar("Filled", bound=Message)
Turn = Callable[[Any], Any]

_WHOLE: Final = frozenset({FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64})
_TYPES: Final = {FieldDescriptor.CPPTYPE_STRING: str, FieldDescriptor.CPPTYPE_BOOL: bool}


def message_of(
    message: type[Filled], model: type[BaseModel], *, besides: tuple[str, ...] = ()
) -> Callable[..., Filled]:
    """Return a function that fills a message from a model. Further fields of the message are passed as keyword arguments.

    `besides` names fields of the model that the caller reads itself. A field absent in the model is absent in the message.
    Raises TypeError for any other field that the message does not have, or has with another type.
    """
    descriptor: Descriptor = message.DESCRIPTOR  # type: ignore[assignment]  # the stubs declare it as Any
    described_by(model, descriptor)
    parts = [
        (name, (field := _field(descriptor, name)).name, _turn(field, info.annotation))
        for name, info in model.model_fields.items()
        if name not in besides
    ]

    def fill(body: BaseModel, **given: Any) -> Filled:
        for name, field, turned in parts:
            value = getattr(body, name)
            if value is not None:
                given[field] = turned(value)
        return message(**given)

    return fill


def _field(message: Descriptor, name: str) -> FieldDescriptor:
    for candidate in fields_for(name):
        if (field := message.fields_by_name.get(candidate)) is not None:
            return field
    raise TypeError(f"{message.full_name} has no {name}")


def _turn(field: FieldDescriptor, said: Any) -> Turn:
    """Return the function that converts the value of a model's field to that of a message's field."""
    kind = _bare(said)
    if get_origin(kind) is list:
        one = _one(field, _bare(*get_args(kind)))
        return lambda values: [one(value) for value in values]
    return _one(field, kind)


def _one(field: FieldDescriptor, kind: Any) -> Turn:
    if field.enum_type is not None:
        values = enum_values(field.enum_type)
        if get_origin(kind) is Literal and values.keys() >= set(get_args(kind)):
            return values.__getitem__
    elif field.message_type is not None:
        if (turn := _inner(field.message_type, kind)) is not None:
            return turn
    elif field.type == FieldDescriptor.TYPE_BYTES:
        if kind is Raw:
            return bytes
    elif kind is int and field.cpp_type in _WHOLE:
        return int
    elif kind is _TYPES.get(field.cpp_type):
        return _as_it_is
    elif get_origin(kind) is Literal and field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return str
    raise TypeError(f"{field.full_name} cannot be made from {kind}")


def _inner(message: Descriptor, kind: Any) -> Turn | None:
    if message.full_name == Payload.DESCRIPTOR.full_name and kind is Raw:  # data of a game passes through
        return lambda value: Payload(json=bytes(value))
    if message.full_name == Duration.DESCRIPTOR.full_name and kind is int:  # whole seconds
        return lambda value: Duration(seconds=value)
    if message.full_name == Duration.DESCRIPTOR.full_name and kind is float:  # seconds to the millisecond
        return _milliseconds
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return message_of(GetMessageClass(message), kind)
    return None


def _milliseconds(seconds: float) -> Duration:
    duration = Duration()
    duration.FromMilliseconds(round(seconds * 1_000))
    return duration


def _as_it_is(value: Any) -> Any:
    return value


def _bare(said: Any) -> Any:
    """Return a type without its annotations and without the None of an optional value."""
    while True:
        origin = get_origin(said)
        if origin is Annotated:
            said = get_args(said)[0]
        elif origin in {Union, UnionType}:
            (said,) = (one for one in get_args(said) if one is not type(None))
        else:
            return said
