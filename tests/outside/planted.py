"""Mistakes for a package that is otherwise right: texts of its source that are replaced, each of which occurs there once."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Edit:
    """A text of one file, and what stands there instead."""

    file: str
    """Its path in the Python package of the game."""
    was: str
    now: str


@dataclass(frozen=True)
class Fault:
    """A mistake in a game that can be played, and what is said of it."""

    id: str
    check: str
    what: str
    do: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Broken:
    """A mistake with which little or nothing can be looked at, and what is said of it."""

    id: str
    code: int
    """The exit code of the command: 2 if the package cannot be used at all."""
    told: str
    edits: tuple[Edit, ...]


def planted(package: Path, into: Path, *edits: Edit) -> Path:
    """Copy a game's Python package into a folder, and edit the copy; return the folder, for PYTHONPATH."""
    copy = into / package.name
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for edit in edits:
        path = copy / edit.file
        text = path.read_text(encoding="utf-8")
        assert text.count(edit.was) == 1, f"{edit.was!r} is {text.count(edit.was)} times in {edit.file}"
        path.write_text(text.replace(edit.was, edit.now), encoding="utf-8")
    return into


_ROLLED: Final = "return replace(state, pips=event.pips, chosen=event.bowl)"
_VIEW: Final = '    """§7 Return what an audience may see."""\n'
_MAY_KNOW: Final = "build it from what this audience may know alone"

