"""Write what the paragraphs of the rules say: `make docs`. None of these files is edited by hand.

For each game engine/<game>/text/paragraphs.json and the page docs/play/rules/<game>.md; for the rules of every match
engine/kernel/text/paragraphs.json. The sources are

- docstrings in engine/<game> and engine/match: each block after the first that begins with `§`, an id, and a title,
  such as `§4.2 Placing. In turn order …`;
- the tables of engine/<game>/RULINGS.md: the id, the title in bold, the ruling.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from pathlib import Path
from typing import Final

from engine.kernel.text.paragraphs import FILE, SHARED, Paragraph
from engine.registry import game
from services.kit.building.paragraphs import as_json, rules_of, rulings_of
from tests.support.documents import ROOT
from tests.support.our_games import OUR_GAMES

ENGINE: Final = ROOT / "engine"
PAGES: Final = ROOT / "docs" / "play" / "rules"
_CITED: Final = re.compile(r"\[(?P<ruling>[ARF]\d+)\]|§(?P<paragraph>\d+(?:\.\d+)?)")
_WIDTH: Final = 158

_HEAD: Final = """\
# Rules of {title}

For players and developers: what each paragraph says that the API names as `rule`, in our own words. It replaces no rulebook. Refusals, open decisions and
lines of a score name paragraphs; the [errors](../errors.md) name those that each refusal enforces.

`make docs` generates this page from the code and from [RULINGS.md](../../../engine/{name}/RULINGS.md), which also names the file that implements each
ruling.
"""
_RULINGS: Final = """
## Rulings

What the project decided where the rulebook is silent or unclear. `F` numbers are rulings that a program needs.
"""
_SHARED: Final = """
## In every match

What the server itself does and refuses, in every game.
"""


def files() -> dict[Path, str]:
    """Return every file with its content."""
    shared = rules_of(ENGINE / "match")
    written = {ROOT / SHARED.replace(".", "/") / FILE: as_json(shared)}
    for name in OUR_GAMES:
        package = ENGINE / name
        rules, rulings = rules_of(package), rulings_of(package)
        written[package / "text" / FILE] = as_json({**rules, **rulings})
        written[PAGES / f"{name}.md"] = _page(name, rules, rulings, shared)
    return written


def _page(
    name: str, rules: dict[str, Paragraph], rulings: dict[str, Paragraph], shared: dict[str, Paragraph]
) -> str:
    parts = [_HEAD.format(title=game(name).title, name=name)]
    parts += [_entry(one, "###" if "." in one.id else "##") for one in rules.values()]
    parts += [_RULINGS, *(_entry(one, "###") for one in rulings.values())]
    parts += [_SHARED, *(_entry(one, "###") for one in shared.values())]
    return "".join(parts)


def _entry(one: Paragraph, level: str) -> str:
    text = _CITED.sub(_link, one.text)
    lines = textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return f'\n<a id="p-{one.id}"></a>\n\n{level} {one.id} {one.title}\n\n' + "\n".join(lines) + "\n"


def _link(cited: re.Match[str]) -> str:
    number = cited["ruling"] or cited["paragraph"]
    return f"[{cited['ruling'] or f'§{number}'}](#p-{number})"


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    for path, content in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        print(f"{path.relative_to(ROOT)} is written")
