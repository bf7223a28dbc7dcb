"""Takes the pictures of the README: the table of each game on the page, in Chromium.

    python -m tests.docs.pictures

The matches are played against bots until the middle, so no two pictures are alike: look at them before they are committed.
Needs node and the packages that `make prepare` installs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path
from typing import Final

from tests.support.deployment import GENEROUS
from tests.support.documents import ROOT
from tests.support.node import SCRIPTS, run, why_not
from tests.support.running_system import running_system

FOLDER: Final = ROOT / "docs" / "pictures"
SECONDS: Final = 300
GAMES: Final = (
    {"game": "river_of_gold", "seats": 3, "options": {"patrons": "draft"}, "moves": 90},
    {"game": "river_dragons", "seats": 3, "options": {}, "moves": 40},
    {"game": "al_rashid", "seats": 3, "options": {}, "moves": 70},
)
"""What is played, and after how many moves the picture is taken."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--to", type=Path, default=FOLDER, help="the folder to write to; default: docs/pictures"
    )
    asked = parser.parse_args()
    if missing := why_not():
        raise SystemExit(missing)
    asked.to.mkdir(parents=True, exist_ok=True)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
    with (
        tempfile.TemporaryDirectory() as folder,
        running_system(Path(folder) / "home", FOLDTABLE_RATE_LIMITS=GENEROUS) as system,
    ):
        settings = {"GATEWAY": system.address, "KEY": system.key, "CHROMIUM": chromium}
        where = {"TMPDIR": folder, "HOME": folder, "FOLDER": str(asked.to.resolve())}
        program = str(SCRIPTS / "web" / "pictures.mjs")
        told = json.loads(
            run("node", program, seconds=SECONDS, GAMES=json.dumps(GAMES), **settings, **where).splitlines()[
                -1
            ]
        )
    if "unavailable" in told:
        raise SystemExit(f"no browser starts here: {told['unavailable']}")
    print(*told["taken"], sep="\n")


if __name__ == "__main__":
    main()
