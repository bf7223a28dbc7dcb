"""Request bodies: bounded while they are read, then decoded and validated in one step, naming the culprit."""

from __future__ import annotations

import re
from typing import Final, TypeVar, cast

import msgspec
from starlette.requests import ClientDisconnect, Request

from gateway.headers import header
from gateway.problem_documents import ProblemError, malformed

MAX_BODY_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 32
"""Objects and arrays within each other. What passes through to a rules server is counted too."""

T = TypeVar("T")

_JSON: Final = re.compile(r'application/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?', re.IGNORECASE)
_PLACE: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<index>\d+)\]")
_TEXTS: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""One that is not ended goes to the end of the body: looking for its end from every quote would take for ever."""
_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")
_NAMED: Final = re.compile(
    r"^Object (?P<kind>contains unknown|missing required) field `(?P<name>.*)`$", re.DOTALL
)


async def read_json(request: Request, decoder: msgspec.json.Decoder[T], *, optional: bool = False) -> T:
    """Give the body as the decoder's type.

    `optional`: no body at all means an empty object. ProblemError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or
    MALFORMED_REQUEST.
    """
    body = await _read(request)
    if not body and optional:
        return decoder.decode(b"{}")
    _check_type(request)
    try:
        if is_too_deep(body):
            raise malformed(f"the body is nested deeper than {MAX_DEPTH} levels", code="TOO_DEEP", pointer="")
        if not body.isascii():
            body.decode()  # what passes through to the rules server is not looked into here
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        code, detail, pointer = culprit(error)
        raise malformed(detail, code=code, pointer=pointer) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise malformed(f"the body is not JSON: {_plain(error)}", code="NOT_JSON", pointer="") from None


def is_too_deep(body: bytes) -> bool:
    """Say whether JSON has more levels than MAX_DEPTH. What is no JSON at all, its decoder says better.

    Brackets outside of texts are kept, then the innermost pairs are taken away, level by level.
    """
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return False
    brackets = _TEXTS.sub(b"", body).translate(_BRACKETS, _NOT_BRACKETS)
    for _ in range(MAX_DEPTH):
        if b"[]" not in brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    return b"[]" in brackets or brackets.count(b"[") > MAX_DEPTH  # the latter were never closed


async def _read(request: Request) -> bytes:
    """Read at most MAX_BODY_BYTES; a larger body is refused as soon as that is known."""
    if announces_more(request, MAX_BODY_BYTES):
        raise ProblemError("BODY_TOO_LARGE")
    body = b""
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += cast("bytes", message.get("body", b""))
        if len(body) > MAX_BODY_BYTES:
            raise ProblemError("BODY_TOO_LARGE")
        if not message.get("more_body", False):
            return body


def announces_more(request: Request, limit: int) -> bool:
    """Say whether `Content-Length` is above a limit. A length that is none, the server has refused before."""
    announced = header(request, b"content-length") or ""
    return announced.isdecimal() and (len(announced) > len(str(limit)) or int(announced) > limit)


def _check_type(request: Request) -> None:
    if _JSON.fullmatch(header(request, b"content-type") or "") is None:
        raise ProblemError("UNSUPPORTED_MEDIA_TYPE", headers={"accept": "application/json"})
    if (header(request, b"content-encoding") or "identity").lower() != "identity":
        raise ProblemError("UNSUPPORTED_MEDIA_TYPE", headers={"accept-encoding": "identity"})


def _plain(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    return str(error).removeprefix("JSON is malformed: ")


def culprit(error: msgspec.ValidationError) -> tuple[str, str, str]:
    """Give code, detail and JSON pointer (RFC 6901) of what a decoder refused."""
    place = _PLACE.match(str(error))
    assert place is not None  # the pattern takes any text
    what, pointer = place["what"], json_pointer(place["path"] or "")
    named = _NAMED.match(what)
    if named is not None:
        unknown = named["kind"] == "contains unknown"
        code, detail = ("UNKNOWN_FIELD", "is not known here") if unknown else ("MISSING_FIELD", "is missing")
        return code, detail, f"{pointer}/{_escaped(named['name'])}"
    if what.startswith("Expected") and " got " in what:
        return "WRONG_TYPE", what, pointer
    return "OUT_OF_RANGE", what, pointer


def json_pointer(path: str) -> str:
    """Give a JSON pointer for a path such as `.players[2]`."""
    return "".join(f"/{_escaped(step['name'] or step['index'])}" for step in _STEP.finditer(path))


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
