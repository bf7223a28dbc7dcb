"""Pydantic models of input: the base of every body and query, and the values that need their own validators.

Bodies are read strictly (a number in quotes is not a number), and unknown fields are refused. Query parameters arrive as
text, so this module defines how their numbers, flags and times are written.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Final

import msgspec
from fastapi import Query
from msgspec import Meta, Raw
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from gateway.schemas.fields import Language
from gateway.schemas.times import EXAMPLE, read_time

_MOMENT: Final[Any] = Annotated[datetime, Meta(tz=True)]
_WHOLE: Final = re.compile(r"-?[0-9]+")
_RFC_3339: Final = f"must be a date and time with seconds and a time zone (RFC 3339), such as {EXAMPLE}"
_OBJECTS: Final = msgspec.json.Decoder(list[dict[str, Raw]])
_FLAGS: Final = {"true": True, "1": True, "false": False, "0": False}


def _without_null_defaults(schema: dict[str, Any]) -> None:
    """Remove the defaults that are null from a schema."""
    for field in schema.get("properties", {}).values():
        if field.get("default", ...) is None:
            del field["default"]


class RequestBody(BaseModel):
    """The base of every JSON body."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        regex_engine="python-re",
        json_schema_extra=_without_null_defaults,
    )


class QueryParameters(BaseModel):
    """The base of query parameters that belong together; `Annotated[PageQuery, Query()]` in a signature."""

    model_config = ConfigDict(extra="forbid", frozen=True, regex_engine="python-re")


def like(answered: Any) -> Any:
    """Return a `Field` with the bounds and the description of a type used in responses, such as `fields.PlayerId`."""
    said: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for meta in answered.__metadata__:
        for name in ("ge", "le", "min_length", "max_length", "pattern", "description", "examples"):
            if getattr(meta, name) is not None:
                said[name] = getattr(meta, name)
        extra |= meta.extra_json_schema or {}
    return Field(**said, json_schema_extra=extra or None)


def _whole(value: Any) -> Any:
    """Refuse what int() accepts besides digits: blanks, underscores, a plus sign, `1.0`."""
    if isinstance(value, str) and _WHOLE.fullmatch(value) is None:
        raise PydanticCustomError("int_parsing", "must be a whole number")
    return value


def _flag(value: Any) -> Any:
    if isinstance(value, str):
        if value.lower() not in _FLAGS:
            raise PydanticCustomError("bool_parsing", "must be true or false")
        return _FLAGS[value.lower()]
    return value


def _moment(value: Any, info: ValidationInfo) -> Any:
    """Read a time: in a query as people write it by hand, in a body in RFC 3339 only, as programs write it."""
    if not isinstance(value, str):
        raise PydanticCustomError("time_type", _RFC_3339)
    try:
        by_hand = read_time(value)
    except ValueError as problem:
        raise _not_a_time(str(problem)) from None
    if info.mode == "python":
        return by_hand
    try:
        return msgspec.convert(value, _MOMENT)
    except msgspec.ValidationError:
        raise _not_a_time(_RFC_3339) from None


def _not_a_time(what: str) -> PydanticCustomError:
    return PydanticCustomError("time", "{what}", {"what": what})


WHOLE: Final = BeforeValidator(_whole)
"""Goes after the `Field` of every `int` in a query."""
FLAG: Final = BeforeValidator(_flag)
"""Goes after the `Field` of every `bool` in a query."""
Moment = Annotated[datetime, BeforeValidator(_moment)]


LANGUAGE: Final[Any] = Query(
    description="Adds texts: sentences in this language, or with `keys` only what a client makes them of. "
    "Absent: as `Accept-Language` says; without it no texts."
)
"""Describes `lang` in every query."""


class LanguageQuery(QueryParameters):
    """In which language texts are wanted."""

    lang: Annotated[Language | None, LANGUAGE] = None


ABSENT: Final[Any] = None
"""The default of a body's field that may be absent but not null: `url: Annotated[str, like(Url)] = ABSENT`."""


COMPONENT_OF_OTHERS: Final = "x-component"


class PassedOn:
    """Marks a body's field whose JSON is forwarded unchanged: `options: Annotated[Raw | None, PassedOn("Options")] = None`.

    Its value is the bytes that were sent, as `Raw`; None only if the field was absent. The argument is the name of the
    component that describes it.
    """

    def __init__(self, component: str | None = None) -> None:
        self._component = component

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        """Return a schema that accepts any JSON value."""
        del source, handler
        return core_schema.any_schema()

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        """Return the component's name. pydantic cannot refer to components defined elsewhere; the document makes it a reference."""
        del schema, handler
        return {} if self._component is None else {COMPONENT_OF_OTHERS: self._component}


def with_raw_fields(value: BaseModel, parts: dict[str, Raw]) -> BaseModel:
    """Return a body with the bytes of its `PassedOn` fields filled in, also those of objects in its lists.

    `parts` are all members as they were sent.
    """
    raw: dict[str, Any] = {}
    for name, field in type(value).model_fields.items():
        sent = parts.get(field.alias or name)
        if sent is None:
            continue
        if any(isinstance(one, PassedOn) for one in field.metadata):
            raw[name] = sent
        elif isinstance(inner := getattr(value, name), list) and inner and isinstance(inner[0], RequestBody):
            raw[name] = [
                with_raw_fields(one, members)
                for one, members in zip(inner, _OBJECTS.decode(sent), strict=True)
            ]
    return value.model_copy(update=raw) if raw else value


class PageQuery(QueryParameters):
    """Which page."""

    page_size: Annotated[
        int,
        Field(ge=0, le=2**31 - 1, description="At most this many; 0 means 100; values above 1000 mean 1000."),
        WHOLE,
    ] = 0
    page_token: Annotated[
        str, Field(max_length=1024, description="`next_page_token` of the previous page.")
    ] = ""
