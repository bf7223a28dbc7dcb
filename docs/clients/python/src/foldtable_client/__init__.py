"""A thin, typed client of the Foldtable REST interface.

`Client` has all the methods. Answers are the JSON objects of the API, described by the types in
`foldtable_client.types`; refusals are exceptions with the API's stable `reason`.
"""

from foldtable_client.client import Client
from foldtable_client.problems import (
    FoldtableError,
    ProblemError,
    RefusedByTheRules,
    Unreachable,
    VersionConflict,
)
from foldtable_client.streams import FeedEvent, MatchEnded, MoveApplied, Snapshot, StreamEvent
from foldtable_client.turns import Choose

__all__ = [
    "Choose",
    "Client",
    "FeedEvent",
    "FoldtableError",
    "MatchEnded",
    "MoveApplied",
    "ProblemError",
    "RefusedByTheRules",
    "Snapshot",
    "StreamEvent",
    "Unreachable",
    "VersionConflict",
]
