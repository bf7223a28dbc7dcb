"""Verify a match against itself: commitment, hash chain, fold, and every move decided again.

What each step proves:

- the commitment: the secret is the one committed to when the match started;
- the chain: nobody without the secret has changed, removed or inserted a row;
- the fold: the events lead to the claimed status and outcome;
- deciding again (ended matches): every event follows from its request, the rules and the secret, so
  every die and every shuffle is the one that the secret determines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import msgspec

from engine.kernel.chance import Draw, commitment
from engine.kernel.codec import encode
from engine.kernel.errors import Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match import aborting
from engine.match.commands import Abort, read_events
from engine.match.folding import Replay
from engine.match.forking import Fork
from engine.match.replay import Difference, LoggedMove, decide_again, replayed
from engine.match.requests import StartMatch, read_request
from engine.registry import GameUnusable
from engine.registry import game as registered_game
from services.movelog.chain import first_break
from services.movelog.export.format import NULL, MatchDocument
from services.movelog.export.json_difference import (
    ABSENT,
    JsonDifference,
    PathStep,
    first_difference,
    json_path,
    json_pointer,
    written,
)
from services.movelog.export.players import contradiction, persons
from services.movelog.records import Match, Move, Status

_EVENT: Final = re.compile(r"events\[(?P<number>\d+)\]")


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a verification. `ok` means that everything that could be checked agrees."""

    ok: bool
    moves: int
    """Number of rows checked."""
    draws: tuple[Draw, ...] = ()
    """Recomputed draws of luck that agree; empty while the match runs."""
    decided_again: bool = False
    """Every move was decided again from its request and the secret."""
    difference: str = ""
    """The first difference, as text."""
    difference_version: int = 0
    """The move with the difference; 0 for the match itself."""
    difference_event: int | None = None
    """The event of that move, counted from 0; None if the difference is in none."""
    difference_pointer: str = ""
    """JSON pointer (RFC 6901) into the export; empty if everything agrees."""
    difference_path: str = ""
    """The same place as problem documents write it, such as `$.moves[3].hash`."""
    expected: str = ""
    """The expected value as JSON; empty while the match runs, and if no value is expected."""
    found: str = ""
    """The value found as JSON; empty like `expected`."""
    forked: bool = False
    """The match is a fork: its first state was taken as given, and everything after it was checked."""
    unchecked: str = ""
    """Why moves were not decided again, as text; empty if they were."""
    erased: int = 0
    """Number of players whose id and name are erased: that they are who they were is known by their commitment only."""


def logged_moves(moves: Sequence[Move]) -> tuple[LoggedMove, ...]:
    """Return the rows in the form that the rules read."""
    return tuple(
        LoggedMove(
            seq=move.seq,
            seat=None if move.seat is None else Seat(move.seat),
            request=move.request,
            events=move.events,
        )
        for move in moves
    )


def verify_match(match: Match, moves: Sequence[Move]) -> Verification:
    """Verify a match and all its rows; moves are decided again once the match has ended."""
    found = _Findings(match, moves)
    return found.commitment() or found.chain() or found.rules()


def verify_document(document: MatchDocument) -> Verification:
    """Verify an export. That of a running match has no secret: only the links between its hashes can be checked."""
    if document.secret is None:
        return _verify_links(document)
    try:
        found = verify_match(match_of(document), moves_of(document))
    except Exception:
        if not _says_it_is_a_fork(document):
            raise
        # A fork's first state comes from outside as it is; one that no play leads to may break any rule's assumptions.
        what = "the table of the fork is none that can be played on"
        return _differs(len(document.moves), what, 1, event=0, steps=("moves", 0, "events", 0, "state"))
    if not found.ok:
        return found
    return _verify_head(document) or msgspec.structs.replace(found, erased=_erased(document))


def _erased(document: MatchDocument) -> int:
    return sum(one.erased is not msgspec.UNSET for _, one in persons(document.players or ()))


def _says_it_is_a_fork(document: MatchDocument) -> bool:
    """Return whether the first move is a fork. The rules broke on a move, so the game is here, and the first was read."""
    first = read_request(registered_game(document.game), bytes(document.moves[0].request))
    return isinstance(first, Fork)


def _verify_head(document: MatchDocument) -> Verification | None:
    """Check what is in no row: the players and the audience."""
    checked = len(document.moves)
    if document.audience != "all":
        what = "the document of a match that has ended holds what all may know"
        return _differs(checked, what, steps=("audience",), expected="all", found=document.audience)
    if (wrong := contradiction(document.players or ())) is not None:
        return _differs(checked, wrong.what, steps=wrong.at, found=wrong.found or ABSENT)
    hashed = document.hash_of_players()
    if document.players_hash != hashed:
        what = "the players do not give their hash"
        return _differs(checked, what, steps=("players_hash",), expected=hashed, found=document.players_hash)
    return None


