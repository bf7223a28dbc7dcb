"""Check that the stored matches of every version of a game's rules are still played as they were, and store a first one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import msgspec

from engine.kernel.chance import Draw, commitment
from engine.kernel.codec import encode
from engine.kernel.errors import Unreadable
from engine.kernel.game import AnyGame
from engine.match.replay import decide_again, fold_moves
from services.kit.records.found import Found, check
from services.kit.records.stored_logs import (
    ENDING,
    StoredLog,
    digest,
    digest_of_views,
    folder_of,
    log_lines,
    logs_in,
    read,
    states_of,
    versions_in,
)
from services.kit.subject import Subject

OURS: Final = "engine."
"""Packages of the games that come with Foldtable; their stored matches are beside its tests."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
NEW_VERSION: Final = (
    "undo what changed the rules, or make it a new version of the rules: a stored match is played by its own"
)


class NotWritten(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A match was not stored. The error is one sentence that says why."""


def look(subject: Subject, found: Found) -> None:
    """Read every stored match of every version, and play it again."""
    folder = folder_for(subject)
    if folder is None and subject.package.python_package.startswith(OURS):
        found.skipped = "the stored matches of Foldtable's own games are beside its tests"
        return
    versions = [one.version for one in subject.game.versions]
    for version in versions:
        logs = [] if folder is None else logs_in(folder, version)
        if not logs:
            found.add(
                f"no match is stored of version {version} of the rules", _how_to_write(subject, version)
            )
        for log in logs:
            found.here = f"{folder_of(version)}/{log.name}"
            found.looked("stored matches")
            try:
                for what in differences(subject.game.by(version), log.read_bytes(), found):
                    found.add(what, NEW_VERSION)
            except (Unreadable, KeyError) as problem:
                found.add(
                    f"it cannot be read any more: {type(problem).__name__}: {problem}",
                    f"restore the file if it was changed; otherwise {NEW_VERSION}",
                )
        found.here = ""
    for version in [] if folder is None else versions_in(folder):
        if version not in versions:
            found.add(
                f"matches of version {version} are stored, and the game no longer has these rules",
                "list the version in `Game.versions` again, with the rules it had: its matches are still stored and shown",
            )


def folder_for(subject: Subject) -> Traversable | None:
    """Return the folder with the stored matches of a game; None if the package names none."""
    if subject.golden is not None:
        return subject.golden
    package, _, path = subject.package.golden.partition(":")
    return files(package).joinpath(path) if package else None


def _how_to_write(subject: Subject, version: str) -> str:
    if version != subject.game.newest.rules_version:
        return f"restore the folder {folder_of(version)}: matches of every version that was released stay for ever"
    named = (
        ""
        if subject.package.golden or subject.golden
        else 'name a folder in GamePackage(golden="package:golden"), and '
    )
    return f"{named}run `foldtable check-game {subject.id} --write-golden first`"


def differences(game: AnyGame, data: bytes, found: Found) -> Iterator[str]:
    """Yield what is not as it was in a stored match that was begun under these rules, in a sentence each."""
    try:
        log = read(data)
    except (ValueError, msgspec.DecodeError) as problem:
        yield f"it cannot be read: {problem}"
        return
    found.looked("moves", len(log.moves))
    yield from header_differences(game, log)
    yield from end_differences(game, log)
    yield from decided_differences(game, log)
    yield from view_differences(game, log)


def header_differences(game: AnyGame, log: StoredLog) -> Iterator[str]:
    """Yield what the first line says of another match."""
    if log.header["game"] != game.id:
        yield f"it is a match of {log.header['game']}"
    if log.header["rules_version"] != game.rules_version:
        yield f"it was played by version {log.header['rules_version']} of the rules, and is stored for {game.rules_version}"
    if commitment(log.secret).hex() != log.header["commitment"]:
        yield "its secret does not agree with the commitment to it"


def end_differences(game: AnyGame, log: StoredLog) -> Iterator[str]:
    """Yield how the match ends otherwise than it did when its events are folded."""
    state = fold_moves(game, log.moves)
    if len(log.moves) != log.end["moves"]:
        yield f"it has {len(log.moves)} moves, and had {log.end['moves']}"
    if game.rules_of(state) != game.rules_version:
        yield f"its state names version {game.rules_of(state)} of the rules"
    if json.loads(encode(game.outcome(state))) != log.end["outcome"]:
        yield "its outcome is not what it was"
    if digest(state) != log.end["state_sha256"]:
        yield "its events fold to another state than they did"


def decided_differences(game: AnyGame, log: StoredLog, *, drawn: list[Draw] | None = None) -> Iterator[str]:
    """Yield the first move that is decided otherwise than it was; `drawn` collects every draw."""
    difference = decide_again(game, log.moves, log.secret, drawn=drawn)
    if difference is not None:
        yield (
            f"move {difference.seq} is decided differently, in {difference.place}: "
            f"it was {difference.logged}, and is {difference.decided}"
        )


def view_differences(game: AnyGame, log: StoredLog) -> Iterator[str]:
    """Yield whether somebody sees another match; older logs do not say what was seen."""
    was = log.end.get("views_sha256")
    if was is not None and was != digest_of_views(game, states_of(game, log), log.header["seats"]):
        yield "what the audiences see of it is not what it was"


def write_first(subject: Subject, name: str) -> Path:
    """Store a random match under the newest rules, and return its file. Raises NotWritten if there is such a file already,
    or no place for one.
    """
    if not _NAME.fullmatch(name):
        raise NotWritten(f"{name!r} is no name for a file: use small letters, digits, - and _")
    folder = folder_for(subject)
    if folder is None:
        raise NotWritten(
            f'the package of {subject.id} names no folder for stored matches: set golden="package:golden"'
        )
    if not isinstance(folder, Path):
        raise NotWritten(
            f"{subject.package.golden} is not a folder on a disk: install the package in editable form"
        )
    game = subject.game.newest
    path = folder / folder_of(game.rules_version) / f"{name}{ENDING}"
    if path.exists():
        raise NotWritten(f"{path.name} exists in {path.parent.name}: a stored match is never written again")
    played = subject.matches[0]
    if game.outcome(played.steps[-1].state) is None:
        raise NotWritten("the random match did not end")
    lines = log_lines(
        game, played.options, played.steps, played.seats, subject.secret(played.number), views=True
    )
    text = "\n".join(lines) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    return path


GOLDEN: Final = check(
    "golden",
    "stored matches of every version are decided again as they were",
    look,
)
