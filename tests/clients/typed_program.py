"""What the types of the Python client know: `mypy --strict` accepts this, and each line it must not accept says so.

Never run; `test_python_types.py` has it checked.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import assert_type

from foldtable_client import AsyncClient, Client, MoveApplied, StreamEvent, is_of, types
from foldtable_client.games import river_dragons

STEP: river_dragons.Step = {"type": "step", "to": "i1"}
WRONG: river_dragons.Step = {"type": "step", "too": "i1"}  # type: ignore[typeddict-item, typeddict-unknown-key]


def blocking(client: Client) -> None:
    """Every method keeps the parameters that AsyncClient declares, and gives the answer itself."""
    assert_type(client.match("m"), types.Match)
    assert_type(client.follow("m"), Generator[StreamEvent])
    assert_type(client.players.session("ada"), types.PlayerSession)
    assert_type(client.move("m", STEP, version=1)["version"], int)
    client.match(1)  # type: ignore[arg-type]
    client.match()  # type: ignore[call-arg]
    client.create_match(game="al_rashid", seats="2")  # type: ignore[arg-type]
    client.move("m", {"type": "step", "too": "i1"}, version=1)  # type: ignore[arg-type]
    client.move("m", STEP)  # type: ignore[call-arg]
    assert_type(client.create_matches(mode="all", matches=[{"game": "g", "seats": 2}]), types.CreatedMatches)
    client.create_matches(mode="some", matches=[])  # type: ignore[arg-type]
    client.create_matches(mode="each", matches=[{"game": "g"}])  # type: ignore[typeddict-item]


async def awaited(client: AsyncClient) -> None:
    """The same, awaited."""
    assert_type(await client.match("m"), types.Match)
    assert_type(client.follow("m"), AsyncGenerator[StreamEvent])
    assert_type(await client.players.session("ada"), types.PlayerSession)


def told(event: river_dragons.Event) -> str:
    """The `type` tells which event it is."""
    if event["type"] == "stone_placed":
        assert_type(event, river_dragons.StonePlaced)
        return f"{event['seat']}: {event['x']}, {event['y']}, {event['colour']}"  # type: ignore[typeddict-item]
    return ""


def looked_at(table: types.Table) -> None:
    """`is_of` tells the game, and with it the view and the actions."""
    if is_of(table, "river_dragons"):
        assert_type(table["view"], river_dragons.View | None)
        for action in table["legal"]["actions"] if table["legal"] else ():
            assert_type(action, river_dragons.Action)
    elif table["view"] is not None:
        table["view"]["supply"]  # type: ignore[typeddict-item]


def heard(event: StreamEvent) -> None:
    """Moves have events of any game, or of the server."""
    if isinstance(event, MoveApplied):
        for one in event.events:
            if one["type"] == "move_undone":
                assert_type(one["to"], int)
