"""§4.6 Influence tracks: markers advance and collect what they reach or pass.

§4.6 Influence tracks. A marker that reaches or passes a space collects its reward, each once for each player. Space 2
gives a good of the region (porcelain in 1 and 4, rice in 2 and 5, silk in 3 and 6), space 5 gives 2 koku, 9 gives 1
favor, 13 gives 3 VP, and 18 gives 3 VP and a good of choice. Space 11 gives nothing; a mastery asks for it. Steps
beyond 18 are lost.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.seats import Seat
from engine.river_of_gold.box.board import REGION_GOODS, TRACK_END, TRACK_SPACES
from engine.river_of_gold.box.components import Region
from engine.river_of_gold.box.ids import CustomerId, ShoreId
from engine.river_of_gold.box.patrons import HYOBU, HYOBU_VP, KACHIKO
from engine.river_of_gold.box.rewards import Reward
from engine.river_of_gold.event_parts import Choice, ChoiceKind, ChoiceSource, InfluenceSource
from engine.river_of_gold.gain_events import InfluenceGained, PatronRewarded, TrackRewarded
from engine.river_of_gold.rules.gaining import capped, one_good
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import State

_REWARDS: Final[tuple[tuple[tuple[int, Reward], ...], ...]] = tuple(
    tuple((each.space, one_good(good) if each.region_good else each.reward) for each in TRACK_SPACES)
    for good in REGION_GOODS
)
"""By region, from region 1 on: the spaces that give something, lowest first."""


def advance(
    turn: Turn,
    seat: Seat,
    region: Region,
    steps: int,
    source: InfluenceSource,
    *,
    shore: ShoreId | None = None,
    customer: CustomerId | None = None,
) -> list[Choice]:
    """§4.6 Advance a marker once and return the choice that space 18 opens, if any. Steps beyond 18 are lost."""
    state = turn.state
    start = state.players[seat].tracks[region - 1]
    end = _destination(state, seat, region, steps)
    if end == start:
        return []
    turn.record(
        InfluenceGained(
            seat=seat,
            region=region,
            from_space=start,
            to_space=end,
            source=source,
            shore=shore,
            customer=customer,
        )
    )
    opened: list[Choice] = []
    for space, reward in _REWARDS[region - 1]:
        if start < space <= end:
            gains = capped(turn.state.players[seat], reward)
            turn.record(TrackRewarded(seat=seat, region=region, space=space, gains=gains))
            if reward.any_good:
                opened.append(
                    Choice(seat=seat, kind=ChoiceKind.GOOD, source=ChoiceSource.TRACK, region=region)
                )
    _reward_hyobu(turn, seat, region, start, end)
    return opened


def _destination(state: State, seat: Seat, region: Region, steps: int) -> int:
    """Return where the marker ends. Kachiko's marker jumps over spaces with markers of others [A22]."""
    start = state.players[seat].tracks[region - 1]
    if state.players[seat].patron is not KACHIKO:
        return min(start + steps, TRACK_END)
    taken = {player.tracks[region - 1] for other, player in enumerate(state.players) if other != seat}
    space = start
    for _ in range(steps):
        space += 1
        while space in taken and space < TRACK_END:
            space += 1
    return min(space, TRACK_END)


def _reward_hyobu(turn: Turn, seat: Seat, region: Region, start: int, end: int) -> None:
    """[A21] Reward Hyobu if the marker was on or behind hers and is beyond it now; hers must be on space 1 or higher."""
    for other, player in enumerate(turn.state.players):
        if player.patron is HYOBU and other != seat:
            hers = player.tracks[region - 1]
            if hers and start <= hers < end:
                turn.record(PatronRewarded(seat=Seat(other), patron=HYOBU, vp=HYOBU_VP))
