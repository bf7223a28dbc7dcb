"""PettingZoo's agent-environment cycle: one agent at a time chooses an index. For any game of the registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from engine.kernel.chance import SECRET_BYTES
from engine.kernel.seats import PUBLIC, Seat
from engine.research.course import Course, Observation
from engine.research.rewards import reward_named
from engine.research.setup import Setup, set_up

ILLEGAL_REWARD: Final = -1.0
"""The reward of an agent whose illegal action ends the match; the others get 0."""


def agents_of(setup: Setup) -> list[str]:
    """Return the names of the agents, by their seats."""
    return [f"seat_{seat}" for seat in range(setup.seats)]


def observation_space(setup: Setup, actions: int) -> spaces.Dict:
    """Return the space of observations: numbers from 0 to 1, and the mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (len(setup.names),), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def env(game: str, **settings: Any) -> AECEnv[str, Observation, int]:
    """Return `MatchEnv` in PettingZoo's usual wrappers: an illegal action ends the match, and calls out of order are errors."""
    made: Any = MatchEnv(game, **settings)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=ILLEGAL_REWARD)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class MatchEnv(AECEnv[str, Observation, int]):
    """A match as an environment. Agents are `seat_0`, `seat_1`, …; the one that must act is `agent_selection`.

    If several seats decide in secret at once, they are asked in order of seats, and none sees what the others chose.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        reward: str = "rank",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Set up a match. `max_cycles`: truncate when an agent has chosen this many times; `render_mode`: None or "ansi"."""
        super().__init__()
        self.setup = set_up(game, options, seats)
        self.metadata = {"name": f"foldtable_{game}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self._reward = reward_named(reward)
        self._max_cycles = max_cycles
        self.possible_agents = agents_of(self.setup)
        size = len(self.setup.actions.names)
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: observation_space(self.setup, size) for agent in self.possible_agents
        }
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - the API's
        """Start a match. The seed fixes all draws of this match and of those after it; `options` has no effect."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self.course = Course(self.setup, self._random.bytes(SECRET_BYTES))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._chosen = dict.fromkeys(self.agents, 0)
        self._ask()

    def step(self, action: int | None) -> None:
        """Choose an index for `agent_selection`. Raises ValueError, and changes nothing, if the mask forbids it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is waited for and has to choose")
        self.course.choose(self._seat(agent), int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] += 1
        self._settle(agent)
        self._accumulate_rewards()
        if any(self.terminations.values()) or any(self.truncations.values()):
            self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """Return what the agent sees; the mask forbids everything except for the agent that must act."""
        seen = self.course.observe(self._seat(agent))
        if agent != self.agent_selection or self.terminations.get(agent) or self.truncations.get(agent):
            seen["action_mask"][:] = 0
        return seen

    def render(self) -> str | None:
        """Return the match drawn as the public sees it."""
        if self.render_mode is None:
            return None
        game = self.setup.game
        return game.draw(game.view(self.course.state, PUBLIC))

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _seat(self, agent: str) -> Seat:
        return Seat(self.possible_agents.index(agent))

    def _ask(self) -> None:
        """Select the next agent and the position it must decide."""
        seat = self.course.waited_for[0]
        self.agent_selection = self.possible_agents[seat]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        (asked,) = [each for each in self.setup.game.pending(self.course.state) if each.seat == seat]
        begun = self.course.position(seat).begun
        self.infos[self.agent_selection] = {
            "decision": str(asked.decision),
            "rule": asked.rule,
            "so_far": [self.setup.actions.names[part] for part in begun],
        }

    def _settle(self, agent: str) -> None:
        """End the match, truncate it, or go on."""
        outcome = self.course.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.possible_agents, self._reward(outcome), strict=True))
            self.infos = {each: {} for each in self.agents}
            return
        self._ask()
        if self._max_cycles is not None and self._chosen[agent] >= self._max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
