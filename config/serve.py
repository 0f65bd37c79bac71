"""Runs the whole site on one machine: ``python -m config.serve [--demo]`` (``make run``, ``make demo``).

Prepares the data, starts the web process and the worker, and serves until Ctrl-C or SIGTERM. On servers of their own
``--only web`` and ``--only worker`` become just that process, with the same flags, for whatever keeps it running there.
"""

import argparse
import getpass
import io
import json
import os
import secrets
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from typing import NoReturn

from config import environment
from config.catalogues import compile_catalogue
from config.problems import OperatorProblem, one_sentence
from config.processes import Processes

READY_SECONDS = 180
WEB_PROCESSES = 2
WEB_THREADS = 4
WORKER_THREADS = 2
DEMO_COMMAND = "load_demo"
LOCAL_HOSTS = {"127.0.0.1", "localhost", "::1"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the site: web, worker and database.")
    parser.add_argument("--demo", action="store_true", help="with a half-played demo event")
    parser.add_argument("--only", choices=["web", "worker"], help="become this one process")
    given = parser.parse_args()
    demo = given.demo
    with one_sentence():
        if given.only:
            become(given.only)
        host = environment.text("HOST", "127.0.0.1")
        port = environment.number("PORT", 8000)
        refuse_taken_port(host, port)
        kept = keep_port(host, port)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _stop)
        try:
            serve(host=host, port=port, demo=demo)
        finally:
            if kept is not None:
                kept.close()


def become(part: str) -> NoReturn:
    """Turn into the web process or the worker. Migrations are run once, before, by whoever updates the site."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    compile_catalogue()
    django.setup()

    from django.db import connections

    from config import statics

    refuse_newer_database()
    connections.close_all()
    if part == "web":
        statics.collect()
        command = web_command(environment.text("HOST", "127.0.0.1"), environment.number("PORT", 8000))
    else:
        command = worker_command()
    os.execv(command[0], command)


def serve(*, host: str, port: int, demo: bool) -> None:
    processes = Processes()
    try:
        tell("preparing ...")
        log_ins = prepare(demo=demo)
        address = (
            f"http://localhost:{port}/"
            if host in {"127.0.0.1", "0.0.0.0", "::"}
            else f"http://{host}:{port}/"
        )
        if not demo:
            offer_first_organizer(address, is_local=host in LOCAL_HOSTS)
            warn_of_demo_accounts()
        tell("starting web and worker ...")
        processes.start("web process", web_command(host, port))
        processes.start("worker", worker_command())
        wait_until_up(host, port, processes)
        tell(f"\nThe site is at {address}   (Ctrl-C stops it)\n{log_ins}")
        while True:
            processes.check()
            time.sleep(0.5)
    except KeyboardInterrupt:
        tell("\nstopping ...")
    finally:
        _ignore_signals()
        processes.stop()
    tell("stopped.")


def refuse_taken_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            raise OperatorProblem(_taken(host, port, str(error))) from error


def keep_port(host: str, port: int) -> socket.socket | None:
    """Keep a second site off the port from now on, not only once the first listens: web processes share theirs, so the
    kernel would let two sites in. The name of the socket is the kernel's own and goes with this process.
    """
    if sys.platform != "linux":
        return None
    name = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        name.bind(f"\0draughts-tournaments-{port}")
    except OSError as error:
        name.close()
        raise OperatorProblem(_taken(host, port, "another site is starting or running there")) from error
    return name


def _taken(host: str, port: int, why: str) -> str:
    return f"port {port} of {host} cannot be used ({why}): choose another, for example PORT=8123."


def prepare(*, demo: bool) -> str:
    """Bring data, translations and static files up to date; returns what the demo says about its log-ins."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    compile_catalogue()
    django.setup()

    from django.core.management import call_command, get_commands

    from config import statics
    from config.pulse import forget_dead_workers

    refuse_newer_database()
    call_command("migrate", interactive=False, verbosity=0)
    forget_dead_workers()
    if statics.collect():
        tell("collected the static files")
    if not demo or DEMO_COMMAND not in get_commands():
        return ""
    tell("preparing the demo event ...")
    said = io.StringIO()
    call_command(DEMO_COMMAND, stdout=said)
    return said.getvalue().rstrip()


