"""Replays of a whole match: every view, every move, both, or every table, folded once and sent version by version."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from copy import copy
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.seats import Audience
from engine.match import aborting
from engine.match.commands import read_events
from engine.match.replay import fold
from engine.match.timeline import Timeline
from foldtable.matches.v1 import history_pb2 as pb
from services.movelog.records import Move
from services.process.reasons import Reason
from services.process.thread_work import in_thread
from services.rpc.match_messages import STATUSES, audience_message
from services.rpc.refusals import Refused, malformed
from services.rules.marks import about, of_match
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.wire.forms import Form, form_of
from services.rules.wire.layouts import piece_message
from services.rules.wire.messages import move_message, pending_message
from services.rules.wire.page_tokens import page_token, read_page_token
from services.rules.wire.payloads import payloads_of

MAX_PAGE: Final = 1_000
PAGE_BYTES: Final = 8 * 1024 * 1024
"""A page ends with the version that reaches this size."""
PIECE_ROWS: Final = 25
"""Versions made at a time: some tens of milliseconds of work."""

_CONTENTS: Final = {
    pb.REPLAY_CONTENT_UNSPECIFIED: (True, True, False),
    pb.REPLAY_CONTENT_BOTH: (True, True, False),
    pb.REPLAY_CONTENT_VIEWS: (True, False, False),
    pb.REPLAY_CONTENT_EVENTS: (False, True, False),
    pb.REPLAY_CONTENT_TABLES: (True, True, True),
}
"""Whether there are views, whether there are moves, and whether views have their pieces and open decisions."""


@dataclass(frozen=True, kw_only=True)
class Replay:
    """What is to be sent: prepared while the match's lock is held, sent after it is released."""

    loaded: LoadedMatch
    audience: Audience
    views: bool
    moves: bool
    tables: bool
    """Whether each view has its pieces and the open decisions."""
    first: int
    last: int
    states: dict[int, Any]
    """States by the row they follow: the one before the first version, and those that a row returns to. Empty without
    views."""
    page_size: int
    """Most versions to send; 0: all of them."""
    question: tuple[object, ...]
    """The request that a page token is valid for."""
    form: Form
    begun: pb.ReplayMatchResponse


async def prepare(
    cache: MatchCache, loaded: LoadedMatch, audience: Audience, request: pb.ReplayMatchRequest
) -> Replay:
    """Prepare a replay. Raises Refused VERSION_NOT_FOUND, MALFORMED_REQUEST, MATCH_NOT_STARTED. The caller holds the match's lock."""
    if request.content not in _CONTENTS:
        raise malformed("$.content", "is not a kind of content")
    if request.page_size < 0:
        raise malformed("$.page_size", "must not be negative")
    if loaded.version == 0:
        raise Refused(Reason.MATCH_NOT_STARTED, "the match waits for players: it has no state yet")
    first = request.from_version if request.HasField("from_version") else 1
    last = request.to_version if request.HasField("to_version") else loaded.version
    for version in (first, last):
        _must_exist(loaded, version)
    if first > last:
        raise malformed("$.to_version", "must not be before the first version")
    views, moves, tables = _CONTENTS[request.content]
    question = (
        "replay",
        str(loaded.match.id),
        audience.kind,
        audience.seat,
        request.content,
        first,
        request.to_version if request.HasField("to_version") else None,
    )
    if request.page_token:
        first = read_page_token(request.page_token, question) + 1
        _must_exist(loaded, first)
    page_size = min(request.page_size, MAX_PAGE)
    end = min(last, first + page_size - 1) if page_size else last
    return Replay(
        loaded=copy(loaded),  # a copy, because the match goes on while the replay is made
        audience=audience,
        views=views,
        moves=moves,
        tables=tables,
        first=first,
        last=last,
        states=await _states_before(cache, loaded, first, end) if views else {},
        page_size=page_size,
        question=question,
        form=form_of(request),
        begun=pb.ReplayMatchResponse(
            begun=pb.ReplayMatchResponse.Begun(
                audience=audience_message(audience), version=loaded.version, status=STATUSES[loaded.status]
            )
        ),
    )


async def _states_before(cache: MatchCache, loaded: LoadedMatch, first: int, last: int) -> dict[int, Any]:
    """Return the earlier states that the versions from `first` to `last` are folded from."""
    timeline = loaded.timeline
    earlier = {timeline.head_at(first - 1).seq, *_gone_back_to(timeline, first, last)}
    return {
        seq: await cache.state_of(loaded, timeline.head_at(seq)) for seq in sorted(earlier) if seq < first
    }


