"""Any seat may leave at any moment: the system decides in its stead, or it forfeits, and the match ends all the same."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.seats import Seat
from engine.match.absence import TimeOut, forfeited, is_time_out, played
from engine.match.folding import LoggedMove
from engine.match.replay import Playing, decide_again
from engine.match.requests import RESIGN, read_request, start_request
from engine.registry import game as registered_game
from tests.support.our_games import OUR_GAMES, SIDES

SECRET = bytes(range(32))
MAX_MOVES = 3_000
"""Far more than any match has taken."""


class Position:
    """A match decided row by row, as a server does it."""

    def __init__(self, name: str, options: dict[str, str], seats: int) -> None:
        self.game = registered_game(name)
        self._playing = Playing(self.game, SECRET)
        read = self.game.options_codec.decode(msgspec.json.encode(options))
        self.add(None, start_request(read, seats))

    @property
    def state(self) -> Any:
        return self._playing.state

    @property
    def rows(self) -> list[LoggedMove]:
        return self._playing.rows

    @property
    def left(self) -> frozenset[Seat]:
        return self._playing.timeline.left()

    def add(self, seat: Seat | None, request: bytes) -> None:
        events, _ = self._playing.decide(seat, read_request(self.game, request), request)
        row = LoggedMove(seq=len(self.rows) + 1, seat=seat, request=request, events=encode(events))
        self._playing.take_in(row)


@pytest.mark.parametrize(("name", "options"), SIDES, ids=lambda value: "-".join(value) or "base")
@pytest.mark.parametrize("number", range(6))
def test_a_match_ends_whoever_leaves_at_whatever_moment(
    name: str, options: dict[str, str], number: int
) -> None:
    """Every seat plays on until a moment of its own; from then on time-outs decide, or one of them forfeits."""
    whims = SeededChance(number.to_bytes(32, "big"), 7)
    counts = registered_game(name).seat_counts
    table = Position(name, options, counts[number % len(counts)])
    leaves_at = [whims.below(120) for _ in range(counts[-1])]
    forfeits = [bool(whims.below(2)) for _ in range(counts[-1])]
    while waited_for := table.game.to_act(table.state):
        assert len(table.rows) < MAX_MOVES, "no end"
        seat = waited_for[whims.below(len(waited_for))]
        if len(table.rows) < leaves_at[seat]:
            table.add(seat, encode(table.game.sample(table.state, seat, whims)))
            continue
        instead = forfeited if forfeits[seat] else played
        table.add(seat, encode(instead(table.game, table.state, seat)))
        assert (seat in table.left) is forfeits[seat]
    assert table.game.outcome(table.state) is not None
    assert any(is_time_out(row.request) for row in table.rows)
    assert decide_again(table.game, table.rows, SECRET) is None


@pytest.mark.parametrize("name", OUR_GAMES)
def test_the_system_cannot_choose_what_it_does_instead(name: str) -> None:
    """Anything but the policy's own action is found when the match is decided again."""
    table = Position(name, {}, registered_game(name).seat_counts[0])
    whims = SeededChance(SECRET, 7)
    seat = table.game.to_act(table.state)[0]
    honest = played(table.game, table.state, seat)
    others = (encode(table.game.sample(table.state, seat, whims)) for _ in range(500))
    chosen = next(action for action in others if action != bytes(honest.action))
    with pytest.raises(Unreadable):
        table.add(seat, encode(TimeOut(action=msgspec.Raw(chosen), decision=honest.decision)))
    table.add(seat, encode(honest))
    *rows, last = table.rows
    forged = encode(TimeOut(action=msgspec.Raw(chosen), decision=honest.decision))
    found = decide_again(table.game, [*rows, msgspec.structs.replace(last, request=forged)], SECRET)
    assert found is not None
    assert found.place == "request"


def test_a_time_out_is_for_the_decision_it_names_and_for_no_other() -> None:
    table = Position("river_dragons", {}, 2)
    first = played(table.game, table.state, Seat(0))
    table.add(Seat(0), encode(first))
    with pytest.raises(RuleViolation) as refusal:
        table.add(Seat(0), encode(first))
    assert refusal.value.code is TableCode.NOT_YOUR_TURN


def test_its_request_says_so_first_and_a_forfeit_reads_as_leaving() -> None:
    table = Position("river_dragons", {}, 3)
    request = encode(forfeited(table.game, table.state, Seat(1)))
    assert request.startswith(b'{"type":"time_out","action":' + RESIGN)
    assert is_time_out(request)
    assert not is_time_out(RESIGN)
    table.add(Seat(1), request)
    assert table.left == {1}


def test_who_has_nothing_to_decide_cannot_be_late() -> None:
    table = Position("river_dragons", {}, 2)
    table.add(Seat(0), encode(played(table.game, table.state, Seat(0))))
    with pytest.raises(LookupError):
        played(table.game, table.state, Seat(0))
    with pytest.raises(LookupError):
        forfeited(table.game, table.state, Seat(0))
