"""The user Postgres runs as. Postgres refuses to run as root, so root runs it as another user."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypedDict

from services.embedded_postgres.errors import FolderUnusable

PROBE_SECONDS: Final = 10
KNOWN_USERS: Final = ("postgres", "nobody", "daemon")
"""Users to run as inside the namespace, the preferred first. initdb needs a user id with a name; any will do."""


class Identity(TypedDict, total=False):
    """The arguments for `subprocess` that set the child's user; empty: our own user."""

    user: int
    group: int
    extra_groups: tuple[int, ...]


@dataclass(frozen=True)
class RunAs:
    """How a Postgres command is run, and who owns its files as seen from outside a namespace."""

    name: str
    uid: int
    gid: int
    prefix: tuple[str, ...] = ()
    """Put before the command."""
    drops: bool = False
    """Whether the child process changes its user to `uid`."""

    def identity(self) -> Identity:
        if not self.drops:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": ()}


def run_as(folder: Path) -> RunAs:
    """Return how to run Postgres: as our user, or if that is root, as the folder's owner.

    If that user is root too, or has no name, it runs in a user namespace; where these are forbidden, root becomes `nobody`.

    So if root runs it in a user's checkout, the folder stays that user's, who can then start it as well. Root in a
    namespace could not do this: there it has no special rights over other users' folders.
    """
    if os.geteuid() != 0:
        chosen = RunAs("ourselves", os.geteuid(), os.getegid())
    else:
        ground = next(place for place in (folder, *folder.parents) if place.exists()).stat()
        chosen = RunAs("the folder's owner", ground.st_uid, ground.st_gid, drops=ground.st_uid != 0)
    if chosen.uid != 0 and _has_a_name(chosen.uid):
        return chosen
    namespaced = in_a_namespace(chosen)
    if namespaced is not None:
        return namespaced
    return chosen if chosen.uid != 0 else as_nobody()


def in_a_namespace(outside: RunAs) -> RunAs | None:
    """Return how to run a command in a user namespace; None where user namespaces are forbidden.

    Outside the namespace the user stays the same; inside it is one that is not root and has a name, as initdb needs.
    """
    unshare = shutil.which("unshare")
    inner = _a_named_user()
    if unshare is None or inner is None:
        return None
    prefix = (unshare, "--user", f"--map-user={inner}", "--")
    try:
        probe = subprocess.run(  # noqa: S603 - our own command
            (*prefix, "true"), capture_output=True, timeout=PROBE_SECONDS, check=False, **outside.identity()
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if probe.returncode != 0:
        return None
    return replace(outside, name=f"{outside.name} in a user namespace", prefix=prefix)


def as_nobody() -> RunAs:
    """Return how to run a command as `nobody`, who then owns the data. Raises FolderUnusable if there is no such user."""
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise FolderUnusable(
            "Postgres does not run as root, user namespaces are forbidden here and there is no user `nobody`; "
            "start as an ordinary user, or point FOLDTABLE_DATABASE_URL at a Postgres of your own"
        ) from None
    return RunAs("nobody", nobody.pw_uid, nobody.pw_gid, drops=True)


def _has_a_name(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _a_named_user() -> int | None:
    users = {user.pw_name: user.pw_uid for user in pwd.getpwall() if user.pw_uid != 0}
    for name in KNOWN_USERS:
        if name in users:
            return users[name]
    return next(iter(users.values()), None)
