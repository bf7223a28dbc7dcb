"""Request bodies: bounded while they are read, then decoded and validated in one step; errors name the part that is wrong."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Final, TypeVar, cast

import msgspec
from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.requests import ClientDisconnect, Request

from gateway.headers import header
from gateway.http.validation import body_problem
from gateway.http.wording import of_msgspec
from gateway.problems.document import ProblemError, malformed
from gateway.schemas.inputs import with_raw_fields
from services.process.i_json import MAX_DEPTH, fault_of, is_too_deep
from services.process.thread_work import in_thread

MAX_BODY_BYTES: Final = 64 * 1024
"""Unless a model has a `max_bytes` of its own."""

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

_MEMBERS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])

_JSON: Final = re.compile(r'application/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?', re.IGNORECASE)
_PLACE: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<index>\d+)\]")
_NAMED: Final = re.compile(
    r"^Object (?P<kind>contains unknown|missing required) field `(?P<name>.*)`$", re.DOTALL
)


def decode_json(request: Request, body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Return a body as the decoder's type. Raises ProblemError UNSUPPORTED_MEDIA_TYPE or MALFORMED_REQUEST."""
    _check_type(request)
    return _decoded(body, decoder)


async def read_model(
    request: Request, model: TypeAdapter[M], *, optional: bool = False, limit: int | None = None
) -> M | None:
    """Return the body as a pydantic model; None if there is no body and it is `optional`.

    Raises ProblemError as `read_body` and `decode_json` do.
    """
    body = await read_body(request, limit)
    if not body and optional:
        return None
    _check_type(request)
    if len(body) > MAX_BODY_BYTES:  # it takes long enough to delay others
        return await in_thread(_model_of, body, model)
    return _model_of(body, model)


def _model_of(body: bytes, model: TypeAdapter[M]) -> M:
    parts = _decoded(body, _MEMBERS)
    try:
        value = model.validate_json(body)
    except ValidationError as error:
        raise body_problem(error.errors(include_url=False)) from None
    return cast("M", with_raw_fields(value, parts))


def _decoded(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Return the body as the decoder's type. Raises ProblemError also for what parsers read differently, wherever it is."""
    try:
        if is_too_deep(body):
            raise malformed(f"the body is nested deeper than {MAX_DEPTH} levels", code="TOO_DEEP", pointer="")
        if not body.isascii():
            body.decode()  # the decoder does not check the parts that pass through to the rules server
        value = decoder.decode(body)
    except msgspec.ValidationError as error:
        code, detail, pointer = culprit(error)
        raise malformed(detail, code=code, pointer=pointer) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if (fault := fault_of(body)) is not None:
            raise malformed(fault.what, code=fault.code, pointer=fault.pointer) from None
        raise malformed(f"the body is not JSON: {_plain(body, error)}", code="NOT_JSON", pointer="") from None
    if (fault := fault_of(body)) is not None:
        raise malformed(fault.what, code=fault.code, pointer=fault.pointer)
    return value


async def read_body(request: Request, limit: int | None = None) -> bytes:
    """Read the body. Raises ProblemError as soon as it is known to be larger than the limit; None: than MAX_BODY_BYTES."""
    most = MAX_BODY_BYTES if limit is None else limit
    if announces_more(request, most):
        raise ProblemError("BODY_TOO_LARGE")
    body = b""
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += cast("bytes", message.get("body", b""))
        if len(body) > most:
            raise ProblemError("BODY_TOO_LARGE")
        if not message.get("more_body", False):
            return body


def announces_more(request: Request, limit: int) -> bool:
    """Return whether `Content-Length` is above a limit. The server has already refused lengths that are not numbers."""
    announced = header(request, b"content-length") or ""
    return announced.isdecimal() and (len(announced) > len(str(limit)) or int(announced) > limit)


def _check_type(request: Request) -> None:
    sent = header(request, b"content-type") or ""
    if sent != "application/json" and _JSON.fullmatch(sent) is None:
        raise ProblemError("UNSUPPORTED_MEDIA_TYPE", headers={"accept": "application/json"})
    if (header(request, b"content-encoding") or "identity").lower() != "identity":
        raise ProblemError("UNSUPPORTED_MEDIA_TYPE", headers={"accept-encoding": "identity"})


def _plain(body: bytes, error: Exception) -> str:
    if body.startswith(BOM_UTF8):
        return "it begins with a byte order mark; send it without"
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    return str(error).removeprefix("JSON is malformed: ")


def culprit(error: msgspec.ValidationError) -> tuple[str, str, str]:
    """Return code, detail and JSON pointer (RFC 6901) for a decoder's validation error."""
    place = _PLACE.match(str(error))
    assert place is not None  # the pattern matches any text
    what, pointer = place["what"], json_pointer(place["path"] or "")
    named = _NAMED.match(what)
    if named is not None:
        unknown = named["kind"] == "contains unknown"
        code, detail = ("UNKNOWN_FIELD", "is not known here") if unknown else ("MISSING_FIELD", "is missing")
        return code, detail, f"{pointer}/{_escaped(named['name'])}"
    if what.startswith("Expected") and " got " in what:
        return "WRONG_TYPE", of_msgspec(what), pointer
    return "OUT_OF_RANGE", of_msgspec(what), pointer


def json_pointer(path: str) -> str:
    """Return a JSON pointer for a path such as `.players[2]`."""
    return "".join(f"/{_escaped(step['name'] or step['index'])}" for step in _STEP.finditer(path))


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
