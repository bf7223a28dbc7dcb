"""A thin, typed client of the Foldtable REST interface.

`Client` has all the methods, and `AsyncClient` has the same for asyncio. Answers are the JSON objects of the API, described by the types in
`foldtable_client.types`; refusals are exceptions with the API's stable `reason`.
"""

from foldtable_client.async_client import AsyncClient, TaggedTable
from foldtable_client.choices import ActionChoice, Choice, TemplateChoice, choices
from foldtable_client.client import Client
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
    Closed,
    Ended,
    FoldtableError,
    ProblemError,
    RefusedByTheRules,
    Stopped,
    Unreachable,
    VersionConflict,
)
from foldtable_client.replaying import ReplayedVersion
from foldtable_client.stopping import Stop
from foldtable_client.tables import is_of
from foldtable_client.turns import Choose, ChooseAsync

__all__ = [
    "AccessRevoked",
    "ActionChoice",
    "AsyncClient",
    "Choice",
    "Choose",
    "ChooseAsync",
    "Client",
    "Closed",
    "Ended",
    "FeedEvent",
    "FoldtableError",
    "MatchEnded",
    "MoveApplied",
    "ProblemError",
    "RefusedByTheRules",
    "ReplayedVersion",
    "SeatsUpdated",
    "Snapshot",
    "Stop",
    "Stopped",
    "StreamEvent",
    "TablePatched",
    "TableShown",
    "TaggedTable",
    "TemplateChoice",
    "Unreachable",
    "VersionConflict",
    "choices",
    "fill",
    "is_of",
    "patched",
]
