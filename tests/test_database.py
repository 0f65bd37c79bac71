"""The embedded database: shared, stopped with its last holder however that ends, never started for nothing."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config import environment, serve
from config.embedded import identity, server
from config.problems import OperatorProblem

ROOT = Path(__file__).resolve().parent.parent
# One worker for all of them: they make clusters and count processes.
pytestmark = pytest.mark.xdist_group("database")
PATIENCE = 600  # seconds: how long a busy machine may take; nothing waits that long when all is well

HOLDER = """
import sys
from pathlib import Path
from config.embedded import server
server.hold(Path(sys.argv[1]), durable=False, report=lambda line: print(line, file=sys.stderr))
print("held", flush=True)
sys.stdin.readline()
"""


class Holder:
    """Another process that uses the server until it is told to leave."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(folder)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def wait_until_held(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"held\n"

    def leave(self) -> None:
        self.process.communicate(b"\n", timeout=PATIENCE)

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)


def until(met: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not met() and time.monotonic() < deadline:
        time.sleep(0.05)
    return met()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("v") / "postgres"


@pytest.fixture
def holder(folder: Path) -> Iterator[Callable[[], Holder]]:
    started: list[Holder] = []

    def start() -> Holder:
        started.append(Holder(folder))
        started[-1].wait_until_held()
        return started[-1]

    yield start
    for one in started:
        one.kill()
    assert until(lambda: server.postmaster(folder) is None)


def test_two_processes_share_one_server_and_the_last_stops_it(
    folder: Path, holder: Callable[[], Holder]
) -> None:
    first = holder()
    postmaster = server.postmaster(folder)
    second = holder()

    assert postmaster is not None
    assert server.postmaster(folder) == postmaster
    first.leave()
    assert server.is_up(folder)
    second.leave()
    assert server.postmaster(folder) is None


def test_processes_that_start_at_once_start_one_server(folder: Path) -> None:
    together = [Holder(folder) for _ in range(4)]
    for one in together:
        one.wait_until_held()

    assert server.is_up(folder)
    for one in together:
        one.leave()
    assert server.postmaster(folder) is None


def test_a_holder_killed_by_force_does_not_count(folder: Path, holder: Callable[[], Holder]) -> None:
    killed, other = holder(), holder()

    killed.kill()
    assert server.is_up(folder)
    other.leave()
    assert server.postmaster(folder) is None


def test_the_server_stops_when_its_only_holder_is_killed_by_force(
    folder: Path, holder: Callable[[], Holder]
) -> None:
    only = holder()

    only.kill()

    assert until(lambda: server.postmaster(folder) is None)


def test_a_server_killed_by_force_is_started_again(folder: Path, holder: Callable[[], Holder]) -> None:
    holder()
    dead = server.postmaster(folder)
    assert dead is not None
    os.kill(dead, signal.SIGKILL)
    assert until(lambda: server.postmaster(folder) is None)

    holder()

    assert server.is_up(folder)
    assert server.postmaster(folder) != dead


def test_a_pid_file_that_names_another_program_stops_nobody(
    folder: Path, holder: Callable[[], Holder]
) -> None:
    holder().leave()
    (folder / "data" / "postmaster.pid").write_text(f"{os.getpid()}\n{folder / 'data'}\n0\n5432\n\n\n\n")

    assert server.postmaster(folder) is None
    holder()
    assert server.is_up(folder)


def test_a_half_made_cluster_is_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "postgres"
    (folder / "data").mkdir(parents=True)
    (folder / "data.draft").mkdir()
    (folder / "data" / "postgresql.conf").write_text("half")

    only = Holder(folder)
    only.wait_until_held()

    assert server.is_up(folder)
    only.leave()


def test_a_path_too_long_for_a_socket_has_its_socket_elsewhere(tmp_path: Path) -> None:
    deep = tmp_path / ("deep" * 30) / "postgres"

    place = server.socket_folder(deep)

    assert deep not in place.parents
    assert place == server.socket_folder(deep)
    assert place != server.socket_folder(deep.with_name("other"))


def manage(*arguments: str, var: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    environ = {
        key: value for key, value in os.environ.items() if not key.startswith(("DATABASE_URL", "DJANGO_"))
    }
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**environ, "VAR": str(var), **variables},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_a_command_without_database_starts_none(tmp_path: Path) -> None:
    done = manage("check", var=tmp_path)

    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "postgres").exists()


