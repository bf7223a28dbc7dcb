"""The commands of `foldtable`.

Each is imported only when it is used: `foldtable keys` does not wait for the import of the simulator.
"""

from __future__ import annotations

import services.process.rare_collection  # noqa: F401 - before the imports that it makes cheaper

# isort: split
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any, Final, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

COMMANDS: Final[Mapping[str, str]] = {
    "up": "services.cli.up.command:up",
    "login": "services.cli.login:login",
    "demo": "services.cli.demo.command:demo",
    "bots": "services.cli.bots:bots",
    "games": "services.cli.games:games",
    "simulate": "services.cli.simulate.command:simulate",
    "arena": "services.cli.arena.command:arena",
    "new-game": "services.cli.new_game.command:new_game",
    "replay": "services.cli.replay.command:replay",
    "replay-all": "services.cli.replay_all.command:replay_all",
    "verify": "services.cli.checks.verify:verify",
    "audit": "services.cli.checks.audit:audit",
    "export": "services.cli.matches.export:export",
    "check-game": "services.cli.check_game.command:check_game",
    "migrate": "services.cli.migrate:migrate",
    "import": "services.cli.matches.import_match:import_match",
    "delete": "services.cli.forgetting.delete:delete",
    "players": "services.cli.forgetting.players:app",
    "snapshots": "services.cli.snapshots:app",
    "stuck": "services.cli.stuck:stuck",
    "tenants": "services.cli.accounts.tenants:app",
    "keys": "services.cli.accounts.keys:app",
    "signing-keys": "services.cli.signing_keys:app",
}
"""Each command's place: a function, or a `Typer` with subcommands."""


class _Commands(TyperGroup):
    """The commands by name, in the order of `COMMANDS`."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature of the base class
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the signature of the base class
        if cmd_name not in self.commands and cmd_name in COMMANDS:
            module, _, attribute = COMMANDS[cmd_name].partition(":")
            found = getattr(import_module(module), attribute)
            alone = typer.Typer(add_completion=False)
            if isinstance(found, typer.Typer):
                alone.add_typer(found, name=cmd_name)
                self.commands[cmd_name] = cast("TyperGroup", get_command(alone)).commands[cmd_name]
            else:
                alone.command(cmd_name)(found)
                self.commands[cmd_name] = get_command(alone)
        return self.commands.get(cmd_name)


app = typer.Typer(
    name="foldtable",
    cls=_Commands,
    help="A backend for board games: a match is a list of moves in Postgres, its state is the fold of that list.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,  # they may contain keys and hidden cards
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from services.process.compiled import is_compiled  # noqa: PLC0415 - as with the commands

        typer.echo(f"foldtable {version('foldtable')}{' (compiled)' if is_compiled() else ''}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Accept the options before a command; each does its work in its callback."""


if __name__ == "__main__":
    app()
