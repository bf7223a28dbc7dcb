"""All checks of what a game brings beside its rules, in the order in which they run."""

from __future__ import annotations

from typing import Final

from services.kit.check import Check
from services.kit.records.comments import COMMENTS
from services.kit.records.contract import CONTRACT
from services.kit.records.descriptors import DESCRIPTORS
from services.kit.records.golden import GOLDEN
from services.kit.records.hints import HINTS
from services.kit.records.imports import IMPORTS
from services.kit.records.layouts import LAYOUT
from services.kit.records.numbers import ACTIONS, ROWS
from services.kit.records.paragraphs import PARAGRAPHS
from services.kit.records.pieces import PIECES
from services.kit.records.refusals import REFUSALS
from services.kit.records.texts import TEXTS, TOLD

RECORD_CHECKS: Final[tuple[Check, ...]] = (
    IMPORTS,
    COMMENTS,
    DESCRIPTORS,
    CONTRACT,
    TEXTS,
    TOLD,
    REFUSALS,
    PARAGRAPHS,
    LAYOUT,
    PIECES,
    HINTS,
    GOLDEN,
    ACTIONS,
    ROWS,
)
"""First what can be read in the files, then what is looked at in matches."""