def test_a_command_with_database_starts_one_and_stops_it(tmp_path: Path) -> None:
    ask = (
        "from django.db import connection as c; k = c.cursor(); k.execute('SELECT 6*7'); print(k.fetchone())"
    )

    done = manage("shell", "--no-imports", "-c", ask, var=tmp_path)

    assert done.stdout == "(42,)\n", done.stderr
    assert "starting PostgreSQL" in done.stderr
    assert (tmp_path / "postgres" / "data" / "PG_VERSION").exists()
    assert server.postmaster(tmp_path / "postgres") is None


def test_an_unreachable_server_is_told_in_one_sentence(tmp_path: Path) -> None:
    done = manage("showmigrations", var=tmp_path, DATABASE_URL="postgresql://u:secret@127.0.0.1:9/none")

    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stderr.startswith("Error: the database of DATABASE_URL cannot be reached")
    assert "secret" not in done.stderr
    assert not (tmp_path / "postgres").exists()


def test_a_wrong_database_url_is_told_in_one_sentence(tmp_path: Path) -> None:
    done = manage("check", var=tmp_path, DATABASE_URL="mysql://u@h/n")

    assert done.returncode == 1
    assert done.stderr == (
        "Error: DATABASE_URL is not the address of a PostgreSQL database (it begins with 'mysql'): "
        "write postgresql://user:password@host:5432/name.\n"
    )


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("db.sqlite3", "it begins with 'nothing'"),
        ("postgresql://host", "it names no database"),
        ("postgresql://host:port/name", "Port could not be cast"),
    ],
)
def test_every_fault_of_a_database_url_is_named(url: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", url)

    with pytest.raises(OperatorProblem, match=why):
        environment.database_address()


def test_a_database_url_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://jia%40:p%2Fw@db.example:6543/events?sslmode=require")

    assert environment.database_address() == environment.DatabaseAddress(
        name="events",
        user="jia@",
        password="p/w",
        host="db.example",
        port="6543",
        options={"sslmode": "require"},
    )


def refuse(_line: str) -> None:
    return None


def test_no_program_for_the_platform_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "binary_folder", lambda: None)

    with pytest.raises(OperatorProblem, match=r"no PostgreSQL program for this platform .* DATABASE_URL"):
        server.hold(tmp_path / "postgres", durable=False, report=refuse)


def test_a_program_of_another_platform_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "initdb").write_bytes(b"\x7fELF of another machine")
    (programs / "initdb").chmod(0o755)
    monkeypatch.setattr(server, "binary_folder", lambda: programs)

    with pytest.raises(OperatorProblem, match="no PostgreSQL program for this platform"):
        server.hold(tmp_path / "postgres", durable=False, report=refuse)


def test_a_full_disk_is_told_before_anything_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = server.shutil.disk_usage(tmp_path)._replace(free=5_000_000)
    monkeypatch.setattr(server.shutil, "disk_usage", lambda _path: usage)

    with pytest.raises(OperatorProblem, match="the disk is full: 5 MB are free"):
        server.hold(tmp_path / "postgres", durable=False, report=refuse)
    assert not (tmp_path / "postgres" / "data").exists()


def test_the_data_of_another_version_are_left_alone(tmp_path: Path) -> None:
    data = tmp_path / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("9\n")

    with pytest.raises(OperatorProblem, match="are of PostgreSQL 9"):
        server.hold(tmp_path / "postgres", durable=False, report=refuse)
    assert (data / "PG_VERSION").read_text() == "9\n"


def test_a_taken_port_is_told() -> None:
    with serve.socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(OperatorProblem, match=f"port {port} of 127.0.0.1 cannot be used.*PORT=8123"):
            serve.refuse_taken_port("127.0.0.1", port)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to run PostgreSQL as somebody else")
def test_root_without_user_namespaces_runs_it_as_an_unprivileged_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    (closed / "data").mkdir(parents=True)
    closed.chmod(0o700)
    monkeypatch.setattr(identity, "namespace_allowed", lambda: False)
    told: list[str] = []

    who = identity.find(closed / "data", binaries=Path("/bin/sh"), report=told.append)
    who.own(closed / "data")

    user = identity.unprivileged_user()
    assert who.owner == (user.pw_uid, user.pw_gid)
    assert any(str(closed) in line for line in told)
    assert closed.stat().st_mode & 0o777 == 0o701
    written = subprocess.run(["/bin/sh", "-c", f"id -u > {closed}/data/who"], **who.start)
    assert written.returncode == 0
    assert (closed / "data" / "who").read_text().strip() == str(user.pw_uid)
