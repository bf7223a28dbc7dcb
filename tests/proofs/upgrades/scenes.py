"""What goes on in a system of each release, so that its database holds something of everything it could keep.

A scene is played by every release from the one on that could play it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from engine.registry import GAMES
from tests.proofs.upgrades.client import Client

A_FEW: Final = 9
"""Moves of a match that goes on: past the setup, with something hidden on the table."""
TO_THE_END: Final = 5_000
WEEK: Final = 7 * 24 * 3600


@dataclass
class Scene:
    """A match that was played, and what is to become of it."""

    name: str
    match_id: str
    goes_on: bool


Played = list[Scene]


def running(client: Client, played: Played) -> None:
    """One match of each game that everybody is in the middle of."""
    for game in GAMES:
        match_id = client.create(game, players=["ada", "bob"])
        client.play(match_id, A_FEW)
        played.append(Scene(f"running_{game}", match_id, goes_on=True))


def ended(client: Client, played: Played) -> None:
    """Al-Rashid to its end, the shortest; of the others the seats leave."""
    for game in GAMES:
        match_id = client.create(game, players=["ada", "bob"])
        if game == "al_rashid":
            client.play(match_id, TO_THE_END)
        else:
            client.play(match_id, A_FEW)
            client.resign(match_id, 1)
        played.append(Scene(f"ended_{game}", match_id, goes_on=False))


def waiting(client: Client, played: Played) -> None:
    """A match that waits for one player more."""
    match_id = client.create("river_dragons", open_seats=True)
    client.post(f"/matches/{match_id}/join", {"player": "ada"})
    played.append(Scene("waiting", match_id, goes_on=False))


def lobby(client: Client, played: Played) -> None:
    """A public table with a seat of each kind; a rematch; keys that have a label, that expire, that were revoked."""
    seating = [
        {"player": "ada", "name": "Ada"},
        {"kind": "invited", "player": "bob", "name": "Bob"},
        {"kind": "open"},
    ]
    match_id = client.create(
        "al_rashid", 3, title="Friday night", visibility="public", start="on_demand", seating=seating
    )
    played.append(Scene("lobby", match_id, goes_on=False))
    over = next(one.match_id for one in played if one.name == "ended_river_of_gold")
    rematch = client.post(f"/matches/{over}/rematch")["match"]["match_id"]
    played.append(Scene("rematch", rematch, goes_on=True))
    statistics = client.post("/tenants/acme/keys", {"scopes": ["matches:read"], "label": "statistics"})
    client.post(f"/keys/{statistics['key']['key_id']}/rotate", {"grace_seconds": WEEK})


def undone(client: Client, played: Played) -> None:
    """A match with a move taken back and made again, and one where others are asked first."""
    match_id = client.create("river_dragons", players=["ada", "bob"])
    cards = ["stone1", "stone2", "plank1", "move1", "jump"]
    program = {"seat": 0, "expected_version": 1, "action": {"type": "submit_program", "cards": cards}}
    client.post(f"/matches/{match_id}/moves", program)
    client.post(f"/matches/{match_id}/undo", {"seat": 0, "to": 1, "expected_version": 2})
    client.post(f"/matches/{match_id}/redo", {"seat": 0, "expected_version": 3})
    played.append(Scene("undone", match_id, goes_on=True))


def history(client: Client, played: Played) -> None:
    """A fork, a match that was called off, one whose seats still discuss it, and one of the rules before."""
    source = next(one.match_id for one in played if one.name == "running_al_rashid")
    fork = client.post(
        f"/matches/{source}/fork", {"version": 5, "audience": "seat", "seat": 0, "title": "what if"}
    )
    played.append(Scene("fork", fork["match"]["match_id"], goes_on=True))
    aborted = client.create("river_of_gold", players=["ada", "bob"])
    client.post(f"/matches/{aborted}/abort")
    played.append(Scene("aborted", aborted, goes_on=False))
    discussed = client.create("river_dragons", players=["ada", "bob"])
    client.post(f"/matches/{discussed}/abort", {"seat": 0, "expected_version": 1})
    played.append(Scene("discussed", discussed, goes_on=True))
    older = client.create("river_dragons", 3, rules_version="1.0.0", players=["ada", "bob", "cyd"])
    client.play(older, 20)
    played.append(Scene("older_rules", older, goes_on=True))


def going_on(client: Client, played: Played) -> None:
    """A feed, a webhook endpoint with something to deliver, clocks that run and have run out, a bot at the table."""
    every = ["match.created", "match.started", "match.ended", "move.applied", "turn.started"]
    client.ask("PUT", "/events/recording", json={"event_types": every})
    client.post(
        "/webhooks/endpoints",
        {"url": "http://127.0.0.1:9/", "event_types": every, "description": "nobody listens"},
    )
    slow = {"kind": "budget", "seconds": WEEK, "increment_seconds": 60}
    clocked = client.create("river_of_gold", players=["ada", "bob"], clock=slow)
    client.play(clocked, A_FEW)
    played.append(Scene("clocked", clocked, goes_on=True))
    hasty = client.create("river_dragons", clock={"kind": "per_move", "seconds": 1, "absent": "policy"})
    _wait(lambda: client.get(f"/matches/{hasty}")["version"] > 6)
    client.post(f"/matches/{hasty}/abort")
    played.append(Scene("timed_out", hasty, goes_on=False))
    seating = [{"player": "ada", "name": "Ada"}, {"kind": "bot", "bot": "my-bot.1", "name": "Goldy"}]
    with_bot = client.create("al_rashid", seating=seating)
    client.play(with_bot, A_FEW)
    played.append(Scene("with_bot", with_bot, goes_on=True))


SINCE: Final[tuple[tuple[str, Callable[[Client, Played], None]], ...]] = (
    ("0001", running),
    ("0001", ended),
    ("0001", waiting),
    ("0004", lobby),
    ("0005", undone),
    ("0007", history),
    ("0010", going_on),
)
"""Each scene and the first release that could play it."""


def play_all(client: Client, revision: str) -> Played:
    """Play every scene a release could play."""
    played: Played = []
    for since, scene in SINCE:
        if since <= revision:
            scene(client, played)
    return played


def _wait(true: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline, "nothing happened for 30 s"
        time.sleep(0.2)
