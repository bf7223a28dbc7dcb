"""Check that a game's types and its protobuf messages are the same, and that every record survives the way there and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from engine.kernel.codec import encode
from engine.kernel.errors import Unreadable
from engine.kernel.seats import PUBLIC
from services.kit.records.found import Found, audiences, check
from services.kit.subject import Played, Subject
from services.rules.wire.contract import ContractUnusable, message_class
from services.rules.wire.typed_codec import TypedCodec, TypesDisagree

LISTS: Final = {
    "Events": ("events", "Event"),
    "Actions": ("actions", "Action"),
    "Templates": ("templates", "Template"),
}
"""Messages that list others, with the name of their field."""
EVERY: Final = 5
"""Views are converted after every move of this number: they are large, and change little from one move to the next."""
LONG: Final = 80
"""Characters of a value in a report."""
BUILD: Final = "run `foldtable check-game {} --build`: the contract follows from the types"


def look(subject: Subject, found: Found) -> None:
    """Compare the types first: records can only be converted if they agree."""
    codecs = dict(_codecs(subject, found))
    for name, (field, of) in LISTS.items():
        _check_list(subject, found, name, field, of)
    _check_components(subject, found)
    if found:
        return
    converted: set[Any] = set()
    for played in subject.matches:
        for kind, record in _records(subject, found, played):
            if _is_new(kind, record, converted):
                _there_and_back(subject, found, kind, codecs[kind], record)
    found.here = ""


def _is_new(kind: str, record: Any, converted: set[Any]) -> bool:
    """Remember a record. Return whether it is another one than all before, also in JSON, where `1` is neither `1.0` nor `true`."""
    try:
        this = kind, encode(record), record
        if this in converted:
            return False
        converted.add(this)
    except (msgspec.MsgspecError, TypeError, ValueError):
        return True  # what cannot be encoded is reported, what has no hash is always converted
    return True


def _shapes(subject: Subject) -> dict[str, Any]:
    types = subject.game.types
    return {
        "Options": types.options,
        "Action": types.action,
        "Event": types.event,
        "Template": types.template,
        "View": types.view,
    }


def _codecs(subject: Subject, found: Found) -> Iterator[tuple[str, TypedCodec]]:
    for kind, shape in _shapes(subject).items():
        try:
            codec = TypedCodec(shape, message_class(subject.package, kind))
        except TypesDisagree as problem:
            found.add(f"types and contract disagree: {problem}", BUILD.format(subject.id))
        else:
            found.looked("messages")
            yield kind, codec


def _check_list(subject: Subject, found: Found, name: str, field: str, of: str) -> None:
    try:
        descriptor = message_class(subject.package, name).DESCRIPTOR
    except ContractUnusable as problem:
        found.add(str(problem), BUILD.format(subject.id))
        return
    fields: list[Any] = list(descriptor.fields)
    right = [
        one
        for one in fields
        if one.name == field
        and one.is_repeated
        and one.message_type is not None
        and one.message_type.name == of
    ]
    if len(fields) != 1 or not right:
        found.add(
            f"{descriptor.full_name} must have one field and no other: `repeated {of} {field} = 1`",
            BUILD.format(subject.id),
        )
    found.looked("messages")


def _check_components(subject: Subject, found: Found) -> None:
    game = subject.game
    try:
        again = msgspec.json.decode(encode(game.components), type=game.types.components)
    except (msgspec.MsgspecError, TypeError) as problem:
        found.add(
            f"the components do not match their type: {problem}",
            "let `Types.components` be the type of `Game.components`",
        )
        return
    if again != game.components:
        found.add(
            "the components are not the same after they were written as JSON and read again",
            "let `Types.components` be the type of `Game.components`",
        )


def _records(subject: Subject, found: Found, played: Played) -> Iterator[tuple[str, Any]]:
    """Yield every record of a match with the name of its message, also as those see them who may not see everything."""
    game = subject.game
    yield "Options", played.options
    for move, step in enumerate(played.steps, start=1):
        found.here = played.at(move)
        if step.action is not None:
            yield "Action", step.action
        for event in step.events:
            yield "Event", event
            yield "Event", game.redact(event, PUBLIC)
        for seat in game.to_act(step.state)[:1]:
            legal = game.legal_actions(step.state, seat)
            yield from (("Action", action) for action in legal.actions)
            yield from (("Template", template) for template in legal.templates)
        if move % EVERY == 1:
            yield from (("View", game.view(step.state, each)) for each in audiences(played.seats))


def _there_and_back(subject: Subject, found: Found, kind: str, codec: TypedCodec, record: Any) -> None:
    found.looked({"Options": "options"}.get(kind, f"{kind.lower()}s"))
    name = type(record).__name__
    do = "let the types say everything that the values contain, such as `tuple` for what is a tuple"
    try:
        from_message = codec.from_message(codec.to_message(record))
        from_json = msgspec.json.decode(encode(record), type=_shapes(subject)[kind])
    except Unreadable as problem:
        found.add(f"{name} cannot be read from its message: {problem.pointer} {problem.detail}", do)
        return
    except (msgspec.MsgspecError, TypeError, ValueError, KeyError) as problem:
        found.add(f"{name} cannot be converted: {type(problem).__name__}: {problem}", do)
        return
    for form, again in (("message", from_message), ("JSON", from_json)):
        same = again == record  # a type may define `==` alone, and then `!=` compares identities
        if not same:
            place, was, is_ = differing(record, again)
            found.add(
                f"{name}{place} is not the same after it was written as {form} and read again: {was} became {is_}",
                do,
                kind=f"{name}{place} {form}",
            )


def differing(record: Any, again: Any) -> tuple[str, str, str]:
    """Return the first place in which two records differ, such as `.hand`, and both values; long ones are cut."""
    if type(record) is type(again):
        if isinstance(record, msgspec.Struct):
            for field in record.__struct_fields__:
                one, other = getattr(record, field), getattr(again, field)
                same = one == other
                if not same:
                    place, was, is_ = differing(one, other)
                    return f".{field}{place}", was, is_
        if isinstance(record, tuple) and len(record) == len(again):
            for number, (one, other) in enumerate(zip(record, again, strict=True)):
                same = one == other
                if not same:
                    place, was, is_ = differing(one, other)
                    return f"[{number}]{place}", was, is_
    return "", _cut(record), _cut(again)


def _cut(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= LONG else f'{text[:LONG]}…'}"


CONTRACT: Final = check(
    "contract",
    "types and messages have the same fields, and records survive both",
    look,
)
