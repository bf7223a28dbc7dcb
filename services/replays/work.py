"""The parts of a mass replay, each done by one worker: a stretch of the log, or some exported documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

import msgspec
import psycopg

from engine.kernel.errors import Unreadable
from services.audit import reading
from services.audit.reading import CannotRead, NoDatabase, Stretch, Wanted
from services.movelog.export.format import MatchDocument, read_document
from services.movelog.export.verification import match_of, moves_of
from services.movelog.records import Match
from services.replays.judgements import Judgement, Verdict, judge, unread


class LogPart(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of the log."""

    wanted: Wanted
    stretch: Stretch
    rules: str


class FilePart(msgspec.Struct, frozen=True, kw_only=True):
    """Exported documents."""

    documents: list[bytes]
    rules: str

    def __repr__(self) -> str:
        """Return a text without the documents: those of running matches hold what some seats may not know."""
        return f"FilePart({len(self.documents)} documents)"


class Judged(msgspec.Struct, frozen=True):
    """What the matches of a part came to."""

    matches: list[Judgement]


def judge_log(part: LogPart) -> Judged:
    """Replay the matches of a stretch. Raises NoDatabase, whose text holds nothing of the address."""
    try:
        with reading.at_one_moment(part.wanted) as connection:
            matches = reading.matches(connection, part.wanted, part.stretch)
            if part.stretch.matches and not matches:
                raise reading.another_database(part.stretch)
            return Judged(list(_judged(connection, matches, part.rules)))
    except psycopg.Error as problem:
        raise NoDatabase(
            f"the database does not answer: {problem.sqlstate or type(problem).__name__}"
        ) from None


def _judged(
    connection: reading.Cursor, matches: Sequence[Match | reading.Unread], rules: str
) -> Iterator[Judgement]:
    ids = [one.id for one in matches if isinstance(one, Match)]
    try:
        moves = reading.moves_of(connection, ids)
    except CannotRead:  # of one match; the others can be read
        if len(matches) > 1:
            for one in matches:
                yield from _judged(connection, [one], rules)
            return
        moves = {}
    for match in matches:
        if isinstance(match, reading.Unread):
            yield unread(None, match.id, "its row cannot be read")
        elif match.id not in moves:
            yield unread(match, match.id, "a time in its rows is outside of the calendar")
        else:
            yield judge(match, moves[match.id], rules)


def judge_documents(part: FilePart) -> Judged:
    """Replay exported matches."""
    return Judged([_of_document(document, part.rules) for document in part.documents])


def _of_document(data: bytes, rules: str) -> Judgement:
    try:
        document = read_document(data)
    except Unreadable as problem:
        return unread(None, UUID(int=0), f"no match export: {problem.detail} (at {problem.pointer})")
    if document.secret is None:
        return _running(document)
    return judge(match_of(document), moves_of(document), rules)


def _running(document: MatchDocument) -> Judgement:
    return Judgement(
        match_id=document.match_id,
        game=document.game,
        rules_version=document.rules_version,
        replayed_by="",
        seats=document.seats,
        status=document.status.value,
        moves=document.version,
        verdict=Verdict.UNDECIDED,
        why="its file has no secret, because the match had not ended",
    )
