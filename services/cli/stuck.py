"""`foldtable stuck`: the calls of games' rules that did not return and are refused since, and how to have them tried again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli.accounts.database import HomeOption, in_database, moment
from services.cli.console import fail, say
from services.postgres.database import Connection
from services.rules.watchdog.stuck_calls import StuckCall, lift_stuck, list_stuck


def stuck(
    lift: Annotated[
        int,
        typer.Option(
            min=0, help="Have the call of this number tried again, such as after a new game package."
        ),
    ] = 0,
    home: HomeOption = Path(".foldtable"),
) -> None:
    """List the calls of rules that did not return and are refused since, newest first."""

    async def work(connection: Connection) -> bool | list[StuckCall]:
        return await lift_stuck(connection, lift) if lift else await list_stuck(connection)

    match in_database(home, work):
        case True:
            say(f"{lift} is lifted; every rules server tries it again within a second or two")
        case False:
            fail(f"no call of the number {lift} is refused")
        case list() as calls:
            for call in calls:
                typer.echo(
                    "\t".join((str(call.id), moment(call.recorded_at), call.distribution, _what(call)))
                )


def _what(call: StuckCall) -> str:
    if call.match_id is None:
        return f"{call.function} of {call.game}"
    if not call.action:
        return f"{call.function} of {call.game}: match {call.match_id}"
    seat = "" if call.seat is None else f", seat {call.seat}"
    return f"{call.function} of {call.game}: {call.action} at version {call.version} of match {call.match_id}{seat}"
