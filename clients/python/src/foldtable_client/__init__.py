"""A thin, typed client of the Foldtable REST interface.

`Client` has all the methods. Answers are the JSON objects of the API, described by the types in
`foldtable_client.types`; refusals are exceptions with the API's stable `reason`.
"""

from foldtable_client.choices import ActionChoice, Choice, TemplateChoice, choices
from foldtable_client.client import Client, TaggedTable
from foldtable_client.filling import fill
from foldtable_client.match_events import (
    AccessRevoked,
    FeedEvent,
    MatchEnded,
    MoveApplied,
    SeatsUpdated,
    Snapshot,
    StreamEvent,
    TablePatched,
    TableShown,
)
from foldtable_client.patches import patched
from foldtable_client.problems import (
    FoldtableError,
    ProblemError,
    RefusedByTheRules,
    Unreachable,
    VersionConflict,
)
from foldtable_client.replaying import ReplayedVersion
from foldtable_client.turns import Choose

__all__ = [
    "AccessRevoked",
    "ActionChoice",
    "Choice",
    "Choose",
    "Client",
    "FeedEvent",
    "FoldtableError",
    "MatchEnded",
    "MoveApplied",
    "ProblemError",
    "RefusedByTheRules",
    "ReplayedVersion",
    "SeatsUpdated",
    "Snapshot",
    "StreamEvent",
    "TablePatched",
    "TableShown",
    "TaggedTable",
    "TemplateChoice",
    "Unreachable",
    "VersionConflict",
    "choices",
    "fill",
    "patched",
]
