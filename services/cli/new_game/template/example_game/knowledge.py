"""What an audience cannot know: named, and dealt again for bots and forks. From these names follows what may be taken back."""

from __future__ import annotations

from engine.interface import Audience, Chance, Seat
from msgspec.structs import replace

from example_game.box import FAVOURS, Bowl, Pebbles
from example_game.rules.placing import any_way
from example_game.state import Stage, State


def hidden(state: State, audience: Audience) -> tuple[str, ...]:
    """§7 Return the names of what the audience neither sees nor can infer.

    A seat without pebbles can only place none, so that is known. What a seat took back unseen when it left stays hidden. No
    favour card can be inferred from the own one, even with five players: one card stays in the box.
    """
    others = [Seat(seat) for seat in range(state.seats) if not audience.sees_seat(Seat(seat))]
    favours = [] if state.stage is Stage.ENDED else [f"favour:seat{seat}" for seat in others]
    placed = [
        f"placed:seat{seat}"
        for seat in others
        if state.hands[seat] and (not state.revealed or seat in state.left)
    ]
    return (*favours, *placed)


def redeal(state: State, audience: Audience, chance: Chance) -> State:
    """Return a state that the audience cannot distinguish from the true one, each equally likely. It copies no secret."""
    return replace(state, favours=_favours(state, audience, chance), placed=_placed(state, audience, chance))


def _favours(state: State, audience: Audience, chance: Chance) -> tuple[Bowl, ...]:
    """§1 Deal the favour cards that the audience does not see, from those that it does not see."""
    if state.stage is Stage.ENDED or audience.sees_all():
        return state.favours
    unseen = list(FAVOURS)
    for seat, bowl in enumerate(state.favours):
        if audience.sees_seat(Seat(seat)):
            unseen.remove(bowl)
    dealt = iter(chance.shuffled(unseen))
    return tuple(
        [bowl if audience.sees_seat(Seat(seat)) else next(dealt) for seat, bowl in enumerate(state.favours)]
    )


def _placed(state: State, audience: Audience, chance: Chance) -> tuple[Pebbles | None, ...]:
    """§2 Place what others have placed in secret again, in any legal way."""
    if state.revealed:
        return state.placed
    return tuple(
        [
            pebbles
            if pebbles is None or audience.sees_seat(Seat(seat))
            else any_way(state.most(Seat(seat)), chance)
            for seat, pebbles in enumerate(state.placed)
        ]
    )
