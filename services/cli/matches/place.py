"""Where a match is: in a file, or at a gateway, by its id or its address."""

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

import msgspec
import typer

from engine.kernel.errors import Unreadable
from engine.kernel.seats import Audience
from foldtable_client import ProblemError, Unreachable
from services.cli.console import fail
from services.cli.running_system import USUAL_URL, key_of, url_of
from services.client.match_subscriber import as_query
from services.client.rest import Rest
from services.movelog.export.format import MAX_DOCUMENT_BYTES, MEDIA_TYPE, MatchDocument, read_document

RETRY_SECONDS: Final = 10.0
STANDARD_INPUT: Final = "-"
_MATCH_PATH: Final = re.compile(r"(?P<before>.*)/v1/matches/(?P<id>[0-9a-fA-F-]{36})(?:/.*)?")

FileOrMatch = Annotated[
    str,
    typer.Argument(
        metavar="FILE|MATCH", help="An export (- reads standard input), or a match's id or address."
    ),
]


@dataclass(frozen=True)
class MatchAddress:
    """A match at a gateway."""

    url: str
    match_id: UUID


def place_of(what: str, url: str) -> Path | MatchAddress:
    """Return the file, id or address that a text names; an existing file comes first. End with a message for a wrong address."""
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
    """A client of a gateway for sequential requests. `with` closes the connection."""

    def __init__(self, url: str, key: str, *, retry_for: float | None = None) -> None:
        """`retry_for`: seconds to keep trying one request; RETRY_SECONDS if none are given."""
        self._runner = asyncio.Runner()
        self._rest = Rest(url, key, retry_for=RETRY_SECONDS if retry_for is None else retry_for)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self._rest.__aexit__(kind, error, trace))
        self._runner.close()

    def document(self, match_id: UUID, audience: Audience | None = None) -> MatchDocument:
        """Return a match's export, for the caller's default audience or the named one. Raises Unreadable, and as `export`."""
        return read_document(self.export(match_id, audience))

    def export(self, match_id: UUID, audience: Audience | None = None) -> bytes:
        """Return the bytes of a match's export. Raises ProblemError, Unreachable."""
        query = {} if audience is None else as_query(audience)
        return self._runner.run(self._rest.get_bytes(f"/v1/matches/{match_id}/export", **query))

    def take_in(self, document: bytes) -> dict[str, Any]:
        """Import a match and return the gateway's response. Raises ProblemError, Unreachable."""
        headers = {"Content-Type": MEDIA_TYPE}
        answer = self._runner.run(
            self._rest.send("POST", "/v1/matches/import", content=document, headers=headers)
        )
        return msgspec.json.decode(answer.content, type=dict[str, Any])

    def delete(self, match_id: UUID) -> None:
        """Delete a match. Raises ProblemError, Unreachable."""
        self._runner.run(self._rest.send("DELETE", f"/v1/matches/{match_id}"))

    def kept_of(self, player: str) -> bytes:
        """Return everything that is kept of a player, a JSON record a line. Raises ProblemError, Unreachable."""
        return self._runner.run(self._rest.get_bytes("/v1/players/export", player=player))

    def erase(self, player: str) -> dict[str, Any]:
        """Erase a player as far as one request does, and return what it did. Raises ProblemError, Unreachable."""
        answer = self._runner.run(
            self._rest.send(
                "POST",
                "/v1/players/erase",
                content=msgspec.json.encode({"player": player}),
                headers={"Content-Type": "application/json"},
            )
        )
        return msgspec.json.decode(answer.content, type=dict[str, Any])

    def view(self, match_id: UUID, version: int, audience: Audience) -> Any:
        """Return what an audience saw after a move, as JSON values. Raises ProblemError, Unreachable."""
        path = f"/v1/matches/{match_id}/view"
        answer = self._runner.run(self._rest.get(path, at=version, **as_query(audience)))
        return answer["view"]


GATEWAY_TROUBLE: Final = (ProblemError, Unreachable)


def read_match(what: str, url: str, key: str, home: Path) -> MatchDocument:
    """Return an export from a file or a gateway; end with a message if that fails."""
    place = place_of(what, url_of(url, home))
    if isinstance(place, Path):
        return read_export(place)
    try:
        with Gateway(place.url, key_of(key, place.url, home)) as gateway:
            return gateway.document(place.match_id)
    except GATEWAY_TROUBLE as problem:
        fail(str(problem))
    except Unreadable as problem:
        fail(f"the gateway's answer is not a match export: {problem.detail} (at {problem.pointer})")


def read_export(file: Path) -> MatchDocument:
    """Return the export in a file; end with a message and the place if it is wrong."""
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
    """Return the bytes of a file, at most one over the limit: the file may be endless."""
    if str(file) == STANDARD_INPUT:
        return sys.stdin.buffer.read(MAX_DOCUMENT_BYTES + 1)
    with file.open("rb") as opened:
        return opened.read(MAX_DOCUMENT_BYTES + 1)
