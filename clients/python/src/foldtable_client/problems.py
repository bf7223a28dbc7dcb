"""The exceptions of this client.

FoldtableError
├── Ended                    ended from outside, before there was an answer
│   ├── Closed               the client was closed
│   └── Stopped              the call's `Stop` was set
├── Unreachable              no answer for as long as the client was patient
└── ProblemError             the API refused, with a problem document (RFC 9457)
    ├── VersionConflict      somebody else was first: look again
    └── RefusedByTheRules    the rulebook forbids the move
"""

from __future__ import annotations

from typing import Any, cast

import httpx

from foldtable_client import types


class FoldtableError(Exception):
    """The base of this client's own exceptions."""


class Ended(FoldtableError):  # noqa: N818 - the name says what happened
    """The call was ended from outside. Whether the API has carried it out is unknown."""


class Closed(Ended):
    """The client was closed: before the call, or while it lasted."""


class Stopped(Ended):
    """The `Stop` that the call was made under was set."""


class Unreachable(FoldtableError):  # noqa: N818 - the name says what happened
    """The API did not answer, or was not ready, for longer than the client's `retry_for`. `__cause__` is the last error, if there was one."""


class ProblemError(FoldtableError):
    """The API refused. Program against `reason`, which is stable; `detail` is for people."""

    def __init__(self, status: int, document: types.Problem) -> None:
        self.status = status
        self.document = document
        self.reason: str = document.get("reason", "")
        self.detail: str = document.get("detail", "")
        super().__init__(f"{status} {self.reason or 'without a reason'}: {self.detail}")

    @property
    def legal_actions(self) -> types.LegalActionsNow | None:
        """What the seat may do now, if the refusal of a move says so."""
        return self.document.get("legal_actions")

    @property
    def current_version(self) -> int | None:
        """The match's version, if the refusal of a move names it."""
        return self.document.get("current_version")


class VersionConflict(ProblemError):  # noqa: N818 - the API's own word
    """The move was decided on a version that is no longer the newest; `missed` has the moves since."""

    @property
    def missed(self) -> list[types.Move]:
        """The moves since the version the request was made on."""
        return self.document.get("missed", [])


class RefusedByTheRules(ProblemError):  # noqa: N818 - the name says what happened
    """The rulebook forbids the move; `reason` is the game's own code."""

    @property
    def rule(self) -> str:
        """Paragraph of the rules, such as `7.2`."""
        return self.document.get("rule", "")

    @property
    def field(self) -> str:
        """The part of the action that is wrong; empty where no single part is."""
        return self.document.get("field", "")

    @property
    def facts(self) -> dict[str, Any]:
        """The facts behind the refusal that the seat may know."""
        return self.document.get("facts", {})


def problem_of(answer: httpx.Response) -> ProblemError:
    """Return the exception for an answer that is not a success; its body must have been read."""
    try:
        told = answer.json()
    except ValueError:
        told = None
    if not isinstance(told, dict):  # a proxy on the way answered
        told = {"status": answer.status_code, "detail": answer.text[:200]}
    document = cast("types.Problem", told)
    if document.get("reason") == "VERSION_CONFLICT":
        return VersionConflict(answer.status_code, document)
    if "rule" in document:
        return RefusedByTheRules(answer.status_code, document)
    return ProblemError(answer.status_code, document)


def json_of(answer: httpx.Response) -> Any:
    """Return the body of an answer. Raises ProblemError if it is no JSON: then something on the way answered."""
    try:
        return answer.json()
    except ValueError as error:
        raise problem_of(answer) from error