def match_of(document: MatchDocument) -> Match:
    """Return the match of a whole document as the log would store it. Raises `ValueError` without a secret."""
    if document.secret is None:
        raise ValueError("the document holds no secret")
    last = document.moves[-1].recorded_at if document.moves else document.created_at
    return Match(
        id=document.match_id,
        tenant="",
        game=document.game,
        rules_version=document.rules_version,
        seats=document.seats,
        options=bytes(document.options),
        secret=bytes.fromhex(document.secret),
        commitment=bytes.fromhex(document.commitment),
        created_at=document.created_at,
        status=document.status,
        version=document.version,
        outcome=None if document.outcome == NULL else bytes(document.outcome),
        updated_at=last,
    )


def moves_of(document: MatchDocument) -> tuple[Move, ...]:
    """Return the rows of a whole document as the log would store them."""
    return tuple(
        Move(
            match_id=document.match_id,
            seq=move.seq,
            seat=move.seat,
            request_id=move.request_id or "",
            request=bytes(move.request),
            events=bytes(move.events),
            previous_hash=bytes.fromhex(move.previous_hash),
            hash=bytes.fromhex(move.hash),
            recorded_at=move.recorded_at,
        )
        for move in document.moves
    )


def _verify_links(document: MatchDocument) -> Verification:
    checked = len(document.moves)
    if document.status is Status.ENDED:
        return _differs(
            checked, "the match has ended, yet its secret is not in the document", steps=("secret",)
        )
    if checked != document.version:
        return _differs(
            checked, f"{checked} moves, yet the match says version {document.version}", steps=("version",)
        )
    for seq, move in enumerate(document.moves, start=1):
        if move.seq != seq:
            return _differs(
                checked,
                f"move {seq} is missing; move {move.seq} stands in its place",
                seq,
                steps=("moves", seq - 1, "seq"),
            )
    for before, move in pairwise(document.moves):
        if move.previous_hash != before.hash:
            return _differs(
                checked,
                "its previous_hash is not the hash of the move before",
                move.seq,
                steps=("moves", move.seq - 1, "previous_hash"),
            )
    return Verification(ok=True, moves=checked, unchecked="the match runs and its secret is not out yet")


def _differs(
    moves: int,
    difference: str,
    version: int = 0,
    *,
    event: int | None = None,
    steps: tuple[PathStep, ...] = (),
    expected: object = ABSENT,
    found: object = ABSENT,
) -> Verification:
    return Verification(
        ok=False,
        moves=moves,
        difference=difference,
        difference_version=version,
        difference_event=event,
        difference_pointer=json_pointer(steps),
        difference_path=json_path(steps),
        expected=written(expected),
        found=written(found),
    )


