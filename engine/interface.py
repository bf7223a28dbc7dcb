"""What a game may import: everything that the rules of a game are made of, and what its tests need.

This module is the whole of version 1.0 of the interface. The modules behind it may move; what is listed here stays until the
next major version (docs/build/versions.md). `tests/architecture/test_interface.py` holds names, fields and signatures.
"""

from __future__ import annotations

from engine.kernel.action_space import ActionSpace, Both, Choices, Listed, Word, name_of
from engine.kernel.chance import Chance, ScriptedChance, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RefusalCode, RuleViolation, TableCode, Unreadable
from engine.kernel.features import Features, Row, numbered
from engine.kernel.game import AnyGame, Game, Types
from engine.kernel.hints import Choice, ChooseStep, Cost, Hint, Limit, NumberStep, PointStep, TemplateHint
from engine.kernel.layout import (
    SEAT_MARKS,
    Board,
    Box,
    Corner,
    Group,
    Layout,
    Path,
    Piece,
    Place,
    SeatMark,
    SeatMarks,
    on_mat,
)
from engine.kernel.legal import LegalActions
from engine.kernel.outcome import Outcome, ScoreLine, SeatResult
from engine.kernel.package import INTERFACE, Checks, GamePackage
from engine.kernel.pending import Pending
from engine.kernel.recorder import Recorder
from engine.kernel.records import Action, Event, Options, Template, View
from engine.kernel.rules_versions import RulesVersion, kept, recorded, rulings_by_version, version_of
from engine.kernel.seats import PUBLIC, REFEREE, Audience, AudienceKind, Seat, seat_audience
from engine.kernel.text.text import NONE, Text
from engine.kernel.text.texts import LANGUAGES, Texts
from engine.kernel.text.words import SEAT, Arg, components, named, several
from engine.kernel.text.words import Word as TextWord
from engine.match.playout import Step, random_match
from engine.match.replay import fold

__all__ = [
    "INTERFACE",
    "LANGUAGES",
    "NONE",
    "PUBLIC",
    "REFEREE",
    "SEAT",
    "SEAT_MARKS",
    "Action",
    "ActionSpace",
    "AnyGame",
    "Arg",
    "Audience",
    "AudienceKind",
    "Board",
    "Both",
    "Box",
    "Chance",
    "Checks",
    "Choice",
    "Choices",
    "ChooseStep",
    "Corner",
    "Cost",
    "Event",
    "Features",
    "Game",
    "GamePackage",
    "Group",
    "Hint",
    "Layout",
    "LegalActions",
    "Limit",
    "Listed",
    "NumberStep",
    "Options",
    "Outcome",
    "Path",
    "Pending",
    "Piece",
    "Place",
    "PointStep",
    "Recorder",
    "RefusalCode",
    "Row",
    "RuleViolation",
    "RulesVersion",
    "ScoreLine",
    "ScriptedChance",
    "Seat",
    "SeatMark",
    "SeatMarks",
    "SeatResult",
    "SeededChance",
    "Step",
    "TableCode",
    "Template",
    "TemplateHint",
    "Text",
    "TextWord",
    "Texts",
    "Types",
    "Unreadable",
    "View",
    "Word",
    "components",
    "encode",
    "fold",
    "kept",
    "name_of",
    "named",
    "numbered",
    "on_mat",
    "random_match",
    "recorded",
    "rulings_by_version",
    "seat_audience",
    "several",
    "version_of",
]
