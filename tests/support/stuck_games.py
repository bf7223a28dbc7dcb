"""Games from outside whose rules do not return: River of Gold with one function that computes or waits for ever."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from tests.support.outside_games import install_game

FOREVER = "while True: pass"
IN_A_LIBRARY = "max(itertools.repeat(0))"
"""Keeps the interpreter's lock for ever: no other thread of the process runs any more."""
WAITING = "threading.Event().wait()"

SLOW = "time.sleep(3)"
"""Returns in the end."""

_GAME = """
    import itertools, os, threading, time
    from dataclasses import replace
    from engine.river_of_gold.game import GAME as GOLD

    def decide(state, seat, action, chance):
        legal = GOLD.legal_actions(state, seat)
        if action in legal.actions[1:]:
            {decide}
        return GOLD.decide(state, seat, action, chance)

    def view(state, audience):
        if audience.seat == 1:
            {view}
        return GOLD.view(state, audience)

    def legal_actions(state, seat):
        {legal_actions}
        return GOLD.legal_actions(state, seat)

    def policy(state, seat):
        {policy}
        return GOLD.policy(state, seat)

    def evolve(state, event):
        if os.path.exists({evolve!r}):
            {WAITING}
        return GOLD.evolve(state, event)

    def set_up(options, seats, chance, rules_version):
        if seats == 3:
            {set_up}
        return GOLD.set_up(options, seats, chance, rules_version)

    def check_options(options, seats, rules_version):
        if seats == 4:
            {check_options}

    GAME = replace(
        GOLD, id={game_id!r}, title={game_id!r}, decide=decide, view=view, legal_actions=legal_actions, policy=policy,
        set_up=set_up, check_options=check_options, evolve=evolve,
    )
    """
_FUNCTIONS = ("decide", "view", "legal_actions", "policy", "set_up", "check_options")


def install_stuck_game(folder: Path, game_id: str, /, *, evolve: str = "", **stuck: str) -> None:
    """Write a distribution with a game that is stuck where `stuck` says so, and only there.

    decide: in every listed action but the first. view: that of seat 1. legal_actions, policy: always. set_up: with three players.
    check_options: with four. evolve: while the file exists that it names.
    """
    bodies = {name: stuck.pop(name, "pass") for name in _FUNCTIONS}
    assert not stuck
    module = _GAME.format(**bodies, evolve=evolve, game_id=game_id, WAITING=WAITING)
    install_game(folder, game_id, game=dedent(module))
