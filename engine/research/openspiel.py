"""OpenSpiel: each game as a sequential game with explicit chance. Importing this module registers all of them.

Every draw of the rules is a chance node: `below(n)` has n outcomes, each equally likely. See explicit_chance.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
import numpy as np
import pyspiel

from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat, seat_audience
from engine.registry import GAMES
from engine.registry import game as registered
from engine.research.explicit_chance import Node, resampled, settled
from engine.research.position import Position, observation
from engine.research.rewards import reward_named
from engine.research.setup import Setup, has_environments, set_up

PREFIX: Final = "foldtable_"
"""The prefix of a game's id: `foldtable_river_of_gold`."""
MAX_OUTCOMES: Final = 4_096
"""More outcomes than a draw of any game should have; the decks of our own have fewer than 64 cards."""
MAX_MATCH: Final = 1_000_000
"""More indices than are chosen in a match of any game; the longest of our own has fewer than 20,000."""


class MatchGame(pyspiel.Game):
    """One game with options and seats. Parameters: `players`, `reward`, and every option that is a choice of words."""

    game_type: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**self.game_type.parameter_specification, **(params or {})}
        options = {name: value for name, value in chosen.items() if name not in {"players", "reward"}}
        self.setup = set_up(self.game_type.short_name.removeprefix(PREFIX), options, chosen["players"])
        self.reward = reward_named(chosen["reward"])
        self.empty = Node(None, None)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.setup.actions.names),
            max_chance_outcomes=MAX_OUTCOMES,
            num_players=self.setup.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_MATCH,
        )
        super().__init__(self.game_type, info, params or {})

    def new_initial_state(self) -> MatchState:
        return MatchState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> MatchObserver:
        """Return an observer: a tensor of what a seat sees, or with perfect recall the history of what it saw."""
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return MatchObserver(self.setup, params, perfect_recall=recall)


class MatchState(pyspiel.State):
    """A match between two choices, of a player or of chance."""

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self.node = settled(game.setup, game.empty, None, None, ())

    @property
    def setup(self) -> Setup:
        setup: Setup = self.get_game().setup
        return setup

    def current_player(self) -> int:
        if self.node.outcomes:
            return int(pyspiel.PlayerId.CHANCE)
        position = self.node.position
        return int(pyspiel.PlayerId.TERMINAL) if position is None else position.seat

    def is_terminal(self) -> bool:
        return self.node.position is None and not self.node.outcomes

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every number of the missing draw, each equally likely."""
        count = self.node.outcomes
        return [(number, 1 / count) for number in range(count)]

    def returns(self) -> list[float]:
        """Return the rewards; all 0 before the end."""
        outcome = None if self.node.outcomes else self.setup.game.outcome(self.node.state)
        return [0.0] * self.setup.seats if outcome is None else list(self.get_game().reward(outcome))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> MatchState:
        """Return a state that the player cannot tell apart from this one: what is hidden from it is dealt again.

        No history of indices leads to it, so its own history begins here, and tells nothing of the true one. It can be cloned and
        pickled. Raises ValueError at a chance node.
        """
        if not 0 <= player < self.setup.seats:
            raise ValueError(f"there is no player {player}")
        sampled: MatchState = self.get_game().new_initial_state()
        sampled.node = resampled(self.setup, self.node, Seat(player), sampler)
        return sampled

    def __str__(self) -> str:
        """Return who must choose what, and the indices and numbers that led here, so that different matches differ."""
        game, node = self.setup.game, self.node
        if node.outcomes:
            asked = f"draw below {node.outcomes}"
        else:
            asked = (
                ", ".join(f"seat {each.seat}: {each.decision}" for each in game.pending(node.state)) or "over"
            )
        return f"{asked}; {self.history_str()}"

    def _legal_actions(self, _player: int) -> list[int]:
        position = self.node.position
        return [] if position is None else list(position.offered)

    def _apply_action(self, action: int) -> None:
        node, setup = self.node, self.setup
        if node.outcomes:
            self.node = settled(setup, node, node.seat, node.action, (*node.draws, action))
            return
        if node.position is None:
            raise ValueError("the match is over")
        following = node.position.after(action)
        if isinstance(following, Position):
            self.node = Node(node.state, node.history, following)
        else:
            self.node = settled(setup, node, node.position.seat, following, ())

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        return self.setup.actions.names[action]


class MatchObserver:
    """What a player sees (tensor and string), or with perfect recall everything it has seen (string)."""

    def __init__(self, setup: Setup, params: Any, *, perfect_recall: bool) -> None:
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        self._setup = setup
        self._recall = perfect_recall
        self.tensor = None if perfect_recall else np.zeros(len(setup.names), np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: MatchState, player: int) -> None:
        """Write what the player sees; all zeros before the match has started."""
        if self.tensor is None:
            return
        node = state.node
        if node.state is None:
            self.tensor.fill(0)
        elif node.position is not None and node.position.seat == player:
            position = node.position
            self.tensor[:] = observation(
                self._setup, node.state, position.seat, position.begun, position.view
            )
        else:
            self.tensor[:] = observation(self._setup, node.state, Seat(player))

    def string_from(self, state: MatchState, player: int) -> str:
        """Return the player's view as JSON, or all it has seen; then the parts it has chosen of an action."""
        node = state.node
        if node.state is None or node.history is None:
            return ""
        begun = ""
        if node.position is not None and node.position.seat == player:
            begun = ", ".join(self._setup.actions.names[part] for part in node.position.begun)
        if self._recall:
            return f"seat {player}\n{node.history.text(player)}{begun}"
        seen = self._setup.game.view(node.state, seat_audience(Seat(player)))
        return f"{encode(seen).decode()}{begun}"


def _parameters(game: AnyGame) -> dict[str, Any]:
    """Return the parameters of a game with their defaults: the players, and the options that are a choice of words."""
    defaults = msgspec.to_builtins(msgspec.convert({}, game.types.options))
    words = {name: value for name, value in defaults.items() if isinstance(value, str)}
    return {"players": game.seat_counts[0], "reward": "rank", **words}


def _register(game_id: str) -> None:
    game = registered(game_id)
    game_type = pyspiel.GameType(
        short_name=f"{PREFIX}{game_id}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seat_counts[-1],
        min_num_players=game.seat_counts[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_parameters(game),
    )
    name = "".join(word.capitalize() for word in game_id.split("_")) + "Game"
    made = type(name, (MatchGame,), {"game_type": game_type, "__module__": __name__})
    globals()[name] = made  # where pickle looks for it
    pyspiel.register_game(game_type, made)


for _each in GAMES:
    if has_environments(_each):
        _register(_each)
