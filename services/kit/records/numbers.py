"""Check the numbers for machine learning: one word for each legal action, one row of constant form for each view."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.action_space import NOTHING_YET, ActionSpace, Choices, Word
from engine.kernel.errors import RuleViolation
from engine.kernel.features import Features
from engine.kernel.seats import Seat, seat_audience
from services.kit.check import record_text
from services.kit.records.found import Found, check, loaded, tag_of
from services.kit.subject import CHOICES, Played, Subject

EVERY: Final = 7
"""Rows are compared after every move of this number, for another seat each time."""


def look_at_actions(subject: Subject, found: Found) -> None:
    """Spell every legal action of the matches, and follow one word at random at each decision."""
    if not subject.package.action_space:
        found.skipped = "the package names no action_space"
        return
    make = loaded(subject.package.action_space)
    for played in subject.matches:
        space: ActionSpace = make(played.options, played.seats)
        _check_names(space, found)
        state = None
        for move, step in enumerate(played.steps, start=1):
            found.here = played.at(move)
            if step.seat is not None and step.action is not None:
                _check_decision(subject, space, state, step.seat, step.action, found)
                _check_whim(subject, space, state, step.seat, played, move, found)
            state = step.state
        found.here = ""


def _check_names(space: ActionSpace, found: Found) -> None:
    names = space.names
    if len(set(names)) != len(names):
        found.add(
            "two indices of the action space have the same name", "give every index a meaning of its own"
        )
    for name in names:
        if not (name.isascii() and name.isprintable()):
            found.add(f"the name {name!r} of an index is not printable ASCII", "use `name_of`")


def _check_decision(
    subject: Subject, space: ActionSpace, state: Any, seat: Seat, done: Any, found: Found
) -> None:
    """Look at every action that is listed, and at the one that was done."""
    legal = subject.game.legal_actions(state, seat)
    view = subject.game.view(state, seat_audience(seat))
    choices = space.choices(legal, view)
    words: dict[Word, Any] = {}
    for action in {*legal.actions, done}:
        found.looked("actions")
        word = space.word(action, view)
        if word in words:
            found.add(
                f"{record_text(action)} and {record_text(words[word])} have the same word",
                "let every action have a word of its own",
            )
        words[word] = action
        if why := _wrong(space, choices, word, action):
            found.add(
                f"the word {word} of {record_text(action)} {why}",
                "let `following` and `action` lead where `word` says",
            )
    parts = frozenset(space.parts)
    described = {tag_of(template) for template in legal.templates}
    for index in choices.following(NOTHING_YET):
        if index in parts or (index,) in words:
            continue
        action = choices.action((index,))
        if action is None or tag_of(action) not in described:  # those of templates are tried one by one below
            means = (
                "means no action" if action is None else f"means {record_text(action)}, which is not legal"
            )
            found.add(f"the index {index} is offered, and {means}", "offer only what `legal_actions` lists")


def _wrong(space: ActionSpace, choices: Choices, word: Word, action: Any) -> str:
    """Return why a word is not that of an action; empty if it is."""
    parts = frozenset(space.parts)
    if not word or not all(0 <= index < len(space.names) for index in word):
        return "has indices outside of the names"
    if all(index in parts for index in word) != (len(word) > 1):
        return "has one index although that is a part, or several that are not parts"
    for place, index in enumerate(word):
        if choices.action(word[:place]) is not None:
            return "begins with another complete word"
        if index not in choices.following(word[:place]):
            return f"is not offered from its index {place} on"
    if choices.following(word):
        return "can be continued"
    same = choices.action(word) == action
    return "" if same else f"means {choices.action(word)!r}"


def _check_whim(
    subject: Subject, space: ActionSpace, state: Any, seat: Seat, played: Played, move: int, found: Found
) -> None:
    """Follow what is offered to the end of a word: it is a legal action."""
    whims = subject.chance(played.number, CHOICES + move)
    view = subject.game.view(state, seat_audience(seat))
    choices = space.choices(subject.game.legal_actions(state, seat), view)
    word: Word = NOTHING_YET
    while offered := choices.following(word):
        if list(offered) != sorted(set(offered)):
            found.add(
                f"after {word} indices are offered twice or out of order",
                "offer them in ascending order, once each",
            )
        word = (*word, offered[whims.below(len(offered))])
    found.looked("words")
    action = choices.action(word)
    if action is None:
        found.add(
            f"the word {word} cannot be continued, and is no action",
            "offer only indices that lead to an action",
        )
        return
    if space.word(action, view) != word:
        found.add(
            f"the word {word} means {record_text(action)}, whose word is another",
            "give every action one word",
        )
    try:
        subject.game.decide(state, seat, action, subject.chance(played.number, move))
    except RuleViolation as violation:
        found.add(
            f"the word {word} means {record_text(action)}, which is refused: {violation}",
            "offer only legal actions",
        )


def look_at_rows(subject: Subject, found: Found) -> None:
    """Look at the rows of views, and compare them with those of states that the seat cannot distinguish."""
    if not subject.package.features:
        found.skipped = "the package names no features"
        return
    make = loaded(subject.package.features)
    for played in subject.matches:
        features: Features = make(played.options, played.seats)
        names: list[str] = []
        for move, step in enumerate(played.steps, start=1):
            if move % EVERY == 1 or step is played.steps[-1]:
                found.here = played.at(move)
                found.looked("rows")
                seat = Seat(move % played.seats)
                view = subject.game.view(step.state, seat_audience(seat))
                names = names or features.named(view)
                row = features.row(view, seat)
                _check_row(row, features.named(view), names, found)
                _check_same(subject, played, move, seat, (features, row), found)
    found.here = ""


def _check_row(row: list[float], named: list[str], names: list[str], found: Found) -> None:
    if named != names:
        found.add(
            "the places of a row change their meaning in a match", "write the same places for every view"
        )
    if len(row) != len(named):
        found.add(f"a row has {len(row)} numbers and {len(named)} names", "write each name with its number")
    if len(set(named)) != len(named):
        found.add("two places of a row have the same name", "give every place a meaning of its own")
    for name, value in zip(named, row, strict=False):
        if not 0 <= value <= 1:
            found.add(
                f"the place {name!r} of a row is {value}, which is not from 0 to 1",
                "divide by the most there can be",
            )


def _check_same(
    subject: Subject,
    played: Played,
    move: int,
    seat: Seat,
    told_of: tuple[Features, list[float]],
    found: Found,
) -> None:
    features, row = told_of
    game, audience = subject.game, seat_audience(seat)
    other = game.redeal(played.steps[move - 1].state, audience, subject.chance(played.number, CHOICES + move))
    if features.row(game.view(other, audience), seat) != row:
        found.add(
            "the row of a seat differs between states that the seat cannot distinguish",
            "make `view` show, and `features` read, nothing that the seat does not know",
        )


ACTIONS: Final = check(
    "action-numbers",
    "every legal action has one word, and every word is a legal action",
    look_at_actions,
)
ROWS: Final = check(
    "view-numbers",
    "rows have one length, values from 0 to 1, and only what a seat knows",
    look_at_rows,
)
