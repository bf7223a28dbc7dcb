"""Our games with one thing wrong in each, and what the kit finds in them."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import msgspec

from engine.kernel.chance import SeededChance
from engine.kernel.errors import RefusalCode, RuleViolation, TableCode
from engine.kernel.game import AnyGame
from engine.kernel.legal import LegalActions
from engine.kernel.package import Checks
from engine.kernel.seats import seat_audience
from engine.registry import newest
from services.kit.check import Fault
from services.kit.every_check import RULE_CHECKS
from services.kit.running import run
from services.kit.subject import Subject

SHARE = 0.1
"""Of the positions that the checks look at in a package's own tests: a planted fault is everywhere."""
DRAGONS: AnyGame = newest("river_dragons")
RASHID: AnyGame = newest("al_rashid")


def found_in(
    game: AnyGame, *, checks: Checks | None = None, matches: int = 1, share: float = SHARE
) -> dict[str, tuple[Fault, ...]]:
    """Run every check but the speed, and return the faults of those that find any."""
    subject = Subject(game.id, matches=matches, game=game, share=share)
    if checks is not None:
        subject.checks = checks
    results = {check.name: run(check, subject) for check in RULE_CHECKS if check.name != "speed"}
    return {name: result.faults for name, result in results.items() if result.faults}


class Foreign(RefusalCode):
    """Codes that no game has."""

    NO = ("NO", "", "It is forbidden.")


def raises_in_the_middle() -> AnyGame:
    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        if state.turn == 3:
            raise KeyError("silk")
        return RASHID.decide(state, seat, action, chance)

    return replace(RASHID, decide=decide)


def leaves_in_the_middle() -> AnyGame:
    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        if state.turn == 3:
            raise SystemExit(0)
        return RASHID.decide(state, seat, action, chance)

    return replace(RASHID, decide=decide)


def draws_elsewhere() -> AnyGame:
    calls = count()

    def decide(state: Any, seat: Any, action: Any, _: Any) -> Any:
        return RASHID.decide(state, seat, action, SeededChance(bytes(32), next(calls)))

    return replace(RASHID, decide=decide)


def forgets_the_version() -> AnyGame:
    return replace(
        RASHID, set_up=lambda options, seats, chance, _: RASHID.set_up(options, seats, chance, "1.0.0")
    )


def lists_what_is_refused() -> AnyGame:
    first = Subject("al_rashid", matches=1).matches[0].steps[1].action

    def legal_actions(state: Any, seat: Any) -> Any:
        legal = RASHID.legal_actions(state, seat)
        if not legal or first in legal.actions:
            return legal
        return LegalActions(actions=(*legal.actions, first), templates=legal.templates)

    return replace(RASHID, legal_actions=legal_actions)


def accepts_out_of_turn() -> AnyGame:
    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        waited_for = RASHID.to_act(state)
        return RASHID.decide(state, waited_for[0] if waited_for else seat, action, chance)

    return replace(RASHID, decide=decide)


def accepts_a_rare_answer() -> AnyGame:
    """Whoever trades may take all of a good, whatever rank the seat has."""

    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        try:
            return RASHID.decide(state, seat, action, chance)
        except RuleViolation as refusal:
            if refusal.code == "ONLY_FIRST_RANK":
                return RASHID.decide(state, seat, RASHID.policy(state, seat), chance)
            raise

    return replace(RASHID, decide=decide)


def breaks_on_unlisted() -> AnyGame:
    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        if RASHID.outcome(state) is None and seat not in RASHID.to_act(state):
            raise IndexError(f"seat {seat}")
        return RASHID.decide(state, seat, action, chance)

    return replace(RASHID, decide=decide)


def refuses_with_a_foreign_code() -> AnyGame:
    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        try:
            return RASHID.decide(state, seat, action, chance)
        except RuleViolation as refusal:
            raise RuleViolation(Foreign.NO, rule="1") from refusal

    return replace(RASHID, decide=decide)


def draws_before_it_refuses() -> AnyGame:
    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        try:
            return RASHID.decide(state, seat, action, chance)
        except RuleViolation:
            chance.below(6)
            raise

    return replace(RASHID, decide=decide)


def stores_something_else() -> AnyGame:
    return replace(RASHID, upcasters={"turn_started": lambda raw: {**raw, "turn": raw["turn"] + 1}})


def adds_up_wrongly() -> AnyGame:
    def outcome(state: Any) -> Any:
        ended = RASHID.outcome(state)
        if ended is None:
            return None
        first, *rest = ended.results
        return msgspec.structs.replace(
            ended, results=(msgspec.structs.replace(first, score=first.score + 1), *rest)
        )

    return replace(RASHID, outcome=outcome)


