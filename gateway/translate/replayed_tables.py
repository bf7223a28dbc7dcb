"""The steps of a replay with tables: the first table of an answer as a whole, then what has changed from step to step."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from foldtable.matches.v1 import history_pb2
from gateway.http.json_patch import difference
from gateway.schemas.history import ReplayStep, ReplayTable
from gateway.translate import messages
from gateway.translate.struct_of import struct_of
from gateway.translate.table import pieces

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder().decode
_table: Final = struct_of(ReplayTable, history_pb2.ReplayMatchResponse.Step, pieces=pieces)


class TableSteps:
    """Makes the steps of one answer in their order. It remembers one table: that of the step before."""

    def __init__(self) -> None:
        self._before: Any = None

    def next(self, message: history_pb2.ReplayMatchResponse.Step) -> ReplayStep:
        """Return the next step: with its table if it is the first, else with a patch of the table before."""
        table = _table(message)
        before, self._before = self._before, _decode(_encode(table))
        move = messages.move(message.move)
        if before is None:
            return ReplayStep(version=message.version, move=move, table=table)
        return ReplayStep(version=message.version, move=move, patch=difference(before, self._before))
