"""Translation of messages about vacations to and from the types of REST."""

from __future__ import annotations

from foldtable.platform.v1 import vacation_pb2 as pb
from gateway.schemas import vacations
from gateway.translate.message_of import message_of
from gateway.translate.struct_of import struct_of

announce_vacation = message_of(
    pb.AnnounceVacationRequest,
    vacations.AnnounceVacationRequest,
    besides=("since", "until", "request_id"),
)
list_vacations = message_of(pb.ListVacationsRequest, vacations.VacationsQuery)

vacation = struct_of(vacations.Vacation, pb.Vacation)
vacation_list = struct_of(vacations.VacationList, pb.ListVacationsResponse)
cancelled_vacation = struct_of(vacations.CancelledVacation, pb.CancelVacationResponse)
