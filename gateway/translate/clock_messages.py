"""Messages about clocks, as the structs that REST speaks."""

from __future__ import annotations

from foldtable.matches.v1 import clock_pb2
from gateway.schemas import clocks as schemas
from gateway.translate.struct_of import struct_of

clock = struct_of(schemas.Clock, clock_pb2.Clock)
clocks = struct_of(schemas.Clocks, clock_pb2.Clocks)
