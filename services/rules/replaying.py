"""A whole match at once: every view, every move, or both, folded once and sent version by version."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel import aborting
from engine.kernel.course import Course
from engine.kernel.house import read_events
from engine.kernel.replay import fold
from engine.kernel.seats import Audience
from foldtable.matches.v1 import history_pb2 as pb
from services.movelog.records import Move
from services.rpc.match_messages import STATUSES, audience_message
from services.rpc.refusals import Reason, Refused, malformed
from services.rules.messages import move_message
from services.rules.page_tokens import page_token, read_page_token
from services.rules.payloads import payloads_of
from services.rules.tables import Table, Tables

MAX_PAGE: Final = 1_000
PAGE_BYTES: Final = 8 * 1024 * 1024
"""A page ends with the version that reaches this."""
ROWS_AT_ONCE: Final = 100

_CONTENTS: Final = {
    pb.REPLAY_CONTENT_UNSPECIFIED: (True, True),
    pb.REPLAY_CONTENT_BOTH: (True, True),
    pb.REPLAY_CONTENT_VIEWS: (True, False),
    pb.REPLAY_CONTENT_EVENTS: (False, True),
}
"""Whether there are views, and whether there are moves."""


@dataclass(frozen=True, kw_only=True)
class Replay:
    """What is to be sent: prepared while the table was held, sent while others use it."""

    table: Table
    audience: Audience
    views: bool
    moves: bool
    first: int
    last: int
    states: dict[int, Any]
    """Tables by the row they follow: the one before the first version, and those that a row goes back to. Without
    views there are none."""
    page_size: int
    """0: no pages."""
    question: tuple[object, ...]
    """What a page token belongs to."""
    form: int
    begun: pb.ReplayMatchResponse


async def prepare(tables: Tables, table: Table, audience: Audience, request: pb.ReplayMatchRequest) -> Replay:
    """Read what is asked for; Refused VERSION_NOT_FOUND, MALFORMED_REQUEST, MATCH_NOT_STARTED. The caller holds the table."""
    if request.content not in _CONTENTS:
        raise malformed("$.content", "is not a kind of content")
    if request.page_size < 0:
        raise malformed("$.page_size", "must not be negative")
    if table.version == 0:
        raise Refused(Reason.MATCH_NOT_STARTED, "the match waits for players: there is no table yet")
    first = request.from_version if request.HasField("from_version") else 1
    last = request.to_version if request.HasField("to_version") else table.version
    for version in (first, last):
        _must_exist(table, version)
    if first > last:
        raise malformed("$.to_version", "must not be before the first version")
    views, moves = _CONTENTS[request.content]
    question = (
        "replay",
        str(table.match.id),
        audience.kind,
        audience.seat,
        request.content,
        first,
        request.to_version if request.HasField("to_version") else None,
    )
    if request.page_token:
        first = read_page_token(request.page_token, question) + 1
        _must_exist(table, first)
    page_size = min(request.page_size, MAX_PAGE)
    end = min(last, first + page_size - 1) if page_size else last
    return Replay(
        table=table,
        audience=audience,
        views=views,
        moves=moves,
        first=first,
        last=last,
        states=await _states_before(tables, table, first, end) if views else {},
        page_size=page_size,
        question=question,
        form=request.form,
        begun=pb.ReplayMatchResponse(
            begun=pb.ReplayMatchResponse.Begun(
                audience=audience_message(audience), version=table.version, status=STATUSES[table.status]
            )
        ),
    )


async def _states_before(tables: Tables, table: Table, first: int, last: int) -> dict[int, Any]:
    """Give the tables from before a version that it and those after it stand on."""
    course = table.course
    earlier = {course.head_at(first - 1).seq, *_gone_back_to(course, first, last)}
    return {seq: await tables.state_of(table, course.head_at(seq)) for seq in sorted(earlier) if seq < first}


def _gone_back_to(course: Course, first: int, last: int) -> frozenset[int]:
    """Give the rows whose tables are there again after a later row, such as an undo."""
    if course.first_house_row is None or course.first_house_row > last:
        return frozenset()
    heads = ((version, course.head_at(version).seq) for version in range(first, last + 1))
    return frozenset(head for version, head in heads if head != version)


def _must_exist(table: Table, version: int) -> None:
    if not 1 <= version <= table.version:
        raise Refused(
            Reason.VERSION_NOT_FOUND,
            f"this match has the versions 1 to {table.version}",
            metadata={"current_version": table.version},
        )


async def send(tables: Tables, replay: Replay) -> AsyncIterator[pb.ReplayMatchResponse]:
    """Give everything, one version after the other. A few rows are held, and the tables that are gone back to."""
    yield replay.begun
    number = size = 0
    more = ""
    views = _Views(replay)
    async for row in _rows(tables, replay):
        step = pb.ReplayMatchResponse(step=_step(replay, row, views.after(row) if replay.views else None))
        number, size = number + 1, size + step.ByteSize()
        yield step
        if replay.page_size > 0 and (number == replay.page_size or size >= PAGE_BYTES):
            more = page_token(row.seq, replay.question) if row.seq < replay.last else ""
            break
    yield pb.ReplayMatchResponse(finished=pb.ReplayMatchResponse.Finished(next_page_token=more))


class _Views:
    """Tables after each row, one after the other, as the course of the match says."""

    def __init__(self, replay: Replay) -> None:
        self._game = replay.table.game
        self._course = replay.table.course  # it only ever grows, so nobody has to hold the table
        self._again = _gone_back_to(self._course, replay.first, replay.last) if replay.views else frozenset()
        self._states = replay.states
        self._state = replay.states.get(self._course.head_at(replay.first - 1).seq)

    def after(self, row: Move) -> Any:
        """Give the table after the next row."""
        stands = self._course.head_at(row.seq).seq
        if stands != row.seq:
            self._state = self._states[stands]
        else:
            self._state = fold(self._game, read_events(self._game, row.events), self._state)
            if row.seq in self._again:
                self._states[row.seq] = self._state
        return self._state


async def _rows(tables: Tables, replay: Replay) -> AsyncIterator[Move]:
    after = replay.first - 1
    while after < replay.last:
        rows = await tables.log.read(
            replay.table.match.id, after=after, limit=min(ROWS_AT_ONCE, replay.last - after)
        )
        if not rows:
            return
        for row in rows:
            yield row
        after = rows[-1].seq


def _step(replay: Replay, row: Move, state: Any) -> pb.ReplayMatchResponse.Step:
    step = pb.ReplayMatchResponse.Step(version=row.seq)
    if replay.moves:
        step.move.CopyFrom(move_message(replay.table, row, replay.audience, replay.form))
    if replay.views and state is not None:  # a match that was called off before it began has no table
        game, aborted = replay.table.game, replay.table.course.aborted == row.seq
        seen = aborting.view(game, state, replay.audience, aborted=aborted)
        step.view.CopyFrom(payloads_of(game).view(seen, replay.form))
    return step
