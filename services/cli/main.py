"""The commands of `foldtable`."""

from __future__ import annotations

import typer

from services.cli.api_keys import app as keys
from services.cli.arena import arena
from services.cli.audit import audit
from services.cli.bots import bots
from services.cli.demo import demo
from services.cli.export import export
from services.cli.import_match import import_match
from services.cli.key import key
from services.cli.migrate import migrate
from services.cli.replay import replay
from services.cli.simulate import simulate
from services.cli.snapshots import app as snapshots
from services.cli.tenants import app as tenants
from services.cli.up import up
from services.cli.verify import verify

app = typer.Typer(
    name="foldtable",
    help="A backend for board games: a match is a list of moves in Postgres, the table is the fold of that list.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,  # they may hold keys and hidden cards
)

for command in (up, demo, bots, simulate, arena, replay, verify, audit, export, migrate, key):
    app.command()(command)
app.command("import")(import_match)
app.add_typer(snapshots, name="snapshots")
app.add_typer(tenants, name="tenants")
app.add_typer(keys, name="keys")


if __name__ == "__main__":
    app()
