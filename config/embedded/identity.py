"""Under which user PostgreSQL runs. It refuses to run as root, and this is how root can have it all the same.

An ordinary user runs it as himself. For root there are two ways, and the owner of the data decides which:

* data that root owns: a user namespace in which root's own files belong to an unprivileged user, so that no
  file changes hands and no folder has to be opened to others;
* where the system allows no user namespace: an unprivileged user, who becomes the owner of the data. The
  folders above must let him pass; root's own are opened for passing through (not for reading), and that is told.
"""

import ctypes
import os
import pwd
import stat
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from config.problems import OperatorProblem

CLONE_NEWUSER = 0x10000000
UNPRIVILEGED = ("postgres", "nobody")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """How to start a program of PostgreSQL: arguments for ``subprocess``, and who owns its files."""

    owner: tuple[int, int] | None = None
    start: dict[str, Any] = field(default_factory=dict)

    def own(self, path: Path) -> None:
        if self.owner is not None:
            os.chown(path, *self.owner)


def find(folder: Path, *, binaries: Path, report: Callable[[str], None]) -> Identity:
    """The identity for data in the given folder, which exists."""
    if os.geteuid() != 0:
        return Identity()
    owner = folder.stat()
    if owner.st_uid == 0 and namespace_allowed():
        return Identity(start={"preexec_fn": _namespace_entrance()})
    user = pwd.getpwuid(owner.st_uid) if owner.st_uid else unprivileged_user()
    for path in (folder, binaries):
        _let_pass(path, user=user, report=report)
    return Identity(
        owner=(user.pw_uid, user.pw_gid),
        start={"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []},
    )


def unprivileged_user() -> pwd.struct_passwd:
    for name in UNPRIVILEGED:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise OperatorProblem(
        "PostgreSQL refuses to run as root, and this machine has no unprivileged user "
        f"({' or '.join(UNPRIVILEGED)}): add one, or run as an ordinary user."
    )


def namespace_allowed() -> bool:
    """Whether a process of ours can enter a user namespace here: tried out, because nothing else tells."""
    try:
        tried = subprocess.run(["true"], preexec_fn=_namespace_entrance(), capture_output=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return tried.returncode == 0


def _namespace_entrance() -> Callable[[], None]:
    """What the child does between fork and exec; everything that takes memory or locks is done beforehand."""
    user = unprivileged_user()
    unshare = ctypes.CDLL(None, use_errno=True).unshare

    def enter() -> None:
        if unshare(CLONE_NEWUSER) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        for name, line in (
            ("setgroups", "deny"),
            ("uid_map", f"{user.pw_uid} 0 1"),
            ("gid_map", f"{user.pw_gid} 0 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(line)

    return enter


def _let_pass(path: Path, *, user: pwd.struct_passwd, report: Callable[[str], None]) -> None:
    """Make every folder above (and the folder of programs itself) passable for the user."""
    for folder in path.resolve().parents:
        mode = folder.stat().st_mode
        if _may_pass(folder.stat(), user=user):
            continue
        report(f"letting the user {user.pw_name} pass through {folder}: PostgreSQL does not run as root")
        folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)


def _may_pass(status: os.stat_result, *, user: pwd.struct_passwd) -> bool:
    if status.st_uid == user.pw_uid:
        return bool(status.st_mode & stat.S_IXUSR)
    if status.st_gid == user.pw_gid:
        return bool(status.st_mode & stat.S_IXGRP)
    return bool(status.st_mode & stat.S_IXOTH)
