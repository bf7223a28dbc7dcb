"""Exported matches in files: single documents, the lines of `foldtable export --all`, and folders of either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from services.movelog.export.format import MAX_DOCUMENT_BYTES

DOCUMENTS_AT_ONCE: Final = 20
"""Documents of one task, of some 100 kB each."""
_SUFFIXES: Final = frozenset({".json", ".ndjson"})


class NoExport(Exception):  # noqa: N818 - the name says what happened
    """A file cannot be read, or holds no exported matches. The message says which and why."""


class _Line(msgspec.Struct):
    """A line of many matches."""

    match_id: str
    export: msgspec.Raw = msgspec.Raw()
    """Absent: the match could not be exported, or only its results were."""


_LINE: Final = msgspec.json.Decoder(_Line)
_IS_LINE: Final = b'{"match_id":'
"""How each line of many matches begins; a document begins with its format."""


def files_of(places: Sequence[Path]) -> list[Path]:
    """Return the files of all places, those of a folder in the order of their names. Raises NoExport."""
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            found += sorted(one for one in place.iterdir() if one.suffix in _SUFFIXES and one.is_file())
        elif place.is_file():
            found.append(place)
        else:
            raise NoExport(f"{place}: no such file or folder")
    if not found:
        raise NoExport(f"no file ends in {' or '.join(sorted(_SUFFIXES))} there")
    return found


def parts_of(file: Path) -> Iterator[list[bytes]]:
    """Yield the documents of a file, some at a time. Raises NoExport."""
    documents = _documents(file)
    while some := list(islice(documents, DOCUMENTS_AT_ONCE)):
        yield some


def _documents(file: Path) -> Iterator[bytes]:
    try:
        with file.open("rb") as opened:
            begun = opened.read(len(_IS_LINE))
            opened.seek(0)
            if begun != _IS_LINE:
                data = opened.read(MAX_DOCUMENT_BYTES + 1)
                if len(data) > MAX_DOCUMENT_BYTES:
                    raise NoExport(f"{file}: an export has at most {MAX_DOCUMENT_BYTES} bytes")
                yield data
                return
            for number in range(1, 1 << 62):
                line = opened.readline(2 * MAX_DOCUMENT_BYTES)
                if not line.endswith(b"\n"):
                    return  # cut off, as `foldtable export --all` may be; its next run completes it
                read = _read(file, number, line)
                if read.export:
                    yield bytes(read.export)
    except OSError as problem:
        raise NoExport(f"{file}: {problem.strerror}") from None


def _read(file: Path, number: int, line: bytes) -> _Line:
    try:
        return _LINE.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise NoExport(f"{file}: line {number} is no exported match: {problem}") from None