FAULTS: Final = (
    Fault(
        "favours in the view",
        "non-interference",
        "`view` tells seat 0 what is hidden from it",
        _MAY_KNOW,
        (
            Edit(
                "view.py",
                "favour=state.favours[seat] if ended or audience.sees_seat(seat) else None,",
                "favour=state.favours[seat],",
            ),
        ),
    ),
    Fault(
        "the hand tells how many are placed",
        "non-interference",
        "`view` tells seat 1 what is hidden from it",
        _MAY_KNOW,
        (
            Edit(
                "view.py",
                "hand=state.hands[seat],",
                "hand=state.hands[seat] - sum(each.total for each in (state.placed[seat],) if each and not state.revealed),",
            ),
        ),
    ),
    Fault(
        "an event shown to the public",
        "non-interference",
        "an event tells public what is hidden from it",
        "leave out of `redact` whatever this audience may not see",
        (
            Edit(
                "view.py",
                "isinstance(event, PebblesPlaced) and not audience.sees_seat(event.seat)",
                "isinstance(event, PebblesPlaced) and audience.seat not in {None, event.seat}",
            ),
        ),
    ),
    Fault(
        "a refused action is sampled",
        "listed-actions",
        "a legal move is refused: RuleViolation: BOWL_CHOSEN",
        "offer only what `decide` accepts",
        (Edit("rules/tipping.py", "if bowl is not state.chosen and state.in_bowl", "if state.in_bowl"),),
    ),
    Fault(
        "a refused action is listed",
        "listed-actions",
        'is refused: {"type":"tip","bowl":"middle"}: BOWL_CHOSEN',
        "list only what `decide` accepts",
        (
            Edit(
                "legal.py",
                "return LegalActions(actions=_answers(state))",
                "return LegalActions(actions=(*_answers(state), Tip(bowl=state.chosen)))",
            ),
        ),
    ),
    Fault(
        "a draw before judging",
        "draws-after-judging",
        "is refused with TOO_MANY_PEBBLES after a draw",
        "judge first and draw last",
        (
            Edit(
                "rules/placing.py",
                "    limit = turn.state.most(seat)\n",
                "    chance.below(6)\n    limit = turn.state.most(seat)\n",
            ),
        ),
    ),
    Fault(
        "a missing text",
        "texts",
        "the message decision.tip is missing",
        "write it in every language",
        (Edit("text/pl.json", ' "decision.tip": "Przewróć jedną z misek albo żadnej",\n', ""),),
    ),
    Fault(
        "an argument that does not exist",
        "texts",
        "the message event.seat_left uses player, which its record does not have",
        "use only seat",
        (Edit("text/it.json", '"event.seat_left": "{seat}', '"event.seat_left": "{player}'),),
    ),
    Fault(
        "absent players repeat a round for ever",
        "policy",
        "5,000 moves do not end the match; one state comes ",
        "brings the match nearer to its end",
        (
            Edit(
                "rules/scoring.py",
                "        next_round(turn)\n",
                "        if any(each.pebbles.total for each in placed) or not any(turn.state.hands):\n"
                "            next_round(turn)\n"
                "        else:\n"
                "            turn.record(RoundStarted(round=turn.state.round))\n",
            ),
            Edit("rules/scoring.py", "    PebblesRevealed,\n", "    PebblesRevealed,\n    RoundStarted,\n"),
        ),
    ),
    Fault(
        "no place for a piece",
        "pieces",
        "lies at points@1, which is no place of this table",
        "add the place to the layout",
        (
            Edit(
                "layout.py",
                "        Place(id=POINTS, kind=POINTS, x=1090, y=100, width=130, height=160),\n",
                "",
            ),
        ),
    ),
    Fault(
        "a field that the messages do not have",
        "contract",
        "types and contract disagree: pebbles.v1.SeatView: only one side has first",
        "run `foldtable check-game pebbles --build`",
        (Edit("view.py", "    left: bool\n", '    left: bool\n    first: bool = False\n    """Whose."""\n'),),
    ),
    Fault(
        "descriptors that were not built",
        "descriptors",
        "pebbles:contract.binpb is not what pebbles/v1/view.proto says",
        "run `foldtable check-game pebbles --build`",
        (
            Edit(
                "proto/pebbles/v1/view.proto",
                "  // Whether the player has left the match for good (§6).\n  bool left = 9;\n",
                "",
            ),
        ),
    ),
    Fault(
        "a stored match decided otherwise",
        "golden",
        'is {"type":"bowl_scored","seat":2,"bowl":"left","points":2}',
        "make it a new version of the rules",
        (Edit("rules/scoring.py", "points = sum(", "points = 1 + sum("),),
    ),
    Fault(
        "an import from behind the interface",
        "imports",
        "it imports engine.kernel.seats.Seat: a game imports",
        "import from engine.interface",
        (
            Edit(
                "legal.py",
                "LegalActions, Pending, Seat\n",
                "LegalActions, Pending\nfrom engine.kernel.seats import Seat\n",
            ),
        ),
    ),
    Fault(
        "an import of random",
        "imports",
        "it imports random: luck comes through Chance",
        "import from engine.interface",
        (Edit("rules/placing.py", "from math import comb\n", "import random\nfrom math import comb\n"),),
    ),
    Fault(
        "a hidden name that stays too long",
        "undo-boundary",
        "is said to reveal nothing to seat",
        "let its name be in `hidden` before the move and not after it",
        (Edit("knowledge.py", "favours = [] if state.stage is Stage.ENDED else [", "favours = ["),),
    ),
    Fault(
        "a hidden name that goes too early",
        "undo-boundary",
        "is said to reveal nothing to seat",
        "let its name be in `hidden` before the move and not after it",
        (
            Edit(
                "knowledge.py",
                "favours = [] if state.stage is Stage.ENDED",
                "favours = [] if state.round == state.rounds",
            ),
        ),
    ),
    Fault(
        "dealing again copies what is placed",
        "redeal",
        "`redeal` copies something hidden: after two moves of which ",
        "deal again whatever `redact` leaves out",
        (Edit("knowledge.py", "if pebbles is None or audience.sees_seat(Seat(seat))", "if True"),),
    ),
    Fault(
        "dealing again copies the favours",
        "redeal",
        "`redeal` copies something hidden: after two moves of which public",
        "deal again whatever `redact` leaves out",
        (Edit("knowledge.py", "if state.stage is Stage.ENDED or audience.sees_all():", "if True:"),),
    ),
    Fault(
        "evolve draws",
        "plays",
        "`evolve` gives another state for the same events",
        "from the old one and the event alone",
        (
            Edit("evolve.py", _ROLLED, _ROLLED.replace("event.pips", "random.randint(1, 6)")),
            Edit("evolve.py", "from typing import", "import random\nfrom typing import"),
        ),
    ),
    Fault(
        "evolve changes the state",
        "plays",
        "the type of the state, State, is not frozen",
        "declare it with `frozen=True`",
        (
            Edit(
                "evolve.py",
                _ROLLED,
                "state.pips, state.chosen = event.pips, event.bowl\n            return state",
            ),
            Edit("state.py", "class State(msgspec.Struct, frozen=True, ", "class State(msgspec.Struct, "),
        ),
    ),
    Fault(
        "a pebble is lost",
        "conserved",
        "what is conserved has changed: part 1 was 12, is 9",
        "look for the piece in `evolve`",
        (Edit("evolve.py", "replace(state, gone=gone, bowls=bowls, ", "replace(state, bowls=bowls, "),),
    ),
)
BROKEN: Final = (
    Broken(
        "a syntax error in the rules",
        2,
        "cannot be used: pebbles.game:GAME cannot be loaded: SyntaxError: expected ':' (game.py, line ",
        (
            Edit(
                "game.py",
                "chance: Chance) -> tuple[GameEvent, ...]:",
                "chance: Chance) -> tuple[GameEvent, ...]",
            ),
        ),
    ),
    Broken(
        "a syntax error in package.py",
        2,
        "cannot be used: pebbles.package:PACKAGE cannot be loaded: SyntaxError: '(' was never closed (package.py, line ",
        (Edit("package.py", "PACKAGE: Final = GamePackage(", "PACKAGE: Final = GamePackage(("),),
    ),
    Broken(
        "a function is missing",
        2,
        "cannot be used: pebbles.game:GAME cannot be loaded: TypeError: Game.__init__() missing 1 required",
        (Edit("game.py", "    outcome=outcome,\n", ""),),
    ),
    Broken(
        "view returns a dict",
        1,
        "`view` returns a value of the type dict, and owes GameView",
        (Edit("view.py", _VIEW, f'{_VIEW}    return {{"round": state.round}}\n'),),
    ),
    Broken(
        "pending returns None",
        1,
        "`pending` returns None, and owes a tuple of Pending",
        (
            Edit(
                "legal.py",
                '        return (_pending(state, state.tipper, Decision.TIP, "4"),)',
                "        return None",
            ),
        ),
    ),
    Broken(
        "legal_actions returns a list",
        1,
        "`legal_actions` returns a value of the type list, and owes LegalActions",
        (Edit("legal.py", "return LegalActions(actions=_answers(state))", "return list(_answers(state))"),),
    ),
    Broken(
        "a function divides by zero",
        1,
        "ZeroDivisionError: division by zero, raised in conserved (",
        (Edit("checks.py", "    return tuple(\n", "    1 / 0\n    return tuple(\n"),),
    ),
)
