"""The whole table for one audience: everything that a front end draws, read under the match's lock at one version."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

from engine.kernel.seats import Audience, Seat
from engine.match import aborting
from foldtable.matches.v1 import match_pb2, table_pb2
from services.movelog.records import Match, Seating, Status
from services.rpc.match_messages import audience_message, match_message, seat_message, todo_message
from services.rules.match import undo
from services.rules.match.appending import moved_too_fast
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.proposals import proposal_of
from services.rules.match.timekeeping import clocks_at
from services.rules.wire.forms import Form
from services.rules.wire.hints import action_hints, template_hints
from services.rules.wire.layouts import piece_message
from services.rules.wire.messages import pending_message, proposal_message
from services.rules.wire.payloads import payloads_of
from services.rules.wire.texts import add_outcome_texts
from services.rules.wire.undo import undo_message

DIGEST_BYTES: Final = 6
"""Length of a digest of seats. It only has to tell apart the seats that a match has had at one version."""
_MAX_READS: Final = 5
"""A match that another replica advances this often, while it is read here, is refused as one that moves too fast."""


@dataclass(frozen=True)
class StandingMatch:
    """The row of a match, its seats and its rematch, all of the version that is loaded."""

    match: Match
    seating: Seating
    rematch: UUID | None

    def revision(self, *, proposal: bool, stood_until: datetime | None) -> str:
        """Return what distinguishes tables of one version.

        These are the seats, the rematch, whether a proposal is open, which expires, and the last downtime, which moves deadlines.
        """
        if not proposal and stood_until is None:
            return self.seats_revision
        said = f"{self.seats_revision} {proposal} {stood_until}"
        return blake2b(said.encode(), digest_size=DIGEST_BYTES).hexdigest()

    @property
    def seats_revision(self) -> str:
        """Return what distinguishes tables of one version: a digest of the seats as everybody sees them, and of the rematch."""
        return seats_revision(self.seating, self.rematch)


def seats_revision(seating: Seating, rematch: UUID | None = None) -> str:
    """Return a digest of what changes without a move: the seats as everybody sees them, what their players have to do, the rematch,
    the title and the visibility.
    """
    said = f"{rematch} {seating.visibility} {seating.title}"
    digest = blake2b(said.encode(), digest_size=DIGEST_BYTES)
    for row in seating.seats:
        digest.update(seat_message(row).SerializeToString(deterministic=True))
    for todo in seating.todos:
        digest.update(todo_message(todo).SerializeToString(deterministic=True))
    return digest.hexdigest()


async def standing_match(cache: MatchCache, loaded: LoadedMatch) -> StandingMatch:
    """Return the row and the seats of a loaded match at one version, and bring the loaded match to it. The caller holds the lock."""
    for _ in range(_MAX_READS):
        await cache.catch_up(loaded)
        match = await cache.log.find(loaded.match.id)
        if match.version == loaded.version:
            seating = await cache.log.lobby.seating(match.id)
            following = await cache.log.lobby.rematch_of(match.id) if match.status is Status.ENDED else None
            return StandingMatch(match, seating, None if following is None else following.id)
    raise moved_too_fast()


def standing_message(loaded: LoadedMatch, standing: StandingMatch, form: Form) -> match_pb2.Match:
    """Return the message of a match without its clocks, with the texts of its outcome if a language was requested."""
    message = match_message(standing.match, standing.seating.seats, todos=standing.seating.todos)
    message.next_match_id = "" if standing.rematch is None else str(standing.rematch)
    if form.language and message.HasField("outcome"):
        add_outcome_texts(loaded.game, message.outcome, form.language)
    return message


async def table_of(
    cache: MatchCache,
    loaded: LoadedMatch,
    standing: StandingMatch,
    audience: Audience,
    form: Form,
    *,
    known: Collection[tuple[int, str]] = (),
) -> table_pb2.GetTableResponse:
    """Return the table of a match whose row was just read; without its content if its version and digest are among `known`.

    The caller has held the match's lock since the row was read.
    """
    proposal = proposal_of(loaded, datetime.now(UTC))
    response = table_pb2.GetTableResponse(
        version=loaded.version,
        seats_revision=standing.revision(proposal=proposal is not None, stood_until=loaded.stood_until),
        audience=audience_message(audience),
    )
    if (response.version, response.seats_revision) in known:
        return response
    response.match.CopyFrom(standing_message(loaded, standing, form))
    if proposal is not None:
        response.proposal.CopyFrom(proposal_message(proposal))
    if loaded.state is None:  # it waits for players, or was aborted before it began
        return response
    aborted, paused = loaded.timeline.aborted == loaded.version, loaded.timeline.pause is not None
    seen = aborting.view(loaded.game, loaded.state, audience, aborted=aborted, paused=paused)
    _add_state(response, loaded, seen, form)
    if (clocks := await clocks_at(cache, loaded, loaded.version)) is not None:
        response.clocks.CopyFrom(clocks)
        response.match.clocks.CopyFrom(clocks)
    if audience.seat is not None:
        found = await undo.look(cache, loaded, audience.seat, datetime.now(UTC))
        response.undo.CopyFrom(undo_message(found, seat=audience.seat))
        if loaded.decision_of(audience.seat) is not None:
            response.legal.CopyFrom(_legal_actions(loaded, audience.seat, seen, form))
    return response


def _add_state(response: table_pb2.GetTableResponse, loaded: LoadedMatch, seen: Any, form: Form) -> None:
    """Add a view of the state, what lies where in it, and the open decisions."""
    game = loaded.game
    response.view.CopyFrom(payloads_of(game).view(seen, form))
    response.pieces.extend(map(piece_message, game.pieces(seen)))
    response.pending.extend(pending_message(game, one, form) for one in loaded.pending)


def _legal_actions(loaded: LoadedMatch, seat: Seat, seen: Any, form: Form) -> table_pb2.LegalActions:
    """Return what a seat may do, with hints that are made of its view."""
    game, payloads = loaded.game, payloads_of(loaded.game)
    legal = game.legal_actions(loaded.state, seat)
    return table_pb2.LegalActions(
        actions=payloads.actions(legal.actions, form),
        action_hints=action_hints(game, seen, legal.actions),
        templates=payloads.templates(legal.templates, form),
        template_hints=template_hints(game, seen, legal.templates),
    )
