"""Runs the whole site on one machine: ``python -m config.serve [--demo]`` (``make run``, ``make demo``).

Prepares the data, starts the web process and the worker, and serves until Ctrl-C or SIGTERM.
"""

import argparse
import getpass
import io
import json
import os
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the site: web, worker and database.")
    parser.add_argument("--demo", action="store_true", help="with a half-played demo event")
    demo = parser.parse_args().demo
    with one_sentence():
        host = environment.text("HOST", "127.0.0.1")
        port = environment.number("PORT", 8000)
        refuse_taken_port(host, port)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _stop)
        serve(host=host, port=port, demo=demo)


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
            offer_first_organizer(address)
        tell("starting web and worker ...")
        processes.start("web process", web_command(host, port))
        processes.start("worker", worker_command())
        wait_until_up(host, port, processes)
        tell(f"\nThe site is at {address}   (Ctrl-C stops it)\n{log_ins}")
        while True:
            processes.check()
            time.sleep(1)
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
            raise OperatorProblem(
                f"port {port} of {host} cannot be used ({error}): choose another, for example PORT=8123."
            ) from error


def prepare(*, demo: bool) -> str:
    """Bring data, translations and static files up to date; returns what the demo says about its log-ins."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    compile_catalogue()
    django.setup()

    from django.core.management import call_command, get_commands

    from config import statics
    from config.pulse import forget_dead_workers

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


def offer_first_organizer(address: str) -> None:
    from tournaments.errors import SiteError
    from tournaments.models import User
    from tournaments.services.events import set_up_first_organizer

    if User.objects.exists():
        return
    tell(f"There is no organizer yet. Create the first one here, or later at {address}setup/")
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
    local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    seconds = environment.number("READY_SECONDS", READY_SECONDS)
    deadline = time.monotonic() + seconds
    down = ["web"]
    while time.monotonic() < deadline:
        processes.check()
        down = _parts_down(f"http://{local}:{port}/healthz")
        if not down:
            return
        time.sleep(0.2)
    raise OperatorProblem(f"not up after {seconds} seconds: {', '.join(down)}; see the messages above.")


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
