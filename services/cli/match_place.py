"""Where a match is to be found: in a file, or with a gateway, by its id or by its address."""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Final, Self
from urllib.parse import urlsplit
from uuid import UUID

import typer

from engine.kernel.errors import Unreadable
from engine.kernel.seats import Audience
from services.cli.console import fail
from services.cli.follower import as_query
from services.cli.rest import OutOfPatience, Rest, RestProblem
from services.movelog.export_format import MAX_DOCUMENT_BYTES, MEDIA_TYPE, MatchDocument, read_document

PATIENCE_SECONDS: Final = 10.0
STANDARD_INPUT: Final = "-"
_MATCH_PATH: Final = re.compile(r"(?P<before>.*)/v1/matches/(?P<id>[0-9a-fA-F-]{36})(?:/.*)?")

FileOrMatch = Annotated[
    str,
    typer.Argument(
        metavar="FILE|MATCH", help="An export (- reads standard input), or a match's id or address."
    ),
]
Url = Annotated[str, typer.Option(help="Address of the gateway, for a match's id.")]
Key = Annotated[str, typer.Option(envvar="FOLDTABLE_KEY", help="An API key, or a seat's token.")]
USUAL_URL: Final = "http://127.0.0.1:8080"


@dataclass(frozen=True)
class MatchAddress:
    """A match and the gateway that has it."""

    url: str
    match_id: UUID


def place_of(what: str, url: str) -> Path | MatchAddress:
    """Tell a file from an id and from an address; a file of that name comes first. Ends on an address that is none."""
    if what.startswith(("http://", "https://")):
        return _address(what)
    file = Path(what)
    try:
        return file if file.exists() else MatchAddress(url, UUID(what))
    except (ValueError, OSError):
        return file


def _address(what: str) -> MatchAddress:
    try:
        parts = urlsplit(what)
        found = _MATCH_PATH.fullmatch(parts.path)
        match_id = None if found is None or not parts.hostname else UUID(found["id"])
    except ValueError:
        found, match_id = None, None
    if found is None or match_id is None:
        fail(f"{what} is not the address of a match, such as {USUAL_URL}/v1/matches/<id>", code=2)
    return MatchAddress(f"{parts.scheme}://{parts.netloc}{found['before']}", match_id)


class Gateway:
    """A gateway that is asked one thing after the other. `with` closes the connection."""

    def __init__(self, url: str, key: str, *, patience: float = PATIENCE_SECONDS) -> None:
        if not key:
            fail("a key is needed: --key, or FOLDTABLE_KEY", code=2)
        self._runner = asyncio.Runner()
        self._rest = Rest(url, key, patience=patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self._rest.__aexit__(kind, error, trace))
        self._runner.close()

    def document(self, match_id: UUID, audience: Audience | None = None) -> MatchDocument:
        """Give a match's export, for the caller's usual audience or the one that is named; Unreadable, and as `export`."""
        return read_document(self.export(match_id, audience))

    def export(self, match_id: UUID, audience: Audience | None = None) -> bytes:
        """Give the bytes of a match's export; RestProblem, OutOfPatience."""
        query = {} if audience is None else as_query(audience)
        return self._runner.run(self._rest.get_bytes(f"/v1/matches/{match_id}/export", **query))

    def take_in(self, document: bytes) -> dict[str, Any]:
        """Import a match; give the gateway's answer; RestProblem, OutOfPatience."""
        answer: dict[str, Any] = self._runner.run(
            self._rest.post_bytes("/v1/matches/import", document, MEDIA_TYPE)
        )
        return answer

    def view(self, match_id: UUID, version: int, audience: Audience) -> Any:
        """Give what an audience saw after a move, as JSON values; RestProblem, OutOfPatience."""
        path = f"/v1/matches/{match_id}/view"
        answer = self._runner.run(self._rest.get(path, at=version, **as_query(audience)))
        return answer["view"]


GATEWAY_TROUBLE: Final = (RestProblem, OutOfPatience)


def read_match(what: str, url: str, key: str) -> MatchDocument:
    """Read an export from wherever it is; says what is wrong, and ends otherwise."""
    place = place_of(what, url)
    if isinstance(place, Path):
        return read_export(place)
    try:
        with Gateway(place.url, key) as gateway:
            return gateway.document(place.match_id)
    except GATEWAY_TROUBLE as problem:
        fail(str(problem))
    except Unreadable as problem:
        fail(f"the gateway's answer is not a match export: {problem.detail} (at {problem.pointer})")


def read_export(file: Path) -> MatchDocument:
    """Read an export; says what is wrong with it, and where, and ends otherwise."""
    try:
        data = bytes_of(file)
    except OSError as problem:
        fail(f"{file}: {problem.strerror}", code=2)
    if len(data) > MAX_DOCUMENT_BYTES:
        fail(f"{file}: an export has at most {MAX_DOCUMENT_BYTES} bytes", code=2)
    try:
        return read_document(data)
    except Unreadable as problem:
        fail(f"{file} is not a match export: {problem.detail} (at {problem.pointer})", code=2)


def bytes_of(file: Path) -> bytes:
    """Read no more than one byte too many: the file may be endless."""
    if str(file) == STANDARD_INPUT:
        return sys.stdin.buffer.read(MAX_DOCUMENT_BYTES + 1)
    with file.open("rb") as opened:
        return opened.read(MAX_DOCUMENT_BYTES + 1)
