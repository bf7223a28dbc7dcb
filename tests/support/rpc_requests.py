"""The request of an RPC that the table of the authorisation matrix asks for. For tests; used by name."""

from __future__ import annotations

from typing import Any

from google.protobuf import json_format, message_factory
from google.protobuf.descriptor import MethodDescriptor

from tests.support.authorisation import Row
from tests.support.scenes import Scene


def message_of(method: MethodDescriptor, row: Row, scene: Scene) -> Any:
    """Return the request, with what the scene is about filled in."""
    fields = row.asked(scene)
    if method.name == "Play":
        fields = {"calls": [{"call_id": 1, "act": {**fields, "match_id": scene.match_id}}]}
    elif method.name == "Follow":
        fields = {"commands": [{"subscribe": {**fields, "match_id": scene.match_id, "follow_id": 1}}]}
    else:
        known = method.input_type.fields_by_name
        fields = {name: value for name, value in scene.subject.items() if name in known} | fields
    message = message_factory.GetMessageClass(method.input_type)()
    return json_format.ParseDict(fields, message)
