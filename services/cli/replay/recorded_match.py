"""A recorded match as audiences may see it, whatever the source of the record.

A whole record (an ended match, or a referee's export of a running one) is folded here, and shown to any audience as
it saw the match. The record of a running match holds what one audience may know: its moves come from the
document, its views from the gateway, which is asked for them one by one; a file alone has no views.

Whatever the source, events are redacted here again, and a request is returned only to audiences that may know it: what
is shown never depends on how much a document happens to contain.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import msgspec

from engine.kernel.errors import Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat
from engine.match.commands import read_events, redact
from engine.match.requests import read_request
from engine.registry import GameUnusable
from engine.registry import game as registered_game
from services.cli.demo.comparison import Replayed
from services.cli.demo.match import name_of
from services.cli.matches.place import GATEWAY_TROUBLE, Gateway, MatchAddress
from services.movelog.export.format import NULL, MatchDocument
from services.movelog.export.verification import verify_document


class NotShown(Exception):  # noqa: N818 - the name says what happened
    """Something cannot be shown; the message says why."""


class GatewayFailed(NotShown):
    """The gateway has it, but the request failed this time."""


class Recorded(Protocol):
    """A match that can be shown move by move. Versions count from 1, the start."""

    @property
    def game(self) -> AnyGame: ...

    @property
    def document(self) -> MatchDocument: ...

    def usual(self) -> Audience:
        """Return the default audience: the one with the most knowledge in the record."""
        ...

    def admit(self, audience: Audience) -> None:
        """Raises NotShown for an audience whose knowledge the record does not hold."""
        ...

    def asked(self, version: int, audience: Audience) -> Any | None:
        """Return the request of a move; None if the audience may not know it."""
        ...

    def events(self, version: int, audience: Audience) -> tuple[Any, ...]:
        """Return the events of a move as an admitted audience may see them."""
        ...

    def view(self, version: int, audience: Audience) -> Any:
        """Return the view after a move for an admitted audience. Raises NotShown."""
        ...


class Moves:
    """The moves of a document, as an audience may know them."""

    def __init__(self, game: AnyGame, document: MatchDocument) -> None:
        self._game = game
        self._document = document
        self._decoded = lru_cache(maxsize=None)(self._decode)

    def asked(self, version: int, audience: Audience) -> Any | None:
        move = self._document.moves[version - 1]
        hidden = move.seat is not None and not audience.sees_seat(Seat(move.seat))
        if hidden or move.request == NULL:
            return None
        try:
            return read_request(self._game, bytes(move.request))
        except Unreadable as problem:
            raise NotShown(f"the request of move {version}: {problem.detail}") from problem

    def events(self, version: int, audience: Audience) -> tuple[Any, ...]:
        return tuple([redact(self._game, event, audience) for event in self._decoded(version)])

    def _decode(self, version: int) -> tuple[Any, ...]:
        try:
            return read_events(self._game, bytes(self._document.moves[version - 1].events))
        except Unreadable as problem:
            raise NotShown(
                f"the events of move {version}: {problem.detail} (at {problem.pointer})"
            ) from problem


class WholeMatch:
    """A complete record: folded once, shown to any audience."""

    def __init__(self, game: AnyGame, document: MatchDocument) -> None:
        self.game = game
        self.document = document
        moves = Moves(game, document)
        self.asked = moves.asked
        self.events = moves.events
        try:
            self._replayed = Replayed(game, document)
        except Exception as error:
            # A forged record of a running match is detected only when it is folded.
            raise NotShown(f"the moves do not fit together: {error!r}") from error

    def usual(self) -> Audience:
        return REFEREE

    def admit(self, audience: Audience) -> None:
        _must_sit_here(self.document, audience)

    def view(self, version: int, audience: Audience) -> Any:
        if not self._replayed.has_state(version):
            raise NotShown("the match was aborted before it began: it has no state")
        return self._replayed.typed_view(version, audience)


class PartialMatch:
    """A file of a running match: what one audience may know, without views."""

    def __init__(self, game: AnyGame, document: MatchDocument, holder: Audience) -> None:
        self.game = game
        self.document = document
        self._holder = holder
        moves = Moves(game, document)
        self.asked = moves.asked
        self.events = moves.events

    def usual(self) -> Audience:
        return self._holder

    def admit(self, audience: Audience) -> None:
        _must_sit_here(self.document, audience)
        if audience not in {self._holder, PUBLIC}:
            raise NotShown(
                f"this export of a running match holds what {name_of(self._holder)} may know, "
                f"not what {name_of(audience)} may"
            )

    def view(self, version: int, audience: Audience) -> Any:  # noqa: ARG002 - no table for anybody
        raise NotShown(
            "the match still runs and its export holds no views; replay it from the gateway by its id"
        )


class RunningMatch:
    """A running match at its gateway, up to the version it had at the first request."""

    def __init__(
        self,
        game: AnyGame,
        document: MatchDocument,
        holder: Audience,
        gateway: Gateway,
        address: MatchAddress,
    ) -> None:
        self.game = game
        self.document = document
        self._holder = holder
        self._gateway = gateway
        self._address = address
        self._moves = {holder: Moves(game, document)}

    def usual(self) -> Audience:
        return self._holder

    def admit(self, audience: Audience) -> None:
        _must_sit_here(self.document, audience)
        if audience in self._moves:
            return
        try:
            found = self._gateway.document(self._address.match_id, audience)
        except GATEWAY_TROUBLE as problem:
            raise NotShown(str(problem)) from problem
        except Unreadable as problem:
            raise NotShown(f"the gateway's answer: {problem.detail} (at {problem.pointer})") from problem
        if found.match_id != self.document.match_id or len(found.moves) < len(self.document.moves):
            raise NotShown("the gateway's answer is not this match")
        self._moves[audience] = Moves(self.game, found)

    def asked(self, version: int, audience: Audience) -> Any | None:
        return self._moves[audience].asked(version, audience)

    def events(self, version: int, audience: Audience) -> tuple[Any, ...]:
        return self._moves[audience].events(version, audience)

    def view(self, version: int, audience: Audience) -> Any:
        try:
            seen = self._gateway.view(self._address.match_id, version, audience)
            return msgspec.convert(seen, self.game.types.view)
        except GATEWAY_TROUBLE as problem:
            raise GatewayFailed(str(problem)) from problem
        except (msgspec.ValidationError, KeyError) as problem:
            raise GatewayFailed(f"the gateway shows this view in a form unknown here: {problem}") from problem


def recorded(
    document: MatchDocument, gateway: Gateway | None = None, address: MatchAddress | None = None
) -> Recorded:
    """Return a match to show. Raises NotShown if it cannot be verified or folded, or its rules are unknown here."""
    try:
        game = registered_game(document.game, document.rules_version)
    except (KeyError, GameUnusable) as unknown:
        raise NotShown(str(unknown.args[0])) from unknown
    found = verify_document(document)
    if not found.ok:
        where = f"move {found.difference_version}" if found.difference_version else "the match"
        raise NotShown(f"{where}: {found.difference}; see `foldtable verify`")
    holder = document.audience
    if holder == "all" or holder.sees_all():
        return WholeMatch(game, document)
    if gateway is not None and address is not None:
        return RunningMatch(game, document, holder, gateway, address)
    return PartialMatch(game, document, holder)


def _must_sit_here(document: MatchDocument, audience: Audience) -> None:
    if audience.seat is not None and audience.seat >= document.seats:
        raise NotShown(f"this match has the seats 0 to {document.seats - 1}")