class _Findings:
    """The checks of one match. Each returns the difference it found, or None to go on."""

    def __init__(self, match: Match, moves: Sequence[Move]) -> None:
        self._match = match
        self._moves = moves

    def _differs(
        self,
        difference: str,
        version: int = 0,
        *,
        event: int | None = None,
        steps: tuple[PathStep, ...] = (),
        expected: object = ABSENT,
        found: object = ABSENT,
    ) -> Verification:
        """Return a difference; for a match that has not ended only its place."""
        if self._match.status is not Status.ENDED:
            expected = found = ABSENT
        return _differs(
            len(self._moves), difference, version, event=event, steps=steps, expected=expected, found=found
        )

    def commitment(self) -> Verification | None:
        made = commitment(self._match.secret)
        if made != self._match.commitment:
            return self._differs(
                "the secret is not the one that was committed to at the start",
                steps=("commitment",),
                expected=made.hex(),
                found=self._match.commitment.hex(),
            )
        return None

    def chain(self) -> Verification | None:
        if broken := first_break(self._match, self._moves):
            return self._differs(
                f"hash chain: {broken.what}",
                broken.seq,
                steps=("moves", broken.seq - 1, broken.column),
                expected=msgspec.Raw(broken.expected.encode()),
                found=msgspec.Raw(broken.found.encode()),
            )
        if len(self._moves) != self._match.version:
            return self._differs(
                f"{len(self._moves)} moves, yet the match says version {self._match.version}",
                steps=("version",),
                expected=len(self._moves),
                found=self._match.version,
            )
        return None

    def rules(self) -> Verification:
        match = self._match
        moves = logged_moves(self._moves)
        try:
            game = registered_game(match.game, match.rules_version)
        except (
            KeyError,
            GameUnusable,
        ) as unknown:  # newer rules may have events that this release cannot read
            return Verification(ok=True, moves=len(moves), unchecked=str(unknown.args[0]))
        if match.status is not Status.ENDED:
            return self._standing(
                game, moves, Verification(ok=True, moves=len(moves), unchecked="the match runs")
            )
        drawn: list[Draw] = []
        if difference := decide_again(game, moves, match.secret, drawn=drawn):
            return self._decided_otherwise(difference)
        agreed = Verification(ok=True, moves=len(moves), draws=tuple(drawn), decided_again=True)
        return self._standing(game, moves, agreed)

    def _decided_otherwise(self, difference: Difference) -> Verification:
        """Return the event, and the place in it, where the log and the rules differ."""
        words = f"{difference.place}: the log says {difference.logged}, the rules say {difference.decided}"
        number = _EVENT.fullmatch(difference.place)
        steps: tuple[PathStep, ...] = ("moves", difference.seq - 1)
        if number is None:
            return self._differs(words, difference.seq, steps=(*steps, difference.place))
        event = int(number["number"])
        decided, logged = map(msgspec.json.decode, (difference.decided, difference.logged))
        inside = first_difference(decided, logged) or JsonDifference((), decided, logged)
        return self._differs(
            words,
            difference.seq,
            event=event,
            steps=(*steps, "events", event, *inside.steps),
            expected=inside.expected,
            found=inside.found,
        )

    def _standing(self, game: AnyGame, moves: tuple[LoggedMove, ...], agreed: Verification) -> Verification:
        """Compare the match's own columns with the fold of its events."""
        match = self._match
        if not moves and match.status is not Status.ENDED and match.outcome is None:
            return agreed
        if not moves:
            return self._differs("no match ends without a move", steps=("moves",))
        try:
            start = read_request(game, moves[0].request)
            replay = replayed(game, moves)
            aborted = aborting.is_abort(read_events(game, moves[-1].events))
        except Unreadable as error:
            return self._differs(f"a row cannot be read, at {error.pointer}", steps=("moves",))
        if (impossible := self._impossible(game)) is not None:
            return impossible
        if isinstance(start, Abort) and aborted:
            return self._ended(game, replay, agreed, aborted=True)
        if isinstance(start, Fork):
            agreed = msgspec.structs.replace(agreed, forked=True)
        elif not isinstance(start, StartMatch):
            return self._differs(
                "the first move is not the start of the match", 1, steps=("moves", 0, "request")
            )
        if start.seats != match.seats or bytes(start.options) != match.options:
            return self._differs(
                "the match was started with other seats or options than it says",
                1,
                steps=("moves", 0, "request"),
            )
        if game.rules_of(replay.state) != match.rules_version:
            return self._differs(
                "the match was started under other rules than it says", 1, steps=("moves", 0, "events")
            )
        return self._ended(game, replay, agreed, aborted=aborted)

    def _impossible(self, game: AnyGame) -> Verification | None:
        """Find seats and options that the game does not allow; needed where no start was decided again."""
        if self._match.seats not in game.seat_counts:
            return self._differs("the game is not made for so many seats", steps=("seats",))
        try:
            game.options_codec.decode(self._match.options)
        except Unreadable as error:
            return self._differs(f"no options of the game, at {error.pointer}", steps=("options",))
        return None

    def _ended(self, game: AnyGame, replay: Replay, agreed: Verification, *, aborted: bool) -> Verification:
        match, state = self._match, replay.state
        outcome = aborting.outcome(game, state, aborted=aborted)
        if (outcome is not None) != (match.status is Status.ENDED):
            return self._differs(
                f"the match says it is {match.status}, its moves say otherwise",
                match.version,
                steps=("status",),
                found=match.status,
            )
        if (None if outcome is None else encode(outcome)) != match.outcome:
            return self._differs(
                "the outcome is not the one the moves lead to",
                match.version,
                steps=("outcome",),
                expected=None if outcome is None else msgspec.Raw(encode(outcome)),
                found=None if match.outcome is None else msgspec.Raw(match.outcome),
            )
        paused = replay.timeline.pause is not None
        waited_for = tuple(one.seat for one in aborting.pending(game, state, aborted=aborted, paused=paused))
        if waited_for != match.to_act:
            return self._differs("the match waits for other seats than its moves lead to", match.version)
        return agreed