def keeps_a_seat() -> AnyGame:
    def leave(state: Any, seat: Any, chance: Any) -> Any:
        if seat == 0:
            raise RuleViolation(TableCode.NOT_YOUR_TURN, rule="1")
        return RASHID.leave(state, seat, chance)

    return replace(RASHID, leave=leave)


def acts_for_idle_seats() -> AnyGame:
    def policy(state: Any, seat: Any) -> Any:
        waited_for = RASHID.to_act(state)
        return RASHID.policy(state, waited_for[0] if waited_for else seat)

    return replace(RASHID, policy=policy)


def hand(state: Any, seat: Any) -> int:
    """A number that depends on which tiles the other seats hold, which is hidden from the seat in Al-Rashid."""
    return hash(tuple(player.hand for at, player in enumerate(state.players) if at != seat)) % 1000


def programs(state: Any, audience: Any) -> int:
    """A number that depends on what is hidden in River Dragons."""
    hidden = [
        (program or ())[state.slot :] for seat, program in enumerate(state.programs) if seat != audience.seat
    ]
    return sum(map(len, map(str, hidden))) + sum(
        (place + 1) * len(card) for cards in hidden for place, card in enumerate(cards)
    )


def policy_knows() -> AnyGame:
    def policy(state: Any, seat: Any) -> Any:
        legal = RASHID.legal_actions(state, seat)
        if legal.templates or len(legal.actions) < 2:
            return RASHID.policy(state, seat)
        return legal.actions[hand(state, seat) % len(legal.actions)]

    return replace(RASHID, policy=policy)


def evaluates_what_it_cannot_know() -> AnyGame:
    return replace(RASHID, evaluate=lambda state, seat: hand(state, seat) / 1000)


def copies_the_truth() -> AnyGame:
    return replace(DRAGONS, redeal=lambda state, _, __: state)


def copies_the_truth_for_a_seat() -> AnyGame:
    def redeal(state: Any, audience: Any, chance: Any) -> Any:
        return state if audience.seat == 0 else DRAGONS.redeal(state, audience, chance)

    return replace(DRAGONS, redeal=redeal)


def copies_the_truth_for_all_seats() -> AnyGame:
    def redeal(state: Any, audience: Any, chance: Any) -> Any:
        return state if audience.seat is not None else DRAGONS.redeal(state, audience, chance)

    return replace(DRAGONS, redeal=redeal)


def names_nothing_and_deals_nothing() -> AnyGame:
    return replace(DRAGONS, hidden=lambda _, __: (), redeal=lambda state, _, __: state)


def deals_by_the_truth() -> AnyGame:
    def redeal(state: Any, audience: Any, chance: Any) -> Any:
        if not audience.sees_all():
            for _ in range(programs(state, audience) % 5):
                chance.below(6)
        return DRAGONS.redeal(state, audience, chance)

    return replace(DRAGONS, redeal=redeal)


def deals_lists() -> AnyGame:
    """A list where the state has a tuple is a tuple after it was stored."""

    def redeal(state: Any, audience: Any, chance: Any) -> Any:
        dealt = RASHID.redeal(state, audience, chance)
        return msgspec.structs.replace(dealt, players=list(dealt.players))

    return replace(RASHID, redeal=redeal)


def bots_know() -> AnyGame:
    """What is hidden decides what is dealt to a bot, and that, whether the bot wants the best for itself or the worst."""

    def evaluate(state: Any, seat: Any) -> float:
        value: float = DRAGONS.evaluate(state, seat)
        return value if programs(state, seat_audience(seat)) % 7 > 2 else -value

    return replace(deals_by_the_truth(), evaluate=evaluate)


def view_shows() -> AnyGame:
    def view(state: Any, audience: Any) -> Any:
        return msgspec.structs.replace(
            DRAGONS.view(state, audience), supply=0 if audience.sees_all() else programs(state, audience)
        )

    return replace(DRAGONS, view=view)


def event_shows() -> AnyGame:
    return replace(DRAGONS, redact=lambda event, _: event)


def drawn_tile_shows() -> AnyGame:
    return replace(RASHID, redact=lambda event, _: event)


def hides_no_name() -> AnyGame:
    return replace(DRAGONS, hidden=lambda _, __: ())


def hides_from_a_referee() -> AnyGame:
    return replace(DRAGONS, hidden=lambda state, audience: (*DRAGONS.hidden(state, audience), "everything"))


def listed_oldest_first() -> AnyGame:
    return replace(RASHID, versions=RASHID.versions[::-1])


def refusal_tells() -> AnyGame:
    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        try:
            return RASHID.decide(state, seat, action, chance)
        except RuleViolation as refusal:
            raise RuleViolation(refusal.code, rule=refusal.rule, seen=hand(state, seat)) from refusal

    return replace(RASHID, decide=decide)
