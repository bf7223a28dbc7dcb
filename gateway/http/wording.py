"""What is wrong with a value, in words: the errors of pydantic and of msgspec, without the names of their types and patterns."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Mapping
from typing import Any, Final

from gateway.schemas.forms import words_of

_KINDS: Final = {
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}
"""The words for msgspec's names of types."""


def _items(context: Mapping[str, Any], bound: str) -> str:
    most = context[bound]
    return f"{most} {'item' if most == 1 else 'items'}"


def _characters(count: int) -> str:
    return f"{count} {'character' if count == 1 else 'characters'}"


_SAID: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "string_pattern_mismatch": lambda context: f"must be {words_of(context['pattern'])}",
    "string_too_long": lambda context: f"must have at most {_characters(context['max_length'])}",
    "string_too_short": lambda context: f"must have at least {_characters(context['min_length'])}",
    "too_long": lambda context: f"must have at most {_items(context, 'max_length')}",
    "too_short": lambda context: f"must have at least {_items(context, 'min_length')}",
    "greater_than_equal": lambda context: f"must be at least {context['ge']}",
    "less_than_equal": lambda context: f"must be at most {context['le']}",
    "literal_error": lambda context: f"must be {context['expected'].replace(chr(39), chr(96))}",
    "string_type": lambda _: "must be a string",
    "string_unicode": lambda _: "must be Unicode text",
    "int_type": lambda _: "must be a whole number",
    "int_parsing": lambda _: "must be a whole number",
    "int_parsing_size": lambda _: "has too many digits",
    "int_from_float": lambda _: "must be a whole number",
    "float_type": lambda _: "must be a number",
    "float_parsing": lambda _: "must be a number",
    "finite_number": lambda _: "must be a finite number",
    "bool_type": lambda _: "must be true or false",
    "bool_parsing": lambda _: "must be true or false",
    "list_type": lambda _: "must be an array",
    "dict_type": lambda _: "must be an object",
    "model_type": lambda _: "must be an object",
}
"""For each type of pydantic's errors. Those of our own validators have their words already."""
_OF_OURS: Final = frozenset({"time", "time_type"})

_REGEX: Final = re.compile(r"Expected `str` matching regex (?P<pattern>.*)", re.DOTALL)
_LENGTH: Final = re.compile(r"Expected `(?P<kind>str|array)` of length (?P<order>[<>]=) (?P<bound>\d+)")
_BOUND: Final = re.compile(r"Expected `(?:int|float)` (?P<order>[<>]=) (?P<bound>-?[\d.]+)")
_WRONG_KIND: Final = re.compile(r"Expected `(?P<wanted>[^`]*)`, got `(?P<got>[^`]*)`")
_MAX_OR_LEAST: Final = {"<=": "at most", ">=": "at least"}


def of_pydantic(error: Any) -> str:
    """Return the words for one of pydantic's errors, with its context."""
    kind: str = error["type"]
    if kind in _OF_OURS:
        return str(error["msg"])
    said = _SAID.get(kind)
    return "cannot be read" if said is None else said(error.get("ctx", {}))


def of_msgspec(message: str) -> str:
    """Return the words for the message of msgspec's ValidationError, which comes without its place."""
    if (found := _REGEX.fullmatch(message)) is not None:
        return f"must be {words_of(literal_eval(found['pattern']))}"
    if (found := _LENGTH.fullmatch(message)) is not None:
        bound = int(found["bound"])
        what = _characters(bound) if found["kind"] == "str" else _items({"n": bound}, "n")
        return f"must have {_MAX_OR_LEAST[found['order']]} {what}"
    if (found := _BOUND.fullmatch(message)) is not None:
        return f"must be {_MAX_OR_LEAST[found['order']]} {found['bound']}"
    if (found := _WRONG_KIND.fullmatch(message)) is not None:
        wanted = " or ".join(_KINDS.get(one, one) for one in found["wanted"].split(" | "))
        got = (
            "a number with a fraction or exponent"
            if found["got"] == "float"
            else _KINDS.get(found["got"], found["got"])
        )
        return f"must be {wanted}, got {'a boolean' if got == 'true or false' else got}"
    if message.endswith("out of range"):
        return "is a number beyond what is read here"
    return message