def refuse_newer_database() -> None:
    from tournaments.errors import SiteError
    from tournaments.services import backups

    try:
        backups.refuse_newer_database()
    except SiteError as error:
        raise OperatorProblem(str(error)) from error


def offer_first_organizer(address: str, *, is_local: bool) -> None:
    """Ask for the first account here, where one can type; at the address it needs a code if others can reach the site."""
    from tournaments.errors import SiteError
    from tournaments.models import User
    from tournaments.services.events import set_up_first_organizer

    if User.objects.exists():
        return
    tell(f"There is no organizer yet. Create the first one here, or later at {address}setup/")
    if not is_local:
        code = os.environ.setdefault("SETUP_CODE", secrets.token_urlsafe(6))
        tell(f"Others can reach this site, so that page asks for a code: {code}")
    if not sys.stdin.isatty():
        return
    while name := input("User name of the organizer (empty: later): ").strip():
        password = getpass.getpass("Password: ")
        if password != getpass.getpass("Password again: "):
            tell("The two passwords are not the same.")
            continue
        try:
            set_up_first_organizer(username=name, password=password)
        except SiteError as error:
            tell(f"{error} {error.values.get('fields', '')}")
            continue
        return


def warn_of_demo_accounts() -> None:
    """Say at every start that the accounts of the demo, whose password everybody knows, still open this site."""
    from games.demo.event import open_accounts

    names = [user.username for user in open_accounts()]
    if names:
        tell(
            f"WARNING: the demo's accounts still log in, with a password that everybody knows: {', '.join(names)}."
        )
        tell("Switch them off: .venv/bin/python manage.py disable_demo_accounts")
    os.environ["DEMO_ACCOUNTS"] = ",".join(names)  # for the web process, whose desk warns too


def web_command(host: str, port: int) -> list[str]:
    return [
        sys.executable, "-m", "granian", "--interface", "wsgi", "--host", host, "--port", str(port),
        "--workers", str(environment.number("WEB_PROCESSES", WEB_PROCESSES)),
        "--blocking-threads", str(environment.number("WEB_THREADS", WEB_THREADS)),
        "--respawn-failed-workers", "--log-level", "warning", "config.wsgi:application",
    ]  # fmt: skip


def worker_command() -> list[str]:
    return [
        # Celery's warning about root is for brokers that others can write to.
        sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "--app", "config.celery:app", "worker", "--pool", "threads",
        "--concurrency", str(environment.number("WORKER_THREADS", WORKER_THREADS)),
        "--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat",
    ]  # fmt: skip


def wait_until_up(host: str, port: int, processes: Processes) -> None:
    """Return once the site is whole; without a worker or a broker it serves all the same, and tells so.

    Raises OperatorProblem when the web process ends or does not answer.
    """
    local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    seconds = environment.number("READY_SECONDS", READY_SECONDS)
    deadline = time.monotonic() + seconds
    down = ["web"]
    while time.monotonic() < deadline:
        processes.check(must_stay=["web process"])
        down = _parts_down(f"http://{local}:{port}/healthz")
        if not down:
            return
        time.sleep(0.2)
    missing = f"not up after {seconds} seconds: {', '.join(down)}; see the messages above."
    if not set(down) <= {"worker", "broker"}:
        raise OperatorProblem(missing)
    tell(missing)


def _parts_down(url: str) -> list[str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers={"Host": "localhost"}), timeout=5):
            return []
    except urllib.error.HTTPError as error:
        try:
            return list(json.load(error)["down"])
        except (ValueError, KeyError):
            return [f"web (answers {error.code})"]
    except OSError:
        return ["web"]


def tell(line: str) -> None:
    print(line, flush=True)


def _stop(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def _ignore_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    main()