def _gone_back_to(timeline: Timeline, first: int, last: int) -> frozenset[int]:
    """Return the rows whose states a later row, such as an undo, returns to."""
    if timeline.first_command_row is None or timeline.first_command_row > last:
        return frozenset()
    heads = ((version, timeline.head_at(version).seq) for version in range(first, last + 1))
    return frozenset(head for version, head in heads if head != version)


def _must_exist(loaded: LoadedMatch, version: int) -> None:
    if not 1 <= version <= loaded.version:
        raise Refused(
            Reason.VERSION_NOT_FOUND,
            f"this match has the versions 1 to {loaded.version}",
            metadata={"current_version": loaded.version},
        )


async def send(
    cache: MatchCache, replay: Replay, turn: Callable[[], AbstractAsyncContextManager[None]] = nullcontext
) -> AsyncIterator[pb.ReplayMatchResponse]:
    """Yield everything, one version after the other. Memory holds one piece, and the states that later rows return to.

    Each piece is made in a thread, during a `turn`; no turn is held while a piece is sent.
    """
    yield replay.begun
    page = _Page(replay)
    while not page.is_full and page.after < replay.last:
        async with turn():
            limit = min(PIECE_ROWS, replay.last - page.after)
            rows = await cache.log.read(replay.loaded.match.id, after=page.after, limit=limit)
            if not rows:
                break
            with about(of_match(replay.loaded.match.id)):
                steps = await in_thread(page.make, rows)
        for step in steps:
            yield step
    more = page_token(page.after, replay.question) if page.is_full and page.after < replay.last else ""
    yield pb.ReplayMatchResponse(finished=pb.ReplayMatchResponse.Finished(next_page_token=more))


class _Page:
    """Makes the versions of a replay, up to the end of its page if it is paged."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._views = _Views(replay)
        self._number = self._size = 0
        self.after = replay.first - 1
        """The newest version that was made."""
        self.is_full = False

    def make(self, rows: Sequence[Move]) -> list[pb.ReplayMatchResponse]:
        """Return the versions after these rows; fewer if the page ends before."""
        replay = self._replay
        steps: list[pb.ReplayMatchResponse] = []
        for row in rows:
            state = self._views.after(row) if replay.views else None
            step = pb.ReplayMatchResponse(step=_step(replay, row, state))
            steps.append(step)
            self.after = row.seq
            self._number, self._size = self._number + 1, self._size + step.ByteSize()
            if replay.page_size > 0 and (self._number == replay.page_size or self._size >= PAGE_BYTES):
                self.is_full = True
                break
        return steps


class _Views:
    """The state after each row, in order, as the match's timeline determines."""

    def __init__(self, replay: Replay) -> None:
        self._game = replay.loaded.game
        self._timeline = replay.loaded.timeline  # it only ever grows, so no lock is needed
        self._again = (
            _gone_back_to(self._timeline, replay.first, replay.last) if replay.views else frozenset()
        )
        self._states = replay.states
        self._state = replay.states.get(self._timeline.head_at(replay.first - 1).seq)

    def after(self, row: Move) -> Any:
        """Return the state after the next row."""
        stands = self._timeline.head_at(row.seq).seq
        if stands != row.seq:
            self._state = self._states[stands]
        else:
            self._state = fold(self._game, read_events(self._game, row.events), self._state)
            if row.seq in self._again:
                self._states[row.seq] = self._state
        return self._state


def _step(replay: Replay, row: Move, state: Any) -> pb.ReplayMatchResponse.Step:
    step = pb.ReplayMatchResponse.Step(version=row.seq)
    if replay.moves:
        step.move.CopyFrom(move_message(replay.loaded, row, replay.audience, replay.form))
    if replay.views and state is not None:  # a match that was aborted before it began has no state
        game, timeline = replay.loaded.game, replay.loaded.timeline
        aborted, paused = timeline.aborted == row.seq, timeline.is_paused_at(row.seq)
        seen = aborting.view(game, state, replay.audience, aborted=aborted, paused=paused)
        step.view.CopyFrom(payloads_of(game).view(seen, replay.form))
        if replay.tables:
            _add_table(step, replay, state, seen, standing=aborted or paused)
    return step


def _add_table(
    step: pb.ReplayMatchResponse.Step, replay: Replay, state: Any, seen: Any, *, standing: bool
) -> None:
    """Add what lies where in a view, and the decisions that were open then; `standing`: nobody had to act."""
    game = replay.loaded.game
    step.pieces.extend(map(piece_message, game.pieces(seen)))
    to_decide = () if standing else game.pending(state)
    step.pending.extend(pending_message(game, one, replay.form) for one in to_decide)
